package net.sluice.emulator.netsim.host.tcp;

import net.sluice.emulator.netsim.host.VirtualTimer;
import net.sluice.emulator.netsim.host.tcp.congestion.Acknowledged;
import net.sluice.emulator.netsim.host.tcp.congestion.CongestionControl;
import net.sluice.emulator.netsim.host.tcp.congestion.DeliveryRate;
import net.sluice.emulator.netsim.traffic.Ecn;

/**
 * The sending half of a connection: windows (RFC 5681 and RFC 9293), retransmission (RFC 6675 with
 * SACK, RFC 6582 without, RFC 6298 after a timeout), zero-window probes, the response to reports of
 * marks (RFC 3168, RFC 9768), and segments' times where the congestion control paces them.
 *
 * <p>The bytes are not kept: the application gives their number, and generates them by position
 * when they are sent.
 *
 * <p>More than 500 lines, because windows, retransmission and recovery change each other's state
 * with each acknowledgement.
 */
final class Sender {

  private enum Phase {
    /** No loss is known of. */
    OPEN,
    /** Fast recovery. */
    RECOVERY,
    /** Slow start after a timeout, until what was in flight then is acknowledged. */
    TIMEOUT
  }

  private static final int DUP_THRESH = 3;
  private static final long NONE = Scoreboard.NONE;
  private static final int NOTHING = -1;

  private final TcpConnection connection;
  private final TcpConfig config;
  private final RtoEstimator rto;
  private final VirtualTimer timer;
  private final VirtualTimer pacer;
  private final DeliveryRate delivery = new DeliveryRate();
  private final long[] sackLeft = new long[TcpSegment.MAX_SACK_BLOCKS];
  private final long[] sackRight = new long[TcpSegment.MAX_SACK_BLOCKS];

  private int smss;
  private boolean sack;
  private Scoreboard scoreboard;
  private CongestionControl congestion;

  private long offeredEnd = 1;
  private boolean closing;
  private boolean finSent;
  private long una = 1;
  private long next = 1;
  private long probedEnd = 1;
  private long window;
  private long largestWindow;
  private long windowSequence;
  private long windowAck;

  private Phase phase = Phase.OPEN;
  private long recoveryPoint;
  private int dupAcks;
  private long inflationBytes;
  private long rescuePoint;
  private boolean firstPartialAck;
  private boolean firstResendDue;
  private int expiries;
  private boolean probing;
  private long probeBackOffNanos;
  private boolean congestionLimits;
  private long lastSentNanos = NONE;
  private long paceNanos;

  private EcnFeedback feedback = EcnFeedback.NONE;
  private long ceCount;
  private boolean windowReducedFlag;
  private long reducedUntil = 1;
  private long halvedUntil = 1;
  private long roundEnd = 1;

  private long rttNanos;
  private long minRttNanos;
  private long retransmittedSegments;
  private long retransmittedBytes;
  private long fastRecoveries;
  private long timeouts;
  private long ecnReductions;
  private long windowProbes;

  Sender(TcpConnection connection, TcpConfig config) {
    this.connection = connection;
    this.config = config;
    this.rto = config.rtoEstimator();
    this.timer = new VirtualTimer(connection.simulation(), this::onTimer);
    this.pacer = new VirtualTimer(connection.simulation(), this::trySend);
  }

  /**
   * The connection is established.
   *
   * @param smssBytes data in a full segment
   * @param sackPermitted whether the other side reports what it has beyond gaps
   * @param agreed how the other side reports marks
   * @param firstCeCount what it counts them from
   * @param windowBytes the other side's window
   * @param synLost whether the handshake needed a retransmission
   */
  void start(
      int smssBytes,
      boolean sackPermitted,
      EcnFeedback agreed,
      long firstCeCount,
      long windowBytes,
      boolean synLost) {
    smss = smssBytes;
    sack = sackPermitted;
    feedback = agreed;
    ceCount = firstCeCount;
    window = windowBytes;
    largestWindow = windowBytes;
    scoreboard = new Scoreboard(smssBytes, delivery);
    congestion =
        config
            .congestion()
            .start(
                smssBytes,
                Math.min(
                    (long) config.initialSegments() * smssBytes,
                    CongestionControl.initialWindowBytes(smssBytes, synLost)),
                rto.srttNanos(),
                connection.simulation().nowNanos(),
                agreed == EcnFeedback.ACCURATE,
                config.minRttNanos(),
                connection.random());
    if (synLost) {
      rto.afterSynLoss();
    }
  }

