package net.sluice.emulator.v1model.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Meters with any number of rates against a model that counts all tokens since the start. */
class MultiRateBucketsTest {

  private static final BigInteger MILLION = BigInteger.valueOf(1_000_000);

  private static int colour(
      BigInteger[] tokens, long[] rates, long[] bursts, long elapsed, int length) {
    for (int i = 0; i < rates.length; i++) {
      BigInteger filled =
          tokens[i].add(BigInteger.valueOf(rates[i]).multiply(BigInteger.valueOf(elapsed)));
      tokens[i] = filled.min(BigInteger.valueOf(bursts[i]).multiply(MILLION));
    }
    BigInteger needed = BigInteger.valueOf(length).multiply(MILLION);
    for (int i = rates.length - 1; i >= 0; i--) {
      if (tokens[i].compareTo(needed) < 0) {
        return i + 1;
      }
      tokens[i] = tokens[i].subtract(needed);
    }
    return 0;
  }

  @Test
  void anySequenceIsMarkedAsTheModelSays() {
    Random random = new Random(1);
    for (int count : new int[] {0, 1, 3, 4, 9}) {
      int[] met = new int[count + 1];
      for (int run = 0; run < 200; run++) {
        long largest = run % 3 == 0 ? MeterCells.MAX : 3_000;
        long[] rates = random.longs(count, 0, largest + 1).sorted().toArray();
        long[] bursts = random.longs(count, 0, largest + 1).toArray();
        MeterCells cells = new MeterCells("m", 2, true, count);
        cells.configure(1, rates, bursts);
        BigInteger[] tokens =
            Arrays.stream(bursts)
                .mapToObj(burst -> BigInteger.valueOf(burst).multiply(MILLION))
                .toArray(BigInteger[]::new);
        long now = 0;
        for (int i = 0; i < 60; i++) {
          long elapsed = i == 0 ? 0 : random.nextLong(1L << random.nextInt(1, 40));
          now += elapsed;
          int length = random.nextInt(1, run % 3 == 0 ? Integer.MAX_VALUE : 1_500);
          int expected = colour(tokens, rates, bursts, elapsed, length);
          assertThat(cells.execute(1, length, now)).isEqualTo(expected);
          assertThat(cells.execute(0, length, now)).isZero();
          met[expected]++;
        }
      }
      assertThat(met).doesNotContain(0);
      assertThat(MeterCells.colourBits(count))
          .isEqualTo(count < 2 ? 1 : count < 4 ? 2 : count < 8 ? 3 : 4);
    }
  }
}
