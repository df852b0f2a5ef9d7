package net.sluice.core.trace;

/**
 * A request that is followed. It is told by whichever thread does something for it, and is not to
 * keep that waiting. Times are those of {@link System#nanoTime}.
 */
public interface Trace {
  /** Changes of the request were compiled, be they accepted or refused. */
  void compiled(int changes, long begunNanos, long endedNanos);

  /** A commit with changes of the request became durable. */
  void committed(int changes, long begunNanos, long endedNanos);

  /**
   * A batch is sent that has writes of the request in it.
   *
   * @param target name of the target
   * @param entries number of those writes
   */
  Writing writing(String target, int entries);

  /** A batch on its way. */
  @FunctionalInterface
  interface Writing {
    /** The target has dealt with the writes, or they were lost. */
    void ended(boolean answered);
  }
}
