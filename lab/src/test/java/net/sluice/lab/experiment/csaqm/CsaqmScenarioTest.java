package net.sluice.lab.experiment.csaqm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.lab.demo.DemoPhases;
import net.sluice.lab.demo.GroupMeasurement;
import net.sluice.lab.demo.GroupSpec;
import net.sluice.lab.demo.LinkLoad;
import net.sluice.lab.demo.Population;
import net.sluice.lab.demo.Prediction;
import net.sluice.lab.demo.RunResult;
import net.sluice.lab.demo.RunSpec;
import net.sluice.lab.report.Row;
import net.sluice.lab.report.Verdict;
import org.junit.jupiter.api.Test;

class CsaqmScenarioTest {
  private static double lineBps(GroupSpec group) {
    return (double) group.subscribers() * group.offeredBps() * 1524 / 1500;
  }

  private static List<Double> predicted(RunSpec spec) {
    return Prediction.of(
            spec.groups(),
            spec.policies(),
            Collections.nCopies(spec.groups().size(), OptionalLong.empty()),
            spec.network().ways(new Population(spec.groups(), spec.seed(), spec.withV6())),
            spec.packetBytes(),
            spec.overheadBytes())
        .ratesBps();
  }

  private static GroupMeasurement measured(double frameBps, double loss) {
    return new GroupMeasurement(
        frameBps,
        0.9 * frameBps,
        1.1 * frameBps,
        0,
        0,
        100_000,
        0,
        Math.round(loss * 100_000),
        OptionalDouble.of(5_000),
        OptionalDouble.empty());
  }

