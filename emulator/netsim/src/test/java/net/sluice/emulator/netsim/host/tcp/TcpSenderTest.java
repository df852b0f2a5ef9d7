package net.sluice.emulator.netsim.host.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.netsim.host.tcp.congestion.CongestionAlgorithm;
import org.junit.jupiter.api.Test;

/** The sending half, segment by segment. The round trip of the handshake is 10 ms. */
class TcpSenderTest {

  private static final TcpConfig PLAIN =
      TcpConfig.defaults().withTimestamps(false).withCongestion(CongestionAlgorithm.NEW_RENO);

  private static ScriptedPeer open(TcpConfig config, long bytes) {
    return open(config, bytes, 1_000_000);
  }

  private static ScriptedPeer open(TcpConfig config, long bytes, int windowBytes) {
    ScriptedPeer peer = new ScriptedPeer(config);
    peer.openFromHost(
        TcpHandler.NONE,
        answer -> {
          answer.sackPermitted = true;
          answer.windowScale = 0;
          answer.window = Math.min(0xffff, windowBytes);
        });
    peer.connection.offer(bytes);
    return peer;
  }

  private static List<String> segments(int from, int to) {
    List<String> expected = new ArrayList<>();
    for (int i = from; i < to; i++) {
      expected.add(segment(i));
    }
    return expected;
  }

  /** Segment i of a thousand bytes, as logged at 10 ms. */
  private static String segment(int i) {
    return "10 . " + (1 + 1_000 * i) + ":" + (1_001 + 1_000 * i) + " ack 1";
  }

  @Test
  void slowStartSendsTenSegmentsThenTwoPerAcknowledgedOneUpToTwo() {
    ScriptedPeer peer = open(PLAIN, Long.MAX_VALUE);
    assertThat(peer.sent()).isEqualTo(segments(0, 10));
    peer.give(1, 0, 1_001);
    assertThat(peer.sent()).isEqualTo(segments(10, 12));
    peer.give(1, 0, 3_001);
    assertThat(peer.sent()).isEqualTo(segments(12, 16));
    // Appropriate byte counting stops at two segments' worth of growth.
    peer.give(1, 0, 7_001);
    assertThat(peer.sent()).isEqualTo(segments(16, 22));
    assertThat(peer.connection.statistics().cwndBytes()).isEqualTo(15_000);
  }

  @Test
  void theLastSegmentIsPushedAndCarriesTheFin() {
    ScriptedPeer peer = open(PLAIN, 2_500);
    assertThat(peer.sent())
        .containsExactly("10 . 1:1001 ack 1", "10 . 1001:2001 ack 1", "10 P. 2001:2501 ack 1");
    peer.connection.offer(100);
    peer.connection.close();
    assertThat(peer.sent()).containsExactly("10 P. 2501:2601 ack 1", "10 F. 2601:2601 ack 1");
    ScriptedPeer waiting = open(PLAIN, 20_500);
    waiting.connection.close();
    waiting.sent();
    waiting.give(1, 0, 10_001);
    assertThat(waiting.sent())
        .hasSize(11)
        .endsWith("10 . 19001:20001 ack 1", "10 FP. 20001:20501 ack 1");
  }