  RtoEstimator rto() {
    return rto;
  }

  void stop() {
    timer.cancel();
    pacer.cancel();
  }

  // Requests of the application.

  /** Adds bytes to the stream; saturates. */
  void offer(long bytes) {
    offeredEnd = offeredEnd + bytes < 0 ? Long.MAX_VALUE : offeredEnd + bytes;
  }

  /** Ends the stream after the data already sent. */
  void withdrawUnsent() {
    offeredEnd = finSent ? offeredEnd : next;
  }

  /** Ends the stream after the data offered. */
  void close() {
    closing = true;
  }

  boolean closing() {
    return closing;
  }

  /** Bytes offered and not yet sent. */
  long unsentBytes() {
    return Math.max(0, offeredEnd - next);
  }

  /** Bytes sent or offered and not yet acknowledged. */
  long backlogBytes() {
    return offeredEnd - Math.min(offeredEnd, una);
  }

  boolean finAcked() {
    return finSent && una == next && una > offeredEnd;
  }

  long next() {
    return next;
  }

  // Acknowledgements.

  /**
   * The acknowledgement of an acceptable segment.
   *
   * @param ack its acknowledgement as a position
   * @param sequence its own position
   * @param windowBytes the window it offers
   * @return false when it acknowledges data that was never sent
   */
  boolean onAck(TcpSegment segment, long ack, long sequence, long windowBytes, long nowNanos) {
    if (ack > Math.max(next, probedEnd)) {
      return false;
    }
    if (ack < una) {
      return true;
    }
    next = Math.max(next, ack);
    long priorFlight = scoreboard.pipe();
    long priorLost = scoreboard.everLostBytes();
    delivery.onAck();
    rttNanos = NONE;
    boolean sameWindow = windowBytes == window;
    onWindow(ack, sequence, windowBytes);
    long newlySacked = sack ? sackBlocks(segment) : 0;
    long acked = ack - una;
    if (acked > 0) {
      onNewlyAcked(segment, ack, nowNanos);
    }
    boolean duplicate =
        sack
            ? newlySacked > 0
            : acked == 0 && !scoreboard.isEmpty() && segment.sequenceLength() == 0 && sameWindow;
    long marked = feedback == EcnFeedback.ACCURATE && (acked > 0 || duplicate) ? marks(segment) : 0;
    boolean echoed = feedback == EcnFeedback.CLASSIC && segment.has(TcpSegment.ECE) || marked > 0;
    boolean reduced = echoed && onMarks(nowNanos);
    switch (phase) {
      case OPEN -> onAckOpen(acked, duplicate, reduced, nowNanos);
      case RECOVERY -> onAckRecovery(acked, duplicate, nowNanos);
      case TIMEOUT -> {
        scoreboard.updateLost();
        if (acked > 0) {
          congestion.onAck(acked, nowNanos, rto.srttNanos(), true);
        }
        if (una >= recoveryPoint) {
          leave();
        }
      }
    }
    delivery.sample(minRttNanos, nowNanos);
    congestion.onDelivery(
        delivery,
        new Acknowledged(
            nowNanos,
            rttNanos,
            priorFlight,
            scoreboard.pipe(),
            scoreboard.everLostBytes() - priorLost,
            marked,
            phase != Phase.OPEN));
    return true;
  }

