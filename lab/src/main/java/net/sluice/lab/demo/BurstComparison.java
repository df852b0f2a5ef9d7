package net.sluice.lab.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import net.sluice.cli.StartFailure;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.lab.demo.DemoNetwork.Way;
import net.sluice.lab.report.chart.Axis;
import net.sluice.lab.report.chart.LineChart;
import net.sluice.lab.support.ControllerApi;
import net.sluice.lab.support.Figures;
import net.sluice.lab.support.Progress;
import net.sluice.lab.support.TemporaryDirectory;
import net.sluice.standalone.StandaloneController;

/**
 * One subscriber whose packets come in bursts, alone on its line, under the same limit by each
 * limiter: what holds the bursts back, and what drops of them.
 */
final class BurstComparison {
  static final long LIMIT_BPS = 10_000_000;
  static final int BURST_FRAMES = 107;
  static final int BURSTS = 4;

  private static final int FRAME_BYTES = 1_500;
  private static final double PERIOD_SECONDS = 0.2;

  /** Mean of the bursts, 64 % of the limit. */
  private static final long OFFERED_BPS =
      Math.round(8.0 * BURST_FRAMES * FRAME_BYTES / PERIOD_SECONDS);

  private static final int POINTS = 800;
  private static final List<Enforcement> LIMITERS =
      List.of(Enforcement.SHAPE, Enforcement.FPGA, Enforcement.POLICE);

  /** Under its limits packets wait as long as there is room: a burst takes 128 ms. */
  private static final PolicySpec PATIENT =
      new PolicySpec(
          new Policy("gold", BuiltInFunction.GOLD),
          "{\"throughputValue\": {\"builtIn\": \"gold\"}, \"limitAqm\": {\"kind\": \"none\"}}");

  private BurstComparison() {}

  /**
   * The bursts by one limiter.
   *
   * @param delivered frames that arrived by the time of each point
   * @param highestBps most that arrived within 10 ms, bit/s
   */
  record ByLimiter(Enforcement limiter, int[] delivered, double highestBps) {
    /** Share of the frames that were lost. */
    double loss() {
      return 1 - (double) delivered[POINTS - 1] / (BURSTS * BURST_FRAMES);
    }
  }

  /** Sends the bursts through the default network by each limiter in turn. */
  static List<ByLimiter> run(long seed, Progress progress)
      throws ControllerApi.RefusedException, StartFailure, IOException, InterruptedException {
    List<ByLimiter> all = new ArrayList<>();
    for (Enforcement limiter : LIMITERS) {
      progress.say("bursts of one subscriber, enforcement " + limiter.text());
      all.add(run(limiter, seed));
    }
    return all;
  }

  private static ByLimiter run(Enforcement limiter, long seed)
      throws ControllerApi.RefusedException, StartFailure, IOException, InterruptedException {
    GroupSpec bursty = new GroupSpec("bursty", "gold", 1, OFFERED_BPS, OptionalLong.of(LIMIT_BPS));
    RunSpec spec =
        new RunSpec(
            List.of(bursty),
            Map.of("gold", PATIENT),
            DemoNetwork.single(1_000_000_000),
            0,
            FRAME_BYTES,
            1_000_000_000,
            RandomRates.BITS_16,
            OptionalDouble.empty(),
            false,
            seed,
            Optional.empty(),
            Optional.of(limiter));
    Population population = new Population(spec.groups(), seed, false);
    List<Way> ways = spec.network().ways(population);
    try (TemporaryDirectory store = new TemporaryDirectory("sluice-demo");
        EmulatedNetwork network = new EmulatedNetwork(spec, ways);
        StandaloneController controller =
            StandaloneController.start(
                network.switches(),
                store.path(),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      ControllerApi client = new ControllerApi(controller.api());
      NetworkRun.declareAll(spec, population, controller.controller(), client);
      byte[] frame =
          new FrameBuilder()
              .frameBytes(FRAME_BYTES)
              .addresses(population.coreAddress(0), population.address(0))
              .build()
              .frame(0, 0);
      List<Long> arrivals = new ArrayList<>();
      network
          .port(ways.get(0).exit())
          .connect((bytes, offset, length, tag, nowNanos) -> arrivals.add(nowNanos));
      SwitchPort entry = network.port(ways.get(0).entry());
      for (int burst = 0; burst < BURSTS; burst++) {
        network.simulation().runUntil(Traffic.nanos(burst * PERIOD_SECONDS));
        long now = network.simulation().nowNanos();
        for (int i = 0; i < BURST_FRAMES; i++) {
          entry.receive(frame, 0, frame.length, FlowTag.of(0, now), now);
        }
      }
      network.simulation().runUntil(Traffic.nanos(BURSTS * PERIOD_SECONDS));
      return new ByLimiter(limiter, delivered(arrivals), highestBps(arrivals));
    }
  }

  private static double pointSeconds(int point) {
    return (point + 1) * BURSTS * PERIOD_SECONDS / POINTS;
  }

  private static int[] delivered(List<Long> arrivals) {
    int[] delivered = new int[POINTS];
    int arrived = 0;
    for (int point = 0; point < POINTS; point++) {
      while (arrived < arrivals.size()
          && arrivals.get(arrived) <= Traffic.nanos(pointSeconds(point))) {
        arrived++;
      }
      delivered[point] = arrived;
    }
    return delivered;
  }

  private static double highestBps(List<Long> arrivals) {
    int most = 0;
    int first = 0;
    for (int last = 0; last < arrivals.size(); last++) {
      while (arrivals.get(last) - arrivals.get(first) >= 10_000_000) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most * 8.0 * FRAME_BYTES / 0.01;
  }

  static String text() {
    return String.format(
        Locale.ROOT,
        "One subscriber alone gets %d bursts of %d frames, %s on average, under a limit of %s.",
        BURSTS,
        BURST_FRAMES,
        Figures.rate(OFFERED_BPS),
        Figures.rate(LIMIT_BPS));
  }

  static List<String> heads() {
    return List.of("enforcement", "lost", "most within 10 ms");
  }

  static List<List<String>> lines(List<ByLimiter> all) {
    return all.stream()
        .map(
            one ->
                List.of(
                    one.limiter().text(),
                    Figures.percent(one.loss()),
                    Figures.rate(one.highestBps())))
        .toList();
  }

  static String chart(List<ByLimiter> all) {
    List<LineChart.Series> series = new ArrayList<>();
    for (ByLimiter one : all) {
      double[] seconds = new double[POINTS];
      double[] frames = new double[POINTS];
      for (int point = 0; point < POINTS; point++) {
        seconds[point] = pointSeconds(point);
        frames[point] = one.delivered()[point];
      }
      series.add(new LineChart.Series(one.limiter().text(), seconds, frames));
    }
    return LineChart.draw(
        "frames of the bursty subscriber that have arrived",
        Axis.linear("virtual time in s", 0, BURSTS * PERIOD_SECONDS, Figures::shortNumber),
        Axis.fromZero("frames", BURSTS * BURST_FRAMES, Figures::number),
        true,
        series);
  }
}
