package net.sluice.emulator.netsim.host.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.host.tcp.congestion.CongestionAlgorithm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Opening and closing, and unexpected segments. */
class TcpConnectionTest {

  private static final TcpConfig PLAIN = TcpConfig.defaults().withTimestamps(false);

  /** Writes down what happens to a connection. */
  private static final class Log implements TcpHandler {
    final List<String> events = new ArrayList<>();
    boolean closeInReturn;

    @Override
    public void onEstablished(TcpConnection connection) {
      events.add("established");
    }

    @Override
    public void onData(TcpConnection connection, byte[] bytes, int offset, int length) {
      events.add("data " + length);
    }

    @Override
    public void onRemoteClosed(TcpConnection connection) {
      events.add("remote closed");
      if (closeInReturn) {
        connection.close();
      }
    }

    @Override
    public void onClosed(TcpConnection connection, CloseReason reason) {
      events.add("closed " + reason);
    }
  }

  @Test
  void theHandshakeOffersAndConfirmsOptions() {
    ScriptedPeer peer = new ScriptedPeer(TcpConfig.defaults().withEcn(true));
    Log log = new Log();
    TcpConnection connection = peer.stack.connect(IpAddress.of("10.0.0.2"), 7_000, log);
    assertThat(connection.state()).isEqualTo(TcpState.SYN_SENT);
    assertThat(peer.sent()).containsExactly("0 SEW 0:0");
    assertThat(peer.last.mss).isEqualTo(1_460);
    assertThat(peer.last.sackPermitted).isTrue();
    assertThat(peer.last.hasTimestamps).isTrue();
    // 4 MiB need a shift of seven.
    assertThat(peer.last.windowScale).isEqualTo(7);
    assertThat(peer.last.window).isEqualTo(65_535);
    assertThat(peer.lastEcnBits).isZero();
    peer.timestamps = true;
    TcpSegment answer = peer.segment(TcpSegment.SYN | TcpSegment.ACK | TcpSegment.ECE, 0, 1);
    answer.mss = 9_000;
    answer.sackPermitted = true;
    answer.windowScale = 2;
    peer.at(25);
    peer.give(answer, 0, 0);
    assertThat(peer.sent()).containsExactly("25 . 1:1 ack 1");
    assertThat(peer.last.timestampEcho).isEqualTo(1_000);
    assertThat(peer.last.window << 7).isEqualTo(4 << 20);
    assertThat(connection.state()).isEqualTo(TcpState.ESTABLISHED);
    assertThat(connection.statistics().srttNanos()).isEqualTo(25_000_000L);
    assertThat(connection.statistics().cwndBytes()).isEqualTo(14_480);
    assertThat(log.events).containsExactly("established");
    // Own MTU less headers and the timestamps of every segment.
    connection.offer(2_000);
    assertThat(peer.sent()).containsExactly("25 . 1:1449 ack 1", "25 P. 1449:2001 ack 1");
    assertThat(peer.lastEcnBits).isEqualTo(2);
  }

  @Test
  void aListenerConfirmsOnlyWhatWasOffered() {
    ScriptedPeer peer = new ScriptedPeer(TcpConfig.defaults().withEcn(true));
    peer.stack.listen(ScriptedPeer.HOST_PORT, (address, port) -> TcpHandler.NONE);
    peer.give(peer.segment(TcpSegment.SYN, 0, 0), 0, 0);
    assertThat(peer.sent()).containsExactly("0 S. 0:0 ack 1");
    assertThat(peer.last.mss).isEqualTo(1_460);
    assertThat(peer.last.sackPermitted).isFalse();
    assertThat(peer.last.hasTimestamps).isFalse();
    assertThat(peer.last.windowScale).isEqualTo(-1);
    ScriptedPeer full = new ScriptedPeer(TcpConfig.defaults().withEcn(true));
    full.stack.listen(ScriptedPeer.HOST_PORT, (address, port) -> TcpHandler.NONE);
    full.timestamps = true;
    TcpSegment syn = full.segment(TcpSegment.SYN | TcpSegment.ECE | TcpSegment.CWR, 0, 0);
    syn.sackPermitted = true;
    syn.windowScale = 0;
    full.give(syn, 0, 0);
    assertThat(full.sent()).containsExactly("0 S.E 0:0 ack 1");
    assertThat(full.last.sackPermitted).isTrue();
    assertThat(full.last.hasTimestamps).isTrue();
    assertThat(full.last.timestampEcho).isEqualTo(1_000);
    assertThat(full.last.windowScale).isEqualTo(7);
  }

