package net.sluice.emulator.netsim.host.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TcpApplicationsTest {

  private static final long MILLI = TcpPair.MILLI;
  private static final long SECOND = TcpPair.SECOND;

  private final TcpPair pair =
      new TcpPair(1, TcpConfig.defaults()).bottleneck(10_000_000, 40 * MILLI, 50_000);
  private final TcpSink sink = TcpSink.listen(pair.server, TcpPair.PORT);

  @Test
  void aLimitedTransferSendsItsBytesAndCloses() {
    TcpBulkSender sender =
        TcpBulkSender.to(pair.client, pair.rightAddress(), TcpPair.PORT)
            .bytes(1_000_000)
            .startNanos(2 * SECOND)
            .start();
    assertThatThrownBy(sender::connection).hasMessage("the sender has not started yet");
    pair.run(2 * SECOND - 1);
    assertThat(pair.toRight.received).isZero();
    pair.run(10 * SECOND);
    TcpSink.Flow flow = sink.flows().get(0);
    assertThat(flow.totalBytes()).isEqualTo(1_000_000);
    assertThat(flow.closeReason()).isEqualTo(CloseReason.FINISHED);
    assertThat(flow.remotePort()).isEqualTo(49_152);
    assertThat(flow.remoteAddress()).hasToString("10.0.0.1");
    // The SYN's way there and back, then the first segment's.
    assertThat(sender.establishedNanos()).isBetween(2_040 * MILLI, 2_041 * MILLI);
    assertThat(flow.firstNanos()).isBetween(2_060 * MILLI, 2_063 * MILLI);
    assertThat(flow.lastNanos()).isBetween(2_860 * MILLI, 3_700 * MILLI);
    assertThat(sender.connection().state()).isEqualTo(TcpState.TIME_WAIT);
    assertThat(sender.closedNanos()).isEqualTo(-1);
    pair.run(100 * SECOND);
    assertThat(sender.closeReason()).isEqualTo(CloseReason.FINISHED);
    assertThat(sender.closedNanos()).isGreaterThan(62 * SECOND);
  }

  @Test
  void nothingAtAllIsATransferToo() {
    TcpBulkSender.to(pair.client, pair.rightAddress(), TcpPair.PORT).bytes(0).start();
    pair.run(SECOND);
    assertThat(sink.flows().get(0).totalBytes()).isZero();
    assertThat(sink.flows().get(0).closeReason()).isEqualTo(CloseReason.FINISHED);
  }

  @Test
  void anUnlimitedTransferStopsWhenItIsToldTo() {
    TcpBulkSender sender =
        TcpBulkSender.to(pair.client, pair.rightAddress(), TcpPair.PORT)
            .stopNanos(5 * SECOND)
            .start();
    pair.run(5 * SECOND - 1);
    assertThat(sender.connection().state()).isEqualTo(TcpState.ESTABLISHED);
    pair.run(6 * SECOND);
    assertThat(sender.connection().state()).isEqualTo(TcpState.TIME_WAIT);
    TcpStatistics statistics = sender.connection().statistics();
    assertThat(statistics.ackedBytes()).isEqualTo(statistics.sentBytes());
    assertThat(sink.flows().get(0).totalBytes()).isEqualTo(statistics.sentBytes());
    assertThat(sink.flows().get(0).lastNanos()).isLessThan(5_200 * MILLI);
    assertThat(sink.flows().get(0).closeReason()).isEqualTo(CloseReason.FINISHED);
  }

  @Test
  void aConstantRateIsHeldExactly() {
    TcpCbrSender sender =
        TcpCbrSender.to(pair.client, pair.rightAddress(), TcpPair.PORT, 3_000_000)
            .pieceBytes(1_000)
            .startNanos(SECOND)
            .stopNanos(21 * SECOND)
            .payload(TcpPair.PATTERN)
            .start();
    pair.run(2 * SECOND);
    sink.resetStatistics();
    pair.run(12 * SECOND);
    assertThat(sink.goodputBps()).isCloseTo(3_000_000, within(1_000.0));
    assertThat(sender.connection().backlogBytes()).isLessThan(40_000);
    pair.run(30 * SECOND);
    assertThat(sender.writtenBytes()).isEqualTo(20 * 3_000_000 / 8);
    assertThat(sender.skippedBytes()).isZero();
    assertThat(sink.flows().get(0).totalBytes()).isEqualTo(sender.writtenBytes());
    assertThat(sender.connection().statistics().cwndBytes()).isLessThan(60_000);
  }

  @Test
  void whatTcpCannotCarryIsSkippedAndCounted() {
    TcpCbrSender sender =
        TcpCbrSender.to(pair.client, pair.rightAddress(), TcpPair.PORT, 20_000_000)
            .maxBacklogBytes(200_000)
            .stopNanos(10 * SECOND)
            .start();
    for (int i = 1; i <= 20; i++) {
      pair.run(i * 500 * MILLI - 1);
      assertThat(sender.connection().backlogBytes()).isLessThanOrEqualTo(200_000);
    }
    assertThat(sender.skippedBytes()).isGreaterThan(10_000_000);
    assertThat(sender.writtenBytes() + sender.skippedBytes()).isEqualTo(25_000_000);
    pair.run(20 * SECOND);
    assertThat(sink.flows().get(0).totalBytes()).isEqualTo(sender.writtenBytes());
  }

  @Test
  void aSinkAddsUpAndForgets() {
    for (int i = 0; i < 2; i++) {
      TcpBulkSender.to(pair.client, pair.rightAddress(), TcpPair.PORT).bytes(100_000).start();
    }
    pair.run(2 * SECOND);
    assertThat(sink.bytes()).isEqualTo(200_000);
    assertThat(sink.goodputBps()).isEqualTo(800_000);
    assertThat(sink.flows().get(1).goodputBps()).isEqualTo(400_000);
    sink.resetStatistics();
    assertThat(sink.goodputBps()).isZero();
    pair.run(3 * SECOND);
    assertThat(sink.bytes()).isZero();
    assertThat(sink.flows().get(0).totalBytes()).isEqualTo(100_000);
  }

  @Test
  void refusesWhatCannotWork() {
    TcpBulkSender.Builder bulk = TcpBulkSender.to(pair.client, pair.rightAddress(), TcpPair.PORT);
    assertThatThrownBy(() -> bulk.bytes(-1)).hasMessage("bytes -1: must be at least 0");
    assertThatThrownBy(() -> bulk.startNanos(5).stopNanos(4).start())
        .hasMessage("stopNanos 4: must be at least the start, 5");
    TcpCbrSender.Builder cbr =
        TcpCbrSender.to(pair.client, pair.rightAddress(), TcpPair.PORT, 1_000);
    assertThatThrownBy(() -> cbr.pieceBytes(0)).hasMessage("pieceBytes 0: must be 1..1048576");
    assertThatThrownBy(() -> cbr.maxBacklogBytes(1_249).start())
        .hasMessage("maxBacklogBytes 1249: must be at least pieceBytes, 1250");
    assertThatThrownBy(
            () -> TcpCbrSender.to(pair.client, pair.rightAddress(), TcpPair.PORT, 0).start())
        .hasMessage("rateBps 0: must be 1..10000000000000");
  }
}
