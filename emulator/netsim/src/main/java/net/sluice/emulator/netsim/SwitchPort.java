package net.sluice.emulator.netsim;

import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.SwitchPacket;
import org.HdrHistogram.Histogram;

/**
 * A port of a {@link SwitchNode}: received frames go to the ingress pipeline; frames to send wait
 * in the queue that {@link SwitchPacket#priority} selects until the line is free and the port's
 * {@link QueueScheduling} serves that queue, then pass the egress pipeline and are sent at the
 * port's rate. A frame that the egress pipeline drops takes no line time: the next one leaves its
 * queue at once.
 *
 * <p>A frame that egress recirculates takes its time on the line before it comes in again, so a
 * port that others go round by is a loop with a rate and a buffer.
 *
 * <p>Each queue is a FIFO limited in bytes and in frames. Bytes are those as received, before
 * egress rewrites the frame. A frame fits when what waits in its queue, without the frame being
 * sent, and itself do not exceed the limits; one that need not wait needs no room.
 *
 * <p>What is behind the line may hold the port back for a while: what is to go out waits then. A
 * queue without limits holds {@value #HELD_BACK_FRAMES} frames meanwhile.
 *
 * <p>A port that is disabled or whose link is down is not up: it loses what waits and what is being
 * sent, and discards what arrives and what is forwarded to it.
 *
 * <p>More than 500 lines, because a frame's way from line to line is one sequence of events.
 */
public final class SwitchPort implements FrameReceiver, EventHandler {

  private static final int BITS_PER_BYTE = 8;
  private static final long NANOS_PER_MICRO = 1_000L;
  private static final int DELAY_DIGITS = 3;

  /** As many as a queue of simple_switch. */
  private static final int HELD_BACK_FRAMES = 64;

  private static final long SENT = 0;
  private static final long WAKE = 1;

  private final SwitchNode node;
  private final int number;
  private final LineClock line;
  private FrameReceiver peer;
  private int overheadBytes;

  private final PacketQueue[] queues = new PacketQueue[QueueScheduling.QUEUES];
  private final QueueScheduler scheduler = new QueueScheduler();
  private long wakeNanos = Long.MAX_VALUE;

  private boolean heldBack;
  private boolean enabled = true;
  private boolean linkUp = true;
  private boolean up = true;
  private long lastChangeNanos;
  private LineErrors lineErrors = LineErrors.NONE;

  private SwitchPacket sending;
  private PacketPipeline sendingFrom;
  private PacketQueue sendingQueue;
  private long busySinceNanos;

  private long resetNanos;
  private long receivedPackets;
  private long receivedBytes;
  private long ingressDrops;
  private long enqueuedPackets;
  private long tailDropPackets;
  private long tailDropBytes;
  private long egressDropPackets;
  private long sentPackets;
  private long sentBytes;
  private long busyNanos;
  private final Histogram queueDelayNanos = new Histogram(DELAY_DIGITS);

  // These only grow.
  private long inOctets;
  private long inMulticasts;
  private long inBroadcasts;
  private long inUnicasts;
  private long inDiscards;
  private long outOctets;
  private long outMulticasts;
  private long outBroadcasts;
  private long outUnicasts;
  private long outDiscards;

  SwitchPort(SwitchNode node, int number, long rateBps, long queueLimitBytes) {
    this.node = node;
    this.number = number;
    this.line = new LineClock(rateBps);
    for (int i = 0; i < queues.length; i++) {
      queues[i] = new PacketQueue();
    }
    setQueueLimitBytes(queueLimitBytes);
    this.resetNanos = node.simulation().nowNanos();
  }

  /** Port number. */
  public int number() {
    return number;
  }

  /** Line rate, bit/s. */
  public long rateBps() {
    return line.rateBps();
  }

  /** Changes the line rate from the next frame on; bit/s, 1..{@link LineClock#MAX_RATE_BPS}. */
  public void setRateBps(long rateBps) {
    line.setRateBps(rateBps);
    node.portChanged(this);
  }

  /** Sets the limit of each queue, bytes, at least 0; frames already queued stay. */
  public void setQueueLimitBytes(long limitBytes) {
    for (int queue = 0; queue < queues.length; queue++) {
      setQueueLimits(queue, limitBytes, queues[queue].limitPackets);
    }
  }