  @Test
  void threeDuplicatesWithSackStartARecoveryByPipe() {
    ScriptedPeer peer = open(PLAIN, Long.MAX_VALUE);
    peer.sent();
    // The first segment is lost. Limited transmit sends one new segment for each SACK.
    peer.giveSack(1, 1_001, 2_001);
    assertThat(peer.sent()).isEqualTo(segments(10, 11));
    peer.giveSack(1, 1_001, 3_001);
    assertThat(peer.sent()).isEqualTo(segments(11, 12));
    peer.giveSack(1, 1_001, 4_001);
    // Half of ten segments; eight are in the pipe, and the one sent again.
    assertThat(peer.sent()).containsExactly(segment(0));
    assertThat(peer.connection.statistics().cwndBytes()).isEqualTo(5_000);
    for (int i = 4; i < 8; i++) {
      peer.giveSack(1, 1_001, 1_001 + 1_000 * i);
    }
    assertThat(peer.sent()).isEmpty();
    // Pipe: twelve sent, eight SACKed, one lost but sent again: four. One more fits.
    peer.giveSack(1, 1_001, 9_001);
    assertThat(peer.sent()).isEqualTo(segments(12, 13));
    // Everything up to where the recovery began: it is over, without another retransmission.
    peer.give(1, 0, 12_001);
    assertThat(peer.sent()).isEqualTo(segments(13, 17));
    TcpStatistics statistics = peer.connection.statistics();
    assertThat(statistics.fastRecoveries()).isEqualTo(1);
    assertThat(statistics.retransmittedSegments()).isEqualTo(1);
    assertThat(statistics.timeouts()).isZero();
  }

  @Test
  void severalHolesAreFilledInOneRecovery() {
    ScriptedPeer peer = open(PLAIN, 10_000);
    peer.sent();
    // Segments 0, 2 and 4 are lost.
    peer.giveSack(1, 1_001, 2_001);
    peer.giveSack(1, 3_001, 4_001, 1_001, 2_001);
    peer.giveSack(1, 5_001, 6_001, 3_001, 4_001, 1_001, 2_001);
    assertThat(peer.sent()).containsExactly(segment(0));
    peer.giveSack(1, 5_001, 7_001, 3_001, 4_001, 1_001, 2_001);
    // The window is five. In the pipe are the resent 0, then 2 and 4 until more than two segments
    // above them are SACKed, and 7, 8 and 9 until they are. When no hole is left and there is room,
    // the last segment is sent as a rescue.
    peer.giveSack(1, 5_001, 8_001, 3_001, 4_001, 1_001, 2_001);
    peer.giveSack(1, 5_001, 9_001, 3_001, 4_001, 1_001, 2_001);
    peer.giveSack(1, 5_001, 10_001, 3_001, 4_001, 1_001, 2_001);
    assertThat(peer.sent()).containsExactly(segment(2), segment(4), segment(9));
    peer.give(1, 0, 10_001);
    assertThat(peer.connection.statistics().fastRecoveries()).isEqualTo(1);
    assertThat(peer.connection.backlogBytes()).isZero();
  }

  /** RFC 6675 NextSeg() rule 4: a lost tail behind a recovery is probed with its last segment. */
  @Test
  void theLastSegmentIsRescued() {
    ScriptedPeer peer = open(PLAIN, 10_000);
    peer.sent();
    // 0 and 9 are lost; nothing will ever be SACKed above 9.
    for (int i = 2; i < 10; i++) {
      peer.giveSack(1, 1_001, 1 + 1_000 * i);
    }
    assertThat(peer.sent()).containsExactly(segment(0), segment(9));
    peer.give(1, 0, 9_001);
    peer.at(20);
    assertThat(peer.sent()).isEmpty();
    peer.give(1, 0, 10_001);
    assertThat(peer.connection.statistics().timeouts()).isZero();
  }

