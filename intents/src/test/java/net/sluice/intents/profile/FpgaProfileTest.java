package net.sluice.intents.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.sluice.intents.plan.FpgaLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FpgaProfileTest {
  private static final FpgaProfile FPGA = FpgaProfile.withClock(156.25e6);

  @ParameterizedTest
  @CsvSource({"156.25e6, 1001603", "220e6, 1410256", "300e6, 1923077"})
  void stepFollowsTheClock(double clockHz, long stepBps) {
    assertThat(FpgaProfile.withClock(clockHz).rateBps(1)).isEqualTo(stepBps);
  }

  @Test
  void rateBelowHalfAStepGetsOneStepAndANote() {
    RateGrant grant = FPGA.grant(488_000);
    assertThat(grant.word()).isEqualTo(1);
    assertThat(grant.grantedBps()).isEqualTo(1_001_603);
    assertThat(grant.isExact()).isFalse();
    assertThat(grant.note()).isEqualTo("below half a step: granted one step of 1001603 bit/s");
  }

  @Test
  void rateOnAStepIsExact() {
    // 39 steps of 8 * 156.25 MHz / 1248 are 39,062,500 bit/s.
    RateGrant grant = FPGA.grant(39_062_500);
    assertThat(grant.isExact()).isTrue();
    assertThat(grant.word()).isEqualTo(39);
    assertThat(grant.note()).isEmpty();
  }

  @Test
  void ratesBeyondTheWordAreRefused() {
    assertThat(FPGA.grant(FPGA.maxRateBps()).word()).isEqualTo(262_143);
    assertThatThrownBy(() -> FPGA.grant(FPGA.maxRateBps() + 1))
        .hasMessage("rateBps is 262563601763; allowed: 1 to 262563601762 bit/s");
    assertThatThrownBy(() -> FPGA.grant(0)).hasMessageContaining("rateBps is 0");
  }

  @Property
  void grantIsTheNearestStepAndMonotone(
      @ForAll @LongRange(min = 1, max = 262_563_601_762L) long one,
      @ForAll @LongRange(min = 1, max = 262_563_601_762L) long other) {
    RateGrant low = FPGA.grant(Math.min(one, other));
    RateGrant high = FPGA.grant(Math.max(one, other));
    assertThat(low.word()).isLessThanOrEqualTo(high.word()).isPositive();
    assertThat(low.grantedBps()).isLessThanOrEqualTo(high.grantedBps());
    double step = FPGA.rateStepBps();
    if (low.requestedBps() >= step / 2) {
      assertThat((double) low.grantedBps()).isCloseTo(low.requestedBps(), within(step / 2 + 1));
    }
    assertThat(low.isExact()).isEqualTo(low.note().isEmpty());
  }

  @Test
  void bucketsPerLevel() {
    assertThat(FPGA.buckets(FpgaLevel.PORT)).isEqualTo(8);
    assertThat(FPGA.buckets(FpgaLevel.TREE)).isEqualTo(512);
    assertThat(FPGA.buckets(FpgaLevel.CUSTOMER)).isEqualTo(32_768);
  }
}