  private void onWindow(long ack, long sequence, long windowBytes) {
    if (windowSequence < sequence || windowSequence == sequence && windowAck <= ack) {
      window = windowBytes;
      largestWindow = Math.max(largestWindow, windowBytes);
      windowSequence = sequence;
      windowAck = ack;
    }
  }

  private long sackBlocks(TcpSegment segment) {
    int blocks = 0;
    for (int i = 0; i < segment.sackBlocks; i++) {
      long left = connection.ackPosition(segment.sackLeft[i]);
      long right = connection.ackPosition(segment.sackRight[i]);
      // A block below the acknowledgement reports a duplicate, RFC 2883; one beyond what was sent
      // is nonsense.
      if (left < right && right > una && right <= next) {
        sackLeft[blocks] = left;
        sackRight[blocks] = right;
        blocks++;
      }
    }
    return blocks == 0 ? 0 : scoreboard.sackAll(sackLeft, sackRight, blocks);
  }

  private void onNewlyAcked(TcpSegment segment, long ack, long nowNanos) {
    // RFC 7323 appendix G: with delayed acknowledgements every second segment gives a sample.
    int samples = (int) Math.max(1, (scoreboard.outstandingBytes() / smss + 1) / 2);
    scoreboard.ackTo(ack);
    una = ack;
    long sentNanos = scoreboard.sampleSentNanos();
    if (sentNanos != NONE) {
      sampleRtt(nowNanos - sentNanos, samples);
      rttNanos = nowNanos - scoreboard.lastSentNanos();
      minRttNanos = Math.min(minRttNanos, rttNanos);
      congestion.onRttSample(rttNanos, ack > roundEnd);
      if (ack > roundEnd) {
        roundEnd = next;
      }
    } else if (connection.timestampsOn() && segment.hasTimestamps) {
      // A retransmitted segment can still be timed by its timestamp echo, if only in milliseconds.
      rto.sample(connection.ageOfEchoNanos(segment.timestampEcho, nowNanos), samples);
    }
    expiries = 0;
    if (scoreboard.isEmpty()) {
      probing = false;
      probeBackOffNanos = 0;
      timer.cancel();
    } else if (phase == Phase.OPEN || sack || phase == Phase.TIMEOUT || firstPartialAck) {
      // RFC 6582 section 3.2 step 3: without SACK only the first partial acknowledgement of a
      // recovery restarts the timer.
      firstPartialAck = false;
      timer.set(nowNanos + rto.rtoNanos());
    }
  }

  /** Adds a round-trip sample, nanoseconds. */
  void sampleRtt(long nanos, int samples) {
    rto.sample(nanos, samples);
    minRttNanos = minRttNanos == 0 ? nanos : Math.min(minRttNanos, nanos);
  }

  /** How many segments the ACE field of an acknowledgement newly reports as marked. */
  private long marks(TcpSegment segment) {
    // Without SACK what arrived beyond a gap has been reported by duplicates, one by one.
    boolean known = sack || phase == Phase.OPEN;
    long arrived = known ? (delivery.newlyDeliveredBytes() + smss - 1) / smss : 0;
    long marked = AceField.growth(AceField.value(segment), ceCount, arrived);
    ceCount += marked;
    return marked;
  }

  /** Whether the window is not to grow with the acknowledgement that reports marks. */
  private boolean onMarks(long nowNanos) {
    if (una < reducedUntil || phase != Phase.OPEN) {
      // At most one reduction per window of data, whatever asks for it.
      return phase == Phase.OPEN;
    }
    CongestionControl.MarkResponse response = congestion.onEcn(reducibleFlight(), nowNanos);
    switch (response) {
      case NONE -> {
        if (feedback == EcnFeedback.CLASSIC) {
          // So that the other side stops echoing.
          reducedUntil = next;
          windowReducedFlag = true;
        }
        return false;
      }
      case SLIGHT ->
          // One beyond: marks that come with the acknowledgement of all of it are still its own.
          reducedUntil = next + 1;
      case AS_LOSS -> onHalved();
    }
    ecnReductions++;
    return true;
  }

