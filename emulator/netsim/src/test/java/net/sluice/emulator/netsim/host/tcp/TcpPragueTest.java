package net.sluice.emulator.netsim.host.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.sluice.emulator.netsim.host.tcp.congestion.CongestionAlgorithm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Prague on a line of 50 Mbit/s and 10 ms that marks what would wait longer than 1 ms. */
class TcpPragueTest {

  private static final long MILLI = TcpPair.MILLI;
  private static final long SECOND = TcpPair.SECOND;
  private static final int RATE_BPS = 50_000_000;
  private static final long RTT = 10 * MILLI;
  private static final int BDP = 62_500;
  private static final int SMSS = 1_448;
  private static final int FRAME = 1_514;

  /** Segments' data that the line carries, bytes per second. */
  private static final double LINE = RATE_BPS / 8.0 * SMSS / FRAME;

  /** Bytes that wait 1 ms. */
  private static final long STEP = RATE_BPS / 8_000;

  private static final TcpConfig CONFIG =
      TcpConfig.defaults().withCongestion(CongestionAlgorithm.PRAGUE);

  private static TcpPair pair(long seed, TcpConfig config) {
    TcpPair pair = new TcpPair(seed, config).bottleneck(RATE_BPS, RTT, 10 * BDP);
    pair.toRight.markAbove(STEP);
    return pair;
  }

  private static TcpBulkSender sender(TcpPair pair) {
    return TcpBulkSender.to(pair.client, pair.rightAddress(), TcpPair.PORT).start();
  }

  /** Waits of the frames that come to the line from now on, in order. */
  private static List<Long> waits(TcpPair pair) {
    List<Long> waits = new ArrayList<>();
    long[] freeNanos = {0};
    pair.left.attach(
        (bytes, offset, length, tag, now) -> {
          waits.add(Math.max(0, freeNanos[0] - now));
          freeNanos[0] = Math.max(now, freeNanos[0]) + length * 8L * SECOND / RATE_BPS;
          pair.toRight.receive(bytes, offset, length, tag, now);
        });
    return waits;
  }

  private static long percentile99(List<Long> waits) {
    return waits.stream().sorted().skip(waits.size() * 99L / 100).findFirst().orElseThrow();
  }

  /** From 2 s on, when it has found the rate; with acknowledgements lost, too. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.1})
  void aFlowAloneFillsTheLineAndWaitsLittle(double lostAcknowledgements) {
    TcpPair pair = pair(1, CONFIG);
    pair.toLeft.random(lostAcknowledgements, 0, 0, 0);
    TcpSink sink = TcpSink.listen(pair.server, TcpPair.PORT);
    List<Long> waits = waits(pair);
    TcpBulkSender sender = sender(pair);
    pair.run(2 * SECOND);
    sink.resetStatistics();
    waits.clear();
    pair.run(12 * SECOND);
    assertThat(sink.goodputBps()).isBetween(0.98 * LINE * 8, 1.001 * LINE * 8);
    assertThat(percentile99(waits)).isLessThan(3 * MILLI / 2);
    TcpStatistics statistics = sender.connection().statistics();
    assertThat(statistics.ecnReductions()).isGreaterThan(100);
    assertThat(statistics.retransmittedSegments()).isZero();
    assertThat(pair.toRight.dropped).isZero();
  }

  /** RFC 9331 section 4.1: ECT(1) on what is to have the low-latency service. */
  @Test
  void dataIsEct1AndAcknowledgementsAreNotEcnCapable() {
    TcpPair pair = pair(1, CONFIG);
    Set<Integer> data = new TreeSet<>();
    Set<Integer> other = new TreeSet<>();
    pair.left.attach(
        (bytes, offset, length, tag, now) -> {
          (length == FRAME ? data : other).add(bytes[offset + 15] & 3);
          pair.toRight.receive(bytes, offset, length, tag, now);
        });
    pair.right.attach(
        (bytes, offset, length, tag, now) -> {
          other.add(bytes[offset + 15] & 3);
          pair.toLeft.receive(bytes, offset, length, tag, now);
        });
    TcpSink.listen(pair.server, TcpPair.PORT);
    sender(pair);
    pair.run(SECOND);
    assertThat(pair.toRight.marked).isPositive();
    assertThat(data).containsExactly(1);
    assertThat(other).containsExactly(0);
  }