  private static Row row(List<Row> rows, String name) {
    return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void theClassesFillTheLinesOfThePaper() {
    RunSpec a = CsaqmScenario.A.runSpec(RandomRates.PAPER_8_BITS, 1, 1);
    assertThat(a.groups()).extracting(GroupSpec::subscribers).containsExactly(2000, 8000, 1, 1);
    assertThat(lineBps(a.groups().get(0))).isCloseTo(100e9, within(1e5));
    assertThat(lineBps(a.groups().get(1))).isCloseTo(100e9, within(1e5));
    RunSpec c = CsaqmScenario.C.runSpec(RandomRates.PAPER_8_BITS, 1, 1);
    assertThat(lineBps(c.groups().get(0)) + lineBps(c.groups().get(1)))
        .isCloseTo(100e9, within(1e6));
    // All subscribers of this scenario are alike in what they are sent.
    assertThat(c.groups().get(0).offeredBps()).isEqualTo(c.groups().get(1).offeredBps());
    assertThat(c.maxRateBps()).isEqualTo(100_000_000_000L);
  }

  @Test
  void thePredictionOfTheFirstScenarioIsThePapersResult() {
    List<Double> shares = predicted(CsaqmScenario.A.runSpec(RandomRates.PAPER_8_BITS, 1, 1));
    assertThat(CsaqmScenario.goodputBps(shares.get(0))).isCloseTo(21.8e6, within(0.05 * 21.8e6));
    assertThat(CsaqmScenario.goodputBps(shares.get(1))).isCloseTo(6.4e6, within(0.05 * 6.4e6));
    assertThat(CsaqmScenario.goodputBps(shares.get(2))).isCloseTo(15e6, within(1.0));
  }

  @Test
  void tcpFlowsComeBesideTheUdpLoadOfTheFirstScenario() {
    RunSpec a = CsaqmScenario.A.runSpec(RandomRates.PAPER_8_BITS, 1, 1);
    RunSpec e = CsaqmScenario.E.runSpec(RandomRates.PAPER_8_BITS, 1, 1);
    assertThat(a.tcp()).isEmpty();
    assertThat(e.groups().subList(0, 2)).isEqualTo(a.groups().subList(0, 2));
    assertThat(e.groups().get(2).subscribers()).isEqualTo(10);
    assertThat(e.groups().get(2).policy()).isEqualTo("gold");
    assertThat(e.tcp().orElseThrow().ecn()).isFalse();
    assertThat(CsaqmScenario.F.runSpec(RandomRates.PAPER_8_BITS, 1, 1).tcp().orElseThrow().ecn())
        .isTrue();
    assertThat(predicted(e).get(2)).isEqualTo(predicted(e).get(0));
    RunSpec g = CsaqmScenario.G.runSpec(RandomRates.BITS_16, 1, 1);
    assertThat(g.randomRates()).isEqualTo(RandomRates.BITS_16_FORGIVING);
    assertThat(g.groups()).extracting(GroupSpec::subscribers).containsExactly(2000, 8000, 1, 1, 10);
    assertThat(e.randomRates()).isEqualTo(RandomRates.PAPER_8_BITS);
    assertThat(
            CsaqmScenario.E.dividedBy(100)
                .runSpec(RandomRates.PAPER_8_BITS, 1, 1)
                .groups()
                .get(2)
                .subscribers())
        .isEqualTo(2);
  }

  @Test
  void rowsHoldTcpAgainstThePaper() {
    double tcpFrame = 1514.0 / 1448;
    List<GroupMeasurement> groups =
        new ArrayList<>(
            List.of(
                measured(21.8e6 * 1500 / 1458, 0.55),
                measured(6.4e6 * 1500 / 1458, 0.47),
                measured(18.5e6 * tcpFrame, 0.02)));
    List<Row> rows = CsaqmRows.of(CsaqmScenario.E, tcpResult(groups));
    assertThat(rows).allMatch(Row::ok);
    assertThat(row(rows, "e.tcp.goodput").measured()).isCloseTo(18.5e6, within(1.0));
    assertThat(rows.stream().filter(row -> row.verdict() == Verdict.REPRODUCED).map(Row::name))
        .containsExactly("e.tcp.goodput", "e.tcp.overGold", "e.tcp.loss");
    List<Row> future = CsaqmRows.of(CsaqmScenario.F, tcpResult(groups));
    assertThat(future.stream().filter(row -> !row.ok()).map(Row::name))
        .containsExactly("f.tcp.overGold");
    List<GroupMeasurement> withProbes = new ArrayList<>(groups);
    withProbes.add(2, measured(15e6 * 1500 / 1458, 0.002));
    withProbes.add(3, measured(23.5e6 * 1500 / 1458, 0.5));
    assertThat(
            CsaqmRows.of(CsaqmScenario.G, tcpResult(withProbes)).stream()
                .filter(row -> !row.ok())
                .map(Row::name))
        .containsExactly("g.tcp.overGold", "g.probe15.loss", "g.probe50.goodputOverGold");
    groups.set(2, measured(20.8e6 * tcpFrame, 0.04));
    assertThat(
            CsaqmRows.of(CsaqmScenario.E, tcpResult(groups)).stream()
                .filter(row -> !row.ok())
                .map(Row::name))
        .containsExactly("e.tcp.goodput", "e.tcp.overGold", "e.tcp.loss");
    assertThat(CsaqmRows.of(CsaqmScenario.F, tcpResult(groups))).allMatch(Row::ok);
  }

  @Test
  void dividingAScenarioKeepsTheShares() {
    List<Double> whole = predicted(CsaqmScenario.B.runSpec(RandomRates.PAPER_8_BITS, 1, 1));
    List<Double> part =
        predicted(CsaqmScenario.B.dividedBy(100).runSpec(RandomRates.PAPER_8_BITS, 1, 1));
    assertThat(part.get(0)).isCloseTo(whole.get(0), within(whole.get(0) * 1e-5));
    assertThat(part.get(1)).isCloseTo(whole.get(1), within(whole.get(1) * 1e-5));
  }

  @Test
  void rowsHoldTheRunAgainstThePaper() {
    double frame = 1500.0 / 1458;
    List<GroupMeasurement> groups =
        new ArrayList<>(
            List.of(
                measured(21.8e6 * frame, 0.55),
                measured(6.4e6 * frame, 0.47),
                measured(15e6 * frame, 0),
                measured(21.5e6 * frame, 0.57)));
    RunResult result = result(groups);
    List<Row> rows = CsaqmRows.of(CsaqmScenario.A, result);
    assertThat(rows).allMatch(Row::ok);
    assertThat(row(rows, "a.gold.goodput").measured()).isCloseTo(21.8e6, within(1.0));
    assertThat(row(rows, "a.gold.goodput").paper()).isEqualTo(21.8e6);
    assertThat(row(rows, "a.gold.goodput").bound()).isCloseTo(1.09e6, within(1.0));
    assertThat(row(rows, "a.probe50.loss").paper()).isEqualTo(0.58);
    // The Gold curve is drawn through the others' values.
    assertThat(rows.stream().filter(row -> row.verdict() == Verdict.REPRODUCED).map(Row::name))
        .containsExactly("a.probe15.loss", "a.probe15.goodput", "a.probe50.goodputOverGold");
    assertThat(row(rows, "a.gold.spread").measured()).isCloseTo(0.2, within(1e-9));
    assertThat(row(rows, "a.utilization").measured()).isEqualTo(0.999);

    groups.set(2, measured(15e6 * frame, 0.002));
    groups.set(1, measured(6.8e6 * frame, 0.4));
    List<Row> worse = CsaqmRows.of(CsaqmScenario.A, result(groups));
    assertThat(worse.stream().filter(row -> !row.ok()).map(Row::name))
        .containsExactly("a.silver.goodput", "a.ratio", "a.probe15.loss", "a.silver.offPrediction");
  }

  private static RunResult result(List<GroupMeasurement> groups) {
    double frame = 1500.0 / 1458;
    return new RunResult(
        Collections.nCopies(4, OptionalLong.empty()),
        Collections.nCopies(4, Optional.empty()),
        List.of(21.9e6 * frame, 6.45e6 * frame, 15e6 * frame, 21.9e6 * frame),
        new DemoPhases(3, 2),
        groups,
        new LinkLoad("switch", 1, 100_000_000_000L, 1, 0.999, List.of()),
        List.of(),
        null);
  }

  private static RunResult tcpResult(List<GroupMeasurement> groups) {
    double frame = 1500.0 / 1458;
    return new RunResult(
        Collections.nCopies(3, OptionalLong.empty()),
        Collections.nCopies(3, Optional.empty()),
        List.of(21.9e6 * frame, 6.45e6 * frame, 21.9e6 * frame),
        new DemoPhases(3, 2),
        groups,
        new LinkLoad("switch", 1, 100_000_000_000L, 1, 0.999, List.of()),
        List.of(),
        null);
  }
}
