package net.sluice.emulator.netsim.host.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The receiving half, segment by segment. */
class TcpReceiverTest {

  private static final TcpConfig PLAIN = TcpConfig.defaults().withTimestamps(false);

  private static ScriptedPeer open(TcpConfig config) {
    ScriptedPeer peer = new ScriptedPeer(config);
    peer.openToHost(
        syn -> {
          syn.sackPermitted = true;
          syn.windowScale = 0;
        });
    return peer;
  }

  @Test
  void everySecondSegmentIsAcknowledgedAtOnceAndASingleOneAfterFortyMillis() {
    ScriptedPeer peer = open(PLAIN);
    peer.give(1, 1_000, 1);
    assertThat(peer.sent()).isEmpty();
    peer.at(5);
    peer.give(1_001, 1_000, 1);
    assertThat(peer.sent()).containsExactly("5 . 1:1 ack 2001");
    peer.give(2_001, 100, 1);
    peer.at(44);
    assertThat(peer.sent()).isEmpty();
    peer.at(45);
    assertThat(peer.sent()).containsExactly("45 . 1:1 ack 2101");
    assertThat(peer.checker.bytes).isEqualTo(2_100);
    assertThat(peer.checker.wrong).isZero();
  }

  @Test
  void dataCarriesTheAcknowledgement() {
    ScriptedPeer peer = open(PLAIN);
    peer.give(1, 1_000, 1);
    peer.connection.offer(10);
    assertThat(peer.sent()).containsExactly("0 P. 1:11 ack 1001");
    peer.at(100);
    assertThat(peer.sent()).isEmpty();
  }

  @Test
  void gapsAreReportedAtOnceNewestFirst() {
    ScriptedPeer peer = open(PLAIN);
    peer.give(1_001, 1_000, 1);
    peer.give(3_001, 1_000, 1);
    peer.give(5_001, 1_000, 1);
    peer.give(7_001, 1_000, 1);
    peer.give(9_001, 1_000, 1);
    peer.give(2_001, 1_000, 1);
    assertThat(peer.sent())
        .containsExactly(
            "0 . 1:1 ack 1 sack 1001-2001",
            "0 . 1:1 ack 1 sack 3001-4001,1001-2001",
            "0 . 1:1 ack 1 sack 5001-6001,3001-4001,1001-2001",
            "0 . 1:1 ack 1 sack 7001-8001,5001-6001,3001-4001,1001-2001",
            "0 . 1:1 ack 1 sack 9001-10001,7001-8001,5001-6001,3001-4001",
            "0 . 1:1 ack 1 sack 1001-4001,9001-10001,7001-8001,5001-6001");
    // A part of a gap and a whole one are acknowledged at once, too.
    peer.give(1, 500, 1);
    assertThat(peer.sent()).last().asString().startsWith("0 . 1:1 ack 501 sack 1001-4001");
    peer.give(501, 500, 1);
    peer.give(4_001, 1_000, 1);
    peer.give(6_001, 1_000, 1);
    peer.give(8_001, 1_000, 1);
    assertThat(peer.sent())
        .containsExactly(
            "0 . 1:1 ack 4001 sack 9001-10001,7001-8001,5001-6001",
            "0 . 1:1 ack 6001 sack 9001-10001,7001-8001",
            "0 . 1:1 ack 8001 sack 9001-10001",
            "0 . 1:1 ack 10001");
    assertThat(peer.checker.bytes).isEqualTo(10_000);
    assertThat(peer.checker.wrong).isZero();
    assertThat(peer.connection.statistics().reorderedSegments()).isEqualTo(6);
  }

  @Test
  void withTimestampsThereIsRoomForThreeBlocks() {
    ScriptedPeer peer = new ScriptedPeer(TcpConfig.defaults());
    peer.timestamps = true;
    peer.openToHost(syn -> syn.sackPermitted = true);
    for (int i = 1; i < 10; i += 2) {
      peer.give(1 + 1_000 * i, 1_000, 1);
    }
    assertThat(peer.sent()).last().isEqualTo("0 . 1:1 ack 1 sack 9001-10001,7001-8001,5001-6001");
  }

