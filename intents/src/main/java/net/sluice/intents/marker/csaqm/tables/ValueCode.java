package net.sluice.intents.marker.csaqm.tables;

import net.sluice.intents.model.policy.ThroughputValueFunction;

/**
 * Packet values in 16 bits: {@code code = round(log10 V / log10 V_max * 65535)}. One step is a
 * factor of about 1.000316.
 */
public final class ValueCode {
  /** Highest code, that of {@link ThroughputValueFunction#MAX_VALUE}. */
  public static final int MAX = 65_535;

  private static final double LOG_MAX_VALUE = Math.log10(ThroughputValueFunction.MAX_VALUE);

  private ValueCode() {}

  /** The code of a value in [1, 10^9]; values outside are clamped. */
  public static int encode(double value) {
    double clamped =
        Math.min(
            ThroughputValueFunction.MAX_VALUE, Math.max(ThroughputValueFunction.MIN_VALUE, value));
    return (int) Math.round(Math.log10(clamped) / LOG_MAX_VALUE * MAX);
  }

  /** The value a code stands for. */
  public static double decode(int code) {
    return Math.pow(10, code * LOG_MAX_VALUE / MAX);
  }
}
