package net.sluice.lab.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import net.sluice.emulator.netsim.PortStatistics;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.traffic.ArrivalProcess;
import net.sluice.emulator.netsim.traffic.FlowSpec;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.TrafficSource;
import net.sluice.intents.value.Direction;
import net.sluice.lab.demo.DemoNetwork.Link;
import net.sluice.lab.demo.DemoNetwork.Way;
import net.sluice.lab.support.ControllerApi;
import net.sluice.lab.support.Progress;

/**
 * Sends every subscriber its traffic, constant bit rate with a little jitter or a TCP flow, and
 * measures.
 */
final class Traffic {
  /** Each frame is late by up to this part of the interval: real sources are not metronomes. */
  /** A flow that loses everything is not waited for longer. */
  private static final long MOST_WAIT_NANOS = 5_000_000_000L;

  private static final long WAIT_STEP_NANOS = 100_000_000;

  private static final double JITTER = 0.1;

  private static final long SOURCE_STREAM = 1;
  private static final int PROGRESS_LINES = 10;

  private final DemoPhases schedule;
  private final Simulation simulation;
  private final List<SwitchPort> lines;
  private final TrafficSource source;
  private final Optional<TcpTraffic> tcp;

  /**
   * Traffic that has not begun; each group's enters where its way begins.
   *
   * @param links the lines whose ports are measured
   */
  Traffic(
      RunSpec spec,
      Population population,
      DemoPhases schedule,
      EmulatedNetwork network,
      List<Way> ways,
      List<Link> links,
      Optional<TcpTraffic> tcp) {
    this.tcp = tcp;
    this.schedule = schedule;
    simulation = network.simulation();
    lines = links.stream().map(network::port).toList();
    List<SwitchPort> entries = new ArrayList<>();
    source =
        new TrafficSource(
            simulation,
            (bytes, offset, length, tag, nowNanos) ->
                entries.get(FlowTag.flowId(tag)).receive(bytes, offset, length, tag, nowNanos),
            SOURCE_STREAM);
    FrameBuilder frames = new FrameBuilder().frameBytes(spec.packetBytes());
    ArrivalProcess arrivals = new ArrivalProcess.Cbr(true, JITTER);
    int sent = spec.groups().size() - (tcp.isPresent() ? 1 : 0);
    for (int g = 0; g < sent; g++) {
      GroupSpec group = spec.groups().get(g);
      for (int i = 0; i < group.subscribers(); i++) {
        int subscriber = population.firstOf(g) + i;
        byte[] own = population.address(subscriber);
        byte[] core = population.coreAddress(subscriber);
        if (spec.network().direction() == Direction.DOWN) {
          frames.addresses(core, own);
        } else {
          frames.addresses(own, core);
        }
        entries.add(network.port(ways.get(g).entry()));
        source.addFlow(
            new FlowSpec(frames.build(), group.offeredBps(), 0, Long.MAX_VALUE, arrivals));
      }
    }
  }

  /**
   * Runs warm-up and measured time, and then until what left within the measured time has arrived.
   *
   * @param drainNanos the time from the source through the network, if nothing waits under a limit
   * @param isThrough whether all that left within the measured time and waits under a limit has
   *     arrived
   * @param drops what the limiters in the switch have dropped
   * @return what the lines' ports did in the measured time, and what the flows sent
   */
  Sent run(long drainNanos, BooleanSupplier isThrough, LimiterDrops drops, Progress progress)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    // The measured time begins with the nanosecond after the warm-up's last event.
    long from = nanos(schedule.warmUpSeconds());
    long until = from + nanos(schedule.measuredSeconds());
    runUntil(from - 1, from, until, progress);
    source.resetStatistics();
    tcp.ifPresent(TcpTraffic::resetStatistics);
    lines.forEach(SwitchPort::resetStatistics);
    long[] before = drops.sinceStart();
    runUntil(until - 1, from, until, progress);
    List<PortStatistics> ports = lines.stream().map(SwitchPort::statistics).toList();
    long[] packets = new long[source.flows() + tcp.map(TcpTraffic::flows).orElse(0)];
    for (int flow = 0; flow < packets.length; flow++) {
      packets[flow] =
          flow < source.flows()
              ? source.offeredPackets(flow)
              : tcp.orElseThrow().sentPackets(flow - source.flows());
    }
    long[] after = drops.sinceStart();
    Arrays.setAll(after, flow -> after[flow] - before[flow]);
    long end = until + drainNanos;
    simulation.runUntil(end);
    long most = end + MOST_WAIT_NANOS;
    while (end < most && !isThrough.getAsBoolean()) {
      end += WAIT_STEP_NANOS;
      simulation.runUntil(end);
    }
    return new Sent(ports, packets, after);
  }

  /** Packets of each flow that limiters in the switch have dropped since the start. */
  interface LimiterDrops {
    long[] sinceStart() throws ControllerApi.RefusedException, IOException, InterruptedException;
  }

  /**
   * The lines' statistics in the measured time, the packets sent by each flow, and those of them
   * that limiters in the switch dropped.
   */
  record Sent(List<PortStatistics> ports, long[] packets, long[] dropped) {}

  private void runUntil(long end, long from, long until, Progress progress) {
    long step = until / PROGRESS_LINES;
    while (simulation.nowNanos() < end) {
      long next = Math.min(end, (simulation.nowNanos() / step + 1) * step);
      simulation.runUntil(next);
      progress.at(
          (double) next / until,
          String.format(
              Locale.ROOT,
              "virtual time %.1f of %.1f s (%s)",
              next / 1e9,
              until / 1e9,
              next < from ? "warm-up" : "measuring"));
    }
  }

  static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
  }
}
