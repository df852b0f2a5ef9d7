package net.sluice.core.engine;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import net.sluice.core.ControllerException;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.IntentStore;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.compile.Readmission;
import net.sluice.intents.validate.Misfits;

/**
 * The declarations in force in a shard and the order in which they change. Two locks: one for who
 * may change them, held until a change is durable and queued at the targets; one for their state in
 * memory, held only to read or alter it, so that readers do not wait for the disk.
 */
final class ShardState {
  private final IntentStore store;
  private final ReentrantLock order = new ReentrantLock(true);
  private final ReentrantLock memory = new ReentrantLock(true);
  private CompactSlaState state;

  /**
   * Loads the declarations of a store.
   *
   * @throws ControllerException if the compiler does not admit all of them
   */
  ShardState(IntentStore store, Compiler compiler) {
    this.store = store;
    Readmission readmission = compiler.readmission();
    state = CompactSlaState.load(store, readmission);
    Misfits misfits = readmission.misfits();
    if (!misfits.isEmpty()) {
      throw new ControllerException(misfits.text());
    }
  }

  /** Held by whoever changes declarations, until the targets' queues have the change. */
  ReentrantLock order() {
    return order;
  }

  /** Exclusive access to the state; taken after {@link #order}. */
  <T> T inMemory(Supplier<T> action) {
    memory.lock();
    try {
      return action.get();
    } finally {
      memory.unlock();
    }
  }

  /** Runs {@code action} with exclusive access to the state. */
  void exclusively(Runnable action) {
    order.lock();
    memory.lock();
    try {
      action.run();
    } finally {
      memory.unlock();
      order.unlock();
    }
  }

  /** What is in memory; for whoever holds it. */
  CompactSlaState state() {
    return state;
  }

  IntentStore store() {
    return store;
  }

  /** Makes the state what the store holds; with both locks held. */
  void reload() {
    state = CompactSlaState.load(store);
  }
}
