package net.sluice.lab.experiment.fpga;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.FrameStore;
import net.sluice.emulator.netsim.Link;
import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.host.Host;
import net.sluice.emulator.netsim.host.HostConfig;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.host.tcp.TcpBulkSender;
import net.sluice.emulator.netsim.host.tcp.TcpConfig;
import net.sluice.emulator.netsim.host.tcp.TcpSink;
import net.sluice.emulator.netsim.host.tcp.TcpStack;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.lab.support.Progress;
import org.HdrHistogram.Histogram;

/**
 * Three TCP flows through one queue with a rate and CoDel: that of the core, or a reference. The
 * emulated hosts and the core go on in turns of {@value #TURN_NANOS} ns; what leaves in a turn
 * reaches a host in a later one, so that nothing is moved in time.
 *
 * @param seconds how long
 * @param seed of the flows' starts
 */
record CodelRun(int seconds, long seed) {
  static final int MTU_BYTES = 1_600;

  /** Section IV.C: the desired delay. */
  static final long TARGET_NANOS = 5_000_000;

  static final long INTERVAL_NANOS = 100_000_000;

  /** Samples of the delay over time, of so long each. */
  static final long SAMPLE_NANOS = 20_000_000;

  private static final CoreBuild BUILD = CoreBuild.managed();
  private static final int FLOWS = 3;
  private static final long LIMIT_BPS = 100_000_000;
  private static final int QUEUE = 333;
  private static final int QUEUE_CLASS = QUEUE & 7;
  private static final int BUCKET_BYTES = 2_000;
  private static final int DEPTH_BYTES = 0xFFFFF8;
  private static final long TURN_NANOS = 1_000_000;
  private static final long WAY_NANOS = 5_000_000;
  private static final long STARTS_NANOS = 200_000_000;

  /** Flows have found their rates, in part of the time. */
  private static final int WARM_UP = 5;

  private static final int PORT = 5_001;
  private static final long SENDER_MAC = 0x02_00_00_02_00_00L;
  private static final long RECEIVER_MAC = 0x02_00_00_03_00_00L;
  private static final long FIRST_SENDER = 0xc6_12_00_00L;
  private static final long FIRST_RECEIVER = 0xc6_13_00_00L;
  private static final double BITS = 8;
  private static final int SAID_SECONDS = 5;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** The rate of the queue, bit/s: that of the word. */
  static double rateBps() {
    return BUILD.clock().bps(BUILD.clock().word(LIMIT_BPS));
  }

  /** About how many clocks of the core it takes. */
  double clocks() {
    return seconds * 1e3 * BUILD.clock().khz();
  }

  /** The delays of the packets that leave a queue, and those that it drops. */
  final class Delays {
    private final Histogram micros = new Histogram(2);
    private final double[] samples = new double[(int) (seconds * NANOS_PER_SECOND / SAMPLE_NANOS)];
    private long sentBytes;
    private long drops;
    private long below;

    void sent(long sinceNanos, long nowNanos, int bytes) {
      int sample = (int) (nowNanos / SAMPLE_NANOS);
      double millis = (nowNanos - sinceNanos) / 1e6;
      if (sample < samples.length) {
        samples[sample] = Math.max(samples[sample], millis);
      }
      if (measured(nowNanos)) {
        micros.recordValue((nowNanos - sinceNanos) / 1_000);
        sentBytes += bytes;
        below += nowNanos - sinceNanos < TARGET_NANOS ? 1 : 0;
      }
    }

    void dropped(long nowNanos) {
      drops += measured(nowNanos) ? 1 : 0;
    }

    private boolean measured(long nowNanos) {
      return nowNanos >= seconds * NANOS_PER_SECOND / WARM_UP;
    }

    Result result(long broken) {
      double time = seconds * (1 - 1.0 / WARM_UP);
      return new Result(
          micros.getMean() / 1e3,
          micros.getValueAtPercentile(95) / 1e3,
          (double) below / micros.getTotalCount(),
          drops / time,
          sentBytes * BITS / time,
          samples,
          broken);
    }
  }

  /**
   * Outcome of a run, behind the warm-up.
   *
   * @param meanMillis mean delay of the packets that left
   * @param p95Millis delay that 95 of 100 keep
   * @param belowTarget part of them that waited less than the target
   * @param dropsPerSecond packets dropped by CoDel
   * @param bps what left
   * @param sampledMillis longest delay in each {@link #SAMPLE_NANOS} from the start
   * @param broken packets that left with other bytes
   */
  record Result(
      double meanMillis,
      double p95Millis,
      double belowTarget,
      double dropsPerSecond,
      double bps,
      double[] sampledMillis,
      long broken) {}

  /** The flows through the reference. */
  Result reference() {
    Simulation simulation = new Simulation(seed);
    Delays delays = new Delays();
    Flows flows = new Flows(simulation);
    FrameReceiver way = Link.in(simulation).propagationNanos(WAY_NANOS).to(flows::receive);
    flows.through(new CodelReference(simulation, rateBps(), delays, way));
    simulation.runUntil(endNanos());
    return delays.result(0);
  }

