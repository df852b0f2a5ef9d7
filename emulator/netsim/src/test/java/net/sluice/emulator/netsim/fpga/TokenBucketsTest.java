package net.sluice.emulator.netsim.fpga;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TokenBucketsTest {

  private static TokenBuckets bucket(int word) {
    TokenBuckets buckets = new TokenBuckets(1);
    buckets.setWord(0, word, 0);
    return buckets;
  }

  /** Tokens after an idle time that began with an empty bucket, told by the ticks still missing. */
  private static long ticksMissing(TokenBuckets buckets, long tick) {
    buckets.activate(0, tick);
    return buckets.readyTick(0, tick) - tick;
  }

  @Test
  void idleTimeIsCreditedUpToTheBucketSize() {
    assertThat(ticksMissing(bucket(1), 1_000)).isEqualTo(600);
    assertThat(ticksMissing(bucket(1), 1_600)).isZero();
    TokenBuckets buckets = bucket(1);
    buckets.activate(0, 100_000);
    buckets.spend(0, 2_000, 100_000);
    assertThat(buckets.readyTick(0, 100_000)).isEqualTo(101_600);
  }

  @Test
  void aLargeCreditIsNotCut() {
    assertThat(ticksMissing(bucket(TokenBuckets.MAX_WORD), (1L << 21) - 1)).isZero();
    assertThat(ticksMissing(bucket(1), 262_144)).isZero();
  }

  @Test
  void aLongPacketLeavesADebt() {
    TokenBuckets buckets = bucket(10);
    buckets.activate(0, 160);
    buckets.spend(0, 2_048, 160);
    assertThat(buckets.readyTick(0, 160)).isEqualTo(160 + 205);
  }

  @Test
  void theTimestampWrapsAfter11Point9SecondsAt220MegaHertz() {
    long wrap = 1L << 21;
    assertThat(wrap * 1_248 / 220e6).isBetween(11.89, 11.90);
    // Idle for exactly one wrap looks like no time at all; 100 ticks more look like 100.
    assertThat(ticksMissing(bucket(3), wrap)).isEqualTo(534);
    assertThat(ticksMissing(bucket(3), wrap + 100)).isEqualTo(434);
    assertThat(ticksMissing(bucket(1), wrap - 1)).isZero();
  }

  @Test
  void aLiveBucketIsNotCut() {
    TokenBuckets buckets = bucket(1_000);
    buckets.activate(0, 0);
    assertThat(buckets.readyTick(0, 263)).isEqualTo(263);
    buckets = bucket(TokenBuckets.MAX_WORD);
    buckets.activate(0, 0);
    buckets.spend(0, 5_000, 2);
    assertThat(buckets.readyTick(0, 2)).isEqualTo(3);
  }

  @Test
  void aNewRateCountsFromNow() {
    TokenBuckets live = bucket(1);
    live.activate(0, 0);
    live.setWord(0, 100, 600);
    assertThat(live.readyTick(0, 600)).isEqualTo(610);
    TokenBuckets idle = bucket(1);
    idle.setWord(0, 2, 600);
    assertThat(ticksMissing(idle, 600)).isEqualTo(500);
  }

  @Test
  void aSmallerBucketLosesWhatItCannotHold() {
    TokenBuckets buckets = bucket(10);
    buckets.activate(0, 1_000);
    buckets.setBucketBytes(1_700, 1_000);
    buckets.spend(0, 1_500, 1_000);
    assertThat(buckets.readyTick(0, 1_000)).isEqualTo(1_140);
    buckets.setBucketBytes(32_767, 2_000);
    // Until now it was limited to 1700.
    buckets.spend(0, 1_700, 2_000);
    assertThat(buckets.readyTick(0, 2_000)).isEqualTo(2_160);
  }

  @Test
  void closedGatesAndTooSmallBucketsNeverOpen() {
    TokenBuckets closed = bucket(0);
    closed.activate(0, 10);
    assertThat(closed.readyTick(0, 10)).isEqualTo(TokenBuckets.NEVER);
    TokenBuckets small = bucket(100);
    small.setBucketBytes(1_599, 0);
    small.activate(0, 1_000);
    assertThat(small.readyTick(0, 1_000)).isEqualTo(TokenBuckets.NEVER);
  }

  @Test
  void aClosedGateKeepsItsTokens() {
    TokenBuckets buckets = bucket(1);
    buckets.activate(0, 1_800);
    buckets.setWord(0, 0, 1_800);
    assertThat(buckets.readyTick(0, 1_800)).isEqualTo(TokenBuckets.NEVER);
    buckets.setWord(0, 1, 50_000);
    assertThat(buckets.readyTick(0, 50_000)).isEqualTo(50_000);
  }

  /** The closed formula against a loop over ticks. */
  @Property(seed = "1")
  void aLiveBucketGainsItsWordEveryTick(
      @ForAll @IntRange(min = 1, max = 262_143) int word,
      @ForAll @IntRange(min = 1_600, max = 32_767) int size,
      @ForAll @IntRange(min = 0, max = 5_000) int spent,
      @ForAll @IntRange(min = 0, max = 3_000) int ticks) {
    TokenBuckets buckets = bucket(word);
    buckets.setBucketBytes(size, 0);
    buckets.activate(0, 0);
    int tokens = 0;
    for (int i = 0; i < ticks; i++) {
      tokens = Math.min(size, tokens + word);
    }
    tokens -= spent;
    buckets.spend(0, spent, ticks);
    int wait = 0;
    while (tokens < 1_600) {
      tokens = Math.min(size, tokens + word);
      wait++;
    }
    assertThat(buckets.readyTick(0, ticks)).isEqualTo(ticks + wait);
  }
}
