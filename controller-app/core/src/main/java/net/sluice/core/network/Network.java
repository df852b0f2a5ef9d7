package net.sluice.core.network;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;
import net.sluice.core.lock.LockOrder;
import net.sluice.core.shard.SwitchShard;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.validate.Refusal;

/**
 * The switches there are by now. Whoever reads takes what is there; whoever changes what is
 * declared holds the network, so that no switch comes or goes meanwhile.
 */
public final class Network {
  private final ReadWriteLock lock = new ReentrantReadWriteLock(true);
  private volatile Map<String, SwitchShard> shards = Map.of();

  /** The switches by name, in the order in which they came. */
  Map<String, SwitchShard> byName() {
    return shards;
  }

  /** The switches in that order. */
  public Collection<SwitchShard> all() {
    return shards.values();
  }

  /** How each of them is cabled, by name; a copy. */
  public Map<String, Topology> topologies() {
    Map<String, Topology> topologies = new LinkedHashMap<>();
    shards.forEach((name, shard) -> topologies.put(name, shard.topology()));
    return topologies;
  }

  /** The first of them. */
  public SwitchShard first() {
    return all().iterator().next();
  }

  /** The switch of that name. */
  public Optional<SwitchShard> named(String name) {
    return Optional.ofNullable(shards.get(name));
  }

  /** True if there is no choice between switches. */
  public boolean isOne() {
    return shards.size() == 1;
  }

  /** Takes a switch in, in the place of the one of its name if there is one. */
  void put(SwitchShard shard) {
    Map<String, SwitchShard> changed = new LinkedHashMap<>(shards);
    changed.put(shard.name(), shard);
    shards = changed;
  }

  /** Leaves a switch out. */
  void remove(String name) {
    Map<String, SwitchShard> changed = new LinkedHashMap<>(shards);
    changed.remove(name);
    shards = changed;
  }

  /** Runs what counts on the switches that there are. */
  <T> T held(Supplier<T> action) {
    assert LockOrder.NETWORK.take(lock, "");
    lock.readLock().lock();
    try {
      return action.get();
    } finally {
      lock.readLock().unlock();
      assert LockOrder.giveUp(lock);
    }
  }

  /** Runs what nothing else may be under way for. */
  public void alone(Runnable action) {
    assert LockOrder.NETWORK.take(lock, "");
    lock.writeLock().lock();
    try {
      action.run();
    } finally {
      lock.writeLock().unlock();
      assert LockOrder.giveUp(lock);
    }
  }

  /**
   * Runs what nothing else may be under way for until it says so; from then on no switch comes or
   * goes.
   *
   * @param action is given what lets others go on, which it may call once
   */
  <T> T aloneAtFirst(Function<Runnable, T> action) {
    Deque<Lock> held = new ArrayDeque<>(List.of(lock.writeLock()));
    assert LockOrder.NETWORK.take(lock, "");
    lock.writeLock().lock();
    try {
      return action.apply(
          () -> {
            lock.readLock().lock();
            held.push(lock.readLock());
            held.removeLast().unlock();
          });
    } finally {
      held.pop().unlock();
      assert LockOrder.giveUp(lock);
    }
  }

  /** Something that may be refused. */
  interface Changing<T> {
    T run() throws Refusal;
  }

  /** Runs what changes which switches there are, when nothing else is under way. */
  <T> T changing(Changing<T> action) throws Refusal {
    assert LockOrder.NETWORK.take(lock, "");
    lock.writeLock().lock();
    try {
      return action.run();
    } finally {
      lock.writeLock().unlock();
      assert LockOrder.giveUp(lock);
    }
  }
}
