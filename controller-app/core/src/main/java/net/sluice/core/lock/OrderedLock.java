package net.sluice.core.lock;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A lock with a place in the {@link LockOrder}. */
public final class OrderedLock extends ReentrantLock {
  private static final long serialVersionUID = 1L;

  private final LockOrder place;
  private final String owner;

  /** A lock of which a thread holds one at a time. */
  public OrderedLock(LockOrder place, boolean fair) {
    this(place, fair, "");
  }

  /**
   * A lock of which a thread may hold several.
   *
   * @param owner name of the switch, by which they are taken in order
   */
  public OrderedLock(LockOrder place, boolean fair, String owner) {
    super(fair);
    this.place = place;
    this.owner = owner;
  }

  @Override
  public void lock() {
    assert place.take(this, owner);
    super.lock();
  }

  @Override
  public boolean tryLock(long timeout, TimeUnit unit) throws InterruptedException {
    assert place.take(this, owner);
    boolean taken = false;
    try {
      taken = super.tryLock(timeout, unit);
      return taken;
    } finally {
      assert taken || LockOrder.giveUp(this);
    }
  }

  @Override
  public void unlock() {
    super.unlock();
    assert LockOrder.giveUp(this);
  }
}
