package net.sluice.emulator.netsim.host.tcp;

import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.host.Host;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.host.VirtualTimer;
import net.sluice.emulator.netsim.host.tcp.congestion.CongestionControl;
import net.sluice.emulator.netsim.traffic.Ecn;

/**
 * A TCP connection, RFC 9293, made by {@link TcpStack#connect} or by a SYN for a listening port.
 * Not there: urgent data, which is received as ordinary data; TCP Fast Open; path MTU discovery.
 * Resets and SYNs within the window are checked as in RFC 5961.
 *
 * <p>To be used by the thread that runs the simulation or under its lock.
 *
 * <p>More than 500 lines, because the states of RFC 9293 and the segments that lead from one to the
 * next are read together.
 */
public final class TcpConnection {

  private static final long NANOS_PER_TICK = 1_000_000L;

  private final TcpStack stack;
  private final Host host;
  private final TcpConfig config;
  private final ConnectionKey key;
  private final IpAddress local;
  private final IpAddress remote;
  private final TcpHandler handler;
  private final PayloadSource payload;
  private final int initial;
  private final int timestampBase;
  private final Receiver receiver;
  private final Sender sender;
  // Retransmits SYNs, later ends TIME-WAIT.
  private final VirtualTimer timer;
  private final long[] blockLeft = new long[TcpSegment.MAX_SACK_BLOCKS];
  private final long[] blockRight = new long[TcpSegment.MAX_SACK_BLOCKS];

  private TcpState state;
  private boolean passive;
  private boolean timestampsOn;
  private boolean sackOn;
  private EcnFeedback feedback = EcnFeedback.NONE;
  private int synEcnBits;
  private boolean scalingOn;
  private int sendScale;
  private int peerMss;
  private int synRetries;
  private long synSentNanos;
  private boolean remoteCloseTold;
  private boolean processing;
  private long sentSegments;
  private long receivedSegments;

  TcpConnection(
      TcpStack stack,
      ConnectionKey key,
      IpAddress local,
      IpAddress remote,
      TcpHandler handler,
      int initial,
      int timestampBase) {
    this.stack = stack;
    this.host = stack.host();
    this.config = stack.config();
    this.key = key;
    this.local = local;
    this.remote = remote;
    this.handler = handler;
    this.payload = handler.payload();
    this.initial = initial;
    this.timestampBase = timestampBase;
    this.receiver = new Receiver(this, config);
    this.sender = new Sender(this, config);
    this.timer = new VirtualTimer(simulation(), this::onTimer);
  }

  // The application's side.

  /** State of the connection. */
  public TcpState state() {
    return state;
  }

  /** This side's port. */
  public int localPort() {
    return key.localPort();
  }

  /** The other side's port. */
  public int remotePort() {
    return key.remotePort();
  }

