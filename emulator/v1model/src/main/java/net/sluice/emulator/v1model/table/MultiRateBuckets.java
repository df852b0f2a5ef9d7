package net.sluice.emulator.v1model.table;

import java.util.Arrays;

/**
 * Token buckets of meters with any number of rates in ascending order. A packet takes tokens at
 * each rate, the highest first, until one has too few: the number of that rate, from 1, is its
 * colour; 0 if all had enough. As {@link MeterCells}, it keeps tokens in millionths.
 */
final class MultiRateBuckets {

  private static final int BUCKET = 3;

  private final int rates;
  private long[] buckets;

  MultiRateBuckets(int rates, int size) {
    this.rates = rates;
    this.buckets = new long[BUCKET * rates * size];
  }

  int rates() {
    return rates;
  }

  void grow(int size) {
    buckets = Arrays.copyOf(buckets, BUCKET * rates * size);
  }

  void configure(int index, long[] ratesPerSecond, long[] bursts) {
    for (int i = 0; i < rates; i++) {
      int at = BUCKET * (rates * index + i);
      buckets[at + MeterCells.RATE] = ratesPerSecond[i];
      buckets[at + MeterCells.BURST] = bursts[i];
      buckets[at + MeterCells.TOKENS] = bursts[i] * MeterCells.MILLIONTHS;
    }
  }

  /**
   * Meters a packet.
   *
   * @param input tokens that it takes
   */
  int execute(int index, int input, long elapsedMicros) {
    // Buckets that the packet does not reach are filled all the same.
    for (int i = 0; i < rates; i++) {
      MeterCells.fill(buckets, BUCKET * (rates * index + i), elapsedMicros);
    }
    long needed = input * MeterCells.MILLIONTHS;
    for (int i = rates - 1; i >= 0; i--) {
      int at = BUCKET * (rates * index + i) + MeterCells.TOKENS;
      if (buckets[at] < needed) {
        return i + 1;
      }
      buckets[at] -= needed;
    }
    return 0;
  }
}