  @Test
  void twoFlowsShareAlike() {
    TcpPair pair = pair(2, CONFIG);
    TcpSink sink = TcpSink.listen(pair.server, TcpPair.PORT);
    List<Long> waits = waits(pair);
    sender(pair);
    TcpBulkSender.to(pair.client, pair.rightAddress(), TcpPair.PORT).startNanos(SECOND).start();
    pair.run(5 * SECOND);
    sink.resetStatistics();
    waits.clear();
    pair.run(15 * SECOND);
    double[] rates = sink.flows().stream().mapToDouble(TcpSink.Flow::goodputBps).toArray();
    assertThat(rates).hasSize(2);
    assertThat(rates[0] / rates[1]).isBetween(0.8, 1.25);
    assertThat(rates[0] + rates[1]).isGreaterThan(0.97 * LINE * 8);
    assertThat(percentile99(waits)).isLessThan(2 * MILLI);
  }

  /** A line that drops and does not mark: each loss halves the window, and nothing else does. */
  @Test
  void fallsBackToRenoWhereTheLineOnlyDrops() {
    TcpPair pair = new TcpPair(3, CONFIG).bottleneck(RATE_BPS, RTT, BDP);
    TcpSink sink = TcpSink.listen(pair.server, TcpPair.PORT);
    TcpBulkSender sender = sender(pair);
    // Slow start ends with many losses, and those sent again are lost in part.
    pair.run(6 * SECOND);
    sink.resetStatistics();
    TcpStatistics before = sender.connection().statistics();
    long timeouts = before.timeouts();
    int halved = 0;
    for (long ms = 6_001; ms <= 30_000; ms++) {
      pair.run(ms * MILLI);
      TcpStatistics now = sender.connection().statistics();
      if (now.fastRecoveries() > before.fastRecoveries()) {
        halved++;
        assertThat((double) now.cwndBytes())
            .isCloseTo(before.cwndBytes() / 2.0, within(2.0 * SMSS));
      } else {
        assertThat(now.cwndBytes()).isBetween(before.cwndBytes(), before.cwndBytes() + SMSS);
      }
      before = now;
    }
    assertThat(halved).isGreaterThan(5);
    assertThat(before.ecnReductions()).isZero();
    assertThat(before.timeouts()).isEqualTo(timeouts);
    // The pace follows the smoothed round-trip time, which is long just after a full queue.
    assertThat(sink.goodputBps()).isGreaterThan(0.93 * LINE * 8);
  }

  /** The other side knows no ECN at all, so nothing may be marked. */
  @Test
  void againstAHostWithoutEcnItIsReno() {
    TcpPair pair = new TcpPair(4, CONFIG, TcpConfig.defaults()).bottleneck(RATE_BPS, RTT, BDP);
    pair.toRight.markAbove(STEP);
    TcpSink sink = TcpSink.listen(pair.server, TcpPair.PORT);
    TcpBulkSender sender = sender(pair);
    pair.run(10 * SECOND);
    assertThat(pair.toRight.marked).isZero();
    assertThat(sender.connection().statistics().fastRecoveries()).isPositive();
    assertThat(sink.goodputBps()).isGreaterThan(0.9 * LINE * 8);
  }

  /**
   * Cubic on the side that was called: the caller reports by count, and Cubic halves as for ECE.
   */
  @Test
  void theOtherDirectionHasItsOwnAlgorithm() {
    TcpPair pair = new TcpPair(5, CONFIG, TcpConfig.defaults().withEcn(true));
    pair.toLeft.line(RATE_BPS, 10 * BDP).delayNanos(RTT / 2).markAbove(BDP / 2);
    pair.toRight.delayNanos(RTT / 2);
    long[] received = {0};
    TcpConnection[] serving = new TcpConnection[1];
    pair.server.listen(
        TcpPair.PORT,
        (address, port) ->
            new TcpHandler() {
              @Override
              public void onEstablished(TcpConnection connection) {
                serving[0] = connection;
                connection.offer(Long.MAX_VALUE);
              }
            });
    pair.client.connect(
        pair.rightAddress(),
        TcpPair.PORT,
        new TcpHandler() {
          @Override
          public void onData(TcpConnection from, byte[] bytes, int offset, int length) {
            received[0] += length;
          }
        });
    pair.run(10 * SECOND);
    TcpStatistics statistics = serving[0].statistics();
    assertThat(statistics.ecnReductions()).isBetween(5L, 200L);
    assertThat(statistics.retransmittedSegments()).isZero();
    assertThat(received[0] / 10.0).isGreaterThan(0.9 * LINE);
  }
}
