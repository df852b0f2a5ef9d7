package net.sluice.core.session;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import net.sluice.core.lock.LockOrder;
import net.sluice.core.lock.OrderedLock;
import net.sluice.core.session.SessionPhase.Connecting;

/**
 * Phase and number of a session with the lock that guards them, the outbox, and whatever of the
 * session says so. The lock is taken after that of {@link ReconcileSource#exclusively}.
 */
final class LockedPhase {
  private final ReentrantLock lock = new OrderedLock(LockOrder.SESSION, false);

  /** Read and written with the lock held. */
  SessionPhase phase = new Connecting("not yet connected");

  /**
   * Number of the attempt to connect and of the session it led to; what has another is too late.
   * Read and written with the lock held.
   */
  int number;

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /** With the lock held: true if the session of that number stands and is in such a phase. */
  boolean is(int asked, Class<? extends SessionPhase> kind) {
    return asked == number && kind.isInstance(phase);
  }

  Condition newCondition() {
    return lock.newCondition();
  }
}
