package net.sluice.core.state;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import net.sluice.core.ControllerException;
import net.sluice.core.lock.LockOrder;
import net.sluice.core.lock.OrderedLock;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.StoreException;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.compile.Revalidation;
import net.sluice.intents.validate.Incompatibilities;

/**
 * The declarations in force in a shard and the order in which they change. Three locks, taken in
 * this order:
 *
 * <ul>
 *   <li>{@link #planning}: for who may plan changes;
 *   <li>{@link #committing}: for who may make planned changes durable and hand them to the targets.
 *       It is taken before planning is given up, so that groups of changes keep their order, and
 *       held while the next group is planned;
 *   <li>the memory: for the state in memory, held only to read or alter it, so that readers do not
 *       wait for the disk.
 * </ul>
 */
public final class ShardState {
  private static final List<Function<ShardState, ReentrantLock>> IN_ORDER =
      List.of(shard -> shard.planning, shard -> shard.committing, shard -> shard.memory);

  private final IntentStore store;
  private final Conflicts conflicts;
  private final ReentrantLock planning;
  private final ReentrantLock committing;
  private final ReentrantLock memory;
  private final PlannedOwners planned;
  private final Compiler compiler;
  private CompactSlaState state;
  private Throwable unreadable;
  private int generation;
  private volatile int leavers;
  private volatile long dueMillis = Due.NEVER;
  private volatile int outOfForce;

  /**
   * Loads the declarations of a store; none is in force in the network before {@link #join}.
   *
   * @throws ControllerException if the compiler does not admit all of them
   */
  public ShardState(IntentStore store, Conflicts conflicts, Compiler compiler, Clock clock) {
    this.store = store;
    this.conflicts = conflicts;
    planning = new OrderedLock(LockOrder.PLANNING, true, conflicts.switchName());
    committing = new OrderedLock(LockOrder.COMMITTING, false, conflicts.switchName());
    memory = new OrderedLock(LockOrder.MEMORY, true, conflicts.switchName());
    this.planned = new PlannedOwners(clock);
    this.compiler = compiler;
    Revalidation readmission = compiler.readmission();
    state = CompactSlaState.load(store, compiler, readmission);
    Incompatibilities misfits = readmission.misfits();
    if (!misfits.isEmpty()) {
      throw new ControllerException(misfits.text());
    }
    lookAround();
  }

  /**
   * Sets aside what cannot come into force because of another switch.
   *
   * @throws StoreException if the store fails
   */
  public void settleConflicts() {
    conflicts.settle(state);
  }

  /**
   * Brings what was loaded into force, in place of what the switch had in force before. What
   * another switch has in force stays there: here it is set aside.
   *
   * @throws StoreException if the store fails; nothing has come into force
   */
  public void join() {
    conflicts.join(state);
  }

  /** Held by whoever plans changes, one group after the other. */
  public ReentrantLock planning() {
    return planning;
  }

  /** Held by whoever makes a group of changes durable, until the targets' queues have it. */
  public ReentrantLock committing() {
    return committing;
  }

  /** Number of subscribers that leave, as of the last time the memory was held. */
  public int leavers() {
    return leavers;
  }

  /** As {@link CompactSlaState#dueMillis}, as of the last time the memory was held. */
  public long dueMillis() {
    return dueMillis;
  }

  /** Number of declarations out of force, as of the last time the memory was held. */
  public int outOfForce() {
    return outOfForce;
  }

  /** Exclusive access to the state; taken after the other locks. */
  public <T> T inMemory(Supplier<T> action) {
    memory.lock();
    try {
      return action.get();
    } finally {
      lookAround();
      memory.unlock();
    }
  }

  /** As {@link #inMemory}, or nothing if the memory is held for longer than {@code patience}. */
  public <T> Optional<T> inMemoryWithin(Duration patience, Supplier<T> action) {
    try {
      if (!memory.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        return Optional.empty();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
    try {
      return Optional.of(action.get());
    } finally {
      lookAround();
      memory.unlock();
    }
  }

  private void lookAround() {
    // While the store cannot be read nothing is known to have changed.
    if (state != null && state.leavers() != leavers) {
      leavers = state.leavers();
    }
    if (state != null && state.dueMillis() != dueMillis) {
      dueMillis = state.dueMillis();
    }
    if (state != null && state.countOutOfForce() != outOfForce) {
      outOfForce = state.countOutOfForce();
    }
  }

  /** Runs {@code action} while everything in memory is durable and at the targets' queues. */
  public void exclusively(Runnable action) {
    planning.lock();
    committing.lock();
    memory.lock();
    try {
      action.run();
    } finally {
      memory.unlock();
      committing.unlock();
      planning.unlock();
    }
  }

  /** As {@link #exclusively} for several switches, which are in the order of their names. */
  public static void exclusively(List<ShardState> shards, Runnable action) {
    Deque<ReentrantLock> taken = new ArrayDeque<>();
    try {
      for (Function<ShardState, ReentrantLock> lock : IN_ORDER) {
        for (ShardState shard : shards) {
          lock.apply(shard).lock();
          taken.push(lock.apply(shard));
        }
      }
      action.run();
    } finally {
      taken.forEach(ReentrantLock::unlock);
    }
  }

  /**
   * The state in memory, with all plans; for whoever holds the memory.
   *
   * @throws StoreException while the store cannot be read
   */
  public CompactSlaState state() {
    if (state == null) {
      throw new StoreException("the store cannot be read: " + unreadable.getMessage(), unreadable);
    }
    return state;
  }

  /** False while the store cannot be read; with the memory held. */
  public boolean isReadable() {
    return state != null;
  }

  /** The owners of plans that are not at the targets' queues yet; for whoever holds the memory. */
  public PlannedOwners planned() {
    return planned;
  }

  public IntentStore store() {
    return store;
  }

  /** Number of {@link #reload}s: what was planned before the last one is void. */
  public int generation() {
    return inMemory(() -> generation);
  }

  /** Makes the state what the store holds; with the memory held and nothing being committed. */
  public void reload() {
    // Before the new one is loaded: two would need twice the memory.
    state = null;
    try {
      read().run();
    } catch (RuntimeException | Error e) {
      unreadable = e;
      throw e;
    }
  }

  /**
   * Reads what the store holds; the state stays what it is.
   *
   * @return makes what was read the state, with the memory held and nothing being committed since
   */
  public Runnable read() {
    generation++;
    planned.clear();
    CompactSlaState loaded = CompactSlaState.load(store, compiler);
    return () -> {
      conflicts.join(loaded);
      state = loaded;
    };
  }

  /** Takes all names of the switch out of the network's, before what was read becomes the state. */
  public void leaveNames() {
    conflicts.leaveNames();
  }
}
