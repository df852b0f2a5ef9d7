package net.sluice.emulator.netsim.host.tcp.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HyStartTest {

  private static final long MILLI = 1_000_000L;

  private static void round(HyStart hyStart, int samples, double millis) {
    for (int i = 0; i < samples; i++) {
      // Only the least of a round counts.
      long noise = i == 2 ? 0 : 30 * MILLI;
      hyStart.onSample((long) (millis * MILLI) + noise, i == 0);
    }
  }

  @Test
  void growthSlowsWhenTheLeastRoundTripGrowsByAnEighth() {
    HyStart hyStart = new HyStart();
    round(hyStart, 8, 80);
    round(hyStart, 8, 89.9);
    assertThat(hyStart.growthDivisor()).isEqualTo(1);
    round(hyStart, 8, 101);
    assertThat(hyStart.growthDivisor()).isEqualTo(1);
    round(hyStart, 8, 120);
    assertThat(hyStart.growthDivisor()).isEqualTo(4);
    assertThat(hyStart.done()).isFalse();
  }

  @Test
  void theThresholdIsFourToSixteenMillis() {
    HyStart shortPath = new HyStart();
    round(shortPath, 8, 10);
    round(shortPath, 8, 13.9);
    assertThat(shortPath.growthDivisor()).isEqualTo(1);
    round(shortPath, 8, 17.9);
    assertThat(shortPath.growthDivisor()).isEqualTo(4);
    HyStart longPath = new HyStart();
    round(longPath, 8, 400);
    round(longPath, 8, 416);
    assertThat(longPath.growthDivisor()).isEqualTo(4);
  }

  @Test
  void roundsWithFewSamplesDecideNothing() {
    HyStart hyStart = new HyStart();
    round(hyStart, 8, 10);
    round(hyStart, 7, 100);
    assertThat(hyStart.growthDivisor()).isEqualTo(1);
  }

  @Test
  void afterFiveConservativeRoundsSlowStartIsOver() {
    HyStart hyStart = new HyStart();
    round(hyStart, 8, 10);
    round(hyStart, 8, 20);
    for (int i = 0; i < 4; i++) {
      round(hyStart, 8, 21);
      assertThat(hyStart.done()).isFalse();
    }
    hyStart.onSample(21 * MILLI, true);
    assertThat(hyStart.done()).isTrue();
  }

  @Test
  void aRoundTripThatComesBackDownWasNoQueue() {
    HyStart hyStart = new HyStart();
    round(hyStart, 8, 10);
    round(hyStart, 8, 20);
    round(hyStart, 8, 19.9);
    assertThat(hyStart.growthDivisor()).isEqualTo(1);
    for (int i = 0; i < 10; i++) {
      round(hyStart, 8, 20);
    }
    assertThat(hyStart.done()).isFalse();
  }

  @Test
  void cubicGrowsByAQuarterAndThenLeavesSlowStart() {
    Cubic cubic = new Cubic(1_000, 10_000);
    for (int i = 0; i < 8; i++) {
      cubic.onRttSample(10 * MILLI, i == 0);
    }
    cubic.onAck(2_000, 0, 10 * MILLI, false);
    assertThat(cubic.cwndBytes()).isEqualTo(12_000);
    for (int round = 0; round < 6; round++) {
      for (int i = 0; i < 8; i++) {
        cubic.onRttSample(20 * MILLI, i == 0);
      }
      long before = cubic.cwndBytes();
      cubic.onAck(2_000, 0, 10 * MILLI, false);
      if (round < 5) {
        assertThat(cubic.cwndBytes() - before).isEqualTo(500);
      } else {
        // Two segments of a window of fourteen and a half, as in congestion avoidance.
        assertThat(cubic.cwndBytes() - before).isEqualTo(137);
      }
    }
    assertThat(cubic.ssthreshBytes()).isEqualTo(14_500);
    // After a reduction it has nothing to say any more.
    cubic.onTimeout(14_500, false, 0);
    cubic.onAck(1_000, 0, 10 * MILLI, true);
    assertThat(cubic.cwndBytes()).isEqualTo(2_000);
  }
}
