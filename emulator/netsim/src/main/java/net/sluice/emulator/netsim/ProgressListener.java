package net.sluice.emulator.netsim;

/**
 * Listener for the progress of a run, called about a hundred times in a run and without any lock
 * held.
 */
@FunctionalInterface
public interface ProgressListener {

  /** Ignores progress. */
  ProgressListener NONE = (nowNanos, endNanos, events) -> {};

  /**
   * Virtual time has advanced.
   *
   * @param nowNanos virtual time reached, nanoseconds
   * @param endNanos virtual time the run ends at, nanoseconds
   * @param events events since the simulation was made
   */
  void onProgress(long nowNanos, long endNanos, long events);
}