  private void onHalved() {
    reducedUntil = next;
    halvedUntil = next;
    windowReducedFlag = feedback == EcnFeedback.CLASSIC;
  }

  /** Flight as a reduction sees it: limited transmit does not count, RFC 5681 section 3.2. */
  private long reducibleFlight() {
    return Math.min(scoreboard.outstandingBytes(), congestion.cwndBytes());
  }

  private void onAckOpen(long acked, boolean duplicate, boolean reduced, long nowNanos) {
    if (acked > 0) {
      dupAcks = 0;
      if (!reduced) {
        if (congestionLimits) {
          congestion.onAck(acked, nowNanos, rto.srttNanos(), false);
        } else {
          congestion.onNotLimiting(nowNanos);
        }
      }
    }
    if (duplicate) {
      dupAcks++;
    }
    scoreboard.updateLost();
    // RFC 6582 section 3.2 step 2: duplicates from an earlier recovery are no sign of a new loss;
    // with SACK this is not needed.
    boolean enough = dupAcks >= DUP_THRESH && !scoreboard.firstIsResent();
    boolean found = enough && (sack || una > recoveryPoint);
    if (found || scoreboard.nextLost() != NONE) {
      enterRecovery(nowNanos);
    }
  }

  private void enterRecovery(long nowNanos) {
    if (una >= halvedUntil) {
      congestion.onLoss(reducibleFlight(), nowNanos);
      onHalved();
    }
    phase = Phase.RECOVERY;
    recoveryPoint = next;
    rescuePoint = NONE;
    firstPartialAck = true;
    fastRecoveries++;
    inflationBytes = sack ? 0 : (long) DUP_THRESH * smss;
    firstResendDue = true;
    resendFirst(nowNanos);
    // The answer takes a round trip from now, not from the last acknowledgement.
    timer.set(nowNanos + rto.rtoNanos());
  }

  /** The first of a recovery goes beyond the window if need be, but not before its time. */
  private void resendFirst(long nowNanos) {
    if (nowNanos < paceNanos) {
      pacer.set(paceNanos);
    } else {
      firstResendDue = false;
      resend(scoreboard.nextToResend(), true, nowNanos);
    }
  }

  private void onAckRecovery(long acked, boolean duplicate, long nowNanos) {
    if (una >= recoveryPoint || !sack && acked > 0 && !config.partialAcks()) {
      if (!sack) {
        congestion.onRecoveryEnd(scoreboard.outstandingBytes());
      }
      leave();
      return;
    }
    if (sack) {
      scoreboard.updateLost();
    } else if (acked > 0) {
      // RFC 6582 section 3.2 step 3: the next hole, and as much deflation as left the network.
      inflationBytes = Math.max(0, inflationBytes - acked + (acked >= smss ? smss : 0));
      resend(scoreboard.first(), true, nowNanos);
    } else if (duplicate) {
      inflationBytes += smss;
    }
  }

  private void leave() {
    phase = Phase.OPEN;
    firstResendDue = false;
    dupAcks = 0;
    inflationBytes = 0;
  }

  // Sending.

  /** Sends whatever may be sent now. */
  void trySend(long nowNanos) {
    if (scoreboard.isEmpty()
        && lastSentNanos != NONE
        && nowNanos - lastSentNanos > rto.rtoNanos()
        && unsentBytes() > 0) {
      congestion.onIdle(nowNanos);
    }
    congestionLimits = false;
    if (firstResendDue) {
      resendFirst(nowNanos);
    }
    while (sendOne(nowNanos)) {
      lastSentNanos = nowNanos;
    }
    if (unsentBytes() < smss
        && !pacer.isSet()
        && scoreboard.nextLost() == NONE
        && scoreboard.pipe() < congestion.cwndBytes()) {
      delivery.limit(scoreboard.pipe());
    }
    if (scoreboard.isEmpty()) {
      if (!pacer.isSet()) {
        watchWindow(nowNanos);
      }
    } else if (probing || !timer.isSet()) {
      probing = false;
      probeBackOffNanos = 0;
      timer.set(nowNanos + rto.rtoNanos());
    }
  }

