package net.sluice.emulator.netsim.host.tcp;

import net.sluice.emulator.netsim.host.VirtualTimer;
import net.sluice.emulator.netsim.traffic.Ecn;

/**
 * The receiving half of a connection: puts the stream together, offers a window, decides when to
 * acknowledge (RFC 9293 section 3.8.6, RFC 5681 section 4.2), echoes congestion (RFC 3168 or RFC
 * 9768) and timestamps (RFC 7323).
 *
 * <p>RFC 8257's rule that an acknowledgement stands for segments that are all marked, or none of
 * them, is not needed: the count of RFC 9768 says how many were, however they are acknowledged.
 */
final class Receiver {

  private static final int SEGMENTS_PER_ACK = 2;
  private static final int MARKS_PER_ACK_OF_DATA = 2;
  private static final int MARKS_PER_ACK = 3;
  private static final int NOTHING = -1;
  private static final int MAX_UNSCALED_WINDOW = 0xffff;

  private final TcpConnection connection;
  private final int capacityBytes;
  private final long delayedAckNanos;
  private final VirtualTimer ackTimer;

  private int initial;
  private int windowScale;
  private int mss;
  private long next = 1;
  private long windowEdge;
  private final Reassembly reassembly;
  private long finPosition = -1;
  private boolean finReached;
  private boolean paused;

  private int unacknowledgedSegments;
  private boolean ackNow;
  private long lastAckSent = 1;

  private int recentTimestamp;
  private EcnFeedback feedback = EcnFeedback.NONE;
  private boolean echoing;
  private long ceCount = AceField.FIRST_COUNT;
  private boolean lastHadCe;
  private int unreportedMarks;
  private int synAckEcnBits = NOTHING;

  private long deliveredBytes;
  private long duplicateSegments;
  private long reorderedSegments;
  private long ceMarks;

  Receiver(TcpConnection connection, TcpConfig config) {
    this.connection = connection;
    this.capacityBytes = config.receiveBufferBytes();
    this.delayedAckNanos = config.delayedAckNanos();
    this.ackTimer = new VirtualTimer(connection.simulation(), this::onAckTimer);
    this.windowEdge = 1 + Math.min(capacityBytes, MAX_UNSCALED_WINDOW);
    this.reassembly = new Reassembly(1);
  }

  /**
   * The other side's SYN has come in.
   *
   * @param initialSequence its sequence number
   * @param scale by how many bits windows are shifted from now on
   * @param mssBytes most data in a segment of the other side
   */
  void start(int initialSequence, int scale, int mssBytes) {
    this.initial = initialSequence;
    this.windowScale = scale;
    this.mss = mssBytes;
  }

  /** The position of a sequence number that came in. */
  long position(int sequence) {
    return Seq.position(initial, sequence, next);
  }

  /** The acknowledgement number to send. */
  int acknowledgement() {
    return Seq.wire(initial, next);
  }

  /** Position of the next byte, or FIN, that is missing. */
  long next() {
    return next;
  }

  /**
   * Whether any of a segment is in the window. As the window may be full, an empty segment right at
   * its edge is, too: that is where the acknowledgements of a sender with nothing more to send are.
   */
  boolean acceptable(long position, int sequenceLength) {
    if (position > windowEdge) {
      return false;
    }
    return sequenceLength == 0 ? position >= next : position + sequenceLength > next;
  }

  /** PAWS, RFC 7323 section 5.3: whether a timestamp is older than one seen before. */
  boolean isOld(int timestamp) {
    return Seq.before(timestamp, recentTimestamp);
  }

  /** Stores the timestamp of the SYN. */
  void firstTimestamp(int timestamp) {
    recentTimestamp = timestamp;
  }

  /** Stores the timestamp of an acceptable segment, RFC 7323 section 4.3. */
  void onTimestamp(long position, int timestamp) {
    if (position <= lastAckSent && !isOld(timestamp)) {
      recentTimestamp = timestamp;
    }
  }

  /** The timestamp to echo. */
  int recentTimestamp() {
    return recentTimestamp;
  }

