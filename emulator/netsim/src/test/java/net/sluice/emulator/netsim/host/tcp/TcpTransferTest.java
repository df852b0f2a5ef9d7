package net.sluice.emulator.netsim.host.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.host.tcp.congestion.CongestionAlgorithm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole transfers over paths of all kinds. */
class TcpTransferTest {

  private static final long MILLI = TcpPair.MILLI;
  private static final long SECOND = TcpPair.SECOND;
  private static final int RATE_BPS = 10_000_000;
  private static final long RTT = 40 * MILLI;

  /** Bandwidth-delay product of the path, bytes. */
  private static final int BDP = 50_000;

  private static void complete(TcpPair pair, TcpPair.Checker checker, long bytes) {
    assertThat(checker.bytes).isEqualTo(bytes);
    assertThat(checker.wrong).isZero();
    assertThat(checker.remoteClosed).isTrue();
    assertThat(checker.reason).isEqualTo(CloseReason.FINISHED);
    assertThat(pair.server.connections()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"NEW_RENO,true", "NEW_RENO,false", "CUBIC,true", "CUBIC,false"})
  void oneFlowFillsALineWithABufferOfOneBdp(CongestionAlgorithm algorithm, boolean sack) {
    TcpConfig config = TcpConfig.defaults().withCongestion(algorithm).withSack(sack);
    TcpPair pair = new TcpPair(1, config).bottleneck(RATE_BPS, RTT, BDP);
    TcpSink sink = TcpSink.listen(pair.server, TcpPair.PORT);
    TcpBulkSender sender = TcpBulkSender.to(pair.client, pair.rightAddress(), TcpPair.PORT).start();
    pair.run(3 * SECOND);
    sink.resetStatistics();
    long before = pair.toRight.carriedBytes;
    long timeouts = sender.connection().statistics().timeouts();
    pair.run(23 * SECOND);
    // Counted in front of the queue, which holds up to a BDP.
    double utilisation = (pair.toRight.carriedBytes - before) * 8.0 / (20L * RATE_BPS);
    assertThat(utilisation).isBetween(0.95, 1.003);
    assertThat(sink.goodputBps()).isGreaterThan(0.95 * RATE_BPS * 1_448 / 1_514);
    // Having found the limit once, it goes over it by a segment at a time.
    assertThat(sender.connection().statistics().timeouts()).isEqualTo(timeouts);
    assertThat(sender.connection().statistics().fastRecoveries()).isGreaterThan(2);
    if (sack) {
      assertThat(timeouts).isZero();
    }
  }

  /** Every frame of a transfer but its SYN and its tail, lost in turn. */
  @ParameterizedTest
  @EnumSource(CongestionAlgorithm.class)
  void anySingleLossInTheMiddleIsRecoveredWithoutTimeout(CongestionAlgorithm algorithm) {
    long bytes = 400_000;
    // The second frame of one that asks for accurate feedback is an acknowledgement without data.
    int first = algorithm.needsAccurateFeedback() ? 3 : 2;
    for (int lost = first; lost <= 130; lost++) {
      TcpPair pair =
          new TcpPair(lost, TcpConfig.defaults().withCongestion(algorithm))
              .bottleneck(RATE_BPS, RTT, 10 * BDP);
      pair.toRight.lose(lost);
      TcpPair.Checker checker = pair.serveChecker();
      TcpBulkSender sender = pair.bulk(bytes);
      pair.run(5 * SECOND);
      complete(pair, checker, bytes);
      TcpStatistics statistics = sender.connection().statistics();
      assertThat(statistics.timeouts()).as("frame %s", lost).isZero();
      // Once the data runs out in a recovery, RFC 6675 sends its last segment again for safety.
      assertThat(statistics.retransmittedSegments()).as("frame %s", lost).isBetween(1L, 2L);
      assertThat(statistics.fastRecoveries()).as("frame %s", lost).isEqualTo(1);
      assertThat(checker.connection.statistics().duplicateSegments())
          .isLessThan(statistics.retransmittedSegments());
    }
  }

  @Test
  void aLossAtTheVeryEndTakesATimeout() {
    TcpPair pair = new TcpPair(1, TcpConfig.defaults()).bottleneck(RATE_BPS, RTT, 10 * BDP);
    // SYN, 69 full segments and the rest, which carries the FIN.
    pair.toRight.lose(1 + 69 + 1);
    TcpPair.Checker checker = pair.serveChecker();
    TcpBulkSender sender = pair.bulk(100_000);
    pair.run(5 * SECOND);
    complete(pair, checker, 100_000);
    assertThat(sender.connection().statistics().timeouts()).isEqualTo(1);
  }

