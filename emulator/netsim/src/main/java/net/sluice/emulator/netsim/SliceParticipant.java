package net.sluice.emulator.netsim;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Something in a simulation that other threads reach through a lock of its own. A simulation runs
 * events in slices; it holds the lock of every participant during a slice and none between slices,
 * which is when the other threads get in.
 */
public interface SliceParticipant {

  /** The lock to hold during a slice; always the same one. */
  ReentrantLock lock();

  /**
   * A slice begins: the lock has just been taken, so anything read under it before has to be read
   * again.
   */
  void onSliceStart();
}
