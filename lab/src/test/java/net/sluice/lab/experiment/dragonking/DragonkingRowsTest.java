package net.sluice.lab.experiment.dragonking;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.sluice.lab.report.Verdict;
import org.junit.jupiter.api.Test;

class DragonkingRowsTest {
  /** Of -98.8 % as the paper has it, -79 % is not the same. */
  @Test
  void aReductionShortOfThePapersHasItsDirection() {
    assertThat(DragonkingRows.mostReduction("balance.most", 0.988, 0.79).verdict())
        .isEqualTo(Verdict.DIRECTION);
    assertThat(DragonkingRows.mostReduction("deviation.most", 0.876, 0.88).verdict())
        .isEqualTo(Verdict.REPRODUCED);
    assertThat(DragonkingRows.mostReduction("balance.most", 0.988, -0.01).verdict())
        .isEqualTo(Verdict.MISSED);
  }

  @Test
  void everyBaselineHasThePapersNumber() {
    assertThat(Arrays.stream(Baseline.values()).map(DragonkingPaper::goodputOver))
        .containsExactly(1.157, 1.445, 1.141);
  }
}