  /** The handshake has agreed how congestion is reported. */
  void setFeedback(EcnFeedback agreed) {
    feedback = agreed;
  }

  /** A SYN/ACK with this codepoint has come in, which the next acknowledgement reports. */
  void onSynAck(int ecnBits) {
    if (feedback == EcnFeedback.ACCURATE) {
      synAckEcnBits = ecnBits;
      if (ecnBits == Ecn.CE.bits()) {
        ceCount = AceField.FIRST_COUNT + 1;
      }
    }
  }

  /** Whether the SYN/ACK waits for its acknowledgement, which is to carry no data. */
  boolean owesSynAck() {
    return synAckEcnBits != NOTHING;
  }

  /** The codepoint and flags of an acceptable segment. */
  void onEcn(TcpSegment segment, boolean congestionExperienced) {
    switch (feedback) {
      case NONE -> {}
      case CLASSIC -> onClassicEcn(segment, congestionExperienced);
      case ACCURATE -> onAccurateEcn(segment, congestionExperienced);
    }
  }

  /** RFC 3168 section 6.1.3. */
  private void onClassicEcn(TcpSegment segment, boolean congestionExperienced) {
    if (segment.dataLength == 0) {
      return;
    }
    if (segment.has(TcpSegment.CWR)) {
      echoing = false;
    }
    if (congestionExperienced) {
      echoing = true;
      ceMarks++;
    }
  }

  /** RFC 9768 section 3.2.2.5.1: at once when marks begin, and before the field can go round. */
  private void onAccurateEcn(TcpSegment segment, boolean congestionExperienced) {
    boolean begins = congestionExperienced && !lastHadCe;
    lastHadCe = congestionExperienced;
    if (!congestionExperienced) {
      return;
    }
    ceCount++;
    ceMarks++;
    unreportedMarks++;
    boolean data = segment.dataLength > 0;
    int most = data || unacknowledgedSegments > 0 ? MARKS_PER_ACK_OF_DATA : MARKS_PER_ACK;
    if (begins && data || unreportedMarks >= most) {
      ackNow = true;
    }
  }

  /** The flags of a segment that is about to be sent that report congestion. */
  int ecnFlags() {
    return switch (feedback) {
      case NONE -> 0;
      case CLASSIC -> echoing ? TcpSegment.ECE : 0;
      case ACCURATE ->
          owesSynAck() ? AceField.handshakeFlags(synAckEcnBits) : AceField.flags(ceCount);
    };
  }

  /**
   * Processes the data of an acceptable segment, and its FIN.
   *
   * @param position of the first byte
   */
  void onData(long position, byte[] bytes, int offset, int length, boolean fin) {
    long end = position + length;
    if (fin && end <= windowEdge) {
      finPosition = end;
    }
    long left = Math.max(position, next);
    long right = Math.min(end, windowEdge);
    if (left < right) {
      int from = offset + (int) (left - position);
      int count = (int) (right - left);
      if (left == next) {
        onNext(bytes, from, count);
      } else {
        reorderedSegments++;
        reassembly.write(left, bytes, from, count);
        reassembly.addRange(left, right);
        ackNow = true;
      }
    } else if (length > 0) {
      // Nothing new in it, or all of it beyond the window: acknowledge at once.
      duplicateSegments++;
      ackNow = true;
    }
    if (finPosition >= 0 && !finReached && next == finPosition) {
      finReached = true;
      next++;
      ackNow = true;
    }
  }

  private void onNext(byte[] bytes, int offset, int count) {
    long from = next;
    next = reassembly.advance(from + count);
    unacknowledgedSegments++;
    // RFC 5681 section 4.2: at once also when a gap was filled or remains.
    if (unacknowledgedSegments >= SEGMENTS_PER_ACK
        || next != from + count
        || reassembly.hasRanges()) {
      ackNow = true;
    }
    if (!paused && reassembly.readPosition() == from) {
      reassembly.skipTo(from + count);
      deliver(bytes, offset, count);
    } else {
      reassembly.write(from, bytes, offset, count);
    }
    drain();
  }

