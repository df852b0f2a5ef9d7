package net.sluice.core.network;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import net.sluice.core.Declared;
import net.sluice.core.Page;
import net.sluice.core.Selection;
import net.sluice.core.TargetStatus;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.state.Names;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.NetworkStore;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.value.InvalidValueException;

/** The declarations at all switches, as one list. */
public final class NetworkLists {
  private static final int CHUNK = 1_000;
  private static final int CHUNK_OF_SEVERAL = 64;

  /** Most records that are read for one page: few may be among them that are asked for. */
  private static final int MOST_READ = 20_000;

  private final Network network;
  private final Names names;
  private final NetworkStore store;

  public NetworkLists(Network network, Names names, NetworkStore store) {
    this.network = network;
    this.names = names;
    this.store = store;
  }

  /** As {@link net.sluice.core.Controller#find}. */
  public Optional<Declared> find(Kind kind, String id) {
    if (network.isOne()) {
      return network.first().find(kind, id);
    }
    // What moves meanwhile from a switch that is asked later to one that was is there by now.
    return look(kind, id).or(() -> look(kind, id));
  }

  private Optional<Declared> look(Kind kind, String id) {
    List<Declared> found = new ArrayList<>(1);
    NetworkNotes notes = new NetworkNotes();
    for (SwitchShard shard : network.all()) {
      Optional<Declared> here = shard.find(kind, id);
      here.ifPresent(found::add);
      here.ifPresent(declared -> notes.add(shard.name(), declared.notes()));
      if (!kind.isOfNetwork() && !found.isEmpty()) {
        return Optional.of(found.get(0).at(shard.name()).leaving(leaving(kind, id)));
      }
    }
    return found.isEmpty() ? Optional.empty() : Optional.of(merged(found, notes));
  }

  private List<Declared.LeavingAt> leaving(Kind kind, String id) {
    List<Declared.LeavingAt> all = new ArrayList<>(0);
    if (kind == Kind.SUBSCRIBER) {
      for (SwitchShard shard : network.all()) {
        shard
            .leaving(id)
            .ifPresent(
                leaving ->
                    all.add(
                        new Declared.LeavingAt(
                            shard.name(),
                            Instant.ofEpochMilli(leaving.sinceMillis()),
                            leaving.toSwitch())));
      }
    }
    return all;
  }

  /** A policy, which is at every switch. */
  private Declared merged(List<Declared> found, NetworkNotes notes) {
    Set<Grant> grants = new LinkedHashSet<>();
    List<TargetStatus> targets = new ArrayList<>();
    for (Declared declared : found) {
      grants.addAll(declared.grants());
      targets.addAll(declared.targets());
    }
    return new Declared(
        found.get(0).declared(),
        List.copyOf(grants),
        notes.merged(),
        targets,
        Optional.empty(),
        List.of());
  }

  /** True if there is such a declaration and every target holds it. */
  public boolean isInstalled(Kind kind, String id) {
    if (network.isOne()) {
      return network.first().isInstalled(kind, id);
    }
    return find(kind, id)
        .filter(found -> SwitchShard.isInstalled(found.declared(), found.targets()))
        .isPresent();
  }

  /** As {@link net.sluice.core.Controller#list}. */
  public Page list(Kind kind, Selection which, String afterId, int limit) {
    requireLimit(limit);
    if (which.address().isPresent()) {
      List<Declared> holder =
          names
              .subscriberAt(which.address().get())
              .filter(id -> kind == Kind.SUBSCRIBER && id.compareTo(afterId) > 0)
              .flatMap(id -> find(kind, id))
              .filter(found -> isAt(which.switchName(), found) && which.admits(found))
              .stream()
              .toList();
      return new Page(holder, Optional.empty(), OptionalLong.empty());
    }
    Collection<SwitchShard> shards =
        kind.isOfNetwork()
            ? List.of(network.first())
            : network.all().stream()
                .filter(shard -> which.switchName().map(shard.name()::equals).orElse(true))
                .toList();
    OptionalLong total =
        which.equals(Selection.ALL)
            ? OptionalLong.of(shards.stream().mapToLong(shard -> shard.count(kind)).sum())
            : OptionalLong.empty();
    List<Declared> items = new ArrayList<>();
    String last = afterId;
    boolean isEnd = false;
    int left = MOST_READ;
    while (!isEnd && left > 0 && items.size() < limit) {
      // Of those in one state more have to be looked at than are told.
      int most = which.state().isPresent() ? Page.MAX_LIMIT : limit - items.size();
      Found found = read(kind, which, last, shards, most, left);
      left -= found.read;
      last = found.last;
      isEnd = found.isEnd;
      Iterator<StoredRecords.Stored> all = found.all.iterator();
      while (all.hasNext() && items.size() < limit) {
        StoredRecords.Stored each = all.next();
        inForce(kind, which, each).ifPresent(items::add);
        if (items.size() == limit && all.hasNext()) {
          last = each.record().id();
          isEnd = false;
        }
      }
    }
    return new Page(items, isEnd ? Optional.empty() : Optional.of(last), total);
  }