  /** NextSeg() of RFC 6675 and the windows; false when there is nothing to send or no room. */
  private boolean sendOne(long nowNanos) {
    boolean selective = phase == Phase.TIMEOUT || phase == Phase.RECOVERY && sack;
    if (selective) {
      long lost = scoreboard.nextLost();
      if (lost != NONE) {
        return fits(scoreboard.length(lost), nowNanos) && resend(lost, true, nowNanos);
      }
    }
    int length = nextLength();
    if (length != NOTHING) {
      return fits(length, nowNanos) && sendNew(length, nowNanos);
    }
    if (phase == Phase.RECOVERY && sack) {
      long hole = scoreboard.nextBelowSacked();
      if (hole != NONE) {
        return fits(scoreboard.length(hole), nowNanos) && resend(hole, true, nowNanos);
      }
      long last = scoreboard.lastUnsacked();
      if (last != NONE && una > rescuePoint && fits(scoreboard.length(last), nowNanos)) {
        rescuePoint = recoveryPoint;
        return resend(last, false, nowNanos);
      }
    }
    return false;
  }

  private boolean fits(int length, long nowNanos) {
    long used;
    if (sack || phase == Phase.TIMEOUT) {
      used = scoreboard.pipe();
    } else {
      // Limited transmit, RFC 3042, or the inflation of RFC 6582.
      used =
          scoreboard.outstandingBytes()
              - (phase == Phase.RECOVERY ? inflationBytes : (long) Math.min(2, dupAcks) * smss);
    }
    // One segment may always be in flight, even a full one that a FIN makes a byte longer.
    boolean room = used <= 0 || used + length <= congestion.cwndBytes();
    boolean early = room && nowNanos < paceNanos;
    if (early) {
      pacer.set(paceNanos);
    }
    congestionLimits |= !room || early;
    return room && !early;
  }

  /**
   * A segment of so many bytes was sent; the next one may follow as the congestion control says.
   */
  private void pace(int length, long nowNanos) {
    double bytesPerSecond = congestion.pacingBytesPerSecond();
    if (bytesPerSecond < Double.POSITIVE_INFINITY) {
      paceNanos = Math.max(nowNanos, paceNanos) + Math.round(length * 1e9 / bytesPerSecond);
    }
  }

  /** Bytes of the next new segment, 0 for a FIN alone, or {@link #NOTHING}. */
  private int nextLength() {
    long available = offeredEnd - next;
    if (available <= 0) {
      return closing && !finSent ? 0 : NOTHING;
    }
    long usable = una + window - next;
    int length = (int) Math.min(smss, Math.min(available, usable));
    if (length <= 0) {
      return NOTHING;
    }
    if (length < smss && 2L * length < largestWindow) {
      // Silly window avoidance, RFC 9293 section 3.8.6.2.1, and the Nagle algorithm.
      boolean all = length == available;
      if (!all || config.nagle() && !closing && !scoreboard.isEmpty()) {
        return NOTHING;
      }
    }
    return length;
  }

  private boolean sendNew(int length, long nowNanos) {
    boolean fin = closing && next + length == offeredEnd;
    if (scoreboard.isEmpty() && delivery.isLimited()) {
      congestion.onRestart();
    }
    scoreboard.append(next, length + (fin ? 1 : 0), nowNanos);
    int flags = 0;
    if (length > 0 && windowReducedFlag) {
      flags |= TcpSegment.CWR;
      windowReducedFlag = false;
    }
    if (length > 0 && next + length == offeredEnd) {
      flags |= TcpSegment.PSH;
    }
    long position = next;
    next += length;
    if (fin) {
      flags |= TcpSegment.FIN;
      finSent = true;
      next++;
      connection.onFinSent();
    }
    connection.emit(position, length, flags, codepoint(length), nowNanos);
    pace(length, nowNanos);
    return true;
  }

