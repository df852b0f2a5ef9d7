package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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

  private record Named(Kind kind, String id) {}

  private final Set<Named> named = new HashSet<>();
  private final PrefixIndex v4 = new PrefixIndex(Family.V4);
  private final PrefixIndex v6 = new PrefixIndex(Family.V6);

  /** The claims of one thread, which may be of several changes. */
  final class Held implements AutoCloseable {
    private final Set<Named> mine = new HashSet<>();
    private final List<IpPrefix> prefixes = new ArrayList<>();

    /** Claims what a change needs, unless somebody else has a part of it. */
    boolean tryAdd(Change change) {
      synchronized (Claims.this) {
        List<Named> names = namesOf(change);
        List<IpPrefix> wanted = prefixesOf(change);
        // What this thread has claimed itself is in the way too: the changes follow one another.
        if (named.contains(names.get(0))) {
          return false;
        }
        for (Named name : names) {
          if (named.contains(name) && !mine.contains(name)) {
            return false;
          }
        }
        for (IpPrefix prefix : wanted) {
          if (index(prefix).overlapping(prefix) != PrefixIndex.NONE) {
            return false;
          }
        }
        for (Named name : names) {
          if (mine.add(name)) {
            named.add(name);
          }
        }
        for (IpPrefix prefix : wanted) {
          // A declaration whose own prefixes overlap is refused by its switch.
          if (index(prefix).overlapping(prefix) == PrefixIndex.NONE) {
            index(prefix).insert(prefix, OWNER);
            prefixes.add(prefix);
          }
        }
        return true;
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

  /** The change's own name first; a subscriber may get its limit in one go with itself. */
  private static List<Named> namesOf(Change change) {
    Named name = new Named(change.kind(), change.id());
    if (change instanceof Change.Put put
        && put.declaration() instanceof RateLimit limit
        && limit.scope() instanceof Scope.OfSubscriber of) {
      return List.of(name, new Named(Kind.SUBSCRIBER, of.subscriberId()));
    }
    return List.of(name);
  }

  private static List<IpPrefix> prefixesOf(Change change) {
    return change instanceof Change.Put put && put.declaration() instanceof Subscriber subscriber
        ? subscriber.prefixes()
        : List.of();
  }
}
