package net.sluice.embedded.verdict;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import net.sluice.cli.StartFailure;
import net.sluice.core.Controller;
import net.sluice.core.Servers;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.core.traffic.SubscriberCounters.Shaped;
import net.sluice.embedded.JoinedSwitches;
import net.sluice.embedded.SwitchWithFpgas;
import net.sluice.embedded.verdict.RandomNetwork.Home;
import net.sluice.emulator.netsim.Link;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.host.Host;
import net.sluice.emulator.netsim.host.HostConfig;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.host.tcp.TcpBulkSender;
import net.sluice.emulator.netsim.host.tcp.TcpConfig;
import net.sluice.emulator.netsim.host.tcp.TcpSink;
import net.sluice.emulator.netsim.host.tcp.TcpStack;
import net.sluice.emulator.netsim.traffic.ArrivalProcess;
import net.sluice.emulator.netsim.traffic.FlowSpec;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.TrafficSource;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.value.Direction;
import net.sluice.northbound.explain.Explanation;
import net.sluice.northbound.explain.Explanations;
import net.sluice.northbound.simulate.ChangeSimulation;
import net.sluice.northbound.simulate.Simulated;
import net.sluice.northbound.usage.Delay;
import net.sluice.northbound.usage.Measured;
import net.sluice.northbound.usage.Rates;
import net.sluice.northbound.usage.Usage;
import net.sluice.northbound.usage.UsagePoint;
import net.sluice.northbound.usage.UsageSeries;
import net.sluice.pipeconf.WaitRange;
import net.sluice.standalone.StandaloneController;
import net.sluice.standalone.network.RemoteSwitch;

/**
 * Sends what the subscribers of a network want through an emulated switch in virtual time, and has
 * explained what became of it.
 */
final class ExplainedRun {
  private static final long SECOND = 1_000_000_000L;
  private static final long WARM_UP_NANOS = 5 * SECOND;
  private static final long MEASURED_NANOS = 8 * SECOND;
  private static final long RTT_NANOS = 20_000_000;
  private static final int TCP_PORT = 5_001;
  private static final long SENDER_MAC = 0x02_00_00_02_00_00L;

  /** Frames that leave by a port go to the address with its number. */
  private static final long NEIGHBOUR_MAC = RandomNetwork.NEIGHBOUR_MAC;

  private static final double JITTER = 0.1;
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");
  private static final double LONGEST_MILLIS = 1_000;

  private ExplainedRun() {}

  /** What is asked of a controller after its subscribers have sent. */
  private interface Asked<T> {
    T of(Controller controller, Usage usage);
  }

  /** The explanations of all subscribers by id. */
  static Map<String, Explanation> of(RandomNetwork network, Path store)
      throws StartFailure, IOException, InterruptedException {
    return run(
        network,
        store,
        controller -> apply(controller, network.declarations()),
        (controller, usage) -> {
          Explanations explanations =
              new Explanations(controller, usage, Clock.fixed(AT, ZoneOffset.UTC));
          Map<String, Explanation> all = new LinkedHashMap<>();
          for (Home home : network.homes()) {
            all.put(home.id(), explanations.explain(home.id(), Optional.empty()).orElseThrow());
          }
          return all;
        });
  }

  /** Simulated and measured rates of a subscriber, bit/s. */
  record Compared(double simulatedBps, double gotBps) {}

  /**
   * The rates of all subscribers by id after the limits of a network, and another policy of one of
   * its subscribers, have been declared; simulated before.
   */
  static Map<String, Compared> simulated(RandomNetwork network, Path store)
      throws StartFailure, IOException, InterruptedException {
    Map<String, Double> simulatedBps = new HashMap<>();
    return run(
        network,
        store,
        controller -> {
          List<Change> limits =
              network.declarations().stream()
                  .filter(change -> change.kind() == Kind.RATE_LIMIT)
                  .toList();
          apply(
              controller,
              network.declarations().stream().filter(change -> !limits.contains(change)).toList());
          ChangeSimulation simulation = new ChangeSimulation(controller);
          for (Home home : network.homes()) {
            simulation.wants(home.id(), network.direction(), home.wantedBps());
          }
          for (Simulated.Subscriber each : simulation.of(limits, 0).subscribers()) {
            simulatedBps.put(each.id(), each.ways().get(network.direction()).afterBps());
          }
          apply(controller, limits);
        },
        (controller, usage) -> {
          Map<String, Compared> all = new LinkedHashMap<>();
          for (Home home : network.homes()) {
            double gotBps =
                usage
                    .latest(new Measured.OfSubscriber(home.id()))
                    .flatMap(point -> point.of(network.direction()))
                    .orElseThrow()
                    .gotBps();
            all.put(home.id(), new Compared(simulatedBps.get(home.id()), gotBps));
          }
          return all;
        });
  }

