package net.sluice.emulator.traffic;

import java.util.Arrays;
import net.sluice.emulator.sim.EventHandler;
import net.sluice.emulator.sim.FrameReceiver;
import net.sluice.emulator.sim.Prng;
import net.sluice.emulator.sim.Simulation;

/**
 * A host, or a crowd of them: any number of independent flows up to {@link FlowTag#MAX_FLOWS}, all
 * sent into one receiver. A flow costs its headers and about a hundred bytes, a frame one event.
 *
 * <p>Departures do not drift: the next one is computed from the last nominal one, with the fraction
 * of a nanosecond kept (exactly for constant bit rate). Each flow draws from a random stream of its
 * own, so adding a flow does not change the others. To be used by the thread that runs the
 * simulation or under its lock.
 */
public final class TrafficSource implements EventHandler {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final int BITS_PER_BYTE = 8;
  // Flow ids use the low bits of an event's argument, the number of the schedule the event belongs
  // to the others.
  private static final int SCHEDULE_SHIFT = 32;

  private final Simulation simulation;
  private final FrameReceiver receiver;
  private final long streamId;
  private final byte[] scratch = new byte[FrameBuilder.MAX_BYTES];
  private int scratchUsed;

  private int flows;
  private FlowSpec[] specs = new FlowSpec[16];
  private long[] ratesBps = new long[16];
  private Prng[] randoms = new Prng[16];
  private long[] nominalNanos = new long[16];
  // Fraction of a nanosecond past the nominal departure: a numerator over the rate for CBR, the
  // bits of a double for Poisson.
  private long[] fractions = new long[16];
  private int[] schedules = new int[16];
  private int[] sequences = new int[16];
  private long[] offeredPackets = new long[16];
  private long[] offeredBytes = new long[16];

  /**
   * A source without flows.
   *
   * @param receiver where the frames go: a switch port, as if the line to it were infinitely fast,
   *     or a link with a rate
   * @param streamId names the source's random numbers, see {@link Simulation#random}; sources need
   *     different ones
   */
  public TrafficSource(Simulation simulation, FrameReceiver receiver, long streamId) {
    this.simulation = simulation;
    this.receiver = receiver;
    this.streamId = streamId;
  }

  /**
   * Adds a flow.
   *
   * @return its id: 0, 1, 2 and so on
   * @throws IllegalStateException when there are {@link FlowTag#MAX_FLOWS} already
   */
  public int addFlow(FlowSpec spec) {
    if (flows == FlowTag.MAX_FLOWS) {
      throw new IllegalStateException("a source carries at most " + FlowTag.MAX_FLOWS + " flows");
    }
    if (flows == specs.length) {
      grow();
    }
    int flow = flows++;
    specs[flow] = spec;
    ratesBps[flow] = spec.rateBps();
    randoms[flow] = Prng.stream(simulation.random(streamId).nextLong(), flow);
    if (spec.rateBps() > 0) {
      start(flow, Math.max(simulation.nowNanos(), spec.startNanos()));
    }
    return flow;
  }

  /**
   * Changes a flow's rate; it starts afresh at once, with a new phase.
   *
   * @param rateBps frame bits per second, or 0 to pause
   */
  public void setRateBps(int flowId, long rateBps) {
    check(flowId);
    FlowSpec.checkRate(rateBps);
    ratesBps[flowId] = rateBps;
    schedules[flowId]++;
    if (rateBps > 0) {
      start(flowId, Math.max(simulation.nowNanos(), specs[flowId].startNanos()));
    }
  }

  /** Flows added so far. */
  public int flows() {
    return flows;
  }

  /** Rate of a flow now, frame bits per second. */
  public long rateBps(int flowId) {
    check(flowId);
    return ratesBps[flowId];
  }

  /** Frames a flow has sent since the last reset. */
  public long offeredPackets(int flowId) {
    check(flowId);
    return offeredPackets[flowId];
  }

  /** Bytes a flow has sent since the last reset. */
  public long offeredBytes(int flowId) {
    check(flowId);
    return offeredBytes[flowId];
  }

  /** Forgets what has been counted, for the end of a warm-up; sequence numbers go on. */
  public void resetStatistics() {
    Arrays.fill(offeredPackets, 0);
    Arrays.fill(offeredBytes, 0);
  }

