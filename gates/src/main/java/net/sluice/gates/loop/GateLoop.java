package net.sluice.gates.loop;

/**
 * The loop that moves the gates: at the end of each period the front pipe's window is set first,
 * then the others are divided anew if the pipes' loads call for it, and all slide (paper 004,
 * section IV, "Control Plane on Switch CPU").
 *
 * <p>The paper lets T_beg grow by T_0 a period. With a T_0 other than T_slide it would run away
 * from the clock, so here it is the clock, which is the same as long as they are equal. T_0 is at
 * least T_slide, or packets would become due in a pipe behind the front one between two steps, and
 * at most T.
 *
 * @param settings the constants
 * @param redistributes whether the windows follow the pipes' loads
 * @param startTimeAware whether the front window follows the virtual start times instead
 */
public record GateLoop(LoopSettings settings, boolean redistributes, boolean startTimeAware) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int BITS_PER_BYTE = 8;

  /** The loop as the paper has it. */
  public static GateLoop of(LoopSettings settings) {
    return new GateLoop(settings, true, true);
  }

  /** Windows to begin with: a period for each pipe. */
  public Windows first(long nowNanos) {
    return Windows.equal(nowNanos, settings.periodNanos());
  }

  /** The windows of the next period. */
  public Windows next(Windows windows, Readings readings) {
    // Where the host is slower than the paper's switch, a step is as long as it took.
    long periodNanos = Math.max(settings.periodNanos(), readings.nowNanos() - windows.beginNanos());
    long spanNanos = Math.max(Windows.PIPES * periodNanos, readings.spanNanos());
    long[] widths = {windows.frontNanos(), windows.secondNanos(), windows.thirdNanos()};
    double[] used = used(readings.pipeBytes(), periodNanos);
    if (redistributes && Redistribution.needed(used, settings.varianceBound())) {
      widths = Redistribution.widths(spanNanos, used);
    }
    double frontNanos = startTimeAware ? front(windows, readings, used[0], periodNanos) : widths[0];
    return new Windows(
        readings.nowNanos(),
        Math.round(Math.max(periodNanos, Math.min(spanNanos, frontNanos))),
        widths[1],
        widths[2]);
  }

  private double front(Windows windows, Readings readings, double used, long slideNanos) {
    double betaNanos =
        FrontWindow.frontDelayNanos(settings.delayNanos(), used)
            - FrontWindow.backDelayNanos(
                readings.nowNanos(), slideNanos, readings.leastBackVstNanos());
    return FrontWindow.nextNanos(
        windows.frontNanos(), betaNanos, settings.step(), settings.deadBandNanos());
  }

  /** The pipes' use of their capacity in the last period, 0..1. */
  private double[] used(long[] pipeBytes, long periodNanos) {
    double capacityBytes = settings.capacityBps() / NANOS_PER_SECOND * periodNanos / BITS_PER_BYTE;
    double[] used = new double[pipeBytes.length];
    for (int i = 0; i < used.length; i++) {
      used[i] = Math.min(1, pipeBytes[i] / capacityBytes);
    }
    return used;
  }
}
