package net.sluice.lab.experiment.dragonking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;

import net.sluice.emulator.netsim.Prng;
import org.junit.jupiter.api.Test;

class BaselineTest {
  private static final long TENTH = 100_000_000L;

  @Test
  void aBucketHoldsItsBurstAndFillsAtTheRate() {
    // A bit a nanosecond.
    BaselineMeters buckets = new BaselineMeters(1, 1_000_000_000, 3_000, -1L);
    assertThat(buckets.admits(0, 0, 2_000)).isTrue();
    assertThat(buckets.admits(0, 0, 2_000)).isFalse();
    assertThat(buckets.admits(0, 999, 2_000)).isFalse();
    assertThat(buckets.admits(0, 1_000, 2_000)).isTrue();
    assertThat(buckets.admits(0, 1_000_000, 3_001)).isFalse();
  }

  @Test
  void fourBytesOfTimeForgetWholeTurns() {
    BaselineMeters buckets = new BaselineMeters(1, 1_000_000_000, 3_000, 0xffff_ffffL);
    assertThat(buckets.admits(0, 0, 3_000)).isTrue();
    assertThat(buckets.admits(0, 1L << 32, 1)).isFalse();
    assertThat(buckets.admits(0, (1L << 32) + 1_000, 1_000)).isTrue();
  }

  @Test
  void metersPassTheBucketAtOnceAndDropWhatIsMore() {
    // 100 Gbit/s for 20 ms at a limit of 50: half of 2 Gbit is too much, less 16 Mbit.
    Load load =
        new Load(1, 50_000_000_000L, 1_500, 100e9, 100e9, 20_000_000, 20_000_000, 1_000, false, 0);
    Departures meter = Baseline.METER.run(load, 20_000_000, new Prng(1));
    assertThat(meter.lostPackets() * 12_000.0).isCloseTo(1e9 - 16e6, withPercentage(0.1));
    assertThat(meter.mostBurstPackets()).isCloseTo(16e6 / 12e3, offset(2.0));
    Departures regMeter = Baseline.REG_METER.run(load, 20_000_000, new Prng(1));
    assertThat(regMeter.lostPackets() * 12_000.0).isCloseTo(1e9 - 10e6, withPercentage(0.1));
  }

  @Test
  void theTokensOfRegMeterTakeTheirPartOfTheLine() {
    Load load = Load.of(100_000_000_000L, 100_000_000, 1_500, 100_000);
    Departures regMeter = Baseline.REG_METER.run(load, TENTH, new Prng(1));
    assertThat(regMeter.sentBps(TENTH)).isCloseTo(57e9, withPercentage(0.5));
    assertThat(Baseline.METER.run(load, TENTH, new Prng(1)).sentBps(TENTH))
        .isCloseTo(100e9, withPercentage(1));
  }
}
