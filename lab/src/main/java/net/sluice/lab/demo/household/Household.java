package net.sluice.lab.demo.household;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import net.sluice.cli.StartFailure;
import net.sluice.embedded.DefaultTopology;
import net.sluice.embedded.SwitchWithFpgas;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.lab.support.ControllerApi;
import net.sluice.lab.support.Progress;
import net.sluice.lab.support.TemporaryDirectory;
import net.sluice.standalone.StandaloneController;
import org.HdrHistogram.Histogram;

/**
 * A household under one limit: a download, a call and a game. A neighbour's flood of 2.5 times its
 * own limit waits in the same switch. The line is faster than both limits, so all delay is theirs.
 *
 * @param delays of the packets that arrived within the measured time, by flow, nanoseconds
 * @param rateBps by flow, of the packets that arrived, bit/s
 * @param meanNanos mean delays in each interval of the whole time, not a number where none arrived
 */
public record Household(
    Map<Flow, Histogram> delays, Map<Flow, Double> rateBps, Map<Flow, double[]> meanNanos) {
  /** The household's limit, bit/s. */
  public static final long LIMIT_BPS = 20_000_000;

  /** Warm-up and measured time, virtual seconds. */
  static final double ALL_SECONDS = 8;

  private static final int INTERVALS = 80;
  private static final int PROGRESS_INTERVALS = 20;

  /** The neighbour's limit, bit/s. */
  static final long NEIGHBOUR_LIMIT_BPS = 10_000_000;

  private static final double WARM_UP_SECONDS = 3;
  private static final double SECONDS = ALL_SECONDS - WARM_UP_SECONDS;
  private static final long LINE_BPS = 1_000_000_000;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int DIGITS = 3;
  private static final double NANOS = 1e9;
  private static final double BITS_PER_BYTE = 8;

  /** The flows. A source numbers its own in this order, so the download is last. */
  public enum Flow {
    CALL("call", "50 packets/s of 200 bytes", HouseholdTraffic.HOME, 200, 50),
    GAME("game", "60 packets/s of 100 bytes", HouseholdTraffic.HOME, 100, 60),
    NEIGHBOUR_FLOOD(
        "neighbour's flood",
        "25 Mbit/s, limit 10M",
        HouseholdTraffic.NEIGHBOUR,
        1_500,
        25e6 / 12_000),
    DOWNLOAD("download", "4 TCP flows, Cubic", HouseholdTraffic.HOME, 0, 0);

    private final String text;
    private final String load;
    private final IpAddress to;
    private final int frameBytes;
    private final double packetsPerSecond;

    Flow(String text, String load, IpAddress to, int frameBytes, double packetsPerSecond) {
      this.text = text;
      this.load = load;
      this.to = to;
      this.frameBytes = frameBytes;
      this.packetsPerSecond = packetsPerSecond;
    }

    IpAddress to() {
      return to;
    }

    int frameBytes() {
      return frameBytes;
    }

    /** Its name for people. */
    public String text() {
      return text;
    }

    /** The load in words. */
    public String load() {
      return load;
    }

    /** Whether it sends little, and delay is what matters to it. */
    public boolean light() {
      return this == CALL || this == GAME;
    }

    /** The rate of its source, bit/s; 0 of the download, which takes what it gets. */
    public double offeredBps() {
      return BITS_PER_BYTE * frameBytes * packetsPerSecond;
    }
  }

  public Household {
    delays = Map.copyOf(delays);
    rateBps = Map.copyOf(rateBps);
    meanNanos = Map.copyOf(meanNanos);
  }

  /** The policy of the household and its neighbour. */
  public enum Behaviour {
    /** The defaults. */
    NOW("delay kept low", "{\"throughputValue\":{\"builtIn\":\"gold\"}}"),
    /** Packets wait in the order in which they come, as long as there is room. */
    BLOAT(
        "as before",
        "{\"throughputValue\":{\"builtIn\":\"gold\"},\"limitAqm\":{\"kind\":\"none\"},"
            + "\"flows\":\"as-they-come\"}");

    private final String text;
    private final String policy;

    Behaviour(String text, String policy) {
      this.text = text;
      this.policy = policy;
    }

    /** In words. */
    public String text() {
      return text;
    }

    /** Body of its policy. */
    public String policy() {
      return policy;
    }
  }

  /**
   * Runs.
   *
   * @param seed of everything random
   */
  public static Household run(Behaviour behaviour, long seed, Progress progress)
      throws ControllerApi.RefusedException, StartFailure, IOException, InterruptedException {
    Simulation simulation = new Simulation(seed);
    DefaultTopology topology = new DefaultTopology(LINE_BPS);
    try (TemporaryDirectory store = new TemporaryDirectory("sluice-demo");
        SwitchWithFpgas device = SwitchWithFpgas.start(simulation, topology.topology(), seed);
        StandaloneController controller =
            StandaloneController.start(
                List.of(device.remote("switch", new MarkerSettings(LINE_BPS, RandomRates.BITS_16))),
                store.path(),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      HouseholdTraffic.declare(new ControllerApi(controller.api()), behaviour.policy);
      if (!controller.controller().awaitAllInstalled(PATIENCE)) {
        throw new IOException("the household's limit could not be installed");
      }
      return new Run(simulation, device, topology).run(progress);
    }
  }

  /** The traffic of one run and its measurements. */
  private static final class Run {
    private static final long FROM_NANOS = Math.round(WARM_UP_SECONDS * NANOS);
    private static final long TO_NANOS = Math.round(ALL_SECONDS * NANOS);

    private final Simulation simulation;
    private final HouseholdTraffic traffic;
    private final Map<Flow, Histogram> delays = new EnumMap<>(Flow.class);
    private final Map<Flow, long[]> nanos = new EnumMap<>(Flow.class);
    private final Map<Flow, long[]> packets = new EnumMap<>(Flow.class);
    private final long[] bytes = new long[Flow.values().length];

    Run(Simulation simulation, SwitchWithFpgas device, DefaultTopology topology) {
      this.simulation = simulation;
      for (Flow flow : Flow.values()) {
        delays.put(flow, new Histogram(DIGITS));
        nanos.put(flow, new long[INTERVALS]);
        packets.put(flow, new long[INTERVALS]);
      }
      traffic =
          new HouseholdTraffic(
              simulation,
              device.node().port(DefaultTopology.CORE_PORT),
              topology.topology().port(DefaultTopology.ACCESS_PORT).orElseThrow().destinationMac());
      device.node().port(DefaultTopology.ACCESS_PORT).connect(this::arrive);
    }

    private void arrive(byte[] frame, int offset, int length, long tag, long now) {
      Flow flow = Flow.values()[FlowTag.flowId(tag)];
      long age = FlowTag.ageNanos(tag, now);
      int interval = (int) Math.min(INTERVALS - 1, now * INTERVALS / TO_NANOS);
      nanos.get(flow)[interval] += age;
      packets.get(flow)[interval]++;
      if (now >= FROM_NANOS) {
        delays.get(flow).recordValue(age);
        bytes[flow.ordinal()] += length;
      }
      traffic.receive(frame, offset, length, tag, now);
    }

    Household run(Progress progress) {
      for (int interval = 1; interval <= INTERVALS; interval++) {
        simulation.runUntil(TO_NANOS / INTERVALS * interval - 1);
        if (interval % PROGRESS_INTERVALS == 0) {
          progress.at((double) interval / INTERVALS, "call and game beside a download");
        }
      }
      Map<Flow, Double> rates = new EnumMap<>(Flow.class);
      Map<Flow, double[]> means = new EnumMap<>(Flow.class);
      for (Flow flow : Flow.values()) {
        rates.put(flow, bytes[flow.ordinal()] * BITS_PER_BYTE / SECONDS);
        double[] mean = new double[INTERVALS];
        Arrays.setAll(mean, i -> (double) nanos.get(flow)[i] / packets.get(flow)[i]);
        means.put(flow, mean);
      }
      return new Household(delays, rates, means);
    }
  }
}
