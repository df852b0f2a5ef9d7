package net.sluice.emulator.netsim.traffic;

/** The spacing of a flow's frames; in the long run each gives the flow's rate exactly. */
public sealed interface ArrivalProcess {

  /**
   * Constant bit rate: frame k leaves at start + phase + k * interval, later by a random part of
   * the interval when there is jitter.
   *
   * @param randomPhase whether the first frame leaves at a random point of the first interval
   *     instead of at the start; without it flows that start together send together
   * @param jitter each frame is late by a uniformly random part of the interval, from 0 to this,
   *     0..1; it does not accumulate
   */
  record Cbr(boolean randomPhase, double jitter) implements ArrivalProcess {

    /** Checks the jitter. */
    public Cbr {
      if (!(jitter >= 0 && jitter <= 1)) {
        throw new IllegalArgumentException("jitter " + jitter + ": must be 0..1");
      }
    }
  }

  /** Exponentially distributed intervals, the first counted from the start of the flow. */
  record Poisson() implements ArrivalProcess {}

  /** Constant bit rate with a random phase and no jitter. */
  static ArrivalProcess cbr() {
    return new Cbr(true, 0);
  }

  /** A Poisson process. */
  static ArrivalProcess poisson() {
    return new Poisson();
  }
}