  /**
   * Records that may be what is asked for.
   *
   * @param all of these, those that may
   * @param read number of records that were read
   * @param last id of the last one
   * @param isEnd whether there are no more
   */
  private record Found(List<StoredRecords.Stored> all, int read, String last, boolean isEnd) {}

  /** Reads at one moment, in which nothing is asked of the memory: it may wait for the store. */
  private Found read(
      Kind kind,
      Selection which,
      String afterId,
      Collection<SwitchShard> shards,
      int most,
      int mostRead) {
    List<Found> found = new ArrayList<>(1);
    store.atOneMoment(
        stores -> {
          Map<String, IntentStore> read = new LinkedHashMap<>();
          shards.forEach(shard -> read.put(shard.name(), stores.apply(shard.name())));
          found.add(read(kind, which, afterId, read, most, mostRead));
        });
    return found.get(0);
  }

  private static Found read(
      Kind kind,
      Selection which,
      String afterId,
      Map<String, IntentStore> stores,
      int most,
      int mostRead) {
    boolean isWhole = which.equals(Selection.ALL);
    int chunk = stores.size() > 1 ? CHUNK_OF_SEVERAL : isWhole ? most + 1 : CHUNK;
    StoredRecords records = new StoredRecords(stores, kind, afterId, chunk);
    List<StoredRecords.Stored> all = new ArrayList<>();
    String last = afterId;
    String taken = "";
    int read = 0;
    // One that is at two switches is read at both, or at neither.
    for (; records.hasNext() && (read < mostRead || records.nextId().equals(last)); read++) {
      StoredRecords.Stored each = records.next();
      last = each.record().id();
      // What is moving may be at two switches, and comes once.
      if (!last.equals(taken) && (isWhole || which.admits(each.record().declaration()))) {
        if (all.size() == most) {
          return new Found(all, read, taken, false);
        }
        all.add(each);
        taken = last;
      }
    }
    return new Found(all, read, last, !records.hasNext());
  }

  /** A declaration that was read, as it is by now; empty if it is not what is asked for. */
  private Optional<Declared> inForce(Kind kind, Selection which, StoredRecords.Stored read) {
    String id = read.record().id();
    boolean mayBe =
        which.state().isEmpty()
            || kind.isOfNetwork()
            || network
                .named(read.switchName())
                .map(shard -> shard.mayBeIn(which.state().get(), kind, id))
                .orElse(true);
    return mayBe
        ? find(kind, id).filter(it -> isAt(which.switchName(), it) && which.admits(it))
        : Optional.empty();
  }

  private boolean isAt(Optional<String> switchName, Declared found) {
    return switchName.isEmpty()
        || switchName.get().equals(found.switchName().orElseGet(network.first()::name));
  }

  /** As {@link net.sluice.core.Controller#ids}. */
  public List<String> ids(Kind kind, String prefix, int limit) {
    requireLimit(limit);
    Set<String> ids = new TreeSet<>();
    network.all().forEach(shard -> ids.addAll(shard.ids(kind, prefix, limit)));
    return ids.stream().limit(limit).toList();
  }

  private static void requireLimit(int limit) {
    if (limit < 1 || limit > Page.MAX_LIMIT) {
      throw new InvalidValueException("limit", limit, "1 to " + Page.MAX_LIMIT);
    }
  }
}