  @Test
  void withoutSackRecoveryGoesFromHoleToHole() {
    ScriptedPeer peer = open(PLAIN.withSack(false), Long.MAX_VALUE);
    peer.sent();
    // 0 and 3 are lost.
    peer.give(1, 0, 1);
    peer.give(1, 0, 1);
    assertThat(peer.sent()).isEqualTo(segments(10, 12));
    peer.give(1, 0, 1);
    assertThat(peer.sent()).containsExactly(segment(0));
    assertThat(peer.connection.statistics().cwndBytes()).isEqualTo(5_000);
    // Twelve in flight; the window is five, inflated by one for each duplicate.
    for (int i = 4; i <= 7; i++) {
      peer.give(1, 0, 1);
    }
    assertThat(peer.sent()).isEmpty();
    peer.give(1, 0, 1);
    assertThat(peer.sent()).isEqualTo(segments(12, 13));
    // A partial acknowledgement: the next hole, deflation by what left, plus one segment.
    peer.give(1, 0, 3_001);
    assertThat(peer.sent()).containsExactly(segment(3), segment(13));
    peer.give(1, 0, 12_001);
    assertThat(peer.connection.statistics().fastRecoveries()).isEqualTo(1);
    assertThat(peer.connection.statistics().retransmittedSegments()).isEqualTo(2);
    // min (ssthresh, max (flight, SMSS) + SMSS): two are in flight.
    assertThat(peer.connection.statistics().cwndBytes()).isEqualTo(3_000);
    assertThat(peer.sent()).isEqualTo(segments(14, 15));
  }

  /** RFC 2581: the second hole of a window waits for a timeout. */
  @Test
  void withoutPartialAcksRecoveryEndsAtTheFirstNewAcknowledgement() {
    ScriptedPeer peer = open(PLAIN.withSack(false).withPartialAcks(false), Long.MAX_VALUE);
    // 0 and 3 are lost.
    for (int i = 0; i < 3; i++) {
      peer.give(1, 0, 1);
    }
    assertThat(peer.sent()).contains(segment(0));
    for (int i = 0; i < 7; i++) {
      peer.give(1, 0, 1);
    }
    peer.give(1, 0, 3_001);
    assertThat(peer.connection.statistics().cwndBytes()).isLessThanOrEqualTo(5_000);
    for (int i = 0; i < 4; i++) {
      peer.give(1, 0, 3_001);
    }
    assertThat(peer.sent()).doesNotContain(segment(3));
    assertThat(peer.connection.statistics().fastRecoveries()).isEqualTo(1);
    peer.at(1_000);
    assertThat(peer.connection.statistics().timeouts()).isPositive();
    assertThat(peer.sent()).anyMatch(line -> line.endsWith("3001:4001 ack 1"));
  }

  @Test
  void aWindowCanBeginWithFewerSegments() {
    ScriptedPeer peer = open(PLAIN.withInitialSegments(1), Long.MAX_VALUE);
    assertThat(peer.sent()).isEqualTo(segments(0, 1));
    peer.give(1, 0, 1_001);
    assertThat(peer.sent()).isEqualTo(segments(1, 3));
  }

  @Test
  void segmentsAreNoLongerThanTold() {
    ScriptedPeer peer = open(PLAIN.withMaxSegmentBytes(600), 1_500);
    assertThat(peer.sent())
        .containsExactly("10 . 1:601 ack 1", "10 . 601:1201 ack 1", "10 P. 1201:1501 ack 1");
  }

  @Test
  void aTimeoutStartsFromOneSegmentAndBacksOff() {
    ScriptedPeer peer = open(PLAIN, 20_000);
    peer.sent();
    // srtt 10 ms, granularity 200 ms.
    peer.at(219);
    assertThat(peer.sent()).isEmpty();
    peer.at(220);
    assertThat(peer.sent()).containsExactly("220 . 1:1001 ack 1");
    peer.at(220 + 420);
    peer.at(220 + 420 + 840);
    assertThat(peer.sent()).containsExactly("640 . 1:1001 ack 1", "1480 . 1:1001 ack 1");
    assertThat(peer.connection.statistics().timeouts()).isEqualTo(3);
    assertThat(peer.connection.statistics().ssthreshBytes()).isEqualTo(5_000);
    // The receiver had everything but the first: nothing more is sent again.
    peer.give(1, 0, 10_001);
    assertThat(peer.sent()).containsExactly("1480 . 10001:11001 ack 1", "1480 . 11001:12001 ack 1");
    // Karn: the backed-off timeout stays until something is timed.
    assertThat(peer.connection.statistics().rtoNanos()).isEqualTo(1_680 * 1_000_000L);
    peer.at(1_500);
    peer.give(1, 0, 12_001);
    assertThat(peer.connection.statistics().rtoNanos()).isLessThan(220 * 1_000_000L);
  }

