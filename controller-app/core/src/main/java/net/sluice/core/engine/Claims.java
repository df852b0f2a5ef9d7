package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.core.ControllerException;
import net.sluice.intents.compile.PrefixIndex;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;

/**
 * What changes on their way lay claim to, so that ids and prefixes stay unique over switches that
 * change beside each other: no two changes that name the same declaration, or prefixes that
 * overlap, are looked into at the same time.
 */
final class Claims {
  private static final int OWNER = 0;

  /** Names seen for each one in force from which on those seen are gathered anew. */
  private static final int WORN = 4;

  private record Named(Kind kind, String id) {}

  private final Network network;
  private final Map<Named, Held> named = new HashMap<>();
  private final PrefixIndex v4 = new PrefixIndex(Family.V4);
  private final PrefixIndex v6 = new PrefixIndex(Family.V6);
  private SeenNames seen = new SeenNames();

  Claims(Network network) {
    this.network = network;
  }

  /** Another switch has come, with what it has; nothing is claimed. */
  synchronized void switchesChanged() {
    gather();
  }

  /** Nothing is in force that is neither claimed nor at a switch. */
  private void gather() {
    SeenNames all = new SeenNames();
    network.all().forEach(shard -> shard.tellNames(all));
    named.keySet().forEach(name -> all.add(name.kind, name.id));
    v4.forEach(all::add);
    v6.forEach(all::add);
    seen = all;
  }

  /** Ids and prefixes that came and went are forgotten before there are too many of them. */
  private void forgetGone() {
    if (seen.isFull()) {
      long inForce = network.all().stream().mapToLong(SwitchShard::names).sum();
      if (seen.size() > WORN * inForce) {
        gather();
      }
    }
  }

  /** The claims of one thread, which may be of several changes. */
  final class Held implements AutoCloseable {
    private final List<Named> mine = new ArrayList<>();
    private final List<IpPrefix> prefixes = new ArrayList<>();
    private final BitSet maySee = new BitSet();
    private int changes;

    /** Claims what a change needs, unless somebody else has a part of it. */
    boolean tryAdd(Change change) {
      synchronized (Claims.this) {
        Named name = new Named(change.kind(), change.id());
        Named other = otherOf(change);
        List<IpPrefix> wanted = prefixesOf(change);
        // What this thread has claimed itself is in the way too: the changes follow one another.
        if (named.containsKey(name) || (other != null && isOfAnother(other))) {
          return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
          if (index(wanted.get(i)).overlapping(wanted.get(i)) != PrefixIndex.NONE) {
            return false;
          }
        }
        forgetGone();
        if (seen.maySee(change)) {
          maySee.set(changes);
        }
        changes++;
        seen.add(change);
        claim(name);
        if (other != null && !named.containsKey(other)) {
          claim(other);
        }
        for (int i = 0; i < wanted.size(); i++) {
          IpPrefix prefix = wanted.get(i);
          // A declaration whose own prefixes overlap is refused by its switch.
          if (index(prefix).overlapping(prefix) == PrefixIndex.NONE) {
            index(prefix).insert(prefix, OWNER);
            prefixes.add(prefix);
          }
        }
        return true;
      }
    }

    private boolean isOfAnother(Named name) {
      Held holder = named.get(name);
      return holder != null && holder != this;
    }

    private void claim(Named name) {
      named.put(name, this);
      mine.add(name);
    }

    /** Claims what the first of some changes need, as many as it can; tells how many. */
    int tryAddFirst(List<Change> changes) {
      synchronized (Claims.this) {
        int added = 0;
        while (added < changes.size() && tryAdd(changes.get(added))) {
          added++;
        }
        return added;
      }
    }

    /** Claims what a change needs; waits for whoever has it. Only for who holds nothing. */
    void add(Change change) {
      synchronized (Claims.this) {
        try {
          while (!tryAdd(change)) {
            Claims.this.wait();
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new ControllerException("interrupted while another change was made", e);
        }
      }
    }

    /**
     * Whether a switch may have had what one of the changes declares, or a prefix that overlaps one
     * of its, when it was claimed.
     *
     * @param number how many changes were claimed before it
     */
    boolean maySee(int number) {
      return maySee.get(number);
    }

    @Override
    public void close() {
      synchronized (Claims.this) {
        mine.forEach(named::remove);
        mine.clear();
        for (IpPrefix prefix : prefixes) {
          int unused = index(prefix).delete(prefix);
        }
        prefixes.clear();
        Claims.this.notifyAll();
      }
    }
  }

  /** Nothing claimed yet. */
  Held hold() {
    return new Held();
  }

  private PrefixIndex index(IpPrefix prefix) {
    return prefix.family() == Family.V4 ? v4 : v6;
  }

  /** What a change claims beside its own name, or null: a subscriber may come with its limit. */
  private static Named otherOf(Change change) {
    return change instanceof Change.Put put
            && put.declaration() instanceof RateLimit limit
            && limit.scope() instanceof Scope.OfSubscriber of
        ? new Named(Kind.SUBSCRIBER, of.subscriberId())
        : null;
  }

  private static List<IpPrefix> prefixesOf(Change change) {
    return change instanceof Change.Put put && put.declaration() instanceof Subscriber subscriber
        ? subscriber.prefixes()
        : List.of();
  }
}