  @Test
  void manyLossesInOneWindowAreRecoveredWithSackWithoutTimeout() {
    TcpPair pair = new TcpPair(1, TcpConfig.defaults()).bottleneck(RATE_BPS, RTT, 10 * BDP);
    pair.toRight.lose(60, 61, 62, 65, 67, 69, 70, 75, 76, 77);
    TcpPair.Checker checker = pair.serveChecker();
    TcpBulkSender sender = pair.bulk(500_000);
    pair.run(5 * SECOND);
    complete(pair, checker, 500_000);
    TcpStatistics statistics = sender.connection().statistics();
    assertThat(statistics.timeouts()).isZero();
    assertThat(statistics.retransmittedSegments()).isEqualTo(10);
    assertThat(statistics.fastRecoveries()).isEqualTo(1);
  }

  @Test
  void lostAcknowledgementsCostNothing() {
    TcpPair pair = new TcpPair(1, TcpConfig.defaults()).bottleneck(RATE_BPS, RTT, 10 * BDP);
    pair.toLeft.random(0.3, 0, 0, 0);
    pair.toLeft.lose(1);
    TcpPair.Checker checker = pair.serveChecker();
    TcpBulkSender sender = pair.bulk(1_000_000);
    pair.run(90 * SECOND);
    assertThat(checker.bytes).isEqualTo(1_000_000);
    assertThat(checker.wrong).isZero();
    assertThat(sender.connection().statistics().fastRecoveries()).isZero();
  }

