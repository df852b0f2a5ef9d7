package net.sluice.emulator.netsim.traffic;

import java.util.Arrays;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.Simulation;

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

  // The fields that change with every frame are adjacent, one cache line a flow.
  private static final int STRIDE = 8;
  private static final int NOMINAL_NANOS = 0;
  // Fraction of a nanosecond past the nominal departure: a numerator over the rate for CBR, the
  // bits
  // of a double for Poisson.
  private static final int FRACTION = 1;
  private static final int RATE_BPS = 2;
  private static final int SCHEDULE = 3;
  private static final int SEQUENCE = 4;
  private static final int OFFERED_PACKETS = 5;
  private static final int STOP_NANOS = 6;
  // The bits of the jitter, or POISSON.
  private static final int ARRIVALS = 7;
  private static final long POISSON = -1;

  private int flows;
  private long[] state = new long[16 * STRIDE];
  private FrameTemplate[] templates = new FrameTemplate[16];
  private FlowSpec[] specs = new FlowSpec[16];
  private Prng[] randoms = new Prng[16];

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
    templates[flow] = spec.template();
    randoms[flow] = Prng.stream(simulation.random(streamId).nextLong(), flow);
    int at = flow * STRIDE;
    state[at + RATE_BPS] = spec.rateBps();
    state[at + STOP_NANOS] = spec.stopNanos();
    state[at + ARRIVALS] =
        spec.arrivals() instanceof ArrivalProcess.Cbr cbr
            ? Double.doubleToRawLongBits(cbr.jitter())
            : POISSON;
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
    state[flowId * STRIDE + RATE_BPS] = rateBps;
    state[flowId * STRIDE + SCHEDULE]++;
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
    return state[flowId * STRIDE + RATE_BPS];
  }

  /** Frames a flow has sent since the last reset. */
  public long offeredPackets(int flowId) {
    check(flowId);
    return state[flowId * STRIDE + OFFERED_PACKETS];
  }

  /** Bytes a flow has sent since the last reset. */
  public long offeredBytes(int flowId) {
    return offeredPackets(flowId) * templates[flowId].frameBytes();
  }

  /** Resets the counts, at the end of a warm-up; sequence numbers go on. */
  public void resetStatistics() {
    for (int flow = 0; flow < flows; flow++) {
      state[flow * STRIDE + OFFERED_PACKETS] = 0;
    }
  }

  @Override
  public void onEvent(long nowNanos, long argument) {
    int flow = (int) argument;
    int at = flow * STRIDE;
    if ((int) (argument >>> SCHEDULE_SHIFT) != (int) state[at + SCHEDULE]) {
      return;
    }
    FrameTemplate template = templates[flow];
    int written = template.writtenBytes();
    if (scratchUsed > written) {
      // The last frame's headers were longer: their rest is in this frame's zero payload.
      Arrays.fill(scratch, written, scratchUsed, (byte) 0);
    }
    scratchUsed = written;
    template.writeTo(scratch, flow, (int) state[at + SEQUENCE]++);
    int length = template.frameBytes();
    state[at + OFFERED_PACKETS]++;
    scheduleNext(flow, length, nowNanos);
    receiver.receive(scratch, 0, length, FlowTag.of(flow, nowNanos), nowNanos);
  }

  private void start(int flow, long startNanos) {
    int at = flow * STRIDE;
    int frameBytes = templates[flow].frameBytes();
    state[at + NOMINAL_NANOS] = startNanos;
    state[at + FRACTION] = 0;
    if (state[at + ARRIVALS] == POISSON) {
      advancePoisson(flow, frameBytes);
      schedule(flow, state[at + NOMINAL_NANOS]);
    } else {
      if (((ArrivalProcess.Cbr) specs[flow].arrivals()).randomPhase()) {
        state[at + NOMINAL_NANOS] +=
            (long) (randoms[flow].nextDouble() * intervalNanos(flow, frameBytes));
      }
      schedule(flow, state[at + NOMINAL_NANOS] + jitterNanos(flow, frameBytes));
    }
  }

  private void scheduleNext(int flow, int frameBytes, long nowNanos) {
    int at = flow * STRIDE;
    long departureNanos;
    if (state[at + ARRIVALS] == POISSON) {
      advancePoisson(flow, frameBytes);
      departureNanos = state[at + NOMINAL_NANOS];
    } else {
      long rateBps = state[at + RATE_BPS];
      long numerator = (long) frameBytes * BITS_PER_BYTE * NANOS_PER_SECOND + state[at + FRACTION];
      state[at + NOMINAL_NANOS] += numerator / rateBps;
      state[at + FRACTION] = numerator % rateBps;
      // With jitter a frame may be late beyond the next one's turn; that one follows at once.
      departureNanos =
          Math.max(nowNanos, state[at + NOMINAL_NANOS] + jitterNanos(flow, frameBytes));
    }
    schedule(flow, departureNanos);
  }

  private void schedule(int flow, long departureNanos) {
    int at = flow * STRIDE;
    if (departureNanos < state[at + STOP_NANOS]) {
      simulation.schedule(departureNanos, this, state[at + SCHEDULE] << SCHEDULE_SHIFT | flow);
    }
  }

  private void advancePoisson(int flow, int frameBytes) {
    int at = flow * STRIDE;
    double gap =
        randoms[flow].nextExponential() * intervalNanos(flow, frameBytes)
            + Double.longBitsToDouble(state[at + FRACTION]);
    long whole = (long) gap;
    state[at + NOMINAL_NANOS] += whole;
    state[at + FRACTION] = Double.doubleToRawLongBits(gap - whole);
  }

  private long jitterNanos(int flow, int frameBytes) {
    long jitter = state[flow * STRIDE + ARRIVALS];
    return jitter == 0
        ? 0
        : (long)
            (randoms[flow].nextDouble()
                * Double.longBitsToDouble(jitter)
                * intervalNanos(flow, frameBytes));
  }

  private double intervalNanos(int flow, int frameBytes) {
    return (double) frameBytes * BITS_PER_BYTE * NANOS_PER_SECOND / state[flow * STRIDE + RATE_BPS];
  }

  private void check(int flowId) {
    if (flowId < 0 || flowId >= flows) {
      throw new IllegalArgumentException("flowId " + flowId + ": must be 0.." + (flows - 1));
    }
  }

  private void grow() {
    int size = specs.length * 2;
    state = Arrays.copyOf(state, size * STRIDE);
    templates = Arrays.copyOf(templates, size);
    specs = Arrays.copyOf(specs, size);
    randoms = Arrays.copyOf(randoms, size);
  }
}
