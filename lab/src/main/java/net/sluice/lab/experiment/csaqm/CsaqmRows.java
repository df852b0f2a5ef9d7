package net.sluice.lab.experiment.csaqm;

import java.util.ArrayList;
import java.util.List;
import net.sluice.lab.demo.GroupMeasurement;
import net.sluice.lab.demo.RunResult;
import net.sluice.lab.report.Row;

/**
 * The rows of the CSAQM experiment: what paper 000 reports beside what was measured. Rates are
 * goodput. Where the paper gives no number, the run is held against the water-filling prediction.
 */
final class CsaqmRows {
  /** Part of the paper's number that the measured one may be off. */
  static final double TOLERANCE = 0.05;

  /** Highest loss that passes for none, as in the demo. */
  private static final double NO_LOSS = 0.001;

  private static final int GOLD = 0;
  private static final int SILVER = 1;
  private static final int PROBE_15 = 2;
  private static final int PROBE_50 = 3;

  /** Distance that still rounds to the paper's "about 2 %". */
  private static final double ABOUT_TWO_PERCENT = 0.005;

  /** A flow that has this part of the Gold share uses it. */
  private static final double FULL_SHARE = 0.95;

  private final String key;
  private final RunResult result;
  private final List<Row> rows = new ArrayList<>();

  private CsaqmRows(String key, RunResult result) {
    this.key = key;
    this.result = result;
  }

  /** The rows of a scenario that was run at the paper's proportions. */
  static List<Row> of(CsaqmScenario scenario, RunResult result) {
    CsaqmRows rows = new CsaqmRows(scenario.key(), result);
    switch (scenario.key()) {
      case "a" -> rows.sectionA();
      case "b" -> rows.sharesAsPredicted();
      case "c", "d" -> rows.sectionC();
      case "e" -> rows.sectionB();
      case "f" -> rows.futureWork();
      case "g" -> {
        rows.futureWork();
        rows.nobodyElseGains();
      }
      default -> throw new IllegalArgumentException("no scenario " + scenario.key());
    }
    rows.common();
    return rows.rows;
  }

  private void sectionA() {
    double gold = goodput(GOLD);
    double silver = goodput(SILVER);
    fitted("gold.goodput", "bit/s", 21.8e6, gold);
    fitted("silver.goodput", "bit/s", 6.4e6, silver);
    fitted("ratio", "1", 3.4, gold / silver);
    GroupMeasurement light = result.groups().get(PROBE_15);
    GroupMeasurement heavy = result.groups().get(PROBE_50);
    rows.add(Row.within(key + ".probe15.loss", "1", 0, light.loss(), NO_LOSS));
    paper("probe15.goodput", "bit/s", 15e6, goodput(PROBE_15));
    fitted("probe50.loss", "1", 0.58, heavy.loss());
    fitted("probe50.goodput", "bit/s", 21.8e6, goodput(PROBE_50));
    // "Achieves the same throughput as other Gold users."
    rows.add(
        Row.within(key + ".probe50.goodputOverGold", "1", 1, goodput(PROBE_50) / gold, TOLERANCE));
  }

  private void sectionC() {
    double gold = goodput(GOLD);
    double silver = goodput(SILVER);
    fitted("gold.goodput", "bit/s", 488e3, gold);
    fitted("silver.goodput", "bit/s", 400e3, silver);
    fitted("ratio", "1", 1.22, gold / silver);
  }

  private void sectionB() {
    fitted("gold.goodput", "bit/s", 21.8e6, goodput(GOLD));
    paper("tcp.goodput", "bit/s", 18.5e6, tcpGoodput());
    paper("tcp.overGold", "1", 18.5 / 21.8, tcpGoodput() / goodput(GOLD));
    rows.add(Row.within(key + ".tcp.loss", "1", 0.02, tcp().loss(), ABOUT_TWO_PERCENT));
    tcpDelay();
  }

  private void futureWork() {
    rows.add(Row.plain(key + ".gold.goodput", "bit/s", null, goodput(GOLD)));
    rows.add(Row.plain(key + ".tcp.goodput", "bit/s", null, tcpGoodput()));
    rows.add(
        Row.atLeast(key + ".tcp.overGold", "1", null, tcpGoodput() / goodput(GOLD), FULL_SHARE));
    rows.add(Row.plain(key + ".tcp.loss", "1", null, tcp().loss()));
    tcpDelay();
  }

  /** The bounds of scenario a's probes. */
  private void nobodyElseGains() {
    double loss = result.groups().get(PROBE_15).loss();
    double overGold = goodput(PROBE_50) / goodput(GOLD);
    rows.add(Row.atMost(key + ".probe15.loss", "1", null, loss, NO_LOSS));
    rows.add(Row.atMost(key + ".probe50.goodputOverGold", "1", null, overGold, 1 + TOLERANCE));
  }

  private void tcpDelay() {
    rows.add(
        Row.plain(
            key + ".tcp.queueDelay", "us", null, tcp().queueDelayMicrosMean().orElse(Double.NaN)));
  }

  private GroupMeasurement tcp() {
    return result.groups().get(result.groups().size() - 1);
  }

  private double tcpGoodput() {
    return CsaqmScenario.tcpGoodputBps(tcp().deliveredBps());
  }

  private void sharesAsPredicted() {
    rows.add(Row.plain(key + ".gold.goodput", "bit/s", null, goodput(GOLD)));
    rows.add(Row.plain(key + ".silver.goodput", "bit/s", null, goodput(SILVER)));
    rows.add(Row.plain(key + ".ratio", "1", null, goodput(GOLD) / goodput(SILVER)));
  }

  private void common() {
    offPrediction("gold", GOLD);
    offPrediction("silver", SILVER);
    spread("gold", GOLD);
    spread("silver", SILVER);
    rows.add(Row.plain(key + ".utilization", "1", null, result.utilization()));
  }

  private void offPrediction(String name, int group) {
    double predicted = result.predictedBps().get(group);
    double off = Math.abs(result.groups().get(group).deliveredBps() / predicted - 1);
    rows.add(Row.atMost(key + "." + name + ".offPrediction", "1", null, off, TOLERANCE));
  }

  /**
   * Spread of a class: difference between its subscribers' highest and lowest rate, over the mean.
   */
  private void spread(String name, int group) {
    GroupMeasurement measured = result.groups().get(group);
    double spread =
        (measured.deliveredBpsMax() - measured.deliveredBpsMin()) / measured.deliveredBps();
    rows.add(Row.plain(key + "." + name + ".spread", "1", null, spread));
  }

  private double goodput(int group) {
    return CsaqmScenario.goodputBps(result.groups().get(group).deliveredBps());
  }

  /**
   * The Gold curve is drawn through the rates that the paper reports, and scenario d's line is
   * their sum, so what follows from them is no finding of the run.
   */
  private void fitted(String name, String unit, double paper, double measured) {
    rows.add(Row.reproduces(key + "." + name, unit, paper, measured, TOLERANCE).asFitted());
  }

  private void paper(String name, String unit, double paper, double measured) {
    rows.add(Row.reproduces(key + "." + name, unit, paper, measured, TOLERANCE));
  }
}
