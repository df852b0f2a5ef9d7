package net.sluice.emulator.bmv2.table;

import java.util.Arrays;

/**
 * Buckets of meters with any number of rates, none below the one before. A packet takes tokens at
 * each rate, the highest first, until one has not enough: the number of that rate, from 1, is its
 * colour; 0 if all had. As {@link MeterCells}, it keeps tokens in millionths.
 */
final class RateLadder {

  private static final int BUCKET = 3;
  private static final int RATE = 0;
  private static final int BURST = 1;
  private static final int TOKENS = 2;
  private static final long MILLIONTHS = 1_000_000;

  private final int rates;
  private long[] buckets;

  RateLadder(int rates, int size) {
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
      buckets[at + RATE] = ratesPerSecond[i];
      buckets[at + BURST] = bursts[i];
      buckets[at + TOKENS] = bursts[i] * MILLIONTHS;
    }
  }

  /**
   * Meters a packet.
   *
   * @param input tokens that it takes
   */
  int execute(int index, int input, long elapsedMicros) {
    // What a packet does not get to is filled all the same: time goes on for all buckets.
    for (int i = 0; i < rates; i++) {
      fill(BUCKET * (rates * index + i), elapsedMicros);
    }
    long needed = input * MILLIONTHS;
    for (int i = rates - 1; i >= 0; i--) {
      int at = BUCKET * (rates * index + i) + TOKENS;
      if (buckets[at] < needed) {
        return i + 1;
      }
      buckets[at] -= needed;
    }
    return 0;
  }

  private void fill(int at, long elapsedMicros) {
    long rate = buckets[at + RATE];
    long full = buckets[at + BURST] * MILLIONTHS;
    long missing = full - buckets[at + TOKENS];
    buckets[at + TOKENS] =
        rate != 0 && elapsedMicros > missing / rate
            ? full
            : buckets[at + TOKENS] + elapsedMicros * rate;
  }
}
