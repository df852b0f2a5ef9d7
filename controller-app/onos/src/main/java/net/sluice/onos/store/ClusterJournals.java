package net.sluice.onos.store;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import net.sluice.core.store.ChangeRecords;
import net.sluice.core.store.Journal;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreContent;
import net.sluice.core.store.StoreException;
import net.sluice.intents.plan.Change;

/**
 * The journals in one of the cluster's maps, by name, and which of them has the records of changes.
 *
 * <p>A commit is first kept with its records, then they are appended. The newest block of the
 * journal says how far it has got with each switch, so that a new leader appends those of the last
 * commits that are missing, and no others.
 */
final class ClusterJournals {
  private final ClusterMap map;
  private final Clock clock;
  private final KnownCommits known;
  private final Consumer<StoreException> lost;
  private final Map<String, ClusterJournal> open = new ConcurrentHashMap<>();
  private volatile Recording recording;
  private boolean closed;

  private record Recording(String journal, ChangeRecords form) {}

  /**
   * Records of a commit.
   *
   * @param number of the commit of that switch; 0 for changes that lead to nothing that is stored
   */
  record OfCommit(String switchName, long number, ClusterRecords records) {}

  ClusterJournals(ClusterMap map, Clock clock, KnownCommits known, Consumer<StoreException> lost) {
    this.map = map;
    this.clock = clock;
    this.known = known;
    this.lost = lost;
  }

  /** Takes over all that there are. */
  void takeOver() {
    map.allKeys().stream()
        .flatMap(key -> ClusterMap.spaceOf(key).stream())
        .distinct()
        .forEach(this::journal);
  }

  /** The journal of a name, which is taken over or begun if that was not done yet. */
  synchronized ClusterJournal journal(String name) {
    if (closed) {
      throw new StoreException("the cluster's store is closed");
    }
    ClusterJournal known = open.get(name);
    if (known == null) {
      known = new ClusterJournal(name, map.in(name), clock, this.known, lost);
      known.takeOver();
      open.put(name, known);
    }
    return known;
  }

  /** From here on the changes of commits are recorded. */
  void recordChanges(String name, ChangeRecords form) {
    Journal unused = journal(name);
    recording = new Recording(name, form);
  }

  /** The records of what batches tell of. */
  ClusterRecords of(Collection<StoreBatch> batches) {
    Recording to = recording;
    List<Change> changes = ChangeRecords.announced(batches);
    if (to == null || changes.isEmpty()) {
      return ClusterRecords.NONE;
    }
    List<Journal.Item> items = to.form.of(changes);
    if (items.isEmpty()) {
      return ClusterRecords.NONE;
    }
    Journal.requireItems(items);
    return new ClusterRecords(to.journal, items);
  }

  /**
   * Appends records of commits that are made. If this fails, they are appended before anything else
   * is.
   */
  void append(List<OfCommit> commits) {
    Map<String, List<OfCommit>> byJournal = new LinkedHashMap<>();
    for (OfCommit each : commits) {
      if (!each.records.isEmpty()) {
        byJournal.computeIfAbsent(each.records.journal(), n -> new ArrayList<>()).add(each);
      }
    }
    byJournal.forEach(
        (name, of) -> {
          List<Journal.Item> items = new ArrayList<>();
          Map<String, Long> numbers = new TreeMap<>();
          for (OfCommit each : of) {
            items.addAll(each.records.items());
            if (each.number > 0) {
              numbers.put(each.switchName, each.number);
            }
          }
          long unused = journal(name).append(items, numbers);
        });
  }

  /** Appends the records of the last commits that the leader before did not append. */
  void complete(List<OfCommit> last) {
    append(
        last.stream()
            .filter(each -> !each.records.isEmpty())
            .filter(each -> each.number > journal(each.records.journal()).recorded(each.switchName))
            .toList());
  }

  /** Returns when nothing is left to be appended. */
  void settle() {
    open.values().forEach(ClusterJournal::settle);
  }

  /** Passes on all records of all journals. */
  void copyTo(StoreContent to) {
    new TreeMap<>(open)
        .forEach(
            (name, journal) ->
                journal.read(0, Integer.MAX_VALUE).forEach(entry -> to.entry(name, entry)));
  }

  synchronized void close() {
    closed = true;
    open.values().forEach(ClusterJournal::close);
  }
}
