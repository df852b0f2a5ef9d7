package net.sluice.lab.experiment.fsam;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Traffic of an aggregate, and its contract.
 *
 * @param key of its rows
 * @param sources what sends under the contract
 * @param background TCP flows without a contract that share the bottleneck
 * @param committedBps CIR, bit/s
 * @param burstBits of the bucket
 * @param seconds virtual seconds
 */
record Setup(
    String key,
    List<Source> sources,
    int background,
    long committedBps,
    long burstBits,
    double seconds) {
  private static final long TABLE_BPS = 500_000;
  private static final long TABLE_BURST_BITS = 100_000;
  private static final long FIGURE_BPS = 1_000_000;
  private static final long FIGURE_BURST_BITS = 500_000;

  /** "Many"; the paper has no number. */
  private static final int BACKGROUND = 10;

  /** "Several". */
  private static final int MICE = 5;

  private static final double TABLE_SECONDS = 40;

  /** The paper names no time for its second table: its counts are those of about 20 s. */
  private static final double UDP_SECONDS = 20;

  private static final double FIGURE_SECONDS = 60;

  /** So long that the least of the shares is some 5,000 packets. */
  private static final double WEIGHTED_SECONDS = 300;

  private static final long MEGABIT = 1_000_000;

  Setup {
    sources = List.copyOf(sources);
  }

  /** Figure 2: two TCP flows and UDP at 2 Mbit/s. */
  static final Setup MIXED =
      new Setup(
          "table.mixed",
          List.of(Source.TCP, Source.TCP, Source.udp(2 * MEGABIT)),
          BACKGROUND,
          TABLE_BPS,
          TABLE_BURST_BITS,
          TABLE_SECONDS);

  /** Figure 3: UDP at 1, 4 and 2 Mbit/s. */
  static final Setup UDP =
      new Setup(
          "table.udp",
          List.of(Source.udp(MEGABIT), Source.udp(4 * MEGABIT), Source.udp(2 * MEGABIT)),
          BACKGROUND,
          TABLE_BPS,
          TABLE_BURST_BITS,
          UDP_SECONDS);

  /** The paper's future work: UDP at 2 Mbit/s each, by their codepoints of the weights 4, 2, 1. */
  static final Setup WEIGHTED =
      new Setup(
          "weighted",
          List.of(
              Source.udp(2 * MEGABIT, 46),
              Source.udp(2 * MEGABIT, 26),
              Source.udp(2 * MEGABIT, 18)),
          0,
          FIGURE_BPS,
          FIGURE_BURST_BITS,
          WEIGHTED_SECONDS);

  /** Weights of {@link #WEIGHTED}, by codepoint. */
  static final Map<Integer, Double> WEIGHTS = Map.of(46, 4.0, 26, 2.0, 18, 1.0);

  /** Figure 4. */
  static Setup longFlows(int flows) {
    return figure("long." + flows, Collections.nCopies(flows, Source.TCP), List.of());
  }

  /** Figures 5 and 6. */
  static Setup withMice(int flows) {
    return figure(
        "mice." + flows,
        Collections.nCopies(flows, Source.TCP),
        Collections.nCopies(MICE, Source.MICE));
  }

  /** Figures 7, 8 and 9. */
  static Setup withUdp(int flows) {
    return figure(
        "udp." + flows, Collections.nCopies(flows, Source.TCP), List.of(Source.udp(MEGABIT)));
  }

  private static Setup figure(String key, List<Source> sources, List<Source> more) {
    List<Source> all = new ArrayList<>(sources);
    all.addAll(more);
    return new Setup(key, all, 0, FIGURE_BPS, FIGURE_BURST_BITS, FIGURE_SECONDS);
  }

  /** A burst in whole bytes, as contracts have it. */
  static long bytes(long burstBits) {
    return (burstBits + 7) / 8;
  }

  /** Packets that a run takes about. */
  double packets() {
    double udpBps =
        sources.stream()
            .filter(source -> source.udpBps().isPresent())
            .mapToLong(source -> source.udpBps().getAsLong())
            .sum();
    return seconds * (FsamRun.BOTTLENECK_BPS + udpBps) / (8.0 * FsamRun.FRAME_BYTES);
  }
}