  /** Whether the FIN and everything before it has arrived. */
  boolean finReached() {
    return finReached;
  }

  /** Whether the application has been given everything before the FIN. */
  boolean drained() {
    return finReached && reassembly.readPosition() == finPosition;
  }

  void setPaused(boolean now) {
    paused = now;
  }

  /** Passes bytes that wait to the application until it lets them wait. */
  void drain() {
    while (!paused && connection.state() != TcpState.CLOSED && waitingBytes() > 0) {
      pass(waitingBytes());
    }
  }

  /** Passes bytes that wait to the application, at most so many, though it lets them wait. */
  void read(long mostBytes) {
    long left = Math.min(mostBytes, waitingBytes());
    while (left > 0 && connection.state() != TcpState.CLOSED) {
      left -= pass(left);
    }
  }

  private int pass(long bytes) {
    int count = reassembly.contiguous(bytes);
    int from = reassembly.readIndex();
    reassembly.skipTo(reassembly.readPosition() + count);
    deliver(reassembly.ring(), from, count);
    return count;
  }

  /** Bytes that wait for the application. */
  long waitingBytes() {
    return dataEnd() - reassembly.readPosition();
  }

  private long dataEnd() {
    return finReached ? finPosition : next;
  }

  private void deliver(byte[] bytes, int offset, int count) {
    deliveredBytes += count;
    connection.handler().onData(connection, bytes, offset, count);
  }

  /** The application has read: tells the other side when that opens the window enough. */
  void onRead() {
    if (opensEnough()) {
      ackNow = true;
    }
  }

  /** Silly window avoidance, RFC 9293 section 3.8.6.2.2. */
  private boolean opensEnough() {
    return reassembly.readPosition() + capacityBytes - windowEdge
        >= Math.min(capacityBytes / 2, mss);
  }

  /** The window field of a segment that is about to be sent; not of a SYN. */
  int windowField() {
    if (opensEnough()) {
      windowEdge = reassembly.readPosition() + capacityBytes;
    }
    return (int) Math.min(MAX_UNSCALED_WINDOW, Math.max(0, windowEdge - next) >> windowScale);
  }

  /** The window field of a SYN, which is never scaled. */
  int synWindowField() {
    return Math.min(capacityBytes, MAX_UNSCALED_WINDOW);
  }

  /** Writes the SACK option into a segment, RFC 2018. */
  void putBlocks(TcpSegment segment, long[] left, long[] right, int most) {
    int count = reassembly.blocks(left, right, most);
    segment.sackBlocks = count;
    for (int i = 0; i < count; i++) {
      segment.sackLeft[i] = Seq.wire(initial, left[i]);
      segment.sackRight[i] = Seq.wire(initial, right[i]);
    }
  }

  /** Whether bytes beyond a gap have arrived. */
  boolean hasGap() {
    return reassembly.hasRanges();
  }

  /** An acknowledgement is owed at once. */
  void requestAck() {
    ackNow = true;
  }

  /** A segment with the current acknowledgement was sent. */
  void onAckSent() {
    lastAckSent = next;
    unacknowledgedSegments = 0;
    unreportedMarks = 0;
    synAckEcnBits = NOTHING;
    ackNow = false;
    ackTimer.cancel();
  }

  /** Everything else has been done: sends the acknowledgement that is owed, or lets it wait. */
  void flush(long nowNanos) {
    if (ackNow) {
      connection.sendAck(nowNanos);
    } else if (unacknowledgedSegments > 0 && !ackTimer.isSet()) {
      ackTimer.set(nowNanos + delayedAckNanos);
    }
  }

  void stop() {
    ackTimer.cancel();
  }

  private void onAckTimer(long nowNanos) {
    connection.sendAck(nowNanos);
  }

  long deliveredBytes() {
    return deliveredBytes;
  }

  long duplicateSegments() {
    return duplicateSegments;
  }

  long reorderedSegments() {
    return reorderedSegments;
  }

  long ceMarks() {
    return ceMarks;
  }
}
