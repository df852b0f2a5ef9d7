package net.sluice.core.network;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import net.sluice.core.Declared;
import net.sluice.core.Page;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.shard.SwitchShard;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Grant;

/** The declarations at all switches, as one list. */
public final class NetworkLists {
  private static final int CHUNK = 1_000;

  private final Network network;

  public NetworkLists(Network network) {
    this.network = network;
  }

  /** As {@link net.sluice.core.Controller#find}. */
  public Optional<Declared> find(Kind kind, String id) {
    if (network.isOne()) {
      return network.first().find(kind, id);
    }
    List<Declared> found = new ArrayList<>(1);
    NetworkNotes notes = new NetworkNotes();
    for (SwitchShard shard : network.all()) {
      Optional<Declared> here = shard.find(kind, id);
      here.ifPresent(found::add);
      here.ifPresent(declared -> notes.add(shard.name(), declared.notes()));
      if (kind != Kind.POLICY && !found.isEmpty()) {
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
        .filter(
            declared ->
                !declared.targets().isEmpty()
                    && declared.targets().stream()
                        .allMatch(status -> status.state() == TargetState.INSTALLED))
        .isPresent();
  }

  /** As {@link net.sluice.core.Controller#list}. */
  public Page list(Kind kind, long offset, int limit) {
    if (isPlain()) {
      return network.first().list(kind, offset, limit);
    }
    if (offset < 0) {
      throw new InvalidValueException("offset", offset, "0 or more");
    }
    requireLimit(limit);
    Collection<SwitchShard> shards = kind == Kind.POLICY ? List.of(network.first()) : network.all();
    Merge merge = new Merge(kind, shards);
    long left = 0;
    while (left < offset && merge.next() != null) {
      left++;
    }
    List<Declared> items = new ArrayList<>();
    String id = "";
    while (items.size() < limit && (id = merge.next()) != null) {
      // What was deleted since the store was read makes room for the next.
      find(kind, id).ifPresent(items::add);
    }
    // The switches do not stand still together, so that their counts may tell of another moment.
    long counted = shards.stream().mapToLong(shard -> shard.count(kind)).sum();
    long total = id == null ? left + items.size() : Math.max(counted, offset + limit);
    return new Page(total, offset, limit, items);
  }

  /** Whether all that the only switch has stored is in force there. */
  private boolean isPlain() {
    return network.isOne() && network.first().leavers() == 0;
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

  /** The ids of all switches in order, read as they are asked for. */
  private final class Merge {
    private final Kind kind;
    private final PriorityQueue<Source> sources =
        new PriorityQueue<>(Comparator.comparing(Source::first));

    private String before = "";

    Merge(Kind kind, Collection<SwitchShard> shards) {
      this.kind = kind;
      for (SwitchShard shard : shards) {
        Source source = new Source(shard);
        if (source.first() != null) {
          sources.add(source);
        }
      }
    }

    /** The next; null after the last. What is moving may be at two switches, and comes once. */
    String next() {
      String id = any();
      while (id != null && id.equals(before)) {
        id = any();
      }
      before = id;
      return id;
    }

    /** The next at any switch, also if another has it too; null after the last. */
    String any() {
      Source source = sources.poll();
      if (source == null) {
        return null;
      }
      String id = source.remove();
      if (source.first() != null) {
        sources.add(source);
      }
      return id;
    }

    /** One switch's. */
    private final class Source {
      private final SwitchShard shard;
      private final Deque<String> chunk = new ArrayDeque<>();
      private String last = "";

      Source(SwitchShard shard) {
        this.shard = shard;
      }

      String first() {
        while (chunk.isEmpty() && last != null) {
          last = shard.scan(kind, last, CHUNK, chunk::add);
        }
        return chunk.peek();
      }

      String remove() {
        return chunk.remove();
      }
    }
  }
}
