package net.sluice.lab.demo;

import java.util.List;
import java.util.OptionalDouble;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.traffic.FlowTag;
import org.HdrHistogram.Histogram;

/**
 * Measures what arrives behind the network, per flow and per group.
 *
 * <p>A flow's packets carry when they left for the network: their source, or for packets that the
 * FPGA held, the FPGA (see {@link #behindLimiter}). Rates count packets that arrive within the
 * measured time; losses count packets that left within it, wherever they are when it ends, so that
 * what is in the queue at its ends does not look like loss. The way from there to here is queues
 * and the transmission of the packet on each line, so the time in queues is what remains of their
 * difference.
 *
 * <p>For the thread that runs the simulation.
 */
public final class Meter implements FrameReceiver {
  /** Time is counted in this many intervals from the start of the warm-up to the end. */
  public static final int INTERVALS = 120;

  private static final int DELAY_DIGITS = 3;

  private final int[] groupOf;
  private final long fromNanos;
  private final long untilNanos;
  private final List<Transmission> transmissions;
  private final long[] deliveredBytes;
  private final long[] matchedPackets;
  private final long[] passedPackets;

  /** When the packet that arrived last had left. */
  private final long[] lastLeftNanos;

  private final boolean[] limited;
  private final long[][] intervalBytes;
  private final Histogram[] delaysNanos;

  /**
   * A meter for a run.
   *
   * @param groupOf the group of every flow
   * @param transmissions of each group's packets, from where their time begins to here
   * @param fromNanos virtual time the measured time begins at
   * @param untilNanos virtual time it ends at
   */
  public Meter(int[] groupOf, List<Transmission> transmissions, long fromNanos, long untilNanos) {
    this.groupOf = groupOf.clone();
    this.fromNanos = fromNanos;
    this.untilNanos = untilNanos;
    this.transmissions = List.copyOf(transmissions);
    int groups = transmissions.size();
    deliveredBytes = new long[groupOf.length];
    matchedPackets = new long[groupOf.length];
    passedPackets = new long[groupOf.length];
    lastLeftNanos = new long[groupOf.length];
    limited = new boolean[groupOf.length];
    intervalBytes = new long[groups][INTERVALS];
    delaysNanos = new Histogram[groups];
    for (int g = 0; g < groups; g++) {
      delaysNanos[g] = new Histogram(DELAY_DIGITS);
    }
  }

  /** A packet arrives behind the network. */
  @Override
  public void receive(byte[] bytes, int offset, int length, long tag, long nowNanos) {
    int flow = FlowTag.flowId(tag);
    int group = groupOf[flow];
    if (nowNanos < untilNanos) {
      intervalBytes[group][(int) (nowNanos * INTERVALS / untilNanos)] += length;
      if (nowNanos >= fromNanos) {
        deliveredBytes[flow] += length;
      }
    }
    long ageNanos = FlowTag.ageNanos(tag, nowNanos);
    lastLeftNanos[flow] = Math.max(lastLeftNanos[flow], nowNanos - ageNanos);
    if (inside(nowNanos - ageNanos)) {
      matchedPackets[flow]++;
      long queuedNanos = ageNanos - transmissions.get(group).nanos(length);
      delaysNanos[group].recordValue(Math.max(0, queuedNanos));
    }
  }

  /**
   * A receiver between the FPGA and the switch: notes that the packet passed the rate limit, and
   * restarts its time.
   *
   * @param toSwitch the switch port of the FPGA
   */
  public FrameReceiver behindLimiter(FrameReceiver toSwitch) {
    return (bytes, offset, length, tag, nowNanos) -> {
      int flow = FlowTag.flowId(tag);
      limited[flow] = true;
      if (inside(nowNanos)) {
        passedPackets[flow]++;
      }
      toSwitch.receive(bytes, offset, length, FlowTag.of(flow, nowNanos), nowNanos);
    };
  }

  /**
   * True if of each flow of a group a packet has arrived that left after the measured time. Where
   * packets keep their order, none that left within it still waits then.
   */
  public boolean hasPassed(int group) {
    for (int flow = 0; flow < groupOf.length; flow++) {
      if (groupOf[flow] == group && lastLeftNanos[flow] < untilNanos) {
        return false;
      }
    }
    return true;
  }

  private boolean inside(long nanos) {
    return nanos >= fromNanos && nanos < untilNanos;
  }

  /**
   * The results of a group.
   *
   * @param sentPackets packets that the source of each flow sent within the measured time
   */
  public GroupMeasurement group(int group, long[] sentPackets) {
    return group(group, sentPackets, new long[sentPackets.length]);
  }

  /**
   * The same where limiters in a switch dropped some.
   *
   * @param droppedPackets packets of each flow that they dropped within the measured time
   */
  public GroupMeasurement group(int group, long[] sentPackets, long[] droppedPackets) {
    double seconds = (untilNanos - fromNanos) / 1e9;
    double sum = 0;
    double min = Double.POSITIVE_INFINITY;
    double max = 0;
    double squares = 0;
    int worst = 0;
    int flows = 0;
    long sent = 0;
    long limiterLost = 0;
    long lost = 0;
    for (int flow = 0; flow < groupOf.length; flow++) {
      if (groupOf[flow] == group) {
        double bps = 8 * deliveredBytes[flow] / seconds;
        sum += bps;
        squares += bps * bps;
        if (bps < min) {
          min = bps;
          worst = flows;
        }
        max = Math.max(max, bps);
        flows++;
        sent += sentPackets[flow];
        // A flow loses at most the packets it sent; the FPGA's queue may have grown or shrunk
        // meanwhile.
        long behind =
            limited[flow] ? passedPackets[flow] : sentPackets[flow] - droppedPackets[flow];
        long passed = Math.min(behind, sentPackets[flow]);
        limiterLost += sentPackets[flow] - passed;
        lost += sentPackets[flow] - passed + Math.max(0, behind - matchedPackets[flow]);
      }
    }
    Histogram delays = delaysNanos[group];
    boolean any = delays.getTotalCount() > 0;
    return new GroupMeasurement(
        sum / flows,
        min,
        max,
        Math.sqrt(Math.max(0, squares / flows - sum / flows * (sum / flows))),
        worst,
        sent,
        limiterLost,
        lost,
        any ? OptionalDouble.of(delays.getMean() / 1000) : OptionalDouble.empty(),
        any ? OptionalDouble.of(delays.getValueAtPercentile(99) / 1000.0) : OptionalDouble.empty());
  }

  /** Queue delays of a group's packets, nanoseconds. */
  public Histogram delaysNanos(int group) {
    return delaysNanos[group].copy();
  }

  /** A group's received rate in each interval, bit/s for the whole group. */
  public double[] groupBps(int group) {
    double[] bps = new double[INTERVALS];
    double seconds = untilNanos / 1e9 / INTERVALS;
    for (int i = 0; i < INTERVALS; i++) {
      bps[i] = 8 * intervalBytes[group][i] / seconds;
    }
    return bps;
  }

  /** The start of each interval, seconds from the start of the run. */
  public double[] intervalStarts() {
    double[] starts = new double[INTERVALS];
    for (int i = 0; i < INTERVALS; i++) {
      starts[i] = untilNanos / 1e9 * i / INTERVALS;
    }
    return starts;
  }
}