  /** RFC 9768: the SYN/ACK's codepoint on an acknowledgement of its own, then the count, from 5. */
  @Test
  void pragueAsksForAccurateFeedback() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN.withCongestion(CongestionAlgorithm.PRAGUE));
    TcpConnection connection = peer.stack.connect(IpAddress.of("10.0.0.2"), 7_000, TcpHandler.NONE);
    connection.offer(1_000);
    assertThat(peer.sent()).containsExactly("0 SEWA 0:0");
    assertThat(peer.lastEcnBits).isZero();
    peer.at(10);
    peer.give(peer.segment(TcpSegment.SYN | TcpSegment.ACK | TcpSegment.CWR, 0, 1), 0, 0);
    assertThat(peer.sent()).first().isEqualTo("10 .W 1:1 ack 1");
    assertThat(peer.last.has(TcpSegment.AE) && peer.last.has(TcpSegment.ECE)).isTrue();
    assertThat(peer.last.has(TcpSegment.CWR)).isFalse();
    assertThat(peer.lastEcnBits).as("ECT(1)").isEqualTo(1);
    // A SYN/ACK that comes again is acknowledged in the same way.
    peer.sent();
    peer.give(peer.segment(TcpSegment.SYN | TcpSegment.ACK | TcpSegment.CWR, 0, 1), 0, 0);
    assertThat(peer.sent()).singleElement().asString().startsWith("10 .W ");
  }

  @ParameterizedTest
  @CsvSource({"001,2", "000,0", "111,0"})
  void pragueTakesWhatFeedbackThereIs(String synAck, int ecnBits) {
    ScriptedPeer peer = new ScriptedPeer(PLAIN.withCongestion(CongestionAlgorithm.PRAGUE));
    peer.openFromHost(
        TcpHandler.NONE, answer -> answer.flags |= AceField.flags(Integer.parseInt(synAck, 2)));
    peer.connection.offer(20_000);
    assertThat(peer.sent()).first().isEqualTo("10 . 1:1001 ack 1");
    assertThat(peer.lastEcnBits).isEqualTo(ecnBits);
    // Classic echoes halve the window, which NewReno has in place of Prague.
    peer.give(peer.segment(TcpSegment.ACK | TcpSegment.ECE, 1, 1_001), 0, 0);
    assertThat(peer.connection.statistics().cwndBytes()).isEqualTo(ecnBits == 0 ? 11_000 : 4_500);
  }

  @Test
  void aListenerWithEcnAgreesToWhatIsAskedFor() {
    for (int bits = 0; bits < 4; bits++) {
      ScriptedPeer peer = new ScriptedPeer(PLAIN.withEcn(true));
      peer.stack.listen(ScriptedPeer.HOST_PORT, (address, port) -> peer.checker);
      peer.give(peer.segment(TcpSegment.SYN | ScriptedPeer.ASKS_ACCURATE, 0, 0), 0, bits);
      assertThat(peer.sent())
          .containsExactly("0 S." + new String[] {"W", "EW", "A", "WA"}[bits] + " 0:0 ack 1");
      // The peer says which codepoint the SYN/ACK had; the count starts one later if that is CE.
      int report = bits == 3 ? TcpSegment.AE | TcpSegment.CWR : TcpSegment.CWR;
      peer.give(peer.segment(TcpSegment.ACK | report, 1, 1), 0, 0);
      peer.hostPort = ScriptedPeer.HOST_PORT;
      peer.checker.connection.offer(2_000);
      assertThat(peer.lastEcnBits).as("ECT(0)").isEqualTo(2);
      peer.give(peer.segment(TcpSegment.ACK | AceField.flags(bits == 3 ? 6 : 5), 1, 537), 0, 0);
      assertThat(peer.checker.connection.statistics().ecnReductions()).isZero();
      peer.give(peer.segment(TcpSegment.ACK | AceField.flags(bits == 3 ? 7 : 6), 1, 1_073), 0, 0);
      assertThat(peer.checker.connection.statistics().ecnReductions()).isEqualTo(1);
    }
    ScriptedPeer without = new ScriptedPeer(PLAIN);
    without.stack.listen(ScriptedPeer.HOST_PORT, (address, port) -> TcpHandler.NONE);
    without.give(without.segment(TcpSegment.SYN | ScriptedPeer.ASKS_ACCURATE, 0, 0), 0, 0);
    assertThat(without.sent()).containsExactly("0 S. 0:0 ack 1");
  }

  /** Table 4: a path or a host that clears the field cannot be believed. */
  @Test
  void aFieldOfZerosAfterTheHandshakeEndsEcnInThatDirection() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN.withEcn(true));
    peer.openToHost(syn -> syn.flags |= ScriptedPeer.ASKS_ACCURATE);
    peer.connection.offer(1_000);
    assertThat(peer.lastEcnBits).isZero();
    peer.give(peer.segment(TcpSegment.ACK, 1, 1), 1_000, 3);
    assertThat(AceField.value(peer.last)).as("still reports").isEqualTo(6);
  }

  @Test
  void withoutAnMssTheDefaultHolds() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN);
    peer.openFromHost(TcpHandler.NONE, answer -> answer.mss = -1);
    peer.connection.offer(1_000);
    assertThat(peer.sent()).containsExactly("10 . 1:537 ack 1", "10 P. 537:1001 ack 1");
  }

  @Test
  void lostSynsAreSentAgainAndCostTheInitialWindow() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN);
    Log log = new Log();
    TcpConnection connection = peer.stack.connect(IpAddress.of("10.0.0.2"), 7_000, log);
    connection.offer(10_000);
    peer.at(3_500);
    assertThat(peer.sent()).containsExactly("0 S 0:0", "1000 S 0:0", "3000 S 0:0");
    TcpSegment answer = peer.segment(TcpSegment.SYN | TcpSegment.ACK, 0, 1);
    answer.mss = 1_000;
    peer.give(answer, 0, 0);
    assertThat(peer.sent()).containsExactly("3500 . 1:1001 ack 1");
    // Not timed, as the answer may be to any of the three; backed off twice.
    assertThat(connection.statistics().srttNanos()).isZero();
    assertThat(connection.statistics().rtoNanos()).isEqualTo(4_000_000_000L);
  }

  @Test
  void nobodyAnswers() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN.withRetries(15, 3));
    Log log = new Log();
    peer.stack.connect(IpAddress.of("10.0.0.2"), 7_000, log);
    peer.at(20_000);
    assertThat(peer.sent()).containsExactly("0 S 0:0", "1000 S 0:0", "3000 S 0:0", "7000 S 0:0");
    assertThat(log.events).containsExactly("closed TIMED_OUT");
    assertThat(peer.stack.connections()).isZero();
  }

  @Test
  void aLostAnswerIsSentAgainWhenAskedForAndByTimer() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN);
    peer.stack.listen(ScriptedPeer.HOST_PORT, (address, port) -> peer.checker);
    TcpSegment syn = peer.segment(TcpSegment.SYN, 0, 0);
    peer.give(syn, 0, 0);
    peer.give(syn, 0, 0);
    peer.at(1_500);
    assertThat(peer.sent())
        .containsExactly("0 S. 0:0 ack 1", "0 S. 0:0 ack 1", "1000 S. 0:0 ack 1");
    peer.hostPort = ScriptedPeer.HOST_PORT;
    peer.give(1, 500, 1);
    assertThat(peer.checker.bytes).isEqualTo(500);
    peer.give(peer.segment(TcpSegment.SYN, 0, 0), 0, 0);
    assertThat(peer.sent()).containsExactly("1500 . 1:1 ack 501");
  }

  @Test
  void portsWithoutListenerAndStraySegmentsAreReset() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN);
    peer.give(peer.segment(TcpSegment.SYN, 0, 0), 0, 0);
    assertThat(peer.sent()).containsExactly("0 R. 0:0 ack 1");
    peer.give(peer.segment(TcpSegment.ACK, 5, 1_234), 10, 0);
    assertThat(peer.sent()).containsExactly("0 R 1234:1234");
    peer.give(peer.segment(TcpSegment.FIN, 5, 0), 10, 0);
    assertThat(peer.sent()).containsExactly("0 R. 0:0 ack 16");
    peer.give(peer.segment(TcpSegment.RST, 5, 0), 0, 0);
    assertThat(peer.sent()).isEmpty();
    assertThat(peer.stack.refusedSegments()).isEqualTo(3);
    Log log = new Log();
    TcpPair pair = new TcpPair(1, PLAIN).bottleneck(10_000_000, 20 * TcpPair.MILLI, 100_000);
    pair.client.connect(pair.rightAddress(), 9, log);
    pair.run(TcpPair.SECOND);
    assertThat(log.events).containsExactly("closed RESET");
  }

  @Test
  void anAnswerToAnotherSynIsResetAndTheRightOneStillCounts() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN);
    Log log = new Log();
    peer.stack.connect(IpAddress.of("10.0.0.2"), 7_000, log);
    peer.sent();
    peer.give(peer.segment(TcpSegment.SYN | TcpSegment.ACK, 0, 77), 0, 0);
    assertThat(peer.sent()).containsExactly("0 R 77:77");
    peer.give(peer.segment(TcpSegment.RST, 0, 0), 0, 0);
    peer.give(peer.segment(TcpSegment.ACK, 0, 1), 0, 0);
    assertThat(peer.sent()).isEmpty();
    peer.give(peer.segment(TcpSegment.SYN | TcpSegment.ACK, 0, 1), 0, 0);
    assertThat(log.events).containsExactly("established");
  }

  @Test
  void bothMayOpenAtTheSameTime() {
    TcpPair pair = new TcpPair(3, PLAIN);
    pair.toRight.delayNanos(10 * TcpPair.MILLI);
    pair.toLeft.delayNanos(10 * TcpPair.MILLI);
    Log left = new Log();
    Log right = new Log();
    // The first port each takes is 49152.
    TcpConnection a = pair.client.connect(pair.rightAddress(), 49_152, left);
    TcpConnection b = pair.server.connect(IpAddress.of("10.0.0.1"), 49_152, right);
    a.offer(5_000);
    b.offer(100);
    pair.run(500 * TcpPair.MILLI);
    assertThat(a.state()).isEqualTo(TcpState.ESTABLISHED);
    assertThat(b.state()).isEqualTo(TcpState.ESTABLISHED);
    assertThat(left.events).containsExactly("established", "data 100");
    assertThat(b.statistics().deliveredBytes()).isEqualTo(5_000);
    assertThat(pair.toRight.received).isLessThan(12);
  }

  @Test
  void theSideThatClosesFirstWaits() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN);
    Log log = new Log();
    peer.openFromHost(log, answer -> {});
    peer.connection.offer(100);
    peer.connection.close();
    peer.connection.close();
    assertThat(peer.sent()).containsExactly("10 P. 1:101 ack 1", "10 F. 101:101 ack 1");
    assertThat(peer.connection.state()).isEqualTo(TcpState.FIN_WAIT_1);
    assertThatThrownBy(() -> peer.connection.offer(1)).isInstanceOf(IllegalStateException.class);
    peer.give(1, 0, 102);
    assertThat(peer.connection.state()).isEqualTo(TcpState.FIN_WAIT_2);
    // The other direction is still open.
    peer.give(1, 50, 102);
    peer.give(peer.segment(TcpSegment.ACK | TcpSegment.FIN, 51, 102), 0, 0);
    assertThat(peer.connection.state()).isEqualTo(TcpState.TIME_WAIT);
    assertThat(peer.sent()).containsExactly("10 . 102:102 ack 52");
    peer.at(30_010);
    // The last acknowledgement was lost: it is given again, and the wait begins anew.
    peer.give(peer.segment(TcpSegment.ACK | TcpSegment.FIN, 51, 102), 0, 0);
    assertThat(peer.sent()).containsExactly("30010 . 102:102 ack 52");
    peer.at(90_009);
    assertThat(log.events).containsExactly("established", "data 50", "remote closed");
    assertThat(peer.stack.connections()).isEqualTo(1);
    peer.at(90_010);
    assertThat(log.events).last().isEqualTo("closed FINISHED");
    assertThat(peer.stack.connections()).isZero();
  }

  @Test
  void theSideThatClosesSecondIsDoneWithTheLastAcknowledgement() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN);
    Log log = new Log();
    peer.openFromHost(log, answer -> {});
    peer.give(peer.segment(TcpSegment.ACK | TcpSegment.FIN, 1, 1), 100, 0);
    assertThat(peer.sent()).containsExactly("10 . 1:1 ack 102");
    assertThat(peer.connection.state()).isEqualTo(TcpState.CLOSE_WAIT);
    assertThat(log.events).containsExactly("established", "data 100", "remote closed");
    peer.connection.offer(30);
    peer.connection.close();
    assertThat(peer.sent()).containsExactly("10 P. 1:31 ack 102", "10 F. 31:31 ack 102");
    assertThat(peer.connection.state()).isEqualTo(TcpState.LAST_ACK);
    peer.give(102, 0, 31);
    assertThat(peer.connection.state()).isEqualTo(TcpState.LAST_ACK);
    peer.give(102, 0, 32);
    assertThat(log.events).last().isEqualTo("closed FINISHED");
  }

  @Test
  void bothMayCloseAtTheSameTime() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN.withTimeWaitNanos(0));
    Log log = new Log();
    peer.openFromHost(log, answer -> {});
    peer.connection.close();
    peer.give(peer.segment(TcpSegment.ACK | TcpSegment.FIN, 1, 1), 0, 0);
    assertThat(peer.connection.state()).isEqualTo(TcpState.CLOSING);
    peer.give(2, 0, 2);
    peer.at(11);
    assertThat(log.events).containsExactly("established", "remote closed", "closed FINISHED");
  }

  @Test
  void aFinBeyondAGapOrBehindUnreadDataIsToldInItsPlace() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN);
    Log log = new Log();
    peer.openFromHost(log, answer -> {});
    peer.connection.pauseReading();
    peer.give(peer.segment(TcpSegment.ACK | TcpSegment.FIN, 101, 1), 100, 0);
    assertThat(peer.connection.state()).isEqualTo(TcpState.ESTABLISHED);
    peer.give(1, 100, 1);
    assertThat(peer.connection.state()).isEqualTo(TcpState.CLOSE_WAIT);
    assertThat(peer.sent()).last().isEqualTo("10 . 1:1 ack 202");
    assertThat(log.events).containsExactly("established");
    peer.connection.read(150);
    assertThat(log.events).containsExactly("established", "data 150");
    peer.connection.resumeReading();
    assertThat(log.events).containsExactly("established", "data 150", "data 50", "remote closed");
  }

  @Test
  void aLostFinIsSentAgain() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN);
    peer.openFromHost(TcpHandler.NONE, answer -> {});
    peer.connection.close();
    peer.at(300);
    peer.give(1, 0, 2);
    assertThat(peer.sent()).containsExactly("10 F. 1:1 ack 1", "220 F. 1:1 ack 1");
    assertThat(peer.connection.state()).isEqualTo(TcpState.FIN_WAIT_2);
  }

  /** RFC 5961: only a reset with exactly the next sequence number is believed. */
  @Test
  void resetsAndSynsThatMayBeForgedAreQuestioned() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN);
    Log log = new Log();
    peer.openFromHost(log, answer -> {});
    peer.give(peer.segment(TcpSegment.RST, 0, 0), 0, 0);
    peer.give(peer.segment(TcpSegment.RST, 100_000_000, 0), 0, 0);
    assertThat(peer.sent()).isEmpty();
    peer.give(peer.segment(TcpSegment.RST, 500, 0), 0, 0);
    peer.give(peer.segment(TcpSegment.SYN, 600, 0), 0, 0);
    assertThat(peer.sent()).containsExactly("10 . 1:1 ack 1", "10 . 1:1 ack 1");
    peer.give(peer.segment(0, 1, 1), 10, 0);
    assertThat(log.events).containsExactly("established");
    peer.give(peer.segment(TcpSegment.RST, 1, 0), 0, 0);
    assertThat(log.events).containsExactly("established", "closed RESET");
  }

  @Test
  void anAbortedConnectionTellsTheOtherSide() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN);
    Log log = new Log();
    peer.openFromHost(log, answer -> {});
    peer.connection.offer(100);
    peer.connection.abort();
    peer.connection.abort();
    assertThat(peer.sent()).containsExactly("10 P. 1:101 ack 1", "10 R. 101:101 ack 1");
    assertThat(log.events).containsExactly("established", "closed ABORTED");
    peer.give(1, 0, 101);
    assertThat(peer.sent()).containsExactly("10 R 101:101");
    peer.at(10_000);
    assertThat(peer.sent()).isEmpty();
  }

  @Test
  void anApplicationMayAbortWhileItIsBeingGivenData() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN);
    List<String> events = new ArrayList<>();
    peer.openFromHost(
        new TcpHandler() {
          @Override
          public void onData(TcpConnection connection, byte[] bytes, int offset, int length) {
            events.add("data " + length);
            connection.abort();
          }

          @Override
          public void onRemoteClosed(TcpConnection connection) {
            events.add("remote closed");
          }
        },
        answer -> {});
    peer.give(101, 100, 1);
    peer.sent();
    peer.give(peer.segment(TcpSegment.ACK | TcpSegment.FIN, 1, 1), 100, 0);
    peer.give(peer.segment(TcpSegment.ACK, 1, 1), 100, 0);
    assertThat(events).containsExactly("data 100");
    assertThat(peer.sent()).hasSize(2).allMatch(segment -> segment.startsWith("10 R"));
  }

  @Test
  void closingBeforeTheHandshakeIsDone() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN);
    Log log = new Log();
    TcpConnection connection = peer.stack.connect(IpAddress.of("10.0.0.2"), 7_000, log);
    connection.close();
    assertThat(log.events).containsExactly("closed ABORTED");
    assertThat(peer.stack.connections()).isZero();
    peer.at(5_000);
    assertThat(peer.sent()).containsExactly("0 S 0:0");
  }

  @Test
  void refusesWhatCannotWork() {
    TcpPair pair = new TcpPair(1, PLAIN);
    IpAddress to = pair.rightAddress();
    assertThatThrownBy(() -> pair.client.connect(to, 0, TcpHandler.NONE))
        .hasMessage("remotePort 0: must be 1..65535");
    assertThatThrownBy(() -> pair.client.connect(to, to, 9, TcpHandler.NONE))
        .hasMessage(
            "local address 10.0.0.2: must be an address of host left and of the family of"
                + " 10.0.0.2");
    pair.client.listen(9, (address, port) -> TcpHandler.NONE);
    assertThatThrownBy(() -> pair.client.listen(9, (address, port) -> TcpHandler.NONE))
        .hasMessage("TCP port 9 of host left: in use");
    pair.client.unlisten(9);
    pair.client.listen(9, (address, port) -> TcpHandler.NONE);
    assertThatThrownBy(() -> TcpStack.on(pair.left, PLAIN, 9))
        .hasMessage("protocol 6 of host left: registered already");
    TcpConnection connection = pair.client.connect(to, 9, TcpHandler.NONE);
    assertThatThrownBy(() -> connection.offer(-1)).hasMessage("bytes -1: must be at least 0");
    connection.close();
    assertThatThrownBy(() -> connection.offer(1))
        .hasMessage(
            "TCP connection 10.0.0.1 port 49152 to 10.0.0.2 port 9 (CLOSED) is closed: nothing"
                + " more can be sent");
    assertThatThrownBy(() -> PLAIN.withReceiveBufferBytes(4_095))
        .hasMessage("receiveBufferBytes 4095: must be 4096..1073741824");
    assertThatThrownBy(() -> PLAIN.withDelayedAckNanos(500_000_001))
        .hasMessage("delayedAckNanos 500000001: must be 0..500000000");
    assertThatThrownBy(() -> PLAIN.withRto(2_000_000, 1_000_000, 0, 1_999_999))
        .hasMessage("initialRtoNanos 2000000: must be 1000000..1999999");
    assertThatThrownBy(() -> PLAIN.withRetries(0, 1)).hasMessage("maxRetries 0: must be 1..100");
    assertThatThrownBy(() -> PLAIN.withTimeWaitNanos(-1))
        .hasMessage("timeWaitNanos -1: must be 0..600000000000");
  }
}
