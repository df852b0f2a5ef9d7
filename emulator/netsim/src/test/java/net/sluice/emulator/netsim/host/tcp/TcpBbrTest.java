package net.sluice.emulator.netsim.host.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.netsim.host.tcp.congestion.Bbr;
import net.sluice.emulator.netsim.host.tcp.congestion.CongestionAlgorithm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** BBR on a line of 10 Mbit/s and 40 ms. */
class TcpBbrTest {

  private static final long MILLI = TcpPair.MILLI;
  private static final long SECOND = TcpPair.SECOND;
  private static final int RATE_BPS = 10_000_000;
  private static final long RTT = 40 * MILLI;
  private static final int BDP = 50_000;
  private static final int SMSS = 1_448;
  private static final int FRAME = 1_514;

  /** Segments' data that the line carries, bytes per second. */
  private static final double LINE = RATE_BPS / 8.0 * SMSS / FRAME;

  /** The line takes that long for a segment, the path that much longer. */
  private static final long SERIALISATION = FRAME * 8L * SECOND / RATE_BPS;

  private static final TcpConfig CONFIG =
      TcpConfig.defaults().withCongestion(CongestionAlgorithm.BBR);

  private static TcpPair pair(int seed, long queueBytes) {
    return new TcpPair(seed, CONFIG).bottleneck(RATE_BPS, RTT, queueBytes);
  }

  private static TcpBulkSender sender(TcpPair pair) {
    return TcpBulkSender.to(pair.client, pair.rightAddress(), TcpPair.PORT).start();
  }

  private static Bbr bbr(TcpBulkSender sender) {
    return (Bbr) sender.connection().congestion();
  }

  @Test
  void aFlowAloneFillsTheLineAndLeavesHardlyAQueue() {
    TcpPair pair = pair(1, 2 * BDP);
    TcpSink sink = TcpSink.listen(pair.server, TcpPair.PORT);
    TcpBulkSender sender = sender(pair);
    pair.run(3 * SECOND);
    sink.resetStatistics();
    long dropped = pair.toRight.dropped;
    double srtt = 0;
    for (int i = 1; i <= 30_000; i++) {
      pair.run(3 * SECOND + i * MILLI);
      srtt += sender.connection().statistics().srttNanos() / 30_000.0;
    }
    assertThat(sink.goodputBps()).isBetween(0.97 * LINE * 8, 1.001 * LINE * 8);
    assertThat(pair.toRight.dropped).isEqualTo(dropped);
    // Its own three segments that stay, and in two of eight round trips what a quarter more than
    // fits leaves: a triangle of a quarter.
    assertThat(srtt).isLessThan(1.01 * (RTT + 4 * SERIALISATION + RTT / 4 / 8));
    assertThat(bbr(sender).rateBytesPerSecond()).isCloseTo(LINE, within(0.01 * LINE));
    assertThat((double) bbr(sender).rttNanos())
        .isCloseTo(RTT + SERIALISATION, within(0.05 * SERIALISATION));
  }

  /** Doubling from ten segments until three rounds bring no more, then down, then the cycle. */
  @Test
  void startsUpDrainsAndCycles() {
    TcpPair pair = pair(1, 10 * BDP);
    TcpSink.listen(pair.server, TcpPair.PORT);
    TcpBulkSender sender = sender(pair);
    List<Bbr.State> states = new ArrayList<>();
    List<Double> gains = new ArrayList<>();
    List<Long> times = new ArrayList<>();
    for (long ms = 100; ms < 5_000; ms++) {
      pair.run(ms * MILLI);
      Bbr bbr = bbr(sender);
      if (states.isEmpty() || bbr.state() != states.get(states.size() - 1)) {
        states.add(bbr.state());
        times.add(ms);
      }
      if (bbr.state() == Bbr.State.PROBE_BW) {
        gains.add(bbr.pacingGain());
      }
    }
    assertThat(states).containsExactly(Bbr.State.STARTUP, Bbr.State.DRAIN, Bbr.State.PROBE_BW);
    // 14.5 kB take 2 doublings to 50 kB; three rounds more, of up to three round-trip times each.
    assertThat(times.get(1)).isBetween(200L, 700L);
    assertThat(times.get(2) - times.get(1)).isBetween(40L, 400L);
    assertThat(gains).containsOnly(1.25, 0.75, 1.0);
    List<Double> changes = new ArrayList<>();
    gains.stream()
        .filter(gain -> changes.isEmpty() || !changes.get(changes.size() - 1).equals(gain))
        .forEach(changes::add);
    int first = changes.indexOf(1.25);
    for (int i = first; i < changes.size(); i++) {
      assertThat(changes.get(i)).isEqualTo(new double[] {1.25, 0.75, 1}[(i - first) % 3]);
    }
    // Six of eight phases, none shorter than a round trip but the one that drains.
    double cruising = gains.stream().filter(gain -> gain == 1).count() / (double) gains.size();
    assertThat(cruising).isBetween(0.68, 0.82);
    assertThat(changes.size() - first).isBetween(24, 48);
  }

