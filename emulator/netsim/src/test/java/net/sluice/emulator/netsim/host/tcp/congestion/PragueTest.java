package net.sluice.emulator.netsim.host.tcp.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.host.tcp.congestion.CongestionControl.MarkResponse;
import net.sluice.emulator.netsim.traffic.Ecn;
import org.junit.jupiter.api.Test;

class PragueTest {

  private static final int SMSS = 1_000;
  private static final long MILLI = 1_000_000L;
  private static final long RTT = 10 * MILLI;
  private static final long VIRTUAL_RTT = 25 * MILLI;

  private static Prague prague(int segments, long minRttNanos) {
    return new Prague(new NewReno(SMSS, (long) segments * SMSS), SMSS, RTT, 0, minRttNanos);
  }

  /** Out of slow start, with a window of so many segments. */
  private static Prague avoiding(int segments, long minRttNanos) {
    Prague prague = prague(10, minRttNanos);
    prague.onLoss(2L * segments * SMSS, 0);
    assertThat(prague.cwndBytes()).isEqualTo((long) segments * SMSS);
    return prague;
  }

  private static void window(Prague prague, long rttNanos) {
    long window = prague.cwndBytes();
    for (long acked = 0; acked < window; acked += SMSS) {
      prague.onAck(SMSS, 0, rttNanos, false);
    }
  }

  /** A window of segments in flight; each acknowledgement lets go the next. */
  private static final class Flight {
    private final DeliveryRate delivery = new DeliveryRate();
    private final int window;
    private final long rttNanos;
    private int acked;

    Flight(int window, long rttNanos) {
      this.window = window;
      this.rttNanos = rttNanos;
      for (int i = 0; i < window; i++) {
        delivery.onSent(i, 256, i == 0, sentNanos(i));
      }
    }

    private long sentNanos(int segment) {
      return segment * rttNanos / window;
    }

    void ack(Prague prague, boolean marked) {
      long now = sentNanos(acked) + rttNanos;
      delivery.onAck();
      delivery.onDelivered(acked, SMSS, sentNanos(acked));
      delivery.sample(rttNanos, now);
      int flight = window * SMSS;
      prague.onDelivery(
          delivery,
          new Acknowledged(now, rttNanos, flight, flight - SMSS, 0, marked ? 1 : 0, false));
      delivery.onSent(acked + window, 256, false, now);
      acked++;
    }
  }

  /** RFC 8257 equation 1, round trip by round trip from the first that has a mark. */
  @Property(tries = 100, seed = "1")
  void alphaIsTheAveragedPartOfTheMarkedSegments(
      @ForAll @IntRange(min = 2, max = 100) int window, @ForAll long seed) {
    Random random = new Random(seed);
    Prague prague = prague(window, 0);
    Flight flight = new Flight(window, RTT);
    // The first acknowledgement ends a round trip of its own.
    flight.ack(prague, false);
    double expected = 1;
    boolean seen = false;
    for (int round = 0; round < 60; round++) {
      double share = round < 5 ? 0 : random.nextDouble();
      int marked = 0;
      for (int i = 0; i < window; i++) {
        boolean mark = random.nextDouble() < share;
        marked += mark ? 1 : 0;
        flight.ack(prague, mark);
      }
      seen |= marked > 0;
      if (seen) {
        expected = (1 - 1.0 / 16) * expected + 1.0 / 16 * marked / window;
      }
      assertThat(prague.alpha()).as("round %s", round).isCloseTo(expected, within(1e-9));
    }
  }

  @Test
  void marksCutTheWindowByHalfOfAlpha() {
    Prague prague = prague(100, 0);
    assertThat(prague.ssthreshBytes()).isEqualTo(Long.MAX_VALUE);
    // The first one ends slow start as a loss would.
    assertThat(prague.onEcn(100 * SMSS, RTT)).isEqualTo(MarkResponse.SLIGHT);
    assertThat(prague.cwndBytes()).isEqualTo(50 * SMSS);
    assertThat(prague.ssthreshBytes()).isEqualTo(50 * SMSS);
    Flight flight = new Flight(50, RTT);
    for (int i = 0; i <= 30 * 50; i++) {
      flight.ack(prague, false);
    }
    double alpha = Math.pow(15.0 / 16, 31);
    assertThat(prague.alpha()).isCloseTo(alpha, within(1e-9));
    prague.onEcn(50 * SMSS, 32 * RTT);
    assertThat(prague.cwndBytes()).isEqualTo((long) (50 * SMSS * (1 - alpha / 2)));
  }

  @Test
  void twoSegmentsAreTheLeast() {
    Prague prague = prague(3, 0);
    for (int i = 0; i < 5; i++) {
      prague.onEcn(3 * SMSS, i * RTT);
    }
    assertThat(prague.cwndBytes()).isEqualTo(2 * SMSS);
  }

