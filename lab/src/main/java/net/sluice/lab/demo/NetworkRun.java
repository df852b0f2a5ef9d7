package net.sluice.lab.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import net.sluice.cli.StartFailure;
import net.sluice.core.Controller;
import net.sluice.emulator.netsim.PortStatistics;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.value.Direction;
import net.sluice.lab.demo.DemoNetwork.Link;
import net.sluice.lab.demo.DemoNetwork.Way;
import net.sluice.lab.support.ControllerApi;
import net.sluice.lab.support.Progress;
import net.sluice.lab.support.TemporaryDirectory;
import net.sluice.standalone.StandaloneController;

/**
 * One run: starts network and controller in this process, declares everything over HTTP, waits
 * until it is installed, sends the traffic, and measures.
 */
public final class NetworkRun {
  /** Most requests of declarations at a time; rate limits must follow their subscribers. */
  private static final int IN_FLIGHT = 1;

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private NetworkRun() {}

  /**
   * Runs.
   *
   * @throws ControllerApi.RefusedException if the controller refuses a declaration
   * @throws StartFailure if network or controller cannot start
   */
  public static RunResult run(RunSpec spec, Progress progress)
      throws ControllerApi.RefusedException, StartFailure, IOException, InterruptedException {
    Population population = new Population(spec.groups(), spec.seed(), spec.withV6());
    List<Way> ways = spec.network().ways(population);
    try (TemporaryDirectory store = new TemporaryDirectory("sluice-demo");
        EmulatedNetwork network = new EmulatedNetwork(spec, ways);
        StandaloneController controller =
            StandaloneController.start(
                network.switches(),
                store.path(),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      ControllerApi client = new ControllerApi(controller.api());
      List<Limit> limits = declare(spec, population, controller.controller(), client, progress);
      return measure(spec, population, ways, limits, network, client, progress);
    }
  }

  /** The grant of a group's limit, if it has one, and its enforcement. */
  private record Limit(OptionalLong grantedBps, Optional<Enforcement> limiter) {}

  /**
   * Declares everything and waits until it is installed.
   *
   * @return subscribers and limits
   */
  static long declareAll(
      RunSpec spec, Population population, Controller controller, ControllerApi client)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    for (PolicySpec policy : spec.policies().values()) {
      client.put("/policies/" + policy.policy().id(), policy.body());
    }
    long lines =
        client.bulk(
            population.declarations(spec.network(), spec.enforcement()).iterator(), IN_FLIGHT);
    if (!controller.awaitAllInstalled(PATIENCE)) {
      throw new IOException("not everything could be installed: " + client.get("/status"));
    }
    return lines;
  }

