package net.sluice.emulator.netsim.traffic;

import java.util.Objects;
import net.sluice.emulator.netsim.LineClock;

/**
 * The specification of one flow.
 *
 * @param template the frame
 * @param rateBps frame bits per second, 1..{@link LineClock#MAX_RATE_BPS}, or 0 for a flow that is
 *     silent until it gets a rate
 * @param startNanos virtual time the flow starts at, nanoseconds, at least 0
 * @param stopNanos virtual time from which it sends nothing, at least startNanos; Long.MAX_VALUE
 *     for never
 * @param arrivals how frames are spaced
 */
public record FlowSpec(
    FrameTemplate template,
    long rateBps,
    long startNanos,
    long stopNanos,
    ArrivalProcess arrivals) {

  /** Checks every component. */
  public FlowSpec {
    Objects.requireNonNull(template, "template");
    Objects.requireNonNull(arrivals, "arrivals");
    checkRate(rateBps);
    if (startNanos < 0) {
      throw new IllegalArgumentException("startNanos " + startNanos + ": must be at least 0");
    }
    if (stopNanos < startNanos) {
      throw new IllegalArgumentException(
          "stopNanos " + stopNanos + ": must be at least startNanos, " + startNanos);
    }
  }

  /** A flow with constant bit rate and random phase, from the beginning, without end. */
  public static FlowSpec cbr(FrameTemplate template, long rateBps) {
    return new FlowSpec(template, rateBps, 0, Long.MAX_VALUE, ArrivalProcess.cbr());
  }

  static void checkRate(long rateBps) {
    if (rateBps < 0 || rateBps > LineClock.MAX_RATE_BPS) {
      throw new IllegalArgumentException(
          "rateBps " + rateBps + ": must be 0.." + LineClock.MAX_RATE_BPS);
    }
  }
}