  /** Whatever the path does to frames, the stream arrives as it was sent, and ends. */
  @Property(tries = 60, seed = "20260301")
  void theStreamSurvivesAnyPath(
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 8) int lossPercent,
      @ForAll @IntRange(min = 0, max = 10) int duplicatePercent,
      @ForAll @IntRange(min = 0, max = 20) int reorderPercent,
      @ForAll @IntRange(min = 0, max = 3) int corruptPercent) {
    Prng random = new Prng(seed);
    TcpConfig config = randomConfig(random);
    TcpConfig other = random.nextLong(2) == 0 ? config : randomConfig(random);
    TcpPair pair = new TcpPair(seed, config, other);
    long rate = 2_000_000L << random.nextLong(6);
    pair.toRight.line(rate, 20_000 + random.nextLong(200_000)).delayNanos(5 * MILLI);
    pair.toLeft.delayNanos(5 * MILLI);
    for (var path :
        new net.sluice.emulator.netsim.host.ImpairedPath[] {pair.toRight, pair.toLeft}) {
      path.random(
              lossPercent / 100.0,
              duplicatePercent / 100.0,
              reorderPercent / 100.0,
              corruptPercent / 100.0)
          .reorderNanos(20 * MILLI);
    }
    TcpPair.Checker checker = pair.serveChecker();
    long bytes = random.nextLong(300_000);
    TcpBulkSender sender = pair.bulk(bytes);
    pair.run(3_600 * SECOND);
    assertThat(checker.bytes).isEqualTo(bytes);
    assertThat(checker.wrong).isZero();
    assertThat(checker.remoteClosed).isTrue();
    // With everything lost that often, a connection may die of it, but not linger. The side that
    // closes second is reset if the first has gone after its wait.
    assertThat(sender.closeReason()).isNotNull();
    assertThat(checker.reason).isNotNull();
    assertThat(pair.client.connections() + pair.server.connections()).isZero();
    assertThat(sender.connection().statistics().ackedBytes()).isEqualTo(bytes);
    assertThat(pair.client.badSegments()).isLessThanOrEqualTo(2 * pair.toLeft.corrupted);
  }

  private static TcpConfig randomConfig(Prng random) {
    return TcpConfig.defaults()
        .withSack(random.nextLong(4) != 0)
        .withTimestamps(random.nextLong(4) != 0)
        .withWindowScaling(random.nextLong(4) != 0)
        .withEcn(random.nextLong(2) != 0)
        .withNagle(random.nextLong(2) != 0)
        .withCongestion(CongestionAlgorithm.values()[(int) random.nextLong(2)])
        .withReceiveBufferBytes(4_096 << random.nextLong(9))
        .withDelayedAckNanos(random.nextLong(100) * MILLI);
  }

  @Test
  void bothDirectionsAtOnceAndOverIpv6() {
    TcpPair pair = new TcpPair(8, TcpConfig.defaults());
    for (var path :
        new net.sluice.emulator.netsim.host.ImpairedPath[] {pair.toRight, pair.toLeft}) {
      path.line(20_000_000, 60_000).delayNanos(10 * MILLI).random(0.01, 0.01, 0.01, 0);
      path.reorderNanos(3 * MILLI);
    }
    TcpPair.Checker[] checkers = {new TcpPair.Checker(), new TcpPair.Checker()};
    TcpHandler server =
        new TcpHandler() {
          @Override
          public PayloadSource payload() {
            return TcpPair.PATTERN;
          }

          @Override
          public void onEstablished(TcpConnection connection) {
            connection.offer(2_000_000);
          }

          @Override
          public void onData(TcpConnection connection, byte[] bytes, int offset, int length) {
            checkers[0].onData(connection, bytes, offset, length);
            if (checkers[0].bytes == 3_000_000) {
              connection.close();
            }
          }
        };
    TcpHandler client =
        new TcpHandler() {
          @Override
          public PayloadSource payload() {
            return TcpPair.PATTERN;
          }

          @Override
          public void onData(TcpConnection connection, byte[] bytes, int offset, int length) {
            checkers[1].onData(connection, bytes, offset, length);
          }

          @Override
          public void onRemoteClosed(TcpConnection connection) {
            connection.close();
          }
        };
    pair.server.listen(TcpPair.PORT, (address, port) -> server);
    IpAddress to = IpAddress.of("2001:db8::2");
    TcpConnection connection = pair.client.connect(to, TcpPair.PORT, client);
    connection.offer(3_000_000);
    pair.run(100 * SECOND);
    assertThat(checkers[0].bytes).isEqualTo(3_000_000);
    assertThat(checkers[1].bytes).isEqualTo(2_000_000);
    assertThat(checkers[0].wrong + checkers[1].wrong).isZero();
    assertThat(connection.state()).isEqualTo(TcpState.CLOSED);
  }

  /** Twelve gigabytes would take long; a sequence number just below the wrap takes no time. */
  @Test
  void sequenceNumbersWrap() {
    for (int seed = 0; seed < 12; seed++) {
      TcpConfig config = TcpConfig.defaults().withSack(seed % 3 != 0);
      TcpPair pair = new TcpPair(seed, config).bottleneck(RATE_BPS, RTT, 30_000);
      // Both sides' numbers wrap within the transfer: the client's while it sends, the server's
      // with its first.
      int before = seed * 20_000;
      pair.client.setNextInitial(-before);
      pair.server.setNextInitial(-1);
      pair.toRight.random(0.01, 0, 0.01, 0).reorderNanos(5 * MILLI);
      TcpPair.Checker checker = pair.serveChecker();
      pair.bulk(260_000);
      pair.run(100 * SECOND);
      complete(pair, checker, 260_000);
    }
  }

  @Test
  void aSlowReaderIsNotOverrunAndGetsEverything() {
    TcpConfig config = TcpConfig.defaults().withReceiveBufferBytes(20_000);
    TcpPair pair = new TcpPair(4, TcpConfig.defaults(), config).bottleneck(RATE_BPS, RTT, BDP);
    TcpPair.Checker checker =
        new TcpPair.Checker() {
          @Override
          public void onEstablished(TcpConnection established) {
            super.onEstablished(established);
            established.pauseReading();
          }
        };
    pair.server.listen(TcpPair.PORT, (address, port) -> checker);
    TcpBulkSender sender = pair.bulk(300_000);
    pair.run(10 * SECOND);
    assertThat(checker.bytes).isZero();
    assertThat(checker.connection.waitingBytes()).isBetween(19_000L, 20_000L);
    assertThat(sender.connection().statistics().windowProbes()).isGreaterThan(2);
    assertThat(sender.connection().statistics().timeouts()).isZero();
    // The news of the opened window is lost: the next probe finds it open.
    pair.toLeft.lose(pair.toLeft.received + 1);
    checker.connection.read(20_000);
    for (int i = 0; i < 400 && !checker.remoteClosed; i++) {
      pair.run(pair.simulation.nowNanos() + 100 * MILLI);
      assertThat(checker.connection.waitingBytes()).isLessThanOrEqualTo(20_000);
      checker.connection.read(3_000);
    }
    assertThat(checker.bytes).isEqualTo(300_000);
    assertThat(checker.wrong).isZero();
    assertThat(sender.connection().statistics().retransmittedSegments()).isZero();
  }

  @Test
  void theSameSeedGivesTheSameRunAndAnotherOneAnother() {
    assertThat(fingerprint(7)).isEqualTo(fingerprint(7)).isNotEqualTo(fingerprint(8));
  }

  private static long fingerprint(long seed) {
    TcpPair pair = new TcpPair(seed, TcpConfig.defaults().withEcn(true));
    pair.bottleneck(RATE_BPS, RTT, BDP);
    pair.toRight.random(0.005, 0.005, 0.005, 0.005).reorderNanos(5 * MILLI);
    long[] hash = {17};
    pair.left.attach(
        (bytes, offset, length, tag, now) -> {
          hash[0] = hash[0] * 31 + now;
          for (int i = 0; i < 80 && i < length; i++) {
            hash[0] = hash[0] * 31 + bytes[offset + i];
          }
          pair.toRight.receive(bytes, offset, length, tag, now);
        });
    TcpSink.listen(pair.server, TcpPair.PORT);
    for (int i = 0; i < 3; i++) {
      TcpBulkSender.to(pair.client, pair.rightAddress(), TcpPair.PORT).start();
    }
    pair.run(5 * SECOND);
    return hash[0];
  }
}
