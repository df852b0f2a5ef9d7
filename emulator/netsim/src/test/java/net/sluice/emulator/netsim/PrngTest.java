package net.sluice.emulator.netsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class PrngTest {

  /** SplitMix64 as implemented by the JDK, which is where a seed's sequence can be looked up. */
  @Test
  void isSplitMix64() {
    Prng random = new Prng(42);
    java.util.SplittableRandom reference = new java.util.SplittableRandom(42);
    for (int i = 0; i < 1_000; i++) {
      assertThat(random.nextLong()).isEqualTo(reference.nextLong());
    }
  }

  @Test
  void streamsAreFunctionsOfSeedAndId() {
    assertThat(Prng.stream(7, 3).nextLong()).isEqualTo(-1678542949129832665L);
    assertThat(Prng.stream(7, 4).nextLong()).isEqualTo(9041596399737090838L);
  }

  @Property(seed = "1")
  void boundedNumbersStayBelowTheirBound(
      @ForAll long seed, @ForAll @LongRange(min = 1) long bound) {
    Prng random = new Prng(seed);
    for (int i = 0; i < 50; i++) {
      assertThat(random.nextLong(bound)).isBetween(0L, bound - 1);
    }
  }

  @Test
  void boundedNumbersAreUniform() {
    Prng random = new Prng(3);
    int[] seen = new int[7];
    for (int i = 0; i < 70_000; i++) {
      seen[(int) random.nextLong(7)]++;
    }
    for (int count : seen) {
      // Six standard deviations of a binomial with n = 70,000 and p = 1/7.
      assertThat(count).isCloseTo(10_000, within(560));
    }
    assertThatThrownBy(() -> random.nextLong(0)).hasMessage("bound 0: must be positive");
  }

  @Test
  void exponentialNumbersHaveMeanAndVarianceOne() {
    Prng random = new Prng(4);
    int n = 1_000_000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < n; i++) {
      double x = random.nextExponential();
      assertThat(x).isGreaterThanOrEqualTo(0).isFinite();
      sum += x;
      squares += x * x;
    }
    assertThat(sum / n).isCloseTo(1, within(0.006));
    assertThat(squares / n).isCloseTo(2, within(0.03));
  }
}