  @Test
  void aFullSegmentWithAFinIsSentAgainThoughItIsLongerThanTheWindow() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN);
    peer.openFromHost(
        new TcpHandler() {
          @Override
          public void onEstablished(TcpConnection connection) {
            connection.offer(1_000);
            connection.close();
          }
        },
        answer -> {});
    peer.at(250);
    assertThat(peer.sent()).containsExactly("220 F. 1:1001 ack 1");
  }

  /**
   * RFC 6582 section 3.2: only the first partial acknowledgement restarts the timer, and duplicates
   * of what a timeout has dealt with start no recovery.
   */
  @Test
  void withoutSackARecoveryOfManyHolesEndsInATimeoutAndStartsNoOther() {
    ScriptedPeer peer = open(PLAIN.withSack(false), Long.MAX_VALUE);
    peer.sent();
    for (int i = 0; i < 3; i++) {
      peer.give(1, 0, 1);
    }
    peer.at(100);
    peer.give(1, 0, 1_001);
    long rto = peer.connection.statistics().rtoNanos() / 1_000_000;
    peer.at(150);
    peer.give(1, 0, 2_001);
    peer.at(100 + rto - 1);
    assertThat(peer.connection.statistics().timeouts()).isZero();
    peer.at(100 + rto + 1);
    assertThat(peer.connection.statistics().timeouts()).isEqualTo(1);
    int sent = (int) peer.connection.statistics().sentBytes();
    peer.give(1, 0, 1 + sent);
    for (int i = 0; i < 4; i++) {
      peer.give(1, 0, 1 + sent);
    }
    assertThat(peer.connection.statistics().fastRecoveries()).isEqualTo(1);
  }

  @Test
  void afterATimeoutHolesAreFilledAndSackedDataIsLeftAlone() {
    ScriptedPeer peer = open(PLAIN, 10_000);
    peer.sent();
    peer.giveSack(1, 2_001, 4_001);
    peer.at(220);
    assertThat(peer.sent()).containsExactly("220 . 1:1001 ack 1");
    peer.giveSack(1_001, 2_001, 4_001);
    assertThat(peer.sent()).containsExactly("220 . 1001:2001 ack 1", "220 . 4001:5001 ack 1");
    peer.give(1, 0, 10_001);
    assertThat(peer.connection.statistics().retransmittedSegments()).isEqualTo(3);
  }

  @Test
  void aReceiverThatTakesBackWhatItHasSackedGetsItAgain() {
    ScriptedPeer peer = open(PLAIN, 3_000);
    peer.sent();
    peer.giveSack(1, 1_001, 3_001);
    peer.give(1, 0, 1_001);
    peer.at(240);
    assertThat(peer.sent()).containsExactly("219 . 1001:2001 ack 1");
    peer.give(1, 0, 2_001);
    assertThat(peer.sent()).containsExactly("240 . 2001:3001 ack 1");
  }

  @Test
  void aConnectionWithoutAnswersEnds() {
    CloseReason[] reason = new CloseReason[1];
    ScriptedPeer peer = new ScriptedPeer(PLAIN.withRetries(3, 2));
    peer.openFromHost(
        new TcpHandler() {
          @Override
          public void onClosed(TcpConnection connection, CloseReason why) {
            reason[0] = why;
          }
        },
        answer -> {});
    peer.connection.offer(100);
    peer.at(100_000);
    assertThat(peer.sent())
        .containsExactly(
            "10 P. 1:101 ack 1", "220 . 1:101 ack 1", "640 . 1:101 ack 1", "1480 . 1:101 ack 1");
    assertThat(reason[0]).isEqualTo(CloseReason.TIMED_OUT);
    assertThat(peer.stack.connections()).isZero();
  }

  @Test
  void aClosedWindowIsProbedAndItsOpeningUsed() {
    ScriptedPeer peer = open(PLAIN, 5_000, 2_000);
    assertThat(peer.sent()).hasSize(2);
    TcpSegment full = peer.segment(TcpSegment.ACK, 1, 2_001);
    full.window = 0;
    peer.give(full, 0, 0);
    for (long millis : new long[] {218, 219, 637, 1_472}) {
      peer.at(millis);
      if (millis > 218) {
        peer.give(full, 0, 0);
      }
    }
    // One byte beyond the window, at the timeout (208.75 ms), then twice and twice again.
    assertThat(peer.sent())
        .containsExactly(
            "218 . 2001:2002 ack 1", "636 . 2001:2002 ack 1", "1471 . 2001:2002 ack 1");
    assertThat(peer.connection.statistics().windowProbes()).isEqualTo(3);
    assertThat(peer.connection.statistics().timeouts()).isZero();
    TcpSegment open = peer.segment(TcpSegment.ACK, 1, 2_001);
    open.window = 1_500;
    peer.give(open, 0, 0);
    assertThat(peer.sent()).containsExactly("1472 . 2001:3001 ack 1");
    // It is in flight now, and has an ordinary timer.
    peer.at(1_681);
    assertThat(peer.sent()).containsExactly("1680 . 2001:3001 ack 1");
    open.acknowledgement += 1_000;
    open.window = 60_000;
    peer.give(open, 0, 0);
    assertThat(peer.sent()).containsExactly("1681 . 3001:4001 ack 1", "1681 P. 4001:5001 ack 1");
  }

  @Test
  void aProbeThatIsTakenMovesTheStreamOn() {
    ScriptedPeer peer = open(PLAIN, 3_000, 1_000);
    TcpSegment full = peer.segment(TcpSegment.ACK, 1, 1_001);
    full.window = 0;
    peer.give(full, 0, 0);
    peer.at(220);
    peer.sent();
    TcpSegment taken = peer.segment(TcpSegment.ACK, 1, 1_002);
    taken.window = 9_999;
    peer.give(taken, 0, 0);
    assertThat(peer.sent()).containsExactly("220 . 1002:2002 ack 1", "220 P. 2002:3001 ack 1");
    peer.give(1, 0, 3_001);
    assertThat(peer.connection.statistics().ackedBytes()).isEqualTo(3_000);
  }

  @Test
  void smallWindowsAreNotFilledWithSmallSegmentsAtOnce() {
    ScriptedPeer peer = open(PLAIN, 50_000, 10_000);
    peer.sent();
    TcpSegment small = peer.segment(TcpSegment.ACK, 1, 10_001);
    small.window = 300;
    peer.give(small, 0, 0);
    assertThat(peer.sent()).isEmpty();
    // RFC 9293 section 3.8.6.2.1: after a while anything is better than nothing.
    peer.at(220);
    assertThat(peer.sent()).containsExactly("219 . 10001:10301 ack 1");
  }

  @Test
  void nagleHoldsSmallSegmentsWhileSomethingIsInFlight() {
    ScriptedPeer peer = open(PLAIN.withNagle(true), 100);
    assertThat(peer.sent()).containsExactly("10 P. 1:101 ack 1");
    peer.connection.offer(100);
    peer.connection.offer(100);
    assertThat(peer.sent()).isEmpty();
    peer.give(1, 0, 101);
    assertThat(peer.sent()).containsExactly("10 P. 101:301 ack 1");
    ScriptedPeer without = open(PLAIN, 100);
    without.connection.offer(100);
    assertThat(without.sent()).containsExactly("10 P. 1:101 ack 1", "10 P. 101:201 ack 1");
  }

  private static ScriptedPeer openEcn() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN.withEcn(true));
    peer.openFromHost(
        TcpHandler.NONE,
        answer -> {
          answer.flags |= TcpSegment.ECE;
          answer.sackPermitted = true;
        });
    peer.connection.offer(Long.MAX_VALUE);
    return peer;
  }

  private static void echo(ScriptedPeer peer, int ack) {
    peer.give(peer.segment(TcpSegment.ACK | TcpSegment.ECE, 1, ack), 0, 0);
  }

  @Test
  void echoesReduceOncePerWindowAndTheNextSegmentSaysSo() {
    ScriptedPeer peer = openEcn();
    assertThat(peer.lastEcnBits).as("ECT(0)").isEqualTo(2);
    peer.sent();
    echo(peer, 1_001);
    // Nine in flight when it was reduced.
    assertThat(peer.connection.statistics().cwndBytes()).isEqualTo(4_500);
    for (int i = 2; i <= 5; i++) {
      echo(peer, 1 + 1_000 * i);
    }
    assertThat(peer.sent()).isEmpty();
    assertThat(peer.connection.statistics().cwndBytes()).isEqualTo(4_500);
    echo(peer, 6_001);
    echo(peer, 7_001);
    assertThat(peer.sent()).containsExactly("10 .W 10001:11001 ack 1");
    assertThat(peer.connection.statistics().ecnReductions()).isEqualTo(1);
    peer.give(1, 0, 10_001);
    echo(peer, 11_001);
    assertThat(peer.connection.statistics().ecnReductions()).isEqualTo(2);
  }

  private static void report(ScriptedPeer peer, int ack, long count) {
    peer.give(peer.segment(TcpSegment.ACK | AceField.flags(count), 1, ack), 0, 0);
  }

  private static ScriptedPeer openPrague() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN.withCongestion(CongestionAlgorithm.PRAGUE));
    peer.openFromHost(
        TcpHandler.NONE,
        answer -> {
          answer.flags |= TcpSegment.CWR;
          answer.sackPermitted = true;
        });
    peer.connection.offer(Long.MAX_VALUE);
    // Ten segments, paced over the handshake's round trip.
    peer.at(20);
    assertThat(peer.sent()).hasSize(10);
    return peer;
  }

  @Test
  void reportsOfMarksReduceOncePerWindow() {
    ScriptedPeer peer = openPrague();
    report(peer, 1_001, 6);
    assertThat(peer.connection.statistics().cwndBytes()).isEqualTo(5_000);
    for (int i = 2; i <= 10; i++) {
      // The acknowledgement of all of the window reports marks of that window still.
      report(peer, 1 + 1_000 * i, 5 + i);
    }
    assertThat(peer.connection.statistics().ecnReductions()).isEqualTo(1);
    peer.at(30);
    report(peer, 11_001, 16);
    assertThat(peer.connection.statistics().ecnReductions()).isEqualTo(2);
    assertThat(peer.sent()).noneMatch(line -> line.contains("W"));
  }

  @Test
  void aLossInAWindowThatMarksHaveReducedHalvesIt() {
    ScriptedPeer peer = openPrague();
    report(peer, 1_001, 6);
    assertThat(peer.connection.statistics().cwndBytes()).isEqualTo(5_000);
    for (int i = 3; i < 6; i++) {
      TcpSegment sack = peer.segment(TcpSegment.ACK | AceField.flags(6), 1, 1_001);
      sack.sackBlocks = 1;
      sack.sackLeft[0] = peer.hostInitial + 2_001;
      sack.sackRight[0] = peer.hostInitial + 1 + 1_000 * i;
      peer.give(sack, 0, 0);
    }
    assertThat(peer.connection.statistics().fastRecoveries()).isEqualTo(1);
    assertThat(peer.connection.statistics().cwndBytes()).isEqualTo(2_500);
  }

  /** An acknowledgement that others have overtaken has an old count, which is no growth. */
  @Test
  void oldReportsCountForNothing() {
    ScriptedPeer peer = openPrague();
    report(peer, 3_001, 5);
    report(peer, 1_001, 4);
    report(peer, 3_001, 4);
    assertThat(peer.connection.statistics().ecnReductions()).isZero();
  }

  @Test
  void whatIsSentAgainIsNotEcnCapable() {
    ScriptedPeer peer = openEcn();
    peer.sent();
    for (int i = 2; i < 5; i++) {
      peer.giveSack(1, 1_001, 1 + 1_000 * i);
    }
    assertThat(peer.sent()).last().isEqualTo(segment(0));
    assertThat(peer.lastEcnBits).isZero();
    // An echo for the window that the loss has reduced already changes nothing.
    long cwnd = peer.connection.statistics().cwndBytes();
    echo(peer, 1);
    assertThat(peer.connection.statistics().cwndBytes()).isEqualTo(cwnd);
    assertThat(peer.connection.statistics().ecnReductions()).isZero();
    // CWR tells of any reduction.
    peer.give(1, 0, 12_001);
    assertThat(peer.sent().get(0)).startsWith("10 .W 12001:");
  }

  @Test
  void echoesMeanNothingWithoutNegotiation() {
    ScriptedPeer peer = open(PLAIN, Long.MAX_VALUE);
    assertThat(peer.lastEcnBits).isZero();
    echo(peer, 1_001);
    assertThat(peer.connection.statistics().cwndBytes()).isEqualTo(11_000);
  }

  @Test
  void acknowledgementsOfWhatWasNeverSentAreAnsweredAndIgnored() {
    ScriptedPeer peer = open(PLAIN, 1_000);
    peer.sent();
    peer.give(1, 0, 5_000);
    assertThat(peer.sent()).containsExactly("10 . 1001:1001 ack 1");
    assertThat(peer.connection.statistics().ackedBytes()).isZero();
    peer.give(1, 0, 1_001);
    assertThat(peer.connection.statistics().ackedBytes()).isEqualTo(1_000);
  }

  @Test
  void sackBlocksOfWhatWasNeverSentAreIgnored() {
    ScriptedPeer peer = open(PLAIN, Long.MAX_VALUE);
    peer.sent();
    peer.giveSack(1, 1_001, 90_001, 9_001, 3_001, 5_001, 5_001);
    assertThat(peer.sent()).isEmpty();
    peer.giveSack(1, 9_001, 10_001);
    assertThat(peer.sent()).isEqualTo(segments(10, 11));
  }

  /** RFC 9293 section 3.10.7.4: the window of the segment with the newest sequence counts. */
  @Test
  void anOldWindowDoesNotReplaceANewerOne() {
    ScriptedPeer peer = open(PLAIN, Long.MAX_VALUE);
    peer.give(1, 100, 1);
    peer.give(101, 0, 1);
    peer.sent();
    TcpSegment old = peer.segment(TcpSegment.ACK, 51, 10_001);
    old.window = 0;
    peer.give(old, 100, 0);
    assertThat(peer.sent()).hasSize(12);
    TcpSegment fresh = peer.segment(TcpSegment.ACK, 151, 22_001);
    fresh.window = 0;
    peer.give(fresh, 0, 0);
    assertThat(peer.sent()).isEmpty();
  }

  @Test
  void aLossInAWindowThatEcnHasReducedReducesItNoMore() {
    ScriptedPeer peer = openEcn();
    peer.sent();
    echo(peer, 1_001);
    for (int i = 3; i < 6; i++) {
      peer.giveSack(1_001, 2_001, 1 + 1_000 * i);
    }
    TcpStatistics statistics = peer.connection.statistics();
    assertThat(statistics.fastRecoveries()).isEqualTo(1);
    assertThat(statistics.cwndBytes()).isEqualTo(4_500);
    assertThat(statistics.ecnReductions()).isEqualTo(1);
  }

  @Test
  void recoveryHasARoundTripOfItsOwnBeforeTheTimeout() {
    ScriptedPeer peer = open(PLAIN, Long.MAX_VALUE);
    peer.sent();
    peer.at(200);
    for (int i = 2; i < 5; i++) {
      peer.giveSack(1, 1_001, 1 + 1_000 * i);
    }
    peer.at(409);
    assertThat(peer.connection.statistics().timeouts()).isZero();
    peer.at(411);
    assertThat(peer.connection.statistics().timeouts()).isEqualTo(1);
  }

  @Test
  void whatWasSentAgainInARecoveryIsNotSentOnceMoreInTheNext() {
    ScriptedPeer peer = open(PLAIN, Long.MAX_VALUE);
    peer.sent();
    // 0 is lost, and 12, which is sent while that is recovered from.
    for (int i = 2; i <= 12; i++) {
      peer.giveSack(1, 1_001, 1 + 1_000 * i);
    }
    for (int i = 14; i <= 16; i++) {
      peer.giveSack(1, 13_001, 1 + 1_000 * i, 1_001, 12_001);
    }
    assertThat(peer.sent()).contains(segment(0), segment(12));
    assertThat(peer.connection.statistics().retransmittedSegments()).isEqualTo(2);
    // The recovery of 0 ends while 12 is on its way.
    for (int i = 16; i <= 19; i++) {
      peer.giveSack(12_001, 13_001, 1 + 1_000 * i);
    }
    assertThat(peer.connection.statistics().retransmittedSegments()).isEqualTo(2);
    assertThat(peer.connection.statistics().fastRecoveries()).isEqualTo(1);
    // A loss beyond is a new one: 19.
    peer.give(1, 0, 19_001);
    peer.sent();
    for (int i = 21; i <= 23; i++) {
      peer.giveSack(19_001, 20_001, 1 + 1_000 * i);
    }
    assertThat(peer.sent()).contains(segment(19));
    assertThat(peer.connection.statistics().fastRecoveries()).isEqualTo(2);
  }

  @Test
  void anIdleConnectionSlowsDown() {
    ScriptedPeer peer = open(PLAIN, 40_000);
    for (int acked = 1_000; acked <= 40_000; acked += 1_000) {
      peer.give(1, 0, 1 + acked);
    }
    assertThat(peer.connection.statistics().cwndBytes()).isGreaterThan(20_000);
    peer.sent();
    peer.at(300);
    peer.connection.offer(Long.MAX_VALUE);
    assertThat(peer.sent()).hasSize(10);
    assertThat(peer.connection.statistics().cwndBytes()).isEqualTo(10_000);
  }

  @Test
  void aWindowThatDoesNotLimitDoesNotGrow() {
    ScriptedPeer peer = open(PLAIN, 0);
    for (int i = 1; i <= 50; i++) {
      peer.connection.offer(1_000);
      peer.give(1, 0, 1 + 1_000 * i);
    }
    assertThat(peer.connection.statistics().cwndBytes()).isEqualTo(10_000);
  }

  @Test
  void theTimestampEchoTimesWhatWasSentTwice() {
    ScriptedPeer peer = new ScriptedPeer(PLAIN.withTimestamps(true));
    peer.timestamps = true;
    peer.openFromHost(TcpHandler.NONE, answer -> {});
    peer.connection.offer(100);
    peer.at(220);
    assertThat(peer.connection.statistics().rtoNanos()).isEqualTo(420 * 1_000_000L);
    peer.at(250);
    peer.give(1, 0, 101);
    // 7/8 * 10 + 1/8 * 30.
    assertThat(peer.connection.statistics().srttNanos()).isEqualTo(12_500_000L);
    assertThat(peer.connection.statistics().rtoNanos()).isEqualTo(212_500_000L);
    assertThat(peer.connection.statistics().minRttNanos()).isEqualTo(10_000_000L);
  }
}