  /** 2 / ln 2 times the data that is new since a round trip ago: doubled each round. */
  @Test
  void startupPacesItsFirstWindowOverPartOfARoundTrip() {
    TcpPair pair = new TcpPair(1, CONFIG).bottleneck(1_000_000_000, RTT, 10 * BDP);
    TcpSink.listen(pair.server, TcpPair.PORT);
    List<Long> sent = new ArrayList<>();
    pair.left.attach(
        (bytes, offset, length, tag, now) -> {
          if (length == FRAME) {
            sent.add(now);
          }
          pair.toRight.receive(bytes, offset, length, tag, now);
        });
    sender(pair);
    pair.run(2 * RTT);
    assertThat(sent).hasSize(10);
    double gap = (double) RTT / 10 / (2 / Math.log(2));
    for (int i = 1; i < 10; i++) {
      assertThat((double) (sent.get(i) - sent.get(i - 1))).isCloseTo(gap, within(1e-3 * gap));
    }
  }

  /** While it cruises, segments leave as far apart as the line would space them. */
  @Test
  void pacesEverySegment() {
    TcpPair pair = pair(1, 10 * BDP);
    TcpSink.listen(pair.server, TcpPair.PORT);
    List<Long> gaps = new ArrayList<>();
    TcpBulkSender sender = sender(pair);
    long[] last = {0};
    pair.left.attach(
        (bytes, offset, length, tag, now) -> {
          if (length == FRAME && bbr(sender).pacingGain() == 1) {
            gaps.add(now - last[0]);
          }
          last[0] = now;
          pair.toRight.receive(bytes, offset, length, tag, now);
        });
    pair.run(3 * SECOND);
    gaps.clear();
    pair.run(8 * SECOND);
    assertThat(gaps).hasSizeGreaterThan(3_000);
    assertThat(gaps)
        .allSatisfy(gap -> assertThat((double) gap).isGreaterThan(0.75 * SERIALISATION));
    double mean = gaps.stream().mapToLong(Long::longValue).average().orElseThrow();
    assertThat(mean).isCloseTo(SERIALISATION, within(0.02 * SERIALISATION));
  }

  /**
   * The handshake's round trip, of small segments, is never seen again; later the path becomes
   * longer, which could as well be a queue. BBR steps back to see what it is.
   */
  @Test
  void probesTheRoundTripTimeWhenItHasNotSeenTheLeastForTenSeconds() {
    TcpPair pair = pair(1, 2 * BDP);
    TcpSink.listen(pair.server, TcpPair.PORT);
    TcpBulkSender sender = sender(pair);
    List<Long> begins = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    List<Double> found = new ArrayList<>();
    boolean probing = false;
    for (long ms = 100; ms < 24_000; ms++) {
      if (ms == 12_000) {
        pair.toRight.delayNanos(RTT);
      }
      pair.run(ms * MILLI);
      Bbr bbr = bbr(sender);
      boolean before = probing;
      probing = bbr.state() == Bbr.State.PROBE_RTT;
      if (probing) {
        assertThat(bbr.cwndBytes()).isEqualTo(4 * SMSS);
      }
      if (probing && !before) {
        begins.add(ms);
      } else if (before && !probing) {
        ends.add(ms);
        found.add((double) bbr.rttNanos());
      }
    }
    assertThat(begins).hasSize(2);
    assertThat(begins.get(0)).isBetween(10_000L, 10_100L);
    // It counts from then, or from the first segments after, which find the line still empty.
    assertThat(begins.get(1) - ends.get(0)).isBetween(10_000L, 10_500L);
    for (int i = 0; i < 2; i++) {
      // From when what is in flight has come down to four segments, and the rest of a round.
      assertThat(ends.get(i) - begins.get(i)).isBetween(200L, 350L);
    }
    double sent = SERIALISATION;
    assertThat(found.get(0)).isCloseTo(RTT + sent, within(0.05 * sent));
    assertThat(found.get(1)).isCloseTo(1.5 * RTT + sent, within(0.05 * sent));
    assertThat(bbr(sender).state()).isEqualTo(Bbr.State.PROBE_BW);
  }

