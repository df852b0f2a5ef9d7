package net.sluice.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EstimateTest {
  @Test
  void casesTakeWhatTheBusiestCoreTakes() {
    Estimate estimate = new Estimate(2, new double[] {80, 80, 80, 40});
    assertThat(estimate.totalWork()).isEqualTo(280);
    assertThat(estimate.secondsLeft()).isNaN();
    estimate.sample(10, 5);
    // One core takes 80 and 80, the other 80 and 40, each at 2 a second.
    assertThat(estimate.secondsLeft()).isCloseTo(80, within(1e-9));
  }

  @Test
  void moreCoresThanCasesDoNotHelp() {
    Estimate estimate = new Estimate(8, new double[] {30, 10});
    estimate.sample(1, 1);
    assertThat(estimate.secondsLeft()).isCloseTo(30, within(1e-9));
  }

  @Test
  void workDoneCorrectsThePaceOfTheSample() {
    Estimate estimate = new Estimate(1, new double[] {100, 100});
    estimate.sample(10, 10);
    assertThat(estimate.secondsLeft()).isCloseTo(200, within(1e-9));
    estimate.done(0, 90, 190);
    // 100 of work took 200 s, and 110 are left.
    assertThat(estimate.secondsLeft()).isCloseTo(220, within(1e-9));
    assertThat(estimate.part()).isCloseTo(0.45, within(1e-9));
    estimate.done(0, 10, 20);
    estimate.done(1, 100, 200);
    assertThat(estimate.secondsLeft()).isZero();
    assertThat(estimate.part()).isEqualTo(1);
  }

  @Test
  void nothingToDoTakesNoTime() {
    Estimate estimate = new Estimate(2, new double[0]);
    assertThat(estimate.secondsLeft()).isZero();
    assertThat(estimate.part()).isEqualTo(1);
  }
}