  @Test
  void withoutPermissionNothingIsReported() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN);
    peer.openToHost(syn -> {});
    peer.give(1_001, 1_000, 1);
    assertThat(peer.sent()).containsExactly("0 . 1:1 ack 1");
  }

  @Test
  void duplicatesAndOverlapsAreDeliveredOnce() {
    ScriptedPeer peer = open(PLAIN);
    peer.give(1, 1_000, 1);
    peer.give(1, 1_000, 1);
    assertThat(peer.sent()).containsExactly("0 . 1:1 ack 1001");
    peer.give(501, 1_000, 1);
    peer.give(1_001, 1_000, 1);
    assertThat(peer.sent()).containsExactly("0 . 1:1 ack 2001");
    peer.give(3_001, 1_000, 1);
    peer.give(2_501, 1_000, 1);
    peer.give(1_501, 1_400, 1);
    assertThat(peer.sent()).last().isEqualTo("0 . 1:1 ack 4001");
    assertThat(peer.checker.bytes).isEqualTo(4_000);
    assertThat(peer.checker.wrong).isZero();
    assertThat(peer.connection.statistics().duplicateSegments()).isZero();
    assertThat(peer.connection.statistics().deliveredBytes()).isEqualTo(4_000);
  }

  @Test
  void theWindowClosesAsDataWaitsAndOpensWhenItIsRead() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN.withReceiveBufferBytes(5_000));
    peer.openToHost(syn -> syn.windowScale = 3);
    peer.connection.pauseReading();
    for (int i = 0; i < 6; i++) {
      peer.give(1 + 1_000 * i, 1_000, 1);
    }
    // Two by two, then the one that fills it after the delay, or at once what does not fit.
    assertThat(peer.sent())
        .containsExactly("0 . 1:1 ack 2001", "0 . 1:1 ack 4001", "0 . 1:1 ack 5001");
    assertThat(peer.last.window).isZero();
    assertThat(peer.checker.bytes).isZero();
    assertThat(peer.connection.waitingBytes()).isEqualTo(5_000);
    // A probe is answered and not taken.
    peer.give(5_001, 1, 1);
    assertThat(peer.sent()).containsExactly("0 . 1:1 ack 5001");
    // Too little to be worth a segment (RFC 9293, silly windows), then enough.
    peer.connection.read(1_459);
    assertThat(peer.sent()).isEmpty();
    peer.give(5_001, 1, 1);
    assertThat(peer.sent()).containsExactly("0 . 1:1 ack 5001");
    assertThat(peer.last.window).isZero();
    peer.connection.read(1);
    assertThat(peer.sent()).containsExactly("0 . 1:1 ack 5001");
    assertThat(peer.last.window).isEqualTo(1_460);
    assertThat(peer.checker.bytes).isEqualTo(1_460);
    peer.connection.resumeReading();
    assertThat(peer.sent()).containsExactly("0 . 1:1 ack 5001");
    assertThat(peer.last.window).isEqualTo(5_000);
    assertThat(peer.checker.bytes).isEqualTo(5_000);
    assertThat(peer.checker.wrong).isZero();
    peer.give(5_001, 1_000, 1);
    assertThat(peer.checker.bytes).isEqualTo(6_000);
  }

  @Test
  void anApplicationMayPauseInTheMiddle() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN);
    TcpPair.Checker checker = peer.checker;
    peer.stack.listen(
        81,
        (address, port) ->
            new TcpHandler() {
              @Override
              public void onData(TcpConnection from, byte[] bytes, int offset, int length) {
                from.pauseReading();
                peer.connection = from;
                checker.onData(from, bytes, offset, length);
              }
            });
    peer.hostPort = 81;
    TcpSegment syn = peer.segment(TcpSegment.SYN, 0, 0);
    peer.give(syn, 0, 0);
    peer.give(1, 0, 1);
    peer.give(1_001, 1_000, 1);
    peer.give(1, 1_000, 1);
    assertThat(checker.bytes).isEqualTo(1_000);
    assertThat(peer.connection.waitingBytes()).isEqualTo(1_000);
    peer.connection.resumeReading();
    assertThat(checker.bytes).isEqualTo(2_000);
    peer.give(2_001, 1_000, 1);
    peer.connection.read(400);
    assertThat(checker.bytes).isEqualTo(2_400);
    assertThat(checker.wrong).isZero();
  }

  @Test
  void windowsAreScaledAndNeverPromiseTooMuch() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN.withReceiveBufferBytes(1 << 20));
    peer.openToHost(syn -> syn.windowScale = 0);
    peer.give(1, 1_000, 1);
    peer.give(1_001, 1_000, 1);
    // 2^20 needs a shift of five.
    assertThat(peer.last.window << 5).isEqualTo(1 << 20);
    peer.connection.pauseReading();
    peer.give(2_001, 997, 1);
    peer.give(2_998, 1_000, 1);
    int promised = peer.last.window << 5;
    assertThat(promised).isBetween((1 << 20) - 1_997 - 31, (1 << 20) - 1_997);
    ScriptedPeer unscaled = new ScriptedPeer(PLAIN.withReceiveBufferBytes(1 << 20));
    unscaled.openToHost(syn -> {});
    unscaled.give(1, 1_000, 1);
    unscaled.give(1_001, 1_000, 1);
    assertThat(unscaled.last.window).isEqualTo(65_535);
  }

  /** RFC 3168: ECE on everything from the first CE until the sender says it has reacted. */
  @Test
  void congestionIsEchoedUntilTheSenderHasReacted() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN.withEcn(true));
    peer.openToHost(syn -> syn.flags |= TcpSegment.ECE | TcpSegment.CWR);
    peer.give(peer.segment(TcpSegment.ACK, 1, 1), 1_000, 2);
    peer.give(peer.segment(TcpSegment.ACK, 1_001, 1), 1_000, 3);
    peer.give(peer.segment(TcpSegment.ACK, 2_001, 1), 1_000, 2);
    peer.give(peer.segment(TcpSegment.ACK, 3_001, 1), 1_000, 2);
    peer.give(peer.segment(TcpSegment.ACK | TcpSegment.CWR, 4_001, 1), 1_000, 2);
    peer.give(peer.segment(TcpSegment.ACK, 5_001, 1), 1_000, 2);
    peer.give(peer.segment(TcpSegment.ACK | TcpSegment.CWR, 6_001, 1), 1_000, 3);
    peer.give(peer.segment(TcpSegment.ACK, 7_001, 1), 1_000, 2);
    assertThat(peer.sent())
        .containsExactly(
            "0 .E 1:1 ack 2001", "0 .E 1:1 ack 4001", "0 . 1:1 ack 6001", "0 .E 1:1 ack 8001");
    assertThat(peer.connection.statistics().ceMarks()).isEqualTo(2);
  }

  /** RFC 9768 section 3.2.2.5.1: at once when marks begin, then each second mark. */
  @Test
  void accurateFeedbackCountsMarksAndComesInTime() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN.withEcn(true));
    peer.openToHost(syn -> syn.flags |= ScriptedPeer.ASKS_ACCURATE);
    int[] codepoints = {1, 3, 3, 3, 1, 1, 3, 1, 1, 1};
    for (int i = 0; i < codepoints.length; i++) {
      peer.give(
          peer.segment(TcpSegment.ACK | AceField.flags(5), 1 + 1_000 * i, 1), 1_000, codepoints[i]);
    }
    assertThat(peer.sent())
        .containsExactly(
            "0 .WA 1:1 ack 2001", // 6, with the first mark
            "0 . 1:1 ack 4001", // 8 is 0
            "0 . 1:1 ack 6001",
            "0 .E 1:1 ack 7001", // 9 is 1
            "0 .E 1:1 ack 9001");
    assertThat(peer.connection.statistics().ceMarks()).isEqualTo(4);
    // CWR is part of the field: it ends no echo.
    peer.give(peer.segment(TcpSegment.ACK | TcpSegment.CWR, 10_001, 1), 1_000, 1);
    assertThat(peer.sent()).last().isEqualTo("0 .E 1:1 ack 11001");
    // Marks of acknowledgements count, and the third makes one.
    for (int i = 0; i < 3; i++) {
      assertThat(peer.sent()).isEmpty();
      peer.give(peer.segment(TcpSegment.ACK | AceField.flags(5), 11_001, 1), 0, 3);
    }
    assertThat(peer.sent()).containsExactly("0 .A 1:1 ack 11001");
  }

  @Test
  void withoutEcnNothingIsEchoed() {
    ScriptedPeer peer = open(PLAIN);
    peer.give(peer.segment(TcpSegment.ACK, 1, 1), 1_000, 3);
    peer.give(peer.segment(TcpSegment.ACK, 1_001, 1), 1_000, 3);
    assertThat(peer.sent()).containsExactly("0 . 1:1 ack 2001");
  }

  @Test
  void timestampsAreEchoedAndOldOnesRefused() {
    ScriptedPeer peer = new ScriptedPeer(TcpConfig.defaults());
    peer.timestamps = true;
    peer.peerTimestamp = Integer.MAX_VALUE - 5;
    peer.openToHost(syn -> {});
    peer.peerTimestamp += 10;
    peer.give(1, 1_000, 1);
    peer.peerTimestamp += 10;
    peer.give(1_001, 1_000, 1);
    // RFC 7323 section 4.3: with delayed acknowledgements, the earlier one's.
    assertThat(peer.last.timestampEcho).isEqualTo(Integer.MIN_VALUE + 4);
    peer.give(2_001, 1_000, 1);
    int recent = peer.peerTimestamp;
    peer.give(4_001, 1_000, 1);
    assertThat(peer.last.timestampEcho).isEqualTo(recent);
    peer.peerTimestamp = recent - 1;
    peer.sent();
    peer.give(3_001, 1_000, 1);
    assertThat(peer.sent()).containsExactly("0 . 1:1 ack 3001");
    assertThat(peer.checker.bytes).isEqualTo(3_000);
    peer.peerTimestamp = recent;
    peer.give(3_001, 1_000, 1);
    assertThat(peer.checker.bytes).isEqualTo(5_000);
  }

  @Test
  void segmentsWithAWrongChecksumAreIgnored() {
    ScriptedPeer peer = open(PLAIN);
    byte[][] frame = new byte[1][];
    // The same frame as below, caught on its way.
    peer.give(1, 1_000, 1);
    assertThat(peer.checker.bytes).isEqualTo(1_000);
    TcpPair pair = new TcpPair(1, PLAIN);
    TcpPair.Checker checker = pair.serveChecker();
    int[] count = new int[1];
    pair.left.attach(
        (bytes, offset, length, tag, now) -> {
          if (length > 500 && count[0] == 0) {
            count[0]++;
            frame[0] = java.util.Arrays.copyOfRange(bytes, offset, offset + length);
          } else {
            pair.toRight.receive(bytes, offset, length, tag, now);
          }
        });
    pair.toRight.delayNanos(TcpPair.MILLI);
    pair.toLeft.delayNanos(TcpPair.MILLI);
    pair.bulk(1_000);
    pair.run(10 * TcpPair.MILLI);
    assertThat(checker.bytes).isZero();
    // Every byte of the segment except the port, by which it would be for somebody else, and the
    // length of its header, which is checked first.
    for (int at = 34; at < frame[0].length; at += at < 60 ? 1 : 97) {
      byte[] damaged = frame[0].clone();
      damaged[at] ^= 4;
      pair.right.receive(damaged, 0, damaged.length, 0, pair.simulation.nowNanos());
      assertThat(checker.bytes).isZero();
    }
    assertThat(pair.server.badSegments()).isEqualTo(26 + (frame[0].length - 60 + 96) / 97);
    pair.right.receive(frame[0], 0, frame[0].length, 0, pair.simulation.nowNanos());
    assertThat(checker.bytes).isEqualTo(1_000);
    assertThat(checker.wrong).isZero();
  }
}
