package net.sluice.lab.experiment.csaqm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.lab.demo.DemoPhases;
import net.sluice.lab.demo.GroupSpec;
import net.sluice.lab.demo.PolicySpec;
import net.sluice.lab.demo.RunSpec;
import net.sluice.lab.demo.RunSpec.TcpSpec;

/**
 * The static scenarios of paper 000, section V.
 *
 * <p>The paper reports goodput on Ethernet: 2,000 * 21.8 + 8,000 * 6.4 Mbit/s is 94.8 % of the 100
 * Gbit/s line, and of a 1500-byte frame 1458 bytes are UDP payload while preamble, FCS and gap take
 * another 24 bytes of the line: 95.7 %. So the bottleneck here has that overhead, and rates here
 * are goodput, the UDP payload's. What generators send is given by the lines they fill.
 *
 * @param key letter of the scenario, the first part of its rows' names
 * @param title what it is, for people
 * @param bottleneckBps line rate of the bottleneck, bit/s
 * @param gold number of Gold subscribers
 * @param silver number of Silver subscribers
 * @param goldLineBps what all Gold subscribers are sent, as a line rate
 * @param silverLineBps what all Silver subscribers are sent, as a line rate
 * @param probesBps goodput sent to single Gold subscribers beside them
 * @param tcpFlows further Gold subscribers that are sent a TCP flow each
 * @param ecn whether these flows negotiate ECN
 * @param forgiving whether the marker forgives a rate somewhat above the share
 */
