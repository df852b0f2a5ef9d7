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
import net.sluice.emulator.netsim.Link;
import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.host.Host;
import net.sluice.emulator.netsim.host.HostConfig;
import net.sluice.emulator.netsim.host.HostDemultiplexer;
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
  /** Of the household, bit/s. */
  public static final long LIMIT_BPS = 20_000_000;

  /** Warm-up and measured time, virtual seconds. */
  static final double ALL_SECONDS = 8;

  private static final int INTERVALS = 80;
  private static final int PROGRESS_INTERVALS = 20;

  private static final long NEIGHBOUR_LIMIT_BPS = 10_000_000;
  private static final double WARM_UP_SECONDS = 3;
  private static final double SECONDS = ALL_SECONDS - WARM_UP_SECONDS;
  private static final long RTT_NANOS = 40_000_000;

  /** Flows of the download begin within this time. */
  private static final long STARTS_NANOS = 100_000_000;

  private static final long LINE_BPS = 1_000_000_000;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int DIGITS = 3;
  private static final double NANOS = 1e9;
  private static final double BITS_PER_BYTE = 8;
  private static final int PORT = 5_001;
  private static final long CORE_MAC = 0x02_00_00_02_00_00L;
  private static final IpAddress HOME = IpAddress.of("10.0.0.1");
  private static final IpAddress NEIGHBOUR = IpAddress.of("10.0.0.2");
  private static final IpAddress CORE = IpAddress.of("192.0.2.1");

  /** 198.18.0.0, for measurements (RFC 2544). */
  private static final long FIRST_SENDER = 0xc6_12_00_00L;

  private static final long UDP_STREAM = 1;
  private static final long STARTS_STREAM = 2;
  private static final long RECEIVER_STREAM = 3;
  private static final long SENDER_STREAMS = 1_000;

  /** The flows. A source numbers its own in this order, so the download is last. */
  public enum Flow {
    CALL("call", "50 packets/s of 200 bytes", HOME, 200, 50),
    GAME("game", "60 packets/s of 100 bytes", HOME, 100, 60),
    NEIGHBOUR_FLOOD("neighbour's flood", "25 Mbit/s, limit 10M", NEIGHBOUR, 1_500, 25e6 / 12_000),
    DOWNLOAD("download", "4 TCP flows, Cubic", HOME, 0, 0);

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

  private static final int DOWNLOADS = 4;

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
      declare(behaviour, new ControllerApi(controller.api()));
      if (!controller.controller().awaitAllInstalled(PATIENCE)) {
        throw new IOException("the household's limit could not be installed");
      }
      return new Run(simulation, device, topology).run(progress);
    }
  }

  private static void declare(Behaviour behaviour, ControllerApi api)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    api.put("/policies/home", behaviour.policy);
    declare(api, "household", HOME, LIMIT_BPS);
    declare(api, "neighbour", NEIGHBOUR, NEIGHBOUR_LIMIT_BPS);
  }

  private static void declare(ControllerApi api, String id, IpAddress address, long limitBps)
      throws ControllerApi.RefusedException, IOException, InterruptedException {
    api.put(
        "/subscribers/" + id,
        "{\"policy\":\"home\",\"prefixes\":[\""
            + address
            + "/32\"],\"attachment\":{\"port\":0,\"tree\":0}}");
    api.put(
        "/rate-limits/" + id,
        "{\"scope\":{\"subscriber\":\""
            + id
            + "\"},\"downBps\":"
            + limitBps
            + ",\"enforcement\":\"shape\"}");
  }

  /** The traffic of one run and its measurements. */
  private static final class Run {
    private static final long FROM_NANOS = Math.round(WARM_UP_SECONDS * NANOS);
    private static final long TO_NANOS = Math.round(ALL_SECONDS * NANOS);

    private final Simulation simulation;
    private final SwitchPort core;
    private final Host home;
    private final Map<Flow, Histogram> delays = new EnumMap<>(Flow.class);
    private final Map<Flow, long[]> nanos = new EnumMap<>(Flow.class);
    private final Map<Flow, long[]> packets = new EnumMap<>(Flow.class);
    private final long[] bytes = new long[Flow.values().length];

    Run(Simulation simulation, SwitchWithFpgas device, DefaultTopology topology) {
      this.simulation = simulation;
      core = device.node().port(DefaultTopology.CORE_PORT);
      for (Flow flow : Flow.values()) {
        delays.put(flow, new Histogram(DIGITS));
        nanos.put(flow, new long[INTERVALS]);
        packets.put(flow, new long[INTERVALS]);
      }
      long homeMac =
          topology.topology().port(DefaultTopology.ACCESS_PORT).orElseThrow().destinationMac();
      home = new Host(simulation, new HostConfig("home", homeMac, CORE_MAC, List.of(HOME), 0));
      device.node().port(DefaultTopology.ACCESS_PORT).connect(this::arrive);
      download(homeMac);
      TrafficSource source = new TrafficSource(simulation, core, UDP_STREAM);
      for (Flow flow : Flow.values()) {
        if (flow != Flow.DOWNLOAD) {
          source.addFlow(
              new FlowSpec(
                  new FrameBuilder()
                      .addresses(CORE.toString(), flow.to.toString())
                      .ports(flow.ordinal() + PORT + 1, flow.ordinal() + PORT + 1)
                      .frameBytes(flow.frameBytes)
                      .build(),
                  Math.round(flow.offeredBps()),
                  0,
                  Long.MAX_VALUE,
                  new ArrivalProcess.Cbr(true, 0.2)));
        }
      }
    }

    private void download(long homeMac) {
      HostDemultiplexer back = new HostDemultiplexer();
      home.attach(back);
      TcpConfig tcp = TcpConfig.defaults();
      TcpSink.listen(TcpStack.on(home, tcp, RECEIVER_STREAM), PORT);
      Prng random = simulation.random(STARTS_STREAM);
      for (int i = 0; i < DOWNLOADS; i++) {
        IpAddress address = new IpAddress(false, 0, FIRST_SENDER + i + 1);
        Host sender =
            new Host(
                simulation,
                new HostConfig(
                    "sender " + i, CORE_MAC, homeMac, List.of(address), Flow.DOWNLOAD.ordinal()));
        sender.attach(core);
        back.add(address, Link.in(simulation).propagationNanos(RTT_NANOS).to(sender));
        TcpBulkSender.to(TcpStack.on(sender, tcp, SENDER_STREAMS + i), HOME, PORT)
            .startNanos((long) (random.nextDouble() * STARTS_NANOS))
            .start();
      }
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
      if (flow == Flow.DOWNLOAD) {
        home.receive(frame, offset, length, tag, now);
      }
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