  /** Losses at random say nothing of the rate: Mathis has 1.1 Mbit/s for Reno at 1 %. */
  @Test
  void losesLittleToRandomLosses() {
    TcpPair pair = pair(5, 2 * BDP);
    pair.toRight.random(0.01, 0, 0, 0);
    TcpSink sink = TcpSink.listen(pair.server, TcpPair.PORT);
    TcpBulkSender sender = sender(pair);
    pair.run(3 * SECOND);
    sink.resetStatistics();
    pair.run(23 * SECOND);
    assertThat(sink.goodputBps()).isGreaterThan(0.9 * LINE * 8);
    assertThat(sender.connection().statistics().fastRecoveries()).isGreaterThan(20);
  }

  /** At a fifth of the rate that the path has shown, what is known of it stays. */
  @Test
  void anApplicationThatSendsLessDoesNotMakeItForgetTheRate() {
    TcpPair pair = pair(1, 10 * BDP);
    TcpSink sink = TcpSink.listen(pair.server, TcpPair.PORT);
    TcpConnection connection =
        pair.client.connect(pair.rightAddress(), TcpPair.PORT, TcpHandler.NONE);
    connection.offer(4_000_000);
    pair.run(6 * SECOND);
    Bbr bbr = (Bbr) connection.congestion();
    assertThat(connection.backlogBytes()).isZero();
    assertThat(bbr.rateBytesPerSecond()).isCloseTo(LINE, within(0.01 * LINE));
    sink.resetStatistics();
    for (int i = 0; i < 500; i++) {
      connection.offer(2 * SMSS);
      pair.run(6 * SECOND + (i + 1) * 12 * MILLI);
    }
    assertThat(bbr.rateBytesPerSecond()).isCloseTo(LINE, within(0.01 * LINE));
    assertThat(sink.goodputBps()).isCloseTo(2 * SMSS * 8 / 0.012, within(2e4));
  }

  @Test
  void marksDoNotSlowItDown() {
    TcpPair pair = new TcpPair(3, CONFIG.withEcn(true)).bottleneck(RATE_BPS, RTT, 20 * BDP);
    pair.toRight.markAbove(2_000);
    TcpSink sink = TcpSink.listen(pair.server, TcpPair.PORT);
    TcpBulkSender sender = sender(pair);
    pair.run(10 * SECOND);
    assertThat(pair.toRight.marked).isPositive();
    assertThat(sender.connection().statistics().ecnReductions()).isZero();
    assertThat(sink.goodputBps()).isGreaterThan(0.9 * LINE * 8);
  }

  /** Lost retransmissions and tails cost timeouts; in between, a recovery goes hole by hole. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTransferOverALossyPathIsComplete(boolean sack) {
    TcpPair pair = new TcpPair(4, CONFIG.withSack(sack)).bottleneck(RATE_BPS, RTT, BDP);
    pair.toRight.random(0.03, 0, 0.01, 0).reorderNanos(5 * MILLI);
    TcpPair.Checker checker = pair.serveChecker();
    TcpBulkSender sender = pair.bulk(3_000_000);
    pair.run(120 * SECOND);
    assertThat(checker.bytes).isEqualTo(3_000_000);
    assertThat(checker.wrong).isZero();
    assertThat(checker.reason).isEqualTo(CloseReason.FINISHED);
    assertThat(sender.connection().statistics().fastRecoveries()).isPositive();
    assertThat(pair.client.connections()).isZero();
  }
}
