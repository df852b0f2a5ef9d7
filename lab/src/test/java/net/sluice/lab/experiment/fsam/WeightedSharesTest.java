package net.sluice.lab.experiment.fsam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.sluice.intents.model.aggregate.AggregateMarker;
import net.sluice.lab.report.Row;
import org.junit.jupiter.api.Test;

/** The rows of weighted F-SAM, of a run over the emulated switch. */
class WeightedSharesTest {
  @Test
  void sharesAreTheWeightsAndTheWorstIsJudged() {
    FsamResult result =
        FsamRun.run(Setup.WEIGHTED, new AggregateMarker.Fsam(200, 200, Setup.WEIGHTS), 1);
    List<Row> rows = FsamRows.ofWeights(List.of(result));
    assertThat(rows)
        .extracting(Row::name)
        .containsExactly(
            "weighted.share.4", "weighted.share.2", "weighted.share.1", "weighted.error");
    assertThat(rows.get(0).measured()).isCloseTo(4, within(0.2));
    assertThat(rows.get(1).measured()).isCloseTo(2, within(0.1));
    assertThat(rows.get(2).measured()).isEqualTo(1);
    assertThat(rows.get(3).ok()).as("%s", rows).isTrue();

    FsamResult equal = FsamRun.run(shorter(), new AggregateMarker.Fsam(), 1);
    assertThat(FsamRows.ofWeights(List.of(equal)).get(3).ok()).isFalse();
  }

  private static Setup shorter() {
    Setup of = Setup.WEIGHTED;
    return new Setup(of.key(), of.sources(), 0, of.committedBps(), of.burstBits(), 10);
  }
}
