package net.sluice.core.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import net.sluice.core.ControllerException;
import net.sluice.core.lock.LockOrder;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;
import net.sluice.intents.state.PrefixIndex;

/**
 * The ids and prefixes that changes on their way take or give up. A change holds its own from
 * before it is looked into until it is durable or refused, so that whoever wants one of them waits
 * for that: what is being given up is not free before it is gone for good.
 */
public final class UniquenessLocks {
  private static final int OWNER = 0;

  private record Named(Kind kind, String id) {}

  /**
   * The prefixes and the limit in force under a subscriber's id.
   *
   * @param prefixes its prefixes
   * @param limit the id of its own rate limit
   */
  public record InForce(List<IpPrefix> prefixes, Optional<String> limit) {
    public static final InForce NOTHING = new InForce(List.of(), Optional.empty());
  }

  /**
   * Finds what is in force under a subscriber's id, which stands still while that id is claimed.
   */
  private final Function<String, InForce> inForce;

  private final Map<Named, Held> named = new HashMap<>();
  private final PrefixIndex v4 = new PrefixIndex(Family.V4);
  private final PrefixIndex v6 = new PrefixIndex(Family.V6);
  private long releases;

  public UniquenessLocks(Function<String, InForce> inForce) {
    this.inForce = inForce;
  }

  /** The claims of one thread, which may be of several changes. */
  public final class Held implements AutoCloseable {
    private final List<Named> mine = new ArrayList<>();
    private final List<IpPrefix> prefixes = new ArrayList<>();

    /** The number of releases as it could not claim something: its own is among them. */
    private long seen;

    /**
     * Claims what a change needs, unless a part of it is claimed: by somebody else, or for a change
     * before this one, which it has to follow.
     */
    boolean tryAdd(Change change) {
      Named name = new Named(change.kind(), change.id());
      List<IpPrefix> wanted = prefixesOf(change);
      List<Named> added = new ArrayList<>(2);
      synchronized (UniquenessLocks.this) {
        seen = releases;
        Optional<Named> owner = ownerOf(change);
        // The subscriber of a limit may be claimed here: they come together.
        if (named.containsKey(name)
            || owner.filter(this::isOfAnother).isPresent()
            || isAnyClaimed(wanted)) {
          return false;
        }
        claim(name, added);
        owner.ifPresent(of -> claim(of, added));
      }
      // The subscriber stands still from here on, so that what it has can be asked for.
      InForce old = change.kind() == Kind.SUBSCRIBER ? inForce.apply(change.id()) : InForce.NOTHING;
      synchronized (UniquenessLocks.this) {
        Optional<Named> limit = old.limit.map(id -> new Named(Kind.RATE_LIMIT, id));
        if (limit.filter(this::isOfAnother).isPresent()
            || isAnyClaimed(wanted)
            || isAnyClaimed(old.prefixes)) {
          added.forEach(named::remove);
          released();
          seen = releases;
          return false;
        }
        limit.ifPresent(own -> claim(own, added));
        mine.addAll(added);
        claimPrefixes(wanted);
        claimPrefixes(old.prefixes);
        return true;
      }
    }

    private boolean isOfAnother(Named name) {
      Held holder = named.get(name);
      return holder != null && holder != this;
    }

    private void claim(Named name, List<Named> added) {
      if (named.putIfAbsent(name, this) == null) {
        added.add(name);
      }
    }

    private void claimPrefixes(List<IpPrefix> wanted) {
      for (int i = 0; i < wanted.size(); i++) {
        IpPrefix prefix = wanted.get(i);
        // What a change has before and after, or twice, is claimed once.
        if (index(prefix).overlapping(prefix) == PrefixIndex.NONE) {
          index(prefix).insert(prefix, OWNER);
          prefixes.add(prefix);
        }
      }
    }

    /** Claims what the first of some changes need, as many as it can; tells how many. */
    public int tryAddFirst(List<Change> changes) {
      int added = 0;
      while (added < changes.size() && tryAdd(changes.get(added))) {
        added++;
      }
      return added;
    }

    /** Claims what changes need that are made together, where no other thread has claims. */
    public void addTogether(List<Change> changes) {
      for (Change change : changes) {
        InForce old =
            change.kind() == Kind.SUBSCRIBER ? inForce.apply(change.id()) : InForce.NOTHING;
        synchronized (UniquenessLocks.this) {
          claim(new Named(change.kind(), change.id()), mine);
          ownerOf(change).ifPresent(owner -> claim(owner, mine));
          old.limit.ifPresent(id -> claim(new Named(Kind.RATE_LIMIT, id), mine));
          claimPrefixes(prefixesOf(change));
          claimPrefixes(old.prefixes);
        }
      }
    }

    /** Claims what a change needs; waits for whoever has it. Only for who holds nothing. */
    public void add(Change change) {
      try {
        while (!tryAdd(change)) {
          awaitRelease(seen);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ControllerException("interrupted while another change was made", e);
      }
    }

    @Override
    public void close() {
      assert LockOrder.giveUp(this);
      synchronized (UniquenessLocks.this) {
        mine.forEach(named::remove);
        mine.clear();
        for (IpPrefix prefix : prefixes) {
          int unused = index(prefix).delete(prefix);
        }
        prefixes.clear();
        released();
      }
    }
  }

  /** Nothing claimed yet. */
  public Held hold() {
    Held held = new Held();
    assert LockOrder.CLAIMS.take(held, "");
    return held;
  }

  /** With the lock held: something may be claimed again. */
  private void released() {
    releases++;
    notifyAll();
  }

  private synchronized void awaitRelease(long seen) throws InterruptedException {
    while (releases == seen) {
      wait();
    }
  }

  private boolean isAnyClaimed(Collection<IpPrefix> wanted) {
    for (IpPrefix prefix : wanted) {
      if (index(prefix).overlapping(prefix) != PrefixIndex.NONE) {
        return true;
      }
    }
    return false;
  }

  private PrefixIndex index(IpPrefix prefix) {
    return prefix.family() == Family.V4 ? v4 : v6;
  }

  /** The subscriber that a change claims beside its own name: it may come with its limit. */
  private static Optional<Named> ownerOf(Change change) {
    return change instanceof Change.Put put
            && put.declaration() instanceof RateLimit limit
            && limit.scope() instanceof Scope.OfSubscriber of
        ? Optional.of(new Named(Kind.SUBSCRIBER, of.subscriberId()))
        : Optional.empty();
  }

  private static List<IpPrefix> prefixesOf(Change change) {
    return change instanceof Change.Put put && put.declaration() instanceof Subscriber subscriber
        ? subscriber.prefixes()
        : List.of();
  }
}
