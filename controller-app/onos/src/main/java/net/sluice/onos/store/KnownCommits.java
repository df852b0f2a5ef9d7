package net.sluice.onos.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import net.sluice.core.store.Revision;
import net.sluice.core.store.StoreHistory;

/**
 * The last commits and takeovers that this instance knows the cluster's store to have had, by
 * switch. Storage that comes back without them has gone back, which nothing in it tells. Kept as
 * long as the instance runs, however often it takes the store over.
 */
public final class KnownCommits {
  private record Known(Revision revision, long epoch) {
    private static final Known NOTHING = new Known(Revision.NONE, 0);
  }

  private final Map<String, Known> known = new ConcurrentHashMap<>();

  /** The last numbers that were given in journals, by their names. */
  private final Map<String, Long> numbers = new ConcurrentHashMap<>();

  private String generation = Generations.FIRST;

  /** The store is in that generation of maps: commits that another one had are not missed in it. */
  synchronized void begin(String of) {
    if (!of.equals(generation)) {
      generation = of;
      known.replaceAll((name, each) -> new Known(Revision.NONE, each.epoch));
      numbers.clear();
    }
  }

  /** Number of the last takeover of a switch; 0 if there was none. */
  long epoch(String switchName) {
    return of(switchName).epoch;
  }

  /** The switch was taken over. */
  void takenOver(String switchName, long epoch) {
    known.merge(
        switchName,
        new Known(Revision.NONE, epoch),
        (before, after) -> new Known(before.revision, epoch));
  }

  /** The last commit for the switch that is known, or else {@code history}'s. */
  Revision last(String switchName, StoreHistory history) {
    Revision last = of(switchName).revision;
    return history.has(last) ? history.revision() : last;
  }

  /** The store has these commits. One that has gone back is not known to have less by going on. */
  void committed(String switchName, StoreHistory history) {
    accept(switchName, last(switchName, history));
  }

  /** That commit is the last one, whatever was known before. */
  void accept(String switchName, Revision last) {
    known.merge(switchName, new Known(last, 0), (before, after) -> new Known(last, before.epoch));
  }

  /** The last number that is known to have been given in a journal; 0 if none is. */
  long lastNumber(String journal) {
    return numbers.getOrDefault(journal, 0L);
  }

  /** Numbers up to this one were given in a journal. */
  void numbered(String journal, long last) {
    numbers.put(journal, last);
  }

  private Known of(String switchName) {
    return known.getOrDefault(switchName, Known.NOTHING);
  }
}