  private static List<Limit> declare(
      RunSpec spec,
      Population population,
      Controller controller,
      ControllerApi client,
      Progress progress)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    progress.say("declaring over " + client.base());
    long lines = declareAll(spec, population, controller, client);
    progress.say(
        String.format(
            Locale.ROOT,
            "%d policies and %d subscribers and limits installed",
            spec.policies().size(),
            lines));
    List<Limit> limits = new ArrayList<>();
    for (GroupSpec group : spec.groups()) {
      limits.add(
          group.limitBps().isEmpty()
              ? new Limit(OptionalLong.empty(), Optional.empty())
              : granted(client, group, spec.network().direction()));
    }
    return limits;
  }

  /** All subscribers of a group request the same limit, so one answer has the grant of all. */
  private static Limit granted(ControllerApi client, GroupSpec group, Direction direction)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    JsonNode limit = client.get("/rate-limits/" + group.subscriberId(0));
    JsonNode granted = limit.path("granted").path(Population.rateField(direction));
    Optional<Enforcement> limiter =
        Enforcement.of(limit.path("granted").path(direction.text() + "Limiter").asText());
    if (!granted.isNumber() || limiter.isEmpty()) {
      throw new IOException("the controller does not say what it grants: " + limit);
    }
    return new Limit(OptionalLong.of(granted.asLong()), limiter);
  }

  /** Reads what the switch has counted for those whose limit it enforces itself. */
  private static Traffic.LimiterDrops drops(
      RunSpec spec, Population population, List<Limit> limits, ControllerApi client) {
    String direction = spec.network().direction().text();
    return () -> {
      long[] packets = new long[population.size()];
      for (int g = 0; g < limits.size(); g++) {
        Enforcement limiter = limits.get(g).limiter().orElse(Enforcement.FPGA);
        if (limiter != Enforcement.FPGA) {
          GroupSpec group = spec.groups().get(g);
          for (int i = 0; i < group.subscribers(); i++) {
            JsonNode counters = client.get("/subscribers/" + group.subscriberId(i) + "/counters");
            packets[population.firstOf(g) + i] = dropped(limiter, counters.path(direction));
          }
        }
      }
      return packets;
    };
  }

  private static long dropped(Enforcement limiter, JsonNode counters) {
    return limiter == Enforcement.SHAPE
        ? counters.path("packetsOverflowed").asLong()
            + counters.path("shaped").path("packetsDropped").asLong()
        : counters.path("packetsPoliced").asLong();
  }

  private static RunResult measure(
      RunSpec spec,
      Population population,
      List<Way> ways,
      List<Limit> limits,
      EmulatedNetwork network,
      ControllerApi client,
      Progress progress)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    List<OptionalLong> granted = limits.stream().map(Limit::grantedBps).toList();
    Prediction predicted =
        Prediction.of(
            spec.groups(),
            spec.policies(),
            granted,
            ways,
            spec.packetBytes(),
            spec.overheadBytes());
    DemoPhases schedule =
        DemoPhases.of(
            spec.groups(),
            predicted.ratesBps(),
            predicted.bottlenecksInARowBps(ways),
            spec.packetBytes(),
            spec.seconds());
    long from = Traffic.nanos(schedule.warmUpSeconds());
    Meter meter =
        new Meter(
            groupOf(spec.groups(), population),
            ways.stream().map(way -> Transmission.over(way.links(), spec.overheadBytes())).toList(),
            from,
            from + Traffic.nanos(schedule.measuredSeconds()));
    Optional<TcpTraffic> tcp =
        spec.tcp()
            .map(flows -> new TcpTraffic(flows, population, network, ways.get(ways.size() - 1)));
    network.connect(meter, tcp);
    List<Link> links = predicted.links().stream().map(Prediction.OfLink::link).toList();
    Traffic traffic = new Traffic(spec, population, schedule, network, ways, links, tcp);
    Traffic.Sent sent =
        traffic.run(
            network.drainNanos(),
            () ->
                IntStream.range(0, limits.size())
                    .filter(g -> limits.get(g).limiter().equals(Optional.of(Enforcement.SHAPE)))
                    .allMatch(meter::hasPassed),
            drops(spec, population, limits, client),
            progress);
    List<LinkLoad> loads = new ArrayList<>();
    for (int l = 0; l < links.size(); l++) {
      loads.add(load(spec, predicted.links().get(l), sent.ports().get(l)));
    }
    return new RunResult(
        granted,
        limits.stream().map(Limit::limiter).toList(),
        predicted.ratesBps(),
        schedule,
        IntStream.range(0, spec.groups().size())
            .mapToObj(group -> meter.group(group, sent.packets(), sent.dropped()))
            .toList(),
        loads.get(predicted.links().indexOf(predicted.bottleneck())),
        loads,
        meter);
  }

  private static LinkLoad load(RunSpec spec, Prediction.OfLink predicted, PortStatistics measured) {
    return new LinkLoad(
        predicted.link().switchId(),
        predicted.link().port().number(),
        predicted.link().port().rateBps(),
        predicted.load(),
        measured.utilisation(),
        predicted.groups().stream()
            .sorted()
            .map(group -> spec.groups().get(group).name())
            .toList());
  }

  private static int[] groupOf(List<GroupSpec> groups, Population population) {
    int[] groupOf = new int[population.size()];
    for (int g = 0; g < groups.size(); g++) {
      int first = population.firstOf(g);
      Arrays.fill(groupOf, first, first + groups.get(g).subscribers(), g);
    }
    return groupOf;
  }
}
