package net.sluice.emulator.netsim.traffic;

/**
 * The tag that a source writes into a frame for the sink: the flow in the low {@value #FLOW_BITS}
 * bits and, above, the time of departure, nanoseconds modulo 2^44 (4.9 hours).
 */
public final class FlowTag {

  /** Bits of the flow id. */
  public static final int FLOW_BITS = 20;

  /** Flows a source can carry and a sink can tell apart. */
  public static final int MAX_FLOWS = 1 << FLOW_BITS;

  private FlowTag() {}

  /** The tag of a frame that leaves now. */
  public static long of(int flowId, long departureNanos) {
    return departureNanos << FLOW_BITS | flowId;
  }

  /** The flow, 0..{@link #MAX_FLOWS} - 1. */
  public static int flowId(long tag) {
    return (int) (tag & (MAX_FLOWS - 1));
  }

  /** Time since the frame left, nanoseconds; right up to 2^44 - 1. */
  public static long ageNanos(long tag, long nowNanos) {
    return (nowNanos - (tag >>> FLOW_BITS)) & (-1L >>> FLOW_BITS);
  }
}
