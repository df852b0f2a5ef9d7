package net.sluice.emulator.netsim.host.tcp.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Samples against what a line of known rate and delay must give. */
class DeliveryRateTest {

  private static final long MILLI = 1_000_000L;
  private static final int SMSS = 1_000;
  private static final int CAPACITY = 64;

  private final DeliveryRate delivery = new DeliveryRate();
  private final long[] sentNanos = new long[1_000];

  private void send(int index, boolean alone, long millis) {
    sentNanos[index] = millis * MILLI;
    delivery.onSent(index, CAPACITY, alone, millis * MILLI);
  }

  private void ack(long minRttMillis, long millis, int... indices) {
    delivery.onAck();
    for (int index : indices) {
      delivery.onDelivered(index, SMSS, sentNanos[index]);
    }
    delivery.sample(minRttMillis * MILLI, millis * MILLI);
  }

  /** A segment every 2 ms, acknowledged 20 ms later: half a megabyte a second, to the byte. */
  @Test
  void aSteadySenderOnAFixedDelayGetsItsOwnRate() {
    for (int ms = 0; ms < 500; ms += 2) {
      if (ms >= 20) {
        ack(20, ms, ms / 2 - 10);
        assertThat(delivery.hasSample()).isTrue();
        assertThat(delivery.newlyDeliveredBytes()).isEqualTo(SMSS);
        assertThat(delivery.deliveredBytes()).isEqualTo((ms / 2 - 9) * (long) SMSS);
        if (ms >= 40) {
          assertThat(delivery.bytesPerSecond()).isEqualTo(500_000);
          assertThat(delivery.priorDeliveredBytes())
              .isEqualTo(delivery.deliveredBytes() - 10 * SMSS);
        }
      }
      send(ms / 2, ms == 0, ms);
    }
  }

  /** Ten at once through a line that takes 3 ms for each: a third of a megabyte a second. */
  @Test
  void aBurstGetsTheLinesRateFromTheSpacingOfItsAcknowledgements() {
    for (int i = 0; i < 10; i++) {
      send(i, i == 0, 0);
    }
    for (int i = 0; i < 20; i++) {
      ack(10, 10 + 3L * i, i);
      send(10 + i, false, 10 + 3L * i);
    }
    // A round trip later: until then the time to send counts from the burst on.
    for (int i = 20; i < 30; i++) {
      ack(10, 10 + 3L * i, i);
      assertThat(delivery.bytesPerSecond()).isCloseTo(1e6 / 3, within(1e-6));
    }
  }

  /** Acknowledgements that have been held up come together: sending tells the rate then. */
  @Test
  void compressedAcknowledgementsDoNotRaiseTheRate() {
    for (int i = 0; i < 20; i++) {
      send(i, i == 0, 2L * i);
      if (i == 10) {
        ack(20, 20, 0);
      }
    }
    ack(20, 60, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
    // Sent from 0 to 28 ms, acknowledged from 20 to 60.
    assertThat(delivery.bytesPerSecond()).isEqualTo(14_000 * 1e3 / 40);
    ack(20, 60, 15, 16, 17, 18, 19);
    assertThat(delivery.bytesPerSecond()).isEqualTo(19_000 * 1e3 / 40);
  }

  @Test
  void whatIsDeliveredFasterThanARoundTripIsNoSample() {
    send(0, true, 0);
    ack(20, 20, 0);
    assertThat(delivery.hasSample()).isTrue();
    send(1, true, 30);
    // Sent again at 49, but what came at 50 was the first of the two.
    send(1, false, 49);
    ack(20, 50, 1);
    assertThat(delivery.hasSample()).isTrue();
    send(2, true, 60);
    ack(20, 70, 2);
    assertThat(delivery.hasSample()).isFalse();
    assertThat(delivery.newlyDeliveredBytes()).isEqualTo(SMSS);
  }

  @Test
  void anAcknowledgementOfNothingNewIsNoSample() {
    send(0, true, 0);
    ack(20, 20, 0);
    ack(20, 21);
    assertThat(delivery.hasSample()).isFalse();
    assertThat(delivery.newlyDeliveredBytes()).isZero();
  }

  /** Marked from the pause on, until what was in flight in it has arrived. */
  @Test
  void samplesOfSegmentsSentInWantOfDataSaySo() {
    send(0, true, 0);
    send(1, false, 1);
    delivery.limit(2 * SMSS);
    assertThat(delivery.isLimited()).isTrue();
    send(2, false, 5);
    ack(20, 20, 0);
    assertThat(delivery.sampleLimited()).isFalse();
    ack(20, 21, 1);
    assertThat(delivery.isLimited()).isTrue();
    ack(20, 25, 2);
    assertThat(delivery.sampleLimited()).isTrue();
    assertThat(delivery.isLimited()).isFalse();
    send(3, true, 30);
    ack(20, 50, 3);
    assertThat(delivery.sampleLimited()).isFalse();
  }

  @Test
  void keepsItsPlaceAsTheRingGrows() {
    DeliveryRate grown = new DeliveryRate();
    for (int i = 0; i < 100; i++) {
      grown.onSent(i, i < 16 ? 16 : i < 32 ? 32 : i < 64 ? 64 : 128, i == 0, i * MILLI);
    }
    for (int i = 0; i < 100; i++) {
      grown.onAck();
      grown.onDelivered(i, SMSS, i * MILLI);
      grown.sample(0, (200 + i) * MILLI);
      assertThat(grown.priorDeliveredBytes()).isZero();
      assertThat(grown.bytesPerSecond()).isCloseTo((i + 1) * 1e6 / (200 + i), within(1e-6));
    }
  }
}