  /**
   * Adds bytes to the stream that this side sends; {@link TcpHandler#payload} supplies their
   * values. May be called before the connection is established.
   *
   * @param bytes at least 0; Long.MAX_VALUE for a stream without end
   * @throws IllegalStateException when this side has closed
   */
  public void offer(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes " + bytes + ": must be at least 0");
    }
    if (sender.closing() || state == TcpState.CLOSED) {
      throw new IllegalStateException(this + " is closed: nothing more can be sent");
    }
    sender.offer(bytes);
    flush();
  }

  /** Withdraws data that was offered and has not been sent. */
  public void withdrawUnsent() {
    sender.withdrawUnsent();
    flush();
  }

  /** Closes this side's direction once everything offered is sent; does nothing when closed. */
  public void close() {
    if (state == TcpState.SYN_SENT) {
      over(CloseReason.ABORTED);
    } else if (state != TcpState.CLOSED) {
      sender.close();
      flush();
    }
  }

  /** Ends the connection at once and tells the other side by a reset. */
  public void abort() {
    if (state == TcpState.CLOSED) {
      return;
    }
    if (state != TcpState.SYN_SENT && state != TcpState.TIME_WAIT) {
      emit(sender.next(), 0, TcpSegment.RST, Ecn.NOT_ECT, simulation().nowNanos());
    }
    over(CloseReason.ABORTED);
  }

  /** Pauses reading; the window offered to the other side closes as the buffer fills. */
  public void pauseReading() {
    receiver.setPaused(true);
  }

  /** Resumes reading: data is delivered as it comes, buffered data first. */
  public void resumeReading() {
    receiver.setPaused(false);
    receiver.drain();
    afterReading();
  }

  /** Reads at most so many buffered bytes; for use while reading is paused. */
  public void read(long mostBytes) {
    receiver.read(mostBytes);
    afterReading();
  }

  /** Bytes received that wait to be read. */
  public long waitingBytes() {
    return receiver.waitingBytes();
  }

  /** Bytes offered that the other side has not acknowledged. */
  public long backlogBytes() {
    return sender.backlogBytes();
  }

  /** Bytes offered and not sent yet. */
  public long unsentBytes() {
    return sender.unsentBytes();
  }

  /** The connection's statistics. */
  public TcpStatistics statistics() {
    return new TcpStatistics(
        sender.sentBytes(),
        sender.ackedBytes(),
        receiver.deliveredBytes(),
        sentSegments,
        receivedSegments,
        sender.retransmittedSegments(),
        sender.retransmittedBytes(),
        sender.fastRecoveries(),
        sender.timeouts(),
        sender.ecnReductions(),
        receiver.ceMarks(),
        receiver.duplicateSegments(),
        receiver.reorderedSegments(),
        sender.windowProbes(),
        sender.rto().srttNanos(),
        sender.minRttNanos(),
        sender.rto().rtoNanos(),
        sender.cwndBytes(),
        sender.ssthreshBytes());
  }

  @Override
  public String toString() {
    return "TCP connection " + key + " (" + state + ")";
  }

  // Opening.

  void openActively(long nowNanos) {
    state = TcpState.SYN_SENT;
    sendSyn(nowNanos);
  }

  void openPassively(TcpSegment syn, int ecnBits, long nowNanos) {
    negotiate(syn);
    answerSyn(EcnFeedback.asked(syn.flags).atMost(config.ecnMost()), ecnBits);
    sendSyn(nowNanos);
  }

  private void answerSyn(EcnFeedback agreed, int ecnBits) {
    passive = true;
    state = TcpState.SYN_RECEIVED;
    synEcnBits = ecnBits;
    setFeedback(agreed);
  }

  private void setFeedback(EcnFeedback agreed) {
    feedback = agreed;
    receiver.setFeedback(agreed);
  }

  private void sendSyn(long nowNanos) {
    synSentNanos = nowNanos;
    emitSyn(nowNanos);
    timer.set(nowNanos + sender.rto().rtoNanos());
  }

  private void negotiate(TcpSegment syn) {
    timestampsOn = config.timestamps() && syn.hasTimestamps;
    sackOn = config.sack() && syn.sackPermitted;
    scalingOn = config.windowScale() >= 0 && syn.windowScale >= 0;
    sendScale = scalingOn ? syn.windowScale : 0;
    // RFC 9293 section 3.7.1: the default when there is no MSS option.
    peerMss = syn.mss > 0 ? syn.mss : local.ipv6() ? 1_220 : 536;
    receiver.start(syn.sequence, scalingOn ? config.windowScale() : 0, ownMss());
    if (timestampsOn) {
      receiver.firstTimestamp(syn.timestamp);
    }
  }

  private int ownMss() {
    return Math.min(
        config.maxSegmentBytes(), host.maxPayloadBytes(local.ipv6()) - TcpSegment.BASE_BYTES);
  }

  private void establish(TcpSegment segment, long windowBytes, long nowNanos) {
    state = TcpState.ESTABLISHED;
    timer.cancel();
    if (synRetries == 0) {
      sender.sampleRtt(nowNanos - synSentNanos, 1);
    }
    int options = timestampsOn ? TcpSegment.TIMESTAMP_OPTION_BYTES : 0;
    int smss = Math.max(1, Math.min(peerMss, ownMss()) - options);
    EcnFeedback sending = feedback;
    long ceCount = AceField.FIRST_COUNT;
    if (passive
        && feedback == EcnFeedback.ACCURATE
        && segment.sequenceLength() + segment.sackBlocks == 0) {
      // RFC 9768 table 4: no host of that RFC reports a codepoint by a field of zeros.
      int reported = AceField.value(segment);
      sending = reported == 0 ? EcnFeedback.NONE : feedback;
      ceCount = AceField.firstCount(reported);
    }
    sender.start(smss, sackOn, sending, ceCount, windowBytes, synRetries > 0);
    handler.onEstablished(this);
  }

  // Segments that come in.

  /**
   * A segment with a right checksum has come in.
   *
   * @param bytes buffer that holds its data
   * @param ecnBits codepoint of its packet
   */
  void onSegment(TcpSegment segment, byte[] bytes, int ecnBits, long nowNanos) {
    receivedSegments++;
    processing = true;
    try {
      if (state == TcpState.SYN_SENT) {
        onSegmentSynSent(segment, ecnBits, nowNanos);
      } else {
        onSegmentSynchronised(segment, bytes, ecnBits, nowNanos);
      }
    } finally {
      processing = false;
    }
    flush();
  }

  private void onSegmentSynSent(TcpSegment segment, int ecnBits, long nowNanos) {
    boolean ack = segment.has(TcpSegment.ACK);
    if (ack && segment.acknowledgement != Seq.wire(initial, 1)) {
      stack.refuse(segment, local, remote, nowNanos);
      return;
    }
    if (segment.has(TcpSegment.RST)) {
      if (ack) {
        over(CloseReason.RESET);
      }
      return;
    }
    if (!segment.has(TcpSegment.SYN)) {
      return;
    }
    negotiate(segment);
    if (ack) {
      setFeedback(config.ecnAsked().agreed(segment.flags));
      receiver.onSynAck(ecnBits);
      receiver.requestAck();
      establish(segment, segment.window, nowNanos);
    } else {
      // Both sides have opened at the same time.
      answerSyn(EcnFeedback.asked(segment.flags).atMost(config.ecnAsked()), ecnBits);
      emitSyn(nowNanos);
    }
  }

  private void onSegmentSynchronised(TcpSegment segment, byte[] bytes, int ecnBits, long nowNanos) {
    long position = receiver.position(segment.sequence);
    boolean reset = segment.has(TcpSegment.RST);
    boolean stale =
        timestampsOn && segment.hasTimestamps && receiver.isOld(segment.timestamp) && !reset;
    if (stale || !receiver.acceptable(position, segment.sequenceLength())) {
      onUnacceptable(segment, position, ecnBits, nowNanos);
      return;
    }
    if (reset) {
      if (position == receiver.next()) {
        over(state == TcpState.TIME_WAIT ? CloseReason.FINISHED : CloseReason.RESET);
      } else {
        receiver.requestAck();
      }
      return;
    }
    if (segment.has(TcpSegment.SYN)) {
      receiver.requestAck();
      return;
    }
    if (!segment.has(TcpSegment.ACK)) {
      return;
    }
    if (timestampsOn && segment.hasTimestamps) {
      receiver.onTimestamp(position, segment.timestamp);
    }
    long windowBytes = (long) segment.window << sendScale;
    long ack = ackPosition(segment.acknowledgement);
    if (state == TcpState.SYN_RECEIVED) {
      if (ack != 1) {
        stack.refuse(segment, local, remote, nowNanos);
        return;
      }
      establish(segment, windowBytes, nowNanos);
    }
    if (!onAck(segment, ack, position, windowBytes, nowNanos)) {
      receiver.requestAck();
      return;
    }
    receiver.onEcn(segment, ecnBits == Ecn.CE.bits());
    if (state.receives() && segment.sequenceLength() > 0) {
      receiver.onData(
          position, bytes, segment.dataOffset, segment.dataLength, segment.has(TcpSegment.FIN));
      if (receiver.finReached()) {
        onFin(nowNanos);
      }
    }
  }

  private void onUnacceptable(TcpSegment segment, long position, int ecnBits, long nowNanos) {
    if (segment.has(TcpSegment.RST)) {
      return;
    }
    if (state == TcpState.SYN_RECEIVED && segment.has(TcpSegment.SYN) && position == 0) {
      if (segment.has(TcpSegment.ACK) && ackPosition(segment.acknowledgement) == 1) {
        // Both sides opened at the same time, and this confirms this side's SYN.
        receiver.requestAck();
        establish(segment, segment.window, nowNanos);
      } else {
        // The other side has not got the answer to its SYN.
        emitSyn(nowNanos);
      }
      return;
    }
    if (state == TcpState.TIME_WAIT && segment.has(TcpSegment.FIN)) {
      timer.set(nowNanos + config.timeWaitNanos());
    }
    if (!passive && segment.has(TcpSegment.SYN)) {
      receiver.onSynAck(ecnBits);
    }
    receiver.requestAck();
  }

  private boolean onAck(
      TcpSegment segment, long ack, long position, long windowBytes, long nowNanos) {
    if (!state.sends()) {
      return true;
    }
    if (!sender.onAck(segment, ack, position, windowBytes, nowNanos)) {
      return false;
    }
    if (sender.finAcked()) {
      if (state == TcpState.FIN_WAIT_1) {
        state = TcpState.FIN_WAIT_2;
      } else if (state == TcpState.CLOSING) {
        waitOut(nowNanos);
      } else if (state == TcpState.LAST_ACK) {
        over(CloseReason.FINISHED);
      }
    }
    return true;
  }

  private void onFin(long nowNanos) {
    if (state == TcpState.ESTABLISHED) {
      state = TcpState.CLOSE_WAIT;
    } else if (state == TcpState.FIN_WAIT_1) {
      state = TcpState.CLOSING;
    } else if (state == TcpState.FIN_WAIT_2) {
      waitOut(nowNanos);
    }
    tellRemoteClose();
  }

  private void tellRemoteClose() {
    if (receiver.drained() && !remoteCloseTold && state != TcpState.CLOSED) {
      remoteCloseTold = true;
      handler.onRemoteClosed(this);
    }
  }

  void onFinSent() {
    state = state == TcpState.CLOSE_WAIT ? TcpState.LAST_ACK : TcpState.FIN_WAIT_1;
  }

  private void waitOut(long nowNanos) {
    state = TcpState.TIME_WAIT;
    sender.stop();
    timer.set(nowNanos + config.timeWaitNanos());
  }

  private void onTimer(long nowNanos) {
    if (state == TcpState.TIME_WAIT) {
      // The last acknowledgement of the FIN went out when this state was entered.
      over(CloseReason.FINISHED);
      return;
    }
    if (synRetries == config.maxSynRetries()) {
      over(CloseReason.TIMED_OUT);
      return;
    }
    synRetries++;
    sender.rto().backOff();
    sendSyn(nowNanos);
  }

  void fail(CloseReason reason) {
    over(reason);
  }

  private void over(CloseReason reason) {
    state = TcpState.CLOSED;
    timer.cancel();
    sender.stop();
    receiver.stop();
    stack.remove(key);
    handler.onClosed(this, reason);
  }

  private void afterReading() {
    if (state == TcpState.CLOSED) {
      return;
    }
    receiver.onRead();
    tellRemoteClose();
    flush();
  }

  /** Sends as much as allowed, and a pending acknowledgement if no segment has carried it. */
  private void flush() {
    if (processing
        || state == TcpState.CLOSED
        || state == TcpState.SYN_SENT
        || state == TcpState.SYN_RECEIVED) {
      return;
    }
    long nowNanos = simulation().nowNanos();
    if (receiver.owesSynAck()) {
      sendAck(nowNanos);
    }
    if (state.sends()) {
      sender.trySend(nowNanos);
    }
    receiver.flush(nowNanos);
  }

  // Segments that go out.

  void sendAck(long nowNanos) {
    emit(sender.next(), 0, 0, Ecn.NOT_ECT, nowNanos);
  }

  /**
   * Sends a segment of an established connection.
   *
   * @param position of its first byte
   * @param length bytes of data
   * @param flags beyond ACK
   */
  void emit(long position, int length, int flags, Ecn codepoint, long nowNanos) {
    TcpSegment out = stack.outgoing();
    out.clear();
    out.flags = flags | TcpSegment.ACK | receiver.ecnFlags();
    out.sequence = Seq.wire(initial, position);
    out.acknowledgement = receiver.acknowledgement();
    out.window = receiver.windowField();
    if (timestampsOn) {
      putTimestamps(out, nowNanos);
    }
    if (sackOn && length == 0 && receiver.hasGap()) {
      // Acknowledgements beyond gaps are sent at once and alone, so data need not make room.
      int most = timestampsOn ? TcpSegment.MAX_SACK_BLOCKS - 1 : TcpSegment.MAX_SACK_BLOCKS;
      receiver.putBlocks(out, blockLeft, blockRight, most);
    }
    receiver.onAckSent();
    transmit(out, position, length, codepoint, nowNanos);
  }

  private void emitSyn(long nowNanos) {
    TcpSegment out = stack.outgoing();
    out.clear();
    out.flags = TcpSegment.SYN;
    out.sequence = initial;
    out.window = receiver.synWindowField();
    out.mss = ownMss();
    if (passive) {
      out.flags |= TcpSegment.ACK | feedback.synAckFlags(synEcnBits);
      out.acknowledgement = receiver.acknowledgement();
    } else {
      out.flags |= config.ecnAsked().synFlags();
    }
    // Options are offered by the side that opens, and confirmed by the other.
    out.sackPermitted = passive ? sackOn : config.sack();
    out.windowScale = !passive || scalingOn ? config.windowScale() : -1;
    if (passive ? timestampsOn : config.timestamps()) {
      putTimestamps(out, nowNanos);
    }
    transmit(out, 0, 0, Ecn.NOT_ECT, nowNanos);
  }

  private void putTimestamps(TcpSegment out, long nowNanos) {
    out.hasTimestamps = true;
    out.timestamp = timestampBase + (int) (nowNanos / NANOS_PER_TICK);
    out.timestampEcho = receiver.recentTimestamp();
  }

  private void transmit(TcpSegment out, long position, int length, Ecn codepoint, long nowNanos) {
    out.sourcePort = key.localPort();
    out.destinationPort = key.remotePort();
    sentSegments++;
    byte[] buffer = host.frameBuffer();
    int at = host.payloadStart(local.ipv6());
    int headerBytes = out.write(buffer, at);
    if (length > 0) {
      payload.fill(position - 1, buffer, at + headerBytes, length);
    }
    stack.send(local, remote, headerBytes + length, codepoint.bits(), nowNanos);
  }

  // State shared by the halves.

  Simulation simulation() {
    return host.simulation();
  }

  /** Numbers of the connection's own, which follow from the simulation's seed. */
  Prng random() {
    return new Prng((long) initial << Integer.SIZE ^ timestampBase);
  }

  /** Null before the connection is established. */
  CongestionControl congestion() {
    return sender.congestion();
  }

  TcpHandler handler() {
    return handler;
  }

  boolean timestampsOn() {
    return timestampsOn;
  }

  /** The position an acknowledgement number stands for. */
  long ackPosition(int acknowledgement) {
    return Seq.position(initial, acknowledgement, sender.next());
  }

  /** Age of an echoed timestamp, nanoseconds, at least 0. */
  long ageOfEchoNanos(int echo, long nowNanos) {
    int ticks = timestampBase + (int) (nowNanos / NANOS_PER_TICK) - echo;
    return Math.max(0, ticks) * NANOS_PER_TICK;
  }
}
