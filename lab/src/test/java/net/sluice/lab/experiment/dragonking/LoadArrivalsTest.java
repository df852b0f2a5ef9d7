package net.sluice.lab.experiment.dragonking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import net.sluice.emulator.netsim.Prng;
import org.junit.jupiter.api.Test;

class LoadArrivalsTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void theMeanIsTheAggregateAndEachLimitGetsItsPart() {
    for (long aggregateBps :
        new long[] {
          100_000_000L, 250_000_000L, 10_000_000_000L, 40_000_000_000L, 100_000_000_000L
        }) {
      Load load = Load.of(aggregateBps, 10_000_000, 1_500, 100_000);
      int[] packets = new int[load.limits()];
      LoadArrivals arrivals = new LoadArrivals(load, 0, new Prng(1));
      long all = 0;
      for (arrivals.next(); arrivals.nanos() < SECOND / 10; arrivals.next()) {
        packets[arrivals.limit()]++;
        all++;
      }
      assertThat((double) all * load.packetBits() * 10)
          .isCloseTo(aggregateBps, withPercentage(0.5));
      for (int each : packets) {
        assertThat((double) each)
            .isBetween(all / (double) load.limits() - 2, all / (double) load.limits() + 2);
      }
    }
  }

  @Test
  void burstsOfThePaperLastMillisecondsAndGapsMicroseconds() {
    Load load = Load.published(1, 90_000_000_000L, 1_500, 200_000);
    LoadArrivals arrivals = new LoadArrivals(load, 0, new Prng(2));
    arrivals.next();
    long last = arrivals.nanos();
    long began = last;
    int bursts = 0;
    for (arrivals.next(); arrivals.nanos() < SECOND / 10; arrivals.next()) {
      long between = arrivals.nanos() - last;
      if (between > 1_000) {
        assertThat(between).isBetween(200_000L, 200_500L);
        assertThat(last - began).isBetween(999_000L, 20_000_000L);
        began = arrivals.nanos();
        bursts++;
      } else {
        assertThat(between).isBetween(119L, 241L);
      }
      last = arrivals.nanos();
    }
    assertThat(bursts).isBetween(5, 20);
  }
}
