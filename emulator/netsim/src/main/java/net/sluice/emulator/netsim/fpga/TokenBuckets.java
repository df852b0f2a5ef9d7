package net.sluice.emulator.netsim.fpga;

import java.util.Arrays;

/**
 * The token buckets of one level. A bucket gains its rate word in bytes per tick, up to the size
 * that all buckets of the level share, unless it has one of its own.
 *
 * <p>A bucket is live while packets wait below it; it is then asked in every round of the scan. An
 * idle one keeps its tokens and the tick they were last brought up to date, in {@value
 * #TIMESTAMP_BITS} bits, until a packet comes or its rate is written; the cut can only lose credit.
 * A packet longer than the tokens leaves a debt.
 */
final class TokenBuckets {

  static final int MTU_BYTES = 1_600;
  static final int TIMESTAMP_BITS = 21;
  static final int MAX_WORD = (1 << 18) - 1;
  static final int MAX_BUCKET_BYTES = (1 << 15) - 1;
  static final int RESET_WORD = 1;
  static final int RESET_BUCKET_BYTES = 2_000;
  static final long NEVER = Long.MAX_VALUE;

  private static final long TIMESTAMP_MASK = (1L << TIMESTAMP_BITS) - 1;

  private final int[] words;
  private final int[] tokens;
  private final long[] updatedTicks;
  private final boolean[] live;
  private final int[] ownBytes;
  private int bucketBytes;

  TokenBuckets(int entries) {
    words = new int[entries];
    tokens = new int[entries];
    updatedTicks = new long[entries];
    live = new boolean[entries];
    ownBytes = new int[entries];
    reset(0);
  }

  /** Power-on state: rate word 1, empty buckets. */
  void reset(long tick) {
    Arrays.fill(words, RESET_WORD);
    Arrays.fill(tokens, 0);
    Arrays.fill(updatedTicks, tick);
    Arrays.fill(live, false);
    Arrays.fill(ownBytes, 0);
    bucketBytes = RESET_BUCKET_BYTES;
  }

  int entries() {
    return words.length;
  }

  int word(int index) {
    return words[index];
  }

  /** The bucket keeps the tokens gained at the old rate. */
  void setWord(int index, int word, long tick) {
    update(index, tick);
    words[index] = word & MAX_WORD;
  }

  int bucketBytes() {
    return bucketBytes;
  }

  void setBucketBytes(int bytes, long tick) {
    for (int i = 0; i < live.length; i++) {
      if (live[i]) {
        update(i, tick);
      }
    }
    bucketBytes = bytes;
    for (int i = 0; i < live.length; i++) {
      if (live[i]) {
        cut(i);
      }
    }
  }

  /** The size of a bucket alone, 0 if it has that of the level. */
  int ownBytes(int index) {
    return ownBytes[index];
  }

  void setOwnBytes(int index, int bytes, long tick) {
    update(index, tick);
    ownBytes[index] = bytes;
    if (live[index]) {
      cut(index);
    }
  }

  private int size(int index) {
    return ownBytes[index] == 0 ? bucketBytes : ownBytes[index];
  }

  private void cut(int index) {
    tokens[index] = Math.min(tokens[index], size(index));
  }

  boolean isLive(int index) {
    return live[index];
  }

  /** A packet waits below the bucket, for the first time in a while. */
  void activate(int index, long tick) {
    update(index, tick);
    live[index] = true;
  }

  /** No packet waits below the bucket any more. */
  void deactivate(int index, long tick) {
    update(index, tick);
    live[index] = false;
  }

  /** Removes a packet's bytes, which may be more than the tokens that are there. */
  void spend(int index, int bytes, long tick) {
    update(index, tick);
    tokens[index] -= bytes;
  }

  /**
   * First tick, from the given one on, at which a live bucket lets a packet pass, or {@link #NEVER}
   * as things are.
   */
  long readyTick(int index, long tick) {
    update(index, tick);
    if (words[index] == 0 || size(index) < MTU_BYTES) {
      return NEVER;
    }
    int missing = MTU_BYTES - tokens[index];
    return missing <= 0 ? tick : tick + (missing + words[index] - 1) / words[index];
  }

  private void update(int index, long tick) {
    long ticks = tick - updatedTicks[index];
    long gained = words[index] * (live[index] ? ticks : ticks & TIMESTAMP_MASK);
    tokens[index] = (int) Math.min(size(index), tokens[index] + gained);
    updatedTicks[index] = tick;
  }
}
