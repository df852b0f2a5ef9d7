package net.sluice.intents.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    assertThat(FPGA.maxRateBps()).isEqualTo(262_563_601_762L);
    assertThatThrownBy(() -> FPGA.grant(FPGA.maxRateBps() + 1))
        .hasMessage("rateBps is 262563601763; allowed: 1 to 262563601762 bit/s");
    assertThatThrownBy(() -> FPGA.grant(0)).hasMessageContaining("rateBps is 0");
  }

  @Test
  void ratesBeyondWhatTheLargestBucketKeepsGetTheHighestThatIsKept() {
    // (32,767 - 1599) / 8 = 3896 steps, up to half a step more by rounding.
    assertThat(FPGA.maxLimitWord()).isEqualTo(3896);
    RateGrant rounded = FPGA.grant(3_901_242_000L);
    assertThat(rounded.grantedBps()).isEqualTo(3_902_243_590L);
    assertThat(rounded.note()).isEqualTo("rounded up to the next step of 1001603 bit/s");
    for (long rateBps :
        new long[] {3_902_243_591L, 3_902_744_392L, 10_000_000_000L, FPGA.maxRateBps()}) {
      RateGrant grant = FPGA.grant(rateBps);
      assertThat(grant.word()).isEqualTo(3896);
      assertThat(grant.grantedBps()).isEqualTo(3_902_243_590L);
      assertThat(grant.note())
          .isEqualTo("granted the highest rate that the FPGA's largest bucket, 32767 bytes, keeps");
    }
  }

  @Test
  void aBucketHoldsWhatItsRateGainsFromVisitToVisit() {
    assertThat(FPGA.bucketBytes(1)).isEqualTo(1607);
    assertThat(FPGA.bucketBytes(50)).isEqualTo(1999);
    assertThat(FPGA.bucketBytes(FPGA.maxLimitWord())).isEqualTo(32_767);
    assertThat(FPGA.bucketBytes(FPGA.maxLimitWord() + 1)).isEqualTo(32_767);
    assertThat(FPGA.bucketBytes(FPGA.maxRateWord())).isEqualTo(32_767);
    // A clock of 1024 a tick would see 8 ticks a round instead of 6.6.
    FpgaProfile quick = new FpgaProfile(1e8, 1024, 18, 8, 64, 64, 8, 1600, 32_767, 2000, 8);
    assertThat(quick.bucketBytes(1)).isEqualTo(1599 + 9);
  }

  @Test
  void aWordThatIsNarrowerThanTheBucketBoundsTheLimits() {
    FpgaProfile narrow = new FpgaProfile(1e8, 1248, 8, 8, 64, 64, 8, 1600, 32_767, 2000, 8);
    // 255 stands for no limit.
    assertThat(narrow.maxLimitWord()).isEqualTo(254);
    assertThat(narrow.grant(narrow.maxRateBps()).word()).isEqualTo(254);
  }

  @Test
  void withoutALimitOneBucketAtLeastPassesARound() {
    // 31,168 bytes in 8192 clocks of 6.4 ns.
    assertThat(FPGA.unlimitedBps()).isEqualTo(4_755_859_375L);
    assertThat(FPGA.unlimitedBps()).isGreaterThan(FPGA.rateBps(FPGA.maxLimitWord()));
  }

  @Property(seed = "1")
  void grantIsTheNearestStepOrTheNextAboveAndMonotone(
      @ForAll @LongRange(min = 1, max = 262_563_601_762L) long one,
      @ForAll @LongRange(min = 1, max = 262_563_601_762L) long other) {
    RateGrant low = FPGA.grant(Math.min(one, other));
    RateGrant high = FPGA.grant(Math.max(one, other));
    assertThat(low.word()).isLessThanOrEqualTo(high.word()).isPositive();
    assertThat(low.grantedBps()).isLessThanOrEqualTo(high.grantedBps());
    double step = FPGA.rateStepBps();
    if (low.requestedBps() >= step / 2 && low.requestedBps() <= 3896 * step) {
      double above = low.grantedBps() - low.requestedBps();
      boolean nextIsNear =
          Math.ceil(low.requestedBps() / step) * step <= 1.003 * low.requestedBps() - 1;
      assertThat(above)
          .isBetween(
              nextIsNear ? -1 : -step / 2 - 1,
              Math.max(step / 2 + 1, 0.003 * low.requestedBps() + 1));
    }
    assertThat(low.isExact()).isEqualTo(low.note().isEmpty());
  }

  @Test
  void bucketsPerLevel() {
    assertThat(FPGA.buckets(FpgaLevel.PORT)).isEqualTo(8);
    assertThat(FPGA.buckets(FpgaLevel.TREE)).isEqualTo(512);
    assertThat(FPGA.buckets(FpgaLevel.CUSTOMER)).isEqualTo(32_768);
  }

  @Test
  void queueIdsBoundPortsAndTrees() {
    assertThatThrownBy(() -> new FpgaProfile(1e8, 1248, 18, 9, 64, 64, 8, 1600, 32_767, 2000, 8))
        .hasMessage("ports is 9; allowed: 1 to 8");
    assertThatThrownBy(() -> new FpgaProfile(1e8, 1248, 18, 8, 65, 64, 8, 1600, 32_767, 2000, 8))
        .hasMessage("treesPerPort is 65; allowed: 1 to 64");
  }

  @Test
  void timesAreTicksAndDepthsBytesThatFitTheirRegister() {
    assertThat(FPGA.ticks(5_000_000)).isEqualTo(626);
    assertThat(FPGA.ticks(100_000_000)).isEqualTo(12_520);
    assertThat(FPGA.ticks(1)).isEqualTo(1);
    // 20 bytes a tick for 100 ms, 12520.03 ticks: rounded up to 8.
    assertThat(FPGA.depthBytes(20, 100_000_000, 12_800)).isEqualTo(250_408);
    assertThat(FPGA.depthBytes(1, 100_000_000, 12_800)).isEqualTo(12_800);
    assertThat(FPGA.depthBytes(1, 100_000_000, 12_801)).isEqualTo(12_808);
    assertThat(FPGA.depthBytes(3_896, 1_000_000_000, 12_800)).isEqualTo((1 << 24) - 8);
  }
}
