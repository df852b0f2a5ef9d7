package net.sluice.lab.experiment.fsam;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import net.sluice.lab.report.Row;

/**
 * The rows of the experiment: paper 003's counts and claims beside what was measured, means of all
 * seeds. The figures' curves are not in the paper's text, its claims about them are.
 */
final class FsamRows {
  private static final double COUNT_TOLERANCE = 0.1;
  private static final double FAIR = 0.95;
  private static final double WEIGHT_TOLERANCE = 0.05;

  /** "Around 10 % better than TB", of which half is asked for. */
  private static final double LONG_GAIN = 1.10;

  /** "2 to 5 %", of which half is asked for. */
  private static final double LONG_PAM_GAIN = 1.02;

  /** "Around 50 % more than TB". */
  private static final double UDP_GAIN = 1.5;

  /** "Around 30 %". */
  private static final double UDP_PAM_GAIN = 1.3;

  /** "Almost half of that of the TB marker". */
  private static final double MICE_DEVIATION = 0.5;

  private static final List<String> MIXED_NAMES = List.of("tcp1", "tcp2", "udp");
  private static final List<String> UDP_NAMES = List.of("udp1", "udp4", "udp2");

  /** IN packets of figure 2, by marker and flow. */
  private static final Map<MarkerKind, double[]> MIXED_IN =
      new EnumMap<>(
          Map.of(
              MarkerKind.TOKEN_BUCKET, new double[] {67, 76, 2_423},
              MarkerKind.PAM, new double[] {236, 378, 2_011},
              MarkerKind.F_SAM, new double[] {740, 748, 1_042}));

  private static final Map<MarkerKind, double[]> MIXED_OUT =
      new EnumMap<>(
          Map.of(
              MarkerKind.TOKEN_BUCKET, new double[] {1_261, 1_267, 7_215},
              MarkerKind.PAM, new double[] {935, 1_456, 7_607},
              MarkerKind.F_SAM, new double[] {882, 835, 8_254}));

  /** Of figure 3. */
  private static final Map<MarkerKind, double[]> UDP_IN =
      new EnumMap<>(
          Map.of(
              MarkerKind.TOKEN_BUCKET, new double[] {13, 805, 387},
              MarkerKind.PAM, new double[] {245, 695, 387},
              MarkerKind.F_SAM, new double[] {497, 413, 456}));

  private static final Map<MarkerKind, double[]> UDP_OUT =
      new EnumMap<>(
          Map.of(
              MarkerKind.TOKEN_BUCKET, new double[] {748, 2_869, 1_593},
              MarkerKind.PAM, new double[] {695, 2_883, 1_593},
              MarkerKind.F_SAM, new double[] {620, 2_952, 1_571}));

  private final List<Integer> flows;
  private final Map<String, Map<MarkerKind, List<FsamResult>>> results;
  private final List<Row> rows = new ArrayList<>();

  private FsamRows(List<Integer> flows, Map<String, Map<MarkerKind, List<FsamResult>>> results) {
    this.flows = flows;
    this.results = results;
  }