  private Ecn codepoint(int length) {
    return feedback == EcnFeedback.NONE || length == 0 ? Ecn.NOT_ECT : congestion.codepoint();
  }

  private boolean resend(long index, boolean raisesHighRxt, long nowNanos) {
    long position = scoreboard.start(index);
    int sequenceLength = scoreboard.length(index);
    boolean fin = finSent && position + sequenceLength > offeredEnd;
    int length = sequenceLength - (fin ? 1 : 0);
    scoreboard.onResent(index, raisesHighRxt, nowNanos);
    retransmittedSegments++;
    retransmittedBytes += length;
    lastSentNanos = nowNanos;
    // RFC 3168 section 6.1.5: retransmissions are not ECN-capable.
    connection.emit(position, length, fin ? TcpSegment.FIN : 0, Ecn.NOT_ECT, nowNanos);
    pace(length, nowNanos);
    return true;
  }

  // Timers.

  private void onTimer(long nowNanos) {
    if (scoreboard.isEmpty()) {
      onPersistTimer(nowNanos);
      return;
    }
    if (expiries >= config.maxRetries()) {
      connection.fail(CloseReason.TIMED_OUT);
      return;
    }
    timeouts++;
    if (scoreboard.reneged()) {
      scoreboard.forgetSacks();
    }
    congestion.onTimeout(reducibleFlight(), expiries > 0, nowNanos);
    onHalved();
    expiries++;
    phase = Phase.TIMEOUT;
    firstResendDue = false;
    recoveryPoint = next;
    dupAcks = 0;
    inflationBytes = 0;
    scoreboard.loseAll();
    rto.backOff();
    timer.set(nowNanos + rto.rtoNanos());
    trySend(nowNanos);
  }

  /** Nothing is in flight: if data waits for the window, asks for it from time to time. */
  private void watchWindow(long nowNanos) {
    if (unsentBytes() > 0 && !timer.isSet()) {
      probeBackOffNanos =
          probeBackOffNanos == 0
              ? rto.rtoNanos()
              : Math.min(config.maxRtoNanos(), 2 * probeBackOffNanos);
      probing = true;
      timer.set(nowNanos + probeBackOffNanos);
    }
  }

  private void onPersistTimer(long nowNanos) {
    long usable = una + window - next;
    long available = unsentBytes();
    probing = false;
    if (available > 0 && usable > 0) {
      // Silly window avoidance has waited long enough.
      sendNew((int) Math.min(smss, Math.min(available, usable)), nowNanos);
      probeBackOffNanos = 0;
      timer.set(nowNanos + rto.rtoNanos());
    } else if (available > 0) {
      // One byte beyond the window. It is not in flight: only if the window happens to be open will
      // it be acknowledged.
      windowProbes++;
      probedEnd = next + 1;
      connection.emit(next, 1, 0, Ecn.NOT_ECT, nowNanos);
      watchWindow(nowNanos);
    }
  }

  // Statistics.

  long ackedBytes() {
    return Math.min(una, offeredEnd) - 1;
  }

  long sentBytes() {
    return Math.min(next, offeredEnd) - 1;
  }

  /** Null before the connection is established. */
  CongestionControl congestion() {
    return congestion;
  }

  long cwndBytes() {
    return congestion == null ? 0 : congestion.cwndBytes();
  }

  long ssthreshBytes() {
    return congestion == null ? Long.MAX_VALUE : congestion.ssthreshBytes();
  }

  long minRttNanos() {
    return minRttNanos;
  }

  long retransmittedSegments() {
    return retransmittedSegments;
  }

  long retransmittedBytes() {
    return retransmittedBytes;
  }

  long fastRecoveries() {
    return fastRecoveries;
  }

  long timeouts() {
    return timeouts;
  }

  long ecnReductions() {
    return ecnReductions;
  }

  long windowProbes() {
    return windowProbes;
  }
}