  /**
   * Sets the limits of one queue; frames already queued stay.
   *
   * @param queue 0..7
   * @param limitBytes at least 0
   * @param limitPackets at least 0
   */
  public void setQueueLimits(int queue, long limitBytes, int limitPackets) {
    checkQueue(queue);
    if (limitBytes < 0) {
      throw new IllegalArgumentException(
          "queueLimitBytes " + limitBytes + " of port " + number + ": must be at least 0");
    }
    if (limitPackets < 0) {
      throw new IllegalArgumentException(
          "queueLimitPackets " + limitPackets + " of port " + number + ": must be at least 0");
    }
    queues[queue].limitBytes = limitBytes;
    queues[queue].limitPackets = limitPackets;
  }

  /** Bytes that may wait in a queue. */
  public long queueLimitBytes(int queue) {
    checkQueue(queue);
    return queues[queue].limitBytes;
  }

  /** Frames that may wait in a queue. */
  public int queueLimitPackets(int queue) {
    checkQueue(queue);
    return queues[queue].limitPackets;
  }

  /** The scheduling of the queues. */
  public QueueScheduling scheduling() {
    return scheduler.scheduling();
  }

  /** Sets the scheduling from the next frame on; queued frames stay. */
  public void setScheduling(QueueScheduling scheduling) {
    scheduler.set(scheduling);
    wakeAt(node.simulation().nowNanos());
  }

  /** The statistics of a queue, 0..7. */
  public QueueStatistics queueStatistics(int queue) {
    checkQueue(queue);
    return queues[queue].statistics();
  }

  private static void checkQueue(int queue) {
    if (queue < 0 || queue >= QueueScheduling.QUEUES) {
      throw new IllegalArgumentException("queue " + queue + ": must be 0..7");
    }
  }

  /** Sets whether the receiver behind the line currently takes no frames. */
  public void setHeldBack(boolean heldBack) {
    this.heldBack = heldBack;
    if (!heldBack) {
      wakeAt(node.simulation().nowNanos());
    }
  }

  /** Whether the port is meant to be up. */
  public boolean enabled() {
    return enabled;
  }

  /** Sets the port's administrative state; initially up. */
  public void setEnabled(boolean enabled) {
    if (enabled != this.enabled) {
      this.enabled = enabled;
      changeState();
    }
  }

  /** Whether there is a link. */
  public boolean linkUp() {
    return linkUp;
  }

  /** Sets whether there is a link; initially there is. */
  public void setLinkUp(boolean linkUp) {
    if (linkUp != this.linkUp) {
      this.linkUp = linkUp;
      changeState();
    }
  }

  /** Whether the port is enabled and has a link. */
  public boolean isUp() {
    return up;
  }

  /** Virtual time of the last change of {@link #isUp}, nanoseconds; 0 if it never changed. */
  public long lastChangeNanos() {
    return lastChangeNanos;
  }

  /** Sets the error counters of the line behind the port. */
  public void setLineErrors(LineErrors errors) {
    this.lineErrors = errors;
  }

  /** The port's counters since it was made. */
  public PortCounters counters() {
    return new PortCounters(
        inOctets,
        inUnicasts,
        inMulticasts,
        inBroadcasts,
        inDiscards + lineErrors.inDiscards(),
        lineErrors.inErrors(),
        outOctets,
        outUnicasts,
        outMulticasts,
        outBroadcasts,
        outDiscards,
        lineErrors.outErrors());
  }

  private void changeState() {
    boolean nowUp = enabled && linkUp;
    if (nowUp != up) {
      up = nowUp;
      lastChangeNanos = node.simulation().nowNanos();
      node.lock().lock();
      try {
        node.device().portUp(number, up);
        if (!up) {
          flush(node.pipeline());
        }
      } finally {
        node.lock().unlock();
      }
    }
    node.portChanged(this);
  }

