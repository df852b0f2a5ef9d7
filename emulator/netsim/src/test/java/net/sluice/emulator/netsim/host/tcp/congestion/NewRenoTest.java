package net.sluice.emulator.netsim.host.tcp.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class NewRenoTest {

  private static final int SMSS = 1_000;

  /** RFC 6928: min (10 * MSS, max (2 * MSS, 14600)). */
  @Test
  void theInitialWindowIsTenSegments() {
    assertThat(CongestionControl.initialWindowBytes(1_448, false)).isEqualTo(14_480);
    assertThat(CongestionControl.initialWindowBytes(1_460, false)).isEqualTo(14_600);
    assertThat(CongestionControl.initialWindowBytes(2_000, false)).isEqualTo(14_600);
    assertThat(CongestionControl.initialWindowBytes(8_948, false)).isEqualTo(17_896);
    assertThat(CongestionControl.initialWindowBytes(536, false)).isEqualTo(5_360);
    assertThat(CongestionControl.initialWindowBytes(1_448, true)).isEqualTo(1_448);
  }

  /** Additive increase: one segment for each window acknowledged, however it is cut up. */
  @Property(tries = 200, seed = "1")
  void growsByASegmentPerWindow(
      @ForAll @IntRange(min = 4, max = 200) int segments,
      @ForAll @IntRange(min = 1, max = 3) int segmentsPerAck) {
    NewReno reno = new NewReno(SMSS, 10 * SMSS);
    reno.onLoss(2L * segments * SMSS, 0);
    assertThat(reno.cwndBytes()).isEqualTo((long) segments * SMSS);
    for (int round = 0; round < 20; round++) {
      long window = reno.cwndBytes();
      // The remainder of a round counts in the next.
      long acked = 0;
      while (acked < window) {
        reno.onAck((long) segmentsPerAck * SMSS, 0, 0, false);
        acked += (long) segmentsPerAck * SMSS;
      }
      assertThat(reno.cwndBytes()).isBetween(window + SMSS, window + SMSS);
    }
  }

  @Property(tries = 200, seed = "1")
  void halvesTheFlight(@ForAll @IntRange(min = 0, max = 1_000_000) int flight) {
    NewReno reno = new NewReno(SMSS, 10 * SMSS);
    reno.onLoss(flight, 0);
    assertThat(reno.ssthreshBytes()).isEqualTo(Math.max(flight / 2, 2_000));
    assertThat(reno.cwndBytes()).isEqualTo(reno.ssthreshBytes());
    NewReno marked = new NewReno(SMSS, 10 * SMSS);
    marked.onEcn(flight, 0);
    assertThat(marked.cwndBytes()).isEqualTo(reno.cwndBytes());
    NewReno timedOut = new NewReno(SMSS, 10 * SMSS);
    timedOut.onTimeout(flight, false, 0);
    assertThat(timedOut.ssthreshBytes()).isEqualTo(reno.ssthreshBytes());
    assertThat(timedOut.cwndBytes()).isEqualTo(SMSS);
    timedOut.onTimeout(SMSS, true, 0);
    assertThat(timedOut.ssthreshBytes()).isEqualTo(reno.ssthreshBytes());
  }

  @Test
  void slowStartEndsAtTheThreshold() {
    NewReno reno = new NewReno(SMSS, 10 * SMSS);
    reno.onTimeout(16 * SMSS, false, 0);
    long[] expected = {1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 8, 8, 8, 8, 9};
    for (long segments : expected) {
      assertThat(reno.cwndBytes()).isEqualTo(segments * SMSS);
      reno.onAck(SMSS, 0, 0, true);
    }
  }

  @Test
  void leavesRecoveryWithWhatIsInFlight() {
    NewReno reno = new NewReno(SMSS, 10 * SMSS);
    reno.onLoss(20 * SMSS, 0);
    reno.onRecoveryEnd(3 * SMSS);
    assertThat(reno.cwndBytes()).isEqualTo(4 * SMSS);
    reno.onLoss(20 * SMSS, 0);
    reno.onRecoveryEnd(30 * SMSS);
    assertThat(reno.cwndBytes()).isEqualTo(10 * SMSS);
    reno.onRecoveryEnd(0);
    assertThat(reno.cwndBytes()).isEqualTo(2 * SMSS);
    reno.onIdle(0);
    assertThat(reno.cwndBytes()).isEqualTo(2 * SMSS);
  }
}