  private static void apply(Controller controller, List<Change> changes) {
    controller
        .applyAll(changes)
        .forEach(
            outcome -> {
              if (!outcome.isAccepted()) {
                throw new IllegalStateException(outcome.toString());
              }
            });
  }

  private static <T> T run(
      RandomNetwork network, Path store, Consumer<Controller> declared, Asked<T> asked)
      throws StartFailure, IOException, InterruptedException {
    try (JoinedSwitches joined = new JoinedSwitches(network.seed())) {
      SwitchWithFpgas started = joined.start(NetworkSwitch.ONLY, network.topology());
      joined.join();
      for (int port : network.lineBps().keySet()) {
        started.node().port(port).setOverheadBytes(RandomNetwork.OVERHEAD_BYTES);
      }
      InetSocketAddress local = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      try (StandaloneController host =
          StandaloneController.start(
              List.of(withoutPortRates(started.remote(NetworkSwitch.ONLY, MarkerSettings.DEFAULT))),
              store,
              local)) {
        Controller controller = host.controller();
        declared.accept(controller);
        if (!controller.awaitAllInstalled(Duration.ofMinutes(2))) {
          throw new IOException("not all is installed: " + controller.summary());
        }
        send(network, joined.simulation(), started);
        joined.simulation().runUntil(WARM_UP_NANOS);
        Map<String, SubscriberCounters> before = counters(network, controller);
        joined.simulation().runUntil(WARM_UP_NANOS + MEASURED_NANOS);
        Map<String, SubscriberCounters> after = counters(network, controller);
        return asked.of(controller, new Counted(network.direction(), before, after));
      }
    }
  }

  /** Rates of ports are told by the clock on the wall, which does not go as virtual time does. */
  private static RemoteSwitch withoutPortRates(RemoteSwitch remote) {
    Servers all = remote.servers();
    return new RemoteSwitch(
        remote.name(),
        remote.model(),
        new Servers(all.p4runtime(), Optional.empty(), all.fpgaDown(), all.fpgaUp()));
  }

  private static Map<String, SubscriberCounters> counters(
      RandomNetwork network, Controller controller) {
    Map<String, SubscriberCounters> all = new HashMap<>();
    for (Home home : network.homes()) {
      all.put(home.id(), controller.counters(home.id()).join().orElseThrow());
    }
    return all;
  }

  // ---------------------------------------------------------------- traffic

  private static void send(RandomNetwork network, Simulation simulation, SwitchWithFpgas at) {
    boolean isDown = network.direction() == Direction.DOWN;
    Host[] receivers = new Host[network.homes().size()];
    List<SwitchPort> entries = new ArrayList<>();
    TrafficSource source =
        new TrafficSource(
            simulation,
            (bytes, offset, length, tag, nowNanos) ->
                entries.get(FlowTag.flowId(tag)).receive(bytes, offset, length, tag, nowNanos),
            1);
    for (Home home : network.homes()) {
      SwitchPort entry = at.node().port(isDown ? RandomNetwork.CORE : home.accessPort());
      String core = "198.18.0." + (home.number() + 1);
      String from = isDown ? core : home.address();
      String to = isDown ? home.address() : core;
      if (home.isElastic()) {
        receivers[home.number()] =
            tcp(
                simulation,
                home.number(),
                from,
                to,
                entry,
                NEIGHBOUR_MAC | (isDown ? home.accessPort() : RandomNetwork.CORE));
      }
      entries.add(entry);
      // Flows have the numbers of their subscribers; one of TCP is as slow as can be.
      int unused =
          source.addFlow(
              new FlowSpec(
                  new FrameBuilder()
                      .addresses(from, to)
                      .frameBytes(RandomNetwork.FRAME_BYTES)
                      .build(),
                  home.isElastic() ? 1_000 : (long) home.wantedBps(),
                  0,
                  Long.MAX_VALUE,
                  new ArrivalProcess.Cbr(true, JITTER)));
    }
    for (int port : network.lineBps().keySet()) {
      at.node()
          .port(port)
          .connect(
              (bytes, offset, length, tag, nowNanos) -> {
                Host receiver = receivers[FlowTag.flowId(tag)];
                if (receiver != null) {
                  receiver.receive(bytes, offset, length, tag, nowNanos);
                }
              });
    }
  }