  /**
   * Sets the per-frame overhead on the line, bytes: 24 for Ethernet's preamble, FCS and gap, 0 (the
   * default) to give the whole rate to frames.
   */
  public void setOverheadBytes(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(
          "overheadBytes " + bytes + " of port " + number + ": must be at least 0");
    }
    this.overheadBytes = bytes;
  }

  /** Connects the receiver of this port's frames; without one they are discarded after sending. */
  public void connect(FrameReceiver receiver) {
    this.peer = receiver;
  }

  /** A frame has come in on this port. */
  @Override
  public void receive(byte[] bytes, int offset, int length, long tag, long nowNanos) {
    receivedPackets++;
    receivedBytes += length;
    inOctets += length;
    if (length == 0 || (bytes[offset] & 1) == 0) {
      inUnicasts++;
    } else if (isBroadcast(bytes, offset, length)) {
      inBroadcasts++;
    } else {
      inMulticasts++;
    }
    if (!up) {
      inDiscards++;
      return;
    }
    PacketPipeline pipeline = node.pipeline();
    SwitchPacket packet = pipeline.acquire();
    packet.setBytes(bytes, offset, length);
    packet.tag = tag;
    packet.ingressPort = number;
    pipeline.ingress(packet, number, nowNanos / NANOS_PER_MICRO);
    node.afterIngress(packet, nowNanos);
  }

  /** A frame that came in here ends at the end of ingress. */
  void countIngressDrop() {
    ingressDrops++;
    inDiscards++;
  }

  /** A frame that came in here goes to a port that does not exist. */
  void countUnknownEgressPort() {
    inDiscards++;
  }

  private static boolean isBroadcast(byte[] bytes, int offset, int length) {
    if (length < 6) {
      return false;
    }
    int all = -1;
    for (int i = 0; i < 6; i++) {
      all &= bytes[offset + i];
    }
    return all == -1;
  }

  /** The line has sent a frame, or one that was held back may start. */
  @Override
  public void onEvent(long nowNanos, long argument) {
    if (argument == WAKE) {
      wakeNanos = Long.MAX_VALUE;
      begin(nowNanos);
      return;
    }
    SwitchPacket sent = sending;
    PacketPipeline owner = sendingFrom;
    PacketQueue from = sendingQueue;
    sending = null;
    sendingFrom = null;
    boolean delivered = up;
    if (delivered) {
      countSent(sent, from);
    } else {
      outDiscards++;
      sent.loss = SwitchPacket.Loss.PORT_DOWN;
    }
    // The line goes on before the peer receives the frame: of events at the same instant, the
    // line's comes first.
    startNext(nowNanos);
    if (sending == null) {
      busyNanos += nowNanos - busySinceNanos;
    }
    if (sent.requests != 0) {
      if (delivered && owner == node.pipeline() && node.afterEgress(sent, nowNanos)) {
        return;
      }
    } else if (peer != null && delivered) {
      peer.receive(sent.bytes(), sent.offset(), sent.length(), sent.tag, nowNanos);
    }
    owner.release(sent);
  }

  private void countSent(SwitchPacket sent, PacketQueue from) {
    int length = sent.length();
    sentPackets++;
    sentBytes += length;
    outOctets += length;
    from.sentPackets++;
    from.sentBytes += length;
    if (length == 0 || (sent.bytes()[sent.offset()] & 1) == 0) {
      outUnicasts++;
    } else if (isBroadcast(sent.bytes(), sent.offset(), length)) {
      outBroadcasts++;
    } else {
      outMulticasts++;
    }
  }

  /** Resets the statistics, at the end of a warm-up; queue and line stay as they are. */
  public void resetStatistics() {
    resetNanos = node.simulation().nowNanos();
    busySinceNanos = resetNanos;
    receivedPackets = 0;
    receivedBytes = 0;
    ingressDrops = 0;
    enqueuedPackets = 0;
    tailDropPackets = 0;
    tailDropBytes = 0;
    egressDropPackets = 0;
    sentPackets = 0;
    sentBytes = 0;
    busyNanos = 0;
    queueDelayNanos.reset();
  }

  /** The port's statistics since the last reset. */
  public PortStatistics statistics() {
    long now = node.simulation().nowNanos();
    int queuedPackets = 0;
    long queuedBytes = 0;
    for (PacketQueue queue : queues) {
      queuedPackets += queue.packets;
      queuedBytes += queue.bytes;
    }
    return new PortStatistics(
        now - resetNanos,
        receivedPackets,
        receivedBytes,
        ingressDrops,
        enqueuedPackets,
        tailDropPackets,
        tailDropBytes,
        egressDropPackets,
        sentPackets,
        sentBytes,
        busyNanos + (sending == null ? 0 : now - busySinceNanos),
        queuedPackets,
        queuedBytes,
        queueDelayNanos.copy());
  }

  /** Enqueues a packet after ingress, and sends it at once if the line is free. */
  void enqueue(PacketPipeline pipeline, SwitchPacket packet, long nowNanos) {
    int priority = packet.priority;
    if (!up || priority >>> 3 != 0) {
      outDiscards++;
      packet.loss = up ? SwitchPacket.Loss.NO_SUCH_QUEUE : SwitchPacket.Loss.PORT_DOWN;
      pipeline.release(packet);
      return;
    }
    int length = packet.length();
    PacketQueue queue = queues[priority];
    boolean lineFree = sending == null && !heldBack;
    boolean waits = !lineFree || scheduler.hasBacklog() || scheduler.holdsBack(priority, nowNanos);
    boolean full =
        !queue.fits(length) || heldBack && queue.isUnlimited() && queue.packets >= HELD_BACK_FRAMES;
    if (waits && full) {
      tailDropPackets++;
      tailDropBytes += length;
      outDiscards++;
      queue.drop(length);
      packet.loss = SwitchPacket.Loss.QUEUE_FULL;
      pipeline.release(packet);
      return;
    }
    packet.enqMicros = nowNanos / NANOS_PER_MICRO;
    packet.enqQdepth = queue.packets;
    if (queue.packets == 0) {
      scheduler.filled(priority);
    }
    queue.add(packet, nowNanos);
    enqueuedPackets++;
    if (lineFree) {
      begin(nowNanos);
    }
  }

  /** Whether it is to take the line's time and then to come in again. */
  private boolean goesRound(SwitchPacket packet) {
    return (packet.requests & SwitchPacket.REENTER) != 0
        && !packet.dropped
        && line.rateBps() != LineClock.UNLIMITED_BPS;
  }

  /** Starts to send if the line is free. */
  private void begin(long nowNanos) {
    if (sending == null) {
      startNext(nowNanos);
      if (sending != null) {
        busySinceNanos = nowNanos;
      }
    }
  }

  /** Dequeues frames until one has passed egress, and starts to send it. */
  private void startNext(long nowNanos) {
    while (!heldBack && scheduler.hasBacklog()) {
      int number = scheduler.next(nowNanos);
      if (number == QueueScheduler.NONE) {
        wakeAt(scheduler.readyNanos());
        return;
      }
      PacketQueue queue = queues[number];
      long waitedSinceNanos = queue.firstEnqueuedNanos();
      SwitchPacket packet = queue.poll();
      if (queue.packets == 0) {
        scheduler.emptied(number);
      }
      queueDelayNanos.recordValue(nowNanos - waitedSinceNanos);
      long nowMicros = nowNanos / NANOS_PER_MICRO;
      packet.deqTimedelta = (int) Math.min(Integer.MAX_VALUE, nowMicros - packet.enqMicros);
      packet.deqQdepth = queue.packets;
      PacketPipeline pipeline = node.pipeline();
      pipeline.egress(packet, nowMicros);
      if (packet.requests != 0 && !goesRound(packet) && node.afterEgress(packet, nowNanos)) {
        continue;
      }
      if (packet.dropped) {
        egressDropPackets++;
        outDiscards++;
        pipeline.release(packet);
        continue;
      }
      sending = packet;
      sendingFrom = pipeline;
      sendingQueue = queue;
      long lineBytes = packet.length() + overheadBytes;
      scheduler.charge(number, lineBytes, nowNanos);
      node.simulation().schedule(line.send(nowNanos, lineBytes * BITS_PER_BYTE), this, SENT);
      return;
    }
  }

  private void wakeAt(long nanos) {
    if (nanos < wakeNanos) {
      wakeNanos = nanos;
      node.simulation().schedule(nanos, this, WAKE);
    }
  }

  /**
   * Empties the queues: for a port that goes down, and because packets carry the parsed state of a
   * pipeline that is no longer in force.
   */
  int flush(PacketPipeline owner) {
    int flushed = 0;
    for (int number = 0; number < queues.length; number++) {
      PacketQueue queue = queues[number];
      if (queue.packets > 0) {
        flushed += queue.packets;
        while (queue.packets > 0) {
          SwitchPacket lost = queue.poll();
          lost.loss = up ? SwitchPacket.Loss.PROGRAM_REPLACED : SwitchPacket.Loss.PORT_DOWN;
          owner.release(lost);
        }
        scheduler.emptied(number);
      }
    }
    outDiscards += flushed;
    return flushed;
  }
}