  @Override
  public void onEvent(long nowNanos, long argument) {
    int flow = (int) argument;
    if ((int) (argument >>> SCHEDULE_SHIFT) != schedules[flow]) {
      return;
    }
    FlowSpec spec = specs[flow];
    if (nowNanos >= spec.stopNanos()) {
      return;
    }
    FrameTemplate template = spec.template();
    int written = template.writtenBytes();
    if (scratchUsed > written) {
      // The last frame's headers were longer: what they left behind belongs to this frame's zero
      // payload.
      Arrays.fill(scratch, written, scratchUsed, (byte) 0);
    }
    scratchUsed = written;
    template.writeTo(scratch, flow, sequences[flow]++);
    int length = template.frameBytes();
    offeredPackets[flow]++;
    offeredBytes[flow] += length;
    scheduleNext(flow, nowNanos);
    receiver.receive(scratch, 0, length, FlowTag.of(flow, nowNanos), nowNanos);
  }

  private void start(int flow, long startNanos) {
    ArrivalProcess arrivals = specs[flow].arrivals();
    nominalNanos[flow] = startNanos;
    fractions[flow] = 0;
    if (arrivals instanceof ArrivalProcess.Cbr) {
      ArrivalProcess.Cbr cbr = (ArrivalProcess.Cbr) arrivals;
      if (cbr.randomPhase()) {
        nominalNanos[flow] += (long) (randoms[flow].nextDouble() * intervalNanos(flow));
      }
      schedule(flow, nominalNanos[flow] + jitterNanos(flow, cbr));
    } else {
      advancePoisson(flow);
      schedule(flow, nominalNanos[flow]);
    }
  }

  private void scheduleNext(int flow, long nowNanos) {
    ArrivalProcess arrivals = specs[flow].arrivals();
    long departureNanos;
    if (arrivals instanceof ArrivalProcess.Cbr) {
      long rateBps = ratesBps[flow];
      long numerator =
          (long) specs[flow].template().frameBytes() * BITS_PER_BYTE * NANOS_PER_SECOND
              + fractions[flow];
      nominalNanos[flow] += numerator / rateBps;
      fractions[flow] = numerator % rateBps;
      // With jitter a frame may be late beyond the next one's turn; the next one then follows at
      // once.
      departureNanos =
          Math.max(nowNanos, nominalNanos[flow] + jitterNanos(flow, (ArrivalProcess.Cbr) arrivals));
    } else {
      advancePoisson(flow);
      departureNanos = nominalNanos[flow];
    }
    schedule(flow, departureNanos);
  }

  private void schedule(int flow, long departureNanos) {
    if (departureNanos < specs[flow].stopNanos()) {
      simulation.schedule(departureNanos, this, (long) schedules[flow] << SCHEDULE_SHIFT | flow);
    }
  }

  private void advancePoisson(int flow) {
    double gap =
        randoms[flow].nextExponential() * intervalNanos(flow)
            + Double.longBitsToDouble(fractions[flow]);
    long whole = (long) gap;
    nominalNanos[flow] += whole;
    fractions[flow] = Double.doubleToRawLongBits(gap - whole);
  }

  private long jitterNanos(int flow, ArrivalProcess.Cbr cbr) {
    return cbr.jitter() == 0
        ? 0
        : (long) (randoms[flow].nextDouble() * cbr.jitter() * intervalNanos(flow));
  }

  private double intervalNanos(int flow) {
    return (double) specs[flow].template().frameBytes()
        * BITS_PER_BYTE
        * NANOS_PER_SECOND
        / ratesBps[flow];
  }

  private void check(int flowId) {
    if (flowId < 0 || flowId >= flows) {
      throw new IllegalArgumentException("flowId " + flowId + ": must be 0.." + (flows - 1));
    }
  }

  private void grow() {
    int size = specs.length * 2;
    specs = Arrays.copyOf(specs, size);
    ratesBps = Arrays.copyOf(ratesBps, size);
    randoms = Arrays.copyOf(randoms, size);
    nominalNanos = Arrays.copyOf(nominalNanos, size);
    fractions = Arrays.copyOf(fractions, size);
    schedules = Arrays.copyOf(schedules, size);
    sequences = Arrays.copyOf(sequences, size);
    offeredPackets = Arrays.copyOf(offeredPackets, size);
    offeredBytes = Arrays.copyOf(offeredBytes, size);
  }
}