record CsaqmScenario(
    String key,
    String title,
    long bottleneckBps,
    int gold,
    int silver,
    long goldLineBps,
    long silverLineBps,
    List<Long> probesBps,
    int tcpFlows,
    boolean ecn,
    boolean forgiving) {
  /** Frame length of the paper's traffic, bytes. */
  static final int FRAME_BYTES = 1500;

  /** UDP payload of such a frame: without Ethernet, IPv4 and UDP headers. */
  static final int PAYLOAD_BYTES = FRAME_BYTES - 14 - 20 - 8;

  /** Overhead of a frame on an Ethernet line, bytes: preamble, FCS and gap. */
  static final int OVERHEAD_BYTES = 24;

  /** R_max of the paper's bins: rates below 1 Mbit/s are all in bin 0. */
  static final long MAX_RATE_BPS = 100_000_000_000L;

  private static final double BITS_PER_BYTE = 8;

  /**
   * With so many subscribers a packet takes twice the time, as tables and queues of that size are
   * in no cache. Measured: 1.4 us a packet with 10,000, 1.6 with 35,000, 3.5 with 195,000.
   */
  private static final double SUBSCRIBERS_TO_DOUBLE_COST = 120_000;

  private static final long GBIT = 1_000_000_000L;

  /** The paper does not tell the RTT; its hosts are beside the switch. */
  private static final long TCP_RTT_NANOS = 200_000;

  /** TCP flows of a scenario that is divided. */
  private static final int LEAST_TCP_FLOWS = 2;

  /** Bytes of a TCP segment's data and of its frame. */
  private static final int TCP_PAYLOAD_BYTES = 1_448;

  private static final int TCP_FRAME_BYTES = 1_514;

  /** Section V.A, figure 4: each class fills a line of 100 Gbit/s. */
  static final CsaqmScenario A =
      new CsaqmScenario(
          "a",
          "2,000 Gold and 8,000 Silver subscribers, 200 Gbit/s into 100 Gbit/s",
          100 * GBIT,
          2_000,
          8_000,
          100 * GBIT,
          100 * GBIT,
          List.of(15_000_000L, 50_000_000L),
          0,
          false,
          false);

  /** Section V.C, figure 6. */
  static final CsaqmScenario B =
      new CsaqmScenario(
          "b",
          "7,000 Gold and 28,000 Silver subscribers, 200 Gbit/s into 100 Gbit/s",
          100 * GBIT,
          7_000,
          28_000,
          100 * GBIT,
          100 * GBIT,
          List.of(),
          0,
          false,
          false);

  /** Section V.C, figure 8: one line of 100 Gbit/s carries all, in equal parts. */
  static final CsaqmScenario C =
      new CsaqmScenario(
          "c",
          "39,000 Gold and 156,000 Silver subscribers, 100 Gbit/s into 90 Gbit/s",
          90 * GBIT,
          39_000,
          156_000,
          20 * GBIT,
          80 * GBIT,
          List.of(),
          0,
          false,
          false);

  /**
   * Scenario c on the line that the paper's own rates fill: 39,000 * 488 + 156,000 * 400 kbit/s of
   * goodput, 81.4 Gbit/s, take 85.1 Gbit/s of line and not 90.
   */
  static final CsaqmScenario D =
      new CsaqmScenario(
          "d",
          "as c, on the 85.1 Gbit/s line that the rates reported for c fill",
          lineBps(39_000 * 488_000L + 156_000 * 400_000L),
          C.gold,
          C.silver,
          C.goldLineBps,
          C.silverLineBps,
          List.of(),
          0,
          false,
          false);

  /** Section V.B, figure 5. */
  static final CsaqmScenario E =
      withTcp("e", "as a, and ten Gold subscribers with a TCP flow", false);

  /** The future work of section V.B, with the parts that exist. */
  static final CsaqmScenario F = withTcp("f", "as e, the TCP flows with ECN", true);

  /** As F by another table of random numbers, with scenario a's probes to see what that spoils. */
  static final CsaqmScenario G =
      new CsaqmScenario(
          "g",
          "as f, with a's probes and a marker that forgives 9 %",
          A.bottleneckBps,
          A.gold,
          A.silver,
          A.goldLineBps,
          A.silverLineBps,
          A.probesBps,
          10,
          true,
          true);

  CsaqmScenario {
    probesBps = List.copyOf(probesBps);
  }

  /** The scenario with as many times fewer subscribers and as many times slower lines. */
  CsaqmScenario dividedBy(int divisor) {
    return new CsaqmScenario(
        key,
        title + ", divided by " + divisor,
        bottleneckBps / divisor,
        gold / divisor,
        silver / divisor,
        goldLineBps / divisor,
        silverLineBps / divisor,
        probesBps,
        Math.min(tcpFlows, Math.max(LEAST_TCP_FLOWS, tcpFlows / divisor)),
        ecn,
        forgiving);
  }

  /**
   * Work of a run with so many measured seconds: its constant-rate packets, warm-up included, each
   * as many as it costs more than in a scenario of few subscribers.
   */
  double work(double seconds) {
    double lineBps = (double) goldLineBps + silverLineBps;
    double packetsPerSecond = lineBps / (BITS_PER_BYTE * (FRAME_BYTES + OVERHEAD_BYTES));
    double cost = 1 + subscribers() / SUBSCRIBERS_TO_DOUBLE_COST;
    return cost * packetsPerSecond * (DemoPhases.warmUpSeconds(bottleneckBps) + seconds);
  }

  private int subscribers() {
    return gold + silver;
  }

  /**
   * The run: groups gold, silver, probe-N, and tcp.
   *
   * @param randomRates of the marker, if it does not forgive
   */
  RunSpec runSpec(RandomRates randomRates, double seconds, long seed) {
    List<GroupSpec> groups = new ArrayList<>();
    groups.add(group("gold", "gold", gold, frameBps(goldLineBps) / gold));
    groups.add(group("silver", "silver", silver, frameBps(silverLineBps) / silver));
    for (int i = 0; i < probesBps.size(); i++) {
      double frameBps = (double) probesBps.get(i) * FRAME_BYTES / PAYLOAD_BYTES;
      groups.add(group("probe-" + (i + 1), "gold", 1, frameBps));
    }
    if (tcpFlows > 0) {
      // As a demand, no less than anybody's share.
      groups.add(group("tcp", "gold", tcpFlows, frameBps(goldLineBps) / gold));
    }
    RunSpec constant =
        new RunSpec(
            groups,
            Map.of(
                "gold", PolicySpec.ofPaper(BuiltInFunction.GOLD),
                "silver", PolicySpec.ofPaper(BuiltInFunction.SILVER)),
            bottleneckBps,
            OVERHEAD_BYTES,
            FRAME_BYTES,
            MAX_RATE_BPS,
            forgiving ? RandomRates.BITS_16_FORGIVING : randomRates,
            OptionalDouble.of(seconds),
            false,
            seed);
    return tcpFlows == 0 ? constant : constant.withTcp(new TcpSpec(TCP_RTT_NANOS, ecn));
  }

  /** Goodput of TCP at a rate in frame bits per second. */
  static double tcpGoodputBps(double frameBps) {
    return frameBps * TCP_PAYLOAD_BYTES / TCP_FRAME_BYTES;
  }

  /** Goodput of a rate in frame bits per second. */
  static double goodputBps(double frameBps) {
    return frameBps * PAYLOAD_BYTES / FRAME_BYTES;
  }

  private static long lineBps(long goodputBps) {
    return Math.round((double) goodputBps * (FRAME_BYTES + OVERHEAD_BYTES) / PAYLOAD_BYTES);
  }

  private static double frameBps(long lineBps) {
    return (double) lineBps * FRAME_BYTES / (FRAME_BYTES + OVERHEAD_BYTES);
  }

  private static CsaqmScenario withTcp(String key, String title, boolean ecn) {
    return new CsaqmScenario(
        key,
        title,
        A.bottleneckBps,
        A.gold,
        A.silver,
        A.goldLineBps,
        A.silverLineBps,
        List.of(),
        10,
        ecn,
        false);
  }

  private static GroupSpec group(String name, String policy, int subscribers, double frameBps) {
    return new GroupSpec(name, policy, subscribers, Math.round(frameBps), OptionalLong.empty());
  }
}
