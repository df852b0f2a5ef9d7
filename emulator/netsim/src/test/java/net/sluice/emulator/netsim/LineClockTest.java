package net.sluice.emulator.netsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class LineClockTest {

  @Property(seed = "1")
  void backToBackFramesEndWhereExactArithmeticSays(
      @ForAll @LongRange(min = 1_000, max = LineClock.MAX_RATE_BPS) long rateBps,
      @ForAll @LongRange(min = 0, max = 1_000_000_000_000L) long startNanos,
      @ForAll @IntRange(min = 1, max = 9_000) int bytes,
      @ForAll @IntRange(min = 1, max = 500) int frames) {
    LineClock line = new LineClock(rateBps);
    long end = startNanos;
    for (int i = 0; i < frames; i++) {
      end = line.send(end, bytes * 8L);
    }
    BigInteger numerator =
        BigInteger.valueOf(bytes * 8L * frames).multiply(BigInteger.valueOf(1_000_000_000L));
    BigInteger rate = BigInteger.valueOf(rateBps);
    BigInteger exact = numerator.add(rate).subtract(BigInteger.ONE).divide(rate);
    assertThat(end).isEqualTo(startNanos + exact.longValueExact());
  }

  @Property(seed = "1")
  void anUnlimitedLineSendsAtOnceWhateverItIsGiven(
      @ForAll @LongRange(min = 0, max = 1_000_000_000_000L) long startNanos,
      @ForAll @IntRange(min = 1, max = 1_000) int frames) {
    LineClock line = new LineClock(LineClock.UNLIMITED_BPS);
    for (int i = 0; i < frames; i++) {
      assertThat(line.send(startNanos + i, 1L << 32)).isEqualTo(startNanos + i);
    }
  }

  @Test
  void aLineThatBecomesUnlimitedFinishesWhatItSends() {
    LineClock line = new LineClock(8);
    assertThat(line.send(0, 8)).isEqualTo(1_000_000_000L);
    line.setRateBps(LineClock.UNLIMITED_BPS);
    assertThat(line.send(0, 8)).isEqualTo(1_000_000_000L);
    line.setRateBps(8);
    assertThat(line.send(2_000_000_000L, 8)).isEqualTo(3_000_000_000L);
  }

  @Test
  void anIdleLineStartsAtOnce() {
    LineClock line = new LineClock(3_000_000_000L);
    assertThat(line.send(0, 8)).isEqualTo(3);
    assertThat(line.send(100, 8)).isEqualTo(103);
  }

  @Test
  void aNewRateHoldsForTheNextFrame() {
    LineClock line = new LineClock(1_000_000_000L);
    assertThat(line.send(0, 1_000)).isEqualTo(1_000);
    line.setRateBps(2_000_000_000L);
    assertThat(line.send(0, 1_000)).isEqualTo(1_500);
    assertThat(line.rateBps()).isEqualTo(2_000_000_000L);
  }

  @Test
  void refusesARateItCannotKeep() {
    assertThatThrownBy(() -> new LineClock(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rateBps 0: must be 1..10000000000000");
    LineClock line = new LineClock(5);
    assertThatThrownBy(() -> line.setRateBps(10_000_000_000_001L))
        .hasMessage("rateBps 10000000000001: must be 1..10000000000000");
    assertThat(line.rateBps()).isEqualTo(5);
  }
}
