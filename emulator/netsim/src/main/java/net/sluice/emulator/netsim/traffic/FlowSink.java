package net.sluice.emulator.netsim.traffic;

import java.util.Arrays;
import net.sluice.emulator.netsim.FrameReceiver;
import org.HdrHistogram.Histogram;

/**
 * The sink of flows: counts frames, bytes and CE marks per flow, identified by {@link FlowTag}, and
 * may record one-way delays. Skips VLAN tags, and tags of the local experimental EtherType, to find
 * the IP header. To be used by the thread that runs the simulation or under its lock.
 */
public final class FlowSink implements FrameReceiver {

  private static final int DELAY_DIGITS = 3;
  private static final int ETHERTYPE_OFFSET = 12;
  private static final int ECN_MASK = 3;

  private long[] deliveredPackets = new long[16];
  private long[] deliveredBytes = new long[16];
  private long[] ceMarks = new long[16];
  private long[] delaySumNanos = new long[16];
  private Histogram delaysNanos;
  private long totalPackets;
  private long totalBytes;

  /** Starts to keep a histogram of one-way delays over all flows; sums per flow are always kept. */
  public FlowSink withDelayHistogram() {
    this.delaysNanos = new Histogram(DELAY_DIGITS);
    return this;
  }

  @Override
  public void receive(byte[] bytes, int offset, int length, long tag, long nowNanos) {
    int flow = FlowTag.flowId(tag);
    if (flow >= deliveredPackets.length) {
      grow(flow);
    }
    deliveredPackets[flow]++;
    deliveredBytes[flow] += length;
    totalPackets++;
    totalBytes += length;
    long delayNanos = FlowTag.ageNanos(tag, nowNanos);
    delaySumNanos[flow] += delayNanos;
    if (delaysNanos != null) {
      delaysNanos.recordValue(delayNanos);
    }
    if (ecnBits(bytes, offset, length) == Ecn.CE.bits()) {
      ceMarks[flow]++;
    }
  }

  /** Frames of a flow delivered since the last reset. */
  public long deliveredPackets(int flowId) {
    return at(deliveredPackets, flowId);
  }

  /** Bytes of a flow delivered since the last reset. */
  public long deliveredBytes(int flowId) {
    return at(deliveredBytes, flowId);
  }

  /** Frames of a flow delivered with CE since the last reset. */
  public long ceMarks(int flowId) {
    return at(ceMarks, flowId);
  }

  /**
   * Mean one-way delay of a flow since the last reset, nanoseconds; 0 when nothing was delivered.
   */
  public double meanDelayNanos(int flowId) {
    long packets = deliveredPackets(flowId);
    return packets == 0 ? 0 : (double) at(delaySumNanos, flowId) / packets;
  }

  /** Frames of all flows delivered since the last reset. */
  public long totalPackets() {
    return totalPackets;
  }

  /** Bytes of all flows delivered since the last reset. */
  public long totalBytes() {
    return totalBytes;
  }

  /**
   * One-way delays of all frames delivered since the last reset, nanoseconds; a copy.
   *
   * @throws IllegalStateException without {@link #withDelayHistogram}
   */
  public Histogram delaysNanos() {
    if (delaysNanos == null) {
      throw new IllegalStateException(
          "the sink keeps no delay histogram: withDelayHistogram was not called");
    }
    return delaysNanos.copy();
  }

  /** Resets the counts, at the end of a warm-up. */
  public void resetStatistics() {
    Arrays.fill(deliveredPackets, 0);
    Arrays.fill(deliveredBytes, 0);
    Arrays.fill(ceMarks, 0);
    Arrays.fill(delaySumNanos, 0);
    totalPackets = 0;
    totalBytes = 0;
    if (delaysNanos != null) {
      delaysNanos.reset();
    }
  }

  /** The ECN bits of a frame; not ECN-capable when it holds no IP. */
  static int ecnBits(byte[] bytes, int offset, int length) {
    int at = offset + ETHERTYPE_OFFSET;
    int end = offset + length;
    while (at + 4 <= end) {
      switch ((bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff) {
        case 0x0800 -> {
          return bytes[at + 3] & ECN_MASK;
        }
        case 0x86DD -> {
          return bytes[at + 3] >> 4 & ECN_MASK;
        }
        // Two bytes of tag follow, then the inner EtherType.
        case 0x8100, 0x88A8, 0x9100, 0x88B5 -> at += 4;
        default -> {
          return Ecn.NOT_ECT.bits();
        }
      }
    }
    return Ecn.NOT_ECT.bits();
  }

  private static long at(long[] values, int flowId) {
    if (flowId < 0 || flowId >= FlowTag.MAX_FLOWS) {
      throw new IllegalArgumentException(
          "flowId " + flowId + ": must be 0.." + (FlowTag.MAX_FLOWS - 1));
    }
    return flowId < values.length ? values[flowId] : 0;
  }

  private void grow(int flow) {
    int size = Math.min(FlowTag.MAX_FLOWS, Math.max(flow + 1, deliveredPackets.length * 2));
    deliveredPackets = Arrays.copyOf(deliveredPackets, size);
    deliveredBytes = Arrays.copyOf(deliveredBytes, size);
    ceMarks = Arrays.copyOf(ceMarks, size);
    delaySumNanos = Arrays.copyOf(delaySumNanos, size);
  }
}
