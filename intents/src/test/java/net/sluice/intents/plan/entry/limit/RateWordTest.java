package net.sluice.intents.plan.entry.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import net.sluice.intents.value.InvalidValueException;
import org.junit.jupiter.api.Test;

final class RateWordTest {
  @Test
  void everyRateIsKeptToHalfAStep() {
    double half = Math.sqrt(RateWord.STEP);
    for (double rate = 60_000; rate <= 100e9; rate *= 1.000_37) {
      long asked = (long) rate;
      double kept = RateWord.rateBps(RateWord.nearest(asked));
      assertThat(Math.max(kept / asked, asked / kept))
          .as("%d bit/s", asked)
          .isLessThan(half + 1e-5);
    }
    assertThat(RateWord.STEP).isCloseTo(1.0027, within(0.0001));
    assertThat(RateWord.nearest(60_000)).isEqualTo(250);
    assertThat(RateWord.nearest(100_000_000_000L)).isEqualTo(5541);
  }

  /** What is sold is kept: 5 Mbit/s are not 4,997,661 bit/s. */
  @Test
  void aLimitGetsTheNextRateThatIsNotBelowIt() {
    for (double rate = 60_000; rate <= 100e9; rate *= 1.000_37) {
      long asked = (long) rate;
      double kept = RateWord.rateBps(RateWord.of(asked));
      assertThat(kept / asked).as("%d bit/s", asked).isBetween(1.0, RateWord.STEP + 1e-5);
    }
    assertThat(RateWord.rateBps(RateWord.of(5_000_000))).isEqualTo(5_011_211);
    for (int word = RateWord.of(60_000); word < 5541; word++) {
      assertThat(RateWord.of(RateWord.rateBps(word))).isEqualTo(word);
    }
  }

  @Test
  void aPacketTakesItsBitsOverTheRate() {
    for (int word = 250; word <= 5541; word += 7) {
      for (int bytes : new int[] {64, 65, 127, 576, 1514, 9018}) {
        double nanos = bytes * 8e9 / RateWord.rateBps(word);
        double unit = 1.0 / RateWord.UNITS_PER_NANO;
        assertThat(RateWord.elapsed(word, bytes) * unit)
            .as("word %d, %d bytes", word, bytes)
            .isCloseTo(nanos, within(0.51 * unit + 1.6e-5 * nanos));
      }
    }
    assertThat(RateWord.elapsed(RateWord.UNLIMITED, 1514)).isZero();
  }

  @Test
  void ratesBeyondTheWordAreRefused() {
    assertThatThrownBy(() -> RateWord.nearest(59_999))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("rateBps is 59999; allowed: 60000 to 100000000000");
    assertThatThrownBy(() -> RateWord.nearest(100_000_000_001L))
        .isInstanceOf(InvalidValueException.class);
  }
}