  /** The flows through the core. */
  Result core(CorePrograms programs, Progress progress) throws IOException {
    try (CoreSimulation core = programs.start(BUILD, 0)) {
      Simulation simulation = new Simulation(seed);
      Delays delays = new Delays();
      Flows flows = new Flows(simulation);
      CoreLink link = new CoreLink(simulation, core, delays, flows::receive);
      flows.through(link);
      for (long nanos = TURN_NANOS; nanos <= endNanos(); nanos += TURN_NANOS) {
        simulation.runUntil(nanos);
        link.runTo(nanos);
        if (nanos % (SAID_SECONDS * NANOS_PER_SECOND) == 0 && nanos < endNanos()) {
          progress.at((double) nanos / endNanos(), nanos / NANOS_PER_SECOND + " s of TCP");
        }
      }
      return delays.result(core.broken());
    }
  }

  private long endNanos() {
    return seconds * NANOS_PER_SECOND;
  }

  /** The flows' hosts: senders before the queue, receivers behind it. */
  private final class Flows {
    private final Host[] senders = new Host[FLOWS];
    private final Host[] receivers = new Host[FLOWS];

    Flows(Simulation simulation) {
      Prng random = new Prng(seed);
      for (int flow = 0; flow < FLOWS; flow++) {
        IpAddress from = new IpAddress(false, 0, FIRST_SENDER + flow + 1);
        IpAddress to = new IpAddress(false, 0, FIRST_RECEIVER + flow + 1);
        Host sender = host(simulation, SENDER_MAC + flow, RECEIVER_MAC + flow, from, flow);
        Host receiver = host(simulation, RECEIVER_MAC + flow, SENDER_MAC + flow, to, flow);
        receiver.attach(Link.in(simulation).propagationNanos(WAY_NANOS).to(sender));
        TcpSink.listen(TcpStack.on(receiver, TcpConfig.defaults(), FLOWS + flow), PORT);
        TcpBulkSender.to(TcpStack.on(sender, TcpConfig.defaults(), flow), to, PORT)
            .startNanos((long) (random.nextDouble() * STARTS_NANOS))
            .start();
        senders[flow] = sender;
        receivers[flow] = receiver;
      }
    }

    void through(FrameReceiver queue) {
      for (Host sender : senders) {
        sender.attach(queue);
      }
    }

    /** Gives a frame to its flow's receiver. */
    void receive(byte[] bytes, int offset, int length, long tag, long nowNanos) {
      receivers[FlowTag.flowId(tag)].receive(bytes, offset, length, tag, nowNanos);
    }

    private Host host(Simulation simulation, long mac, long nextHop, IpAddress address, int flow) {
      return new Host(
          simulation, new HostConfig(address.toString(), mac, nextHop, List.of(address), flow));
    }
  }

  /** The core as a hop of the emulated network. */
  private static final class CoreLink implements FrameReceiver, EventHandler {
    private record Inside(int slot, long sinceNanos) {}

    private final Simulation simulation;
    private final CoreSimulation core;
    private final Delays delays;
    private final FrameReceiver next;
    private final long startClock;
    private final FrameStore frames = new FrameStore();
    private final Map<Integer, Inside> inside = new HashMap<>();
    private int due;

    CoreLink(Simulation simulation, CoreSimulation core, Delays delays, FrameReceiver next)
        throws IOException {
      this.simulation = simulation;
      this.core = core;
      this.delays = delays;
      this.next = next;
      core.write(0, "DEPTH_LIMIT", QUEUE_CLASS, DEPTH_BYTES);
      core.write(0, "QUEUE_BUCKET", 0, BUCKET_BYTES);
      core.write(0, "CODEL_TARGET", QUEUE_CLASS, BUILD.clock().ticks(TARGET_NANOS));
      core.write(0, "CODEL_INTERVAL", QUEUE_CLASS, BUILD.clock().ticks(INTERVAL_NANOS));
      core.write(0, "QUEUE_RATE", QUEUE, BUILD.clock().word(LIMIT_BPS));
      core.read("CORE_ID");
      core.runTo(0);
      startClock = core.clock();
    }

    @Override
    public void receive(byte[] frame, int offset, int length, long tag, long nowNanos) {
      try {
        int number = core.offer(clock(nowNanos), QUEUE, length);
        inside.put(number, new Inside(frames.put(frame, offset, length, tag), nowNanos));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private long clock(long nanos) {
      return startClock + (long) BUILD.clock().clocks(nanos);
    }

    void runTo(long nanos) throws IOException {
      for (Departure departure : core.runTo(clock(nanos))) {
        long leftNanos = (long) BUILD.clock().nanos(departure.firstClock() - startClock);
        // Packets leave in order: those between two that leave have been dropped.
        for (; due < departure.number(); due++) {
          frames.release(inside.remove(due).slot);
          delays.dropped(leftNanos);
        }
        Inside packet = inside.remove(due++);
        delays.sent(packet.sinceNanos, leftNanos, departure.bytes());
        simulation.schedule(leftNanos + WAY_NANOS, this, packet.slot);
      }
    }

    @Override
    public void onEvent(long nowNanos, long argument) {
      int slot = (int) argument;
      next.receive(frames.bytes(slot), 0, frames.length(slot), frames.tag(slot), nowNanos);
      frames.release(slot);
    }
  }
}
