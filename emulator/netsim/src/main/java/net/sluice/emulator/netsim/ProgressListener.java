package net.sluice.emulator.netsim;

/** Hears how far a run has come, about a hundred times in a run; called without any lock held. */
@FunctionalInterface
public interface ProgressListener {

  /** Hears nothing. */
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