  /** Rows of a case of its own; sources are numbered from 1. */
  static List<Row> ofCase(FsamResult result) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < result.flows().size(); i++) {
      FsamResult.Flow flow = result.flows().get(i);
      rows.add(Row.plain("case.in." + (i + 1), "packets", null, flow.in()));
      rows.add(Row.plain("case.out." + (i + 1), "packets", null, flow.out()));
      rows.add(Row.plain("case.throughput." + (i + 1), "bit/s", null, flow.deliveredBps()));
    }
    rows.add(Row.plain("case.jain", "1", null, jain(result, FsamResult.Flow::in)));
    rows.add(
        Row.plain("case.jain.throughput", "1", null, jain(result, FsamResult.Flow::deliveredBps)));
    return rows;
  }

  static List<Row> of(List<Integer> flows, Map<String, Map<MarkerKind, List<FsamResult>>> results) {
    FsamRows of = new FsamRows(flows, results);
    of.table(Setup.MIXED.key(), MIXED_NAMES, MIXED_IN, MIXED_OUT);
    of.table(Setup.UDP.key(), UDP_NAMES, UDP_IN, UDP_OUT);
    of.longFlows();
    of.mice();
    of.udp();
    return of.rows;
  }

  /**
   * Rows of weighted F-SAM: each flow's IN packets in those of the last, whose weight is 1, and how
   * far the worst of them is off its weight.
   */
  static List<Row> ofWeights(List<FsamResult> results) {
    List<Row> rows = new ArrayList<>();
    List<Source> sources = Setup.WEIGHTED.sources();
    double[] in = new double[sources.size()];
    for (FsamResult result : results) {
      for (int i = 0; i < in.length; i++) {
        in[i] += result.flows().get(i).in();
      }
    }
    double worst = 0;
    for (int i = 0; i < in.length; i++) {
      double share = in[i] / in[in.length - 1];
      double weight = Setup.WEIGHTS.get(sources.get(i).dscp());
      worst = Math.max(worst, Math.abs(share / weight - 1));
      rows.add(Row.plain("weighted.share." + Math.round(weight), "1", null, share));
    }
    rows.add(Row.atMost("weighted.error", "1", null, worst, WEIGHT_TOLERANCE));
    return rows;
  }

  private void table(
      String key,
      List<String> names,
      Map<MarkerKind, double[]> paperIn,
      Map<MarkerKind, double[]> paperOut) {
    for (MarkerKind marker : MarkerKind.values()) {
      String prefix = key + "." + marker.key() + ".";
      double[] paper = paperIn.get(marker);
      for (int i = 0; i < names.size(); i++) {
        int flow = i;
        double in = mean(key, marker, result -> result.flows().get(flow).in());
        double out = mean(key, marker, result -> result.flows().get(flow).out());
        rows.add(count(prefix + "in." + names.get(i), paper == null ? null : paper[i], in));
        rows.add(
            count(
                prefix + "out." + names.get(i),
                paper == null ? null : paperOut.get(marker)[i],
                out));
      }
      double jain = mean(key, marker, result -> jain(result, FsamResult.Flow::in));
      Row row =
          marker == MarkerKind.F_SAM
              ? Row.atLeast(prefix + "jain", "1", null, jain, FAIR).asClaimed()
              : Row.plain(prefix + "jain", "1", null, jain);
      rows.add(paper == null ? row : row.besidePaper(FsamResult.jain(paper)));
    }
  }

  private static Row count(String name, Double paper, double measured) {
    return paper == null
        ? Row.plain(name, "packets", null, measured)
        : Row.reproduces(name, "packets", paper, measured, COUNT_TOLERANCE);
  }

  private void longFlows() {
    perFlow("long.");
    gain("long.throughput.fsamOverTb", MarkerKind.F_SAM, "long.", FsamRows::throughput, LONG_GAIN);
    gain("long.throughput.pamOverTb", MarkerKind.PAM, "long.", FsamRows::throughput, LONG_PAM_GAIN);
    double deviation = ratio(MarkerKind.F_SAM, "long.", FsamRows::deviation);
    rows.add(Row.notAbove("long.deviation.fsamOverTb", "1", 1, deviation));
  }

  private void mice() {
    perFlow("mice.");
    for (int number : flows) {
      for (MarkerKind marker : MarkerKind.values()) {
        String key = "mice." + number;
        String name = key + "." + marker.key() + ".";
        rows.add(
            Row.plain(name + "transfer", "bit/s", null, mean(key, marker, FsamRows::transferBps)));
        rows.add(Row.plain(name + "mice", "bit/s", null, mean(key, marker, FsamRows::miceBps)));
      }
    }
    rows.add(
        Row.notBelow(
            "mice.throughput.fsamOverTb",
            "1",
            1,
            ratio(MarkerKind.F_SAM, "mice.", FsamRows::throughput)));
    rows.add(
        Row.atMost(
                "mice.deviation.fsamOverTb",
                "1",
                1.0,
                ratio(MarkerKind.F_SAM, "mice.", FsamRows::deviation),
                1 - (1 - MICE_DEVIATION) / 2)
            .besidePaper(MICE_DEVIATION)
            .asClaimed());
    rows.add(
        Row.notBelow(
            "mice.transfer.fsamOverTb",
            "1",
            1,
            ratio(MarkerKind.F_SAM, "mice.", FsamRows::transferBps)));
  }

  private void udp() {
    perFlow("udp.");
    for (int number : flows) {
      for (MarkerKind marker : MarkerKind.values()) {
        String key = "udp." + number;
        String name = key + "." + marker.key() + ".";
        rows.add(Row.plain(name + "udp", "bit/s", null, mean(key, marker, FsamRows::udpBps)));
        rows.add(
            Row.plain(
                name + "jain",
                "1",
                null,
                mean(key, marker, result -> jain(result, FsamResult.Flow::deliveredBps))));
        rows.add(
            Row.plain(
                name + "jain.in",
                "1",
                null,
                mean(key, marker, result -> jain(result, FsamResult.Flow::in))));
      }
    }
    gain("udp.throughput.fsamOverTb", MarkerKind.F_SAM, "udp.", FsamRows::throughput, UDP_GAIN);
    gain("udp.throughput.pamOverTb", MarkerKind.PAM, "udp.", FsamRows::throughput, UDP_PAM_GAIN);
    rows.add(
        Row.notAbove(
            "udp.udp.fsamOverTb", "1", 1, ratio(MarkerKind.F_SAM, "udp.", FsamRows::udpBps)));
    fair("udp.jain.fsam", FsamResult.Flow::deliveredBps);
    fair("udp.jain.in.fsam", FsamResult.Flow::in);
    rows.add(
        Row.notBelow(
            "udp.jain.fsamOverTb",
            "1",
            1,
            ratio(
                MarkerKind.F_SAM, "udp.", result -> jain(result, FsamResult.Flow::deliveredBps))));
  }

  private void fair(String name, ToDoubleFunction<FsamResult.Flow> of) {
    double jain = overall(MarkerKind.F_SAM, "udp.", result -> jain(result, of));
    rows.add(Row.atLeast(name, "1", null, jain, FAIR));
  }

  /** Mean and deviation of the long flows. */
  private void perFlow(String figure) {
    for (int number : flows) {
      for (MarkerKind marker : MarkerKind.values()) {
        String key = figure + number;
        String name = key + "." + marker.key() + ".";
        rows.add(
            Row.plain(name + "throughput", "bit/s", null, mean(key, marker, FsamRows::throughput)));
        rows.add(
            Row.plain(name + "deviation", "bit/s", null, mean(key, marker, FsamRows::deviation)));
      }
    }
  }

  /** A claim that a marker has more than TB: half of the paper's margin is asked for. */
  private void gain(
      String name,
      MarkerKind marker,
      String figure,
      ToDoubleFunction<FsamResult> of,
      double paper) {
    rows.add(
        Row.atLeast(name, "1", 1.0, ratio(marker, figure, of), 1 + (paper - 1) / 2)
            .besidePaper(paper)
            .asClaimed());
  }

  /** Of the means over all numbers of flows, beside TB. */
  private double ratio(MarkerKind marker, String figure, ToDoubleFunction<FsamResult> of) {
    return flows.stream()
        .mapToDouble(
            number ->
                mean(figure + number, marker, of)
                    / mean(figure + number, MarkerKind.TOKEN_BUCKET, of))
        .average()
        .orElse(Double.NaN);
  }

  private double overall(MarkerKind marker, String figure, ToDoubleFunction<FsamResult> of) {
    return flows.stream()
        .mapToDouble(number -> mean(figure + number, marker, of))
        .average()
        .orElse(Double.NaN);
  }

  private double mean(String key, MarkerKind marker, ToDoubleFunction<FsamResult> of) {
    return results.get(key).get(marker).stream().mapToDouble(of).average().orElse(Double.NaN);
  }

  private static double jain(FsamResult result, ToDoubleFunction<FsamResult.Flow> of) {
    return FsamResult.jain(result.flows().stream().mapToDouble(of).toArray());
  }

  private static double[] longBps(FsamResult result) {
    return result.flows().stream()
        .filter(flow -> flow.source().kind() == Source.Kind.LONG)
        .mapToDouble(FsamResult.Flow::deliveredBps)
        .toArray();
  }

  private static double throughput(FsamResult result) {
    return Arrays.stream(longBps(result)).average().orElse(Double.NaN);
  }

  private static double deviation(FsamResult result) {
    double mean = throughput(result);
    return Math.sqrt(
        Arrays.stream(longBps(result))
            .map(bps -> (bps - mean) * (bps - mean))
            .average()
            .orElse(Double.NaN));
  }

  private static double transferBps(FsamResult result) {
    return result.flows().stream()
        .filter(flow -> flow.transfers() > 0)
        .mapToDouble(FsamResult.Flow::transferBps)
        .average()
        .orElse(Double.NaN);
  }

  private static double miceBps(FsamResult result) {
    return of(result, Source.Kind.MICE);
  }

  private static double udpBps(FsamResult result) {
    return of(result, Source.Kind.UDP);
  }

  private static double of(FsamResult result, Source.Kind kind) {
    return result.flows().stream()
        .filter(flow -> flow.source().kind() == kind)
        .mapToDouble(FsamResult.Flow::deliveredBps)
        .sum();
  }
}