  /** A flow whose acknowledgements return beside the switch. */
  private static Host tcp(
      Simulation simulation,
      int number,
      String from,
      String to,
      SwitchPort entry,
      long receiverMac) {
    Host sender = host(simulation, number, from, SENDER_MAC, receiverMac);
    Host receiver = host(simulation, number, to, receiverMac, SENDER_MAC);
    sender.attach(entry);
    receiver.attach(Link.in(simulation).propagationNanos(RTT_NANOS).to(sender));
    TcpSink sink =
        TcpSink.listen(TcpStack.on(receiver, TcpConfig.defaults(), 2L * number + 10), TCP_PORT);
    if (sink.bytes() != 0) {
      throw new IllegalStateException("nothing has been sent yet");
    }
    TcpBulkSender.to(
            TcpStack.on(sender, TcpConfig.defaults(), 2L * number + 11), IpAddress.of(to), TCP_PORT)
        .startNanos(1 + number)
        .start();
    return receiver;
  }

  private static Host host(
      Simulation simulation, int number, String address, long mac, long otherMac) {
    return new Host(
        simulation, new HostConfig(address, mac, otherMac, List.of(IpAddress.of(address)), number));
  }

  // ---------------------------------------------------------------- what was counted

  /** The rates between two readings of all counters. */
  private record Counted(
      Direction direction,
      Map<String, SubscriberCounters> before,
      Map<String, SubscriberCounters> after)
      implements Usage {
    @Override
    public Optional<UsagePoint> latest(Measured which) {
      return which instanceof Measured.OfSubscriber of && after.containsKey(of.id())
          ? Optional.of(point(of.id()))
          : Optional.empty();
    }

    @Override
    public Optional<UsagePoint> at(Measured which, Instant at) {
      return Optional.empty();
    }

    @Override
    public UsageSeries points(Measured which, Instant from, Instant to, Duration step) {
      return new UsageSeries(from, to, step, List.of());
    }

    @Override
    public void walk(String switchName, Visitor visitor) {
      after.keySet().stream().sorted().forEach(id -> visitor.visit(id, point(id)));
    }

    private UsagePoint point(String id) {
      SubscriberCounters.Traffic from = before.get(id).of(direction);
      SubscriberCounters.Traffic to = after.get(id).of(direction);
      Rates rates =
          new Rates(
              bps(from.in().orElseThrow(), to.in().orElseThrow()),
              bps(from.out(), to.out()),
              bps(from.policed().orElseThrow(), to.policed().orElseThrow()),
              bps(from.overflowed().orElseThrow(), to.overflowed().orElseThrow()),
              bps(from.suspended().orElseThrow(), to.suspended().orElseThrow()),
              bps(from.shaped().orElseThrow().dropped(), to.shaped().orElseThrow().dropped()),
              delay(from.shaped().orElseThrow(), to.shaped().orElseThrow()));
      Optional<Rates> one = Optional.of(rates);
      return direction == Direction.DOWN
          ? new UsagePoint(AT, one, Optional.empty())
          : new UsagePoint(AT, Optional.empty(), one);
    }

    private static long bps(Count from, Count to) {
      return Math.round((to.bytes() - from.bytes()) * 8.0 * SECOND / MEASURED_NANOS);
    }

    private static Optional<Delay> delay(Shaped from, Shaped to) {
      long all = 0;
      for (WaitRange range : WaitRange.values()) {
        all += to.waits().get(range).packets() - from.waits().get(range).packets();
      }
      if (all == 0) {
        return Optional.empty();
      }
      return Optional.of(
          new Delay(millis(from, to, 0.5 * all), millis(from, to, 0.95 * all), LONGEST_MILLIS));
    }

    private static double millis(Shaped from, Shaped to, double packets) {
      double before = 0;
      double lowMillis = 0;
      for (WaitRange range : WaitRange.values()) {
        long here = to.waits().get(range).packets() - from.waits().get(range).packets();
        double highMillis = range.upToMillis().orElse((int) LONGEST_MILLIS);
        if (before + here >= packets && here > 0) {
          return lowMillis + (highMillis - lowMillis) * (packets - before) / here;
        }
        before += here;
        lowMillis = highMillis;
      }
      return LONGEST_MILLIS;
    }
  }
}