  /** RFC 9331 section 4.3: as Reno. */
  @Test
  void lossesHalveTheFlight() {
    Prague prague = avoiding(40, 0);
    prague.onLoss(40 * SMSS, RTT);
    assertThat(prague.cwndBytes()).isEqualTo(20 * SMSS);
    prague.onTimeout(20 * SMSS, false, RTT);
    assertThat(prague.cwndBytes()).isEqualTo(SMSS);
    assertThat(prague.ssthreshBytes()).isEqualTo(10 * SMSS);
  }

  @Test
  void growsByASegmentPerRoundTripAndDoublesInSlowStart() {
    Prague prague = avoiding(20, 0);
    for (int round = 1; round <= 10; round++) {
      window(prague, RTT);
      assertThat(prague.cwndBytes()).isEqualTo((20L + round) * SMSS);
    }
    Prague starting = prague(10, VIRTUAL_RTT);
    window(starting, RTT);
    assertThat(starting.cwndBytes()).isEqualTo(20 * SMSS);
  }

  @Test
  void segmentsAreSpreadOverTheRoundTrip() {
    Prague prague = avoiding(20, 0);
    assertThat(prague.pacingBytesPerSecond()).isCloseTo(20 * SMSS / 10e-3, within(1e-6));
    prague.onAck(SMSS, 0, 2 * RTT, false);
    assertThat(prague.pacingBytesPerSecond()).isCloseTo(20 * SMSS / 20e-3, within(1e-6));
    Prague unknown = new Prague(new NewReno(SMSS, 10 * SMSS), SMSS, 0, 0, 0);
    assertThat(unknown.pacingBytesPerSecond()).isInfinite();
  }

  /** The rate grows in a second by as much as that of a flow whose round trip is 25 ms. */
  @Test
  void aShortRoundTripGrowsAsTheVirtualOneDoes() {
    Prague scaled = avoiding(200, VIRTUAL_RTT);
    Prague distant = avoiding(200, VIRTUAL_RTT);
    long shortRtt = 5 * MILLI;
    for (int round = 0; round < 1_000; round++) {
      window(scaled, shortRtt);
    }
    for (int round = 0; round < 200; round++) {
      window(distant, VIRTUAL_RTT);
    }
    double scaledGrowth = (scaled.cwndBytes() - 200.0 * SMSS) / shortRtt;
    double distantGrowth = (distant.cwndBytes() - 200.0 * SMSS) / VIRTUAL_RTT;
    assertThat(distant.cwndBytes()).isEqualTo(400 * SMSS);
    assertThat(scaledGrowth / distantGrowth).isCloseTo(1, within(0.03));
  }

  @Test
  void marksCutAndCountAtMostOncePerVirtualRoundTrip() {
    Prague prague = avoiding(100, VIRTUAL_RTT);
    assertThat(prague.onEcn(100 * SMSS, RTT)).isEqualTo(MarkResponse.SLIGHT);
    assertThat(prague.onEcn(50 * SMSS, RTT + VIRTUAL_RTT - 1)).isEqualTo(MarkResponse.NONE);
    assertThat(prague.cwndBytes()).isEqualTo(50 * SMSS);
    assertThat(prague.onEcn(50 * SMSS, RTT + VIRTUAL_RTT)).isEqualTo(MarkResponse.SLIGHT);
    Prague averaging = prague(10, VIRTUAL_RTT);
    Flight flight = new Flight(10, RTT);
    for (int i = 0; i < 10 * 30; i++) {
      flight.ack(averaging, true);
    }
    assertThat(averaging.alpha()).isEqualTo(1);
    // Thirty round trips are twelve times 25 ms.
    for (int i = 0; i < 10 * 30; i++) {
      flight.ack(averaging, false);
    }
    assertThat(averaging.alpha()).isBetween(Math.pow(15.0 / 16, 12), Math.pow(15.0 / 16, 10));
  }

  @Test
  void withoutAccurateFeedbackItIsReno() {
    Prng random = new Prng(1);
    CongestionControl scalable =
        CongestionAlgorithm.PRAGUE.start(SMSS, 10 * SMSS, RTT, 0, true, 0, random);
    CongestionControl fallback =
        CongestionAlgorithm.PRAGUE.start(SMSS, 10 * SMSS, RTT, 0, false, 0, random);
    assertThat(scalable).isInstanceOf(Prague.class);
    assertThat(scalable.codepoint()).isEqualTo(Ecn.ECT_1);
    assertThat(fallback).isInstanceOf(NewReno.class);
    assertThat(fallback.codepoint()).isEqualTo(Ecn.ECT_0);
    assertThat(fallback.onEcn(10 * SMSS, 0)).isEqualTo(MarkResponse.AS_LOSS);
  }
}
