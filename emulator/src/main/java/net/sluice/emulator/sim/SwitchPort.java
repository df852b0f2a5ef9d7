package net.sluice.emulator.sim;

import java.util.Arrays;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.SwitchPacket;
import org.HdrHistogram.Histogram;

/**
 * A port of a {@link SwitchNode}: what comes in goes to the ingress pipeline; what goes out waits
 * in one FIFO queue, limited in bytes, until the line is free, then passes the egress pipeline and
 * is sent at the port's rate. A frame that the egress pipeline drops takes no line time: the next
 * one leaves the queue at once. {@link SwitchPacket#priority} is not looked at.
 *
 * <p>The queue is measured in bytes as received, before egress rewrites the frame. A frame fits
 * when the bytes waiting, without the frame being sent, and its own do not exceed the limit; one
 * that finds the line free needs no room.
 */
public final class SwitchPort implements FrameReceiver, EventHandler {

  private static final int BITS_PER_BYTE = 8;
  private static final long NANOS_PER_MICRO = 1_000L;
  private static final int DELAY_DIGITS = 3;

  private final SwitchNode node;
  private final int number;
  private final LineClock line;
  private FrameReceiver peer;
  private long queueLimitBytes;
  private int overheadBytes;

  // A ring; its size is a power of two.
  private SwitchPacket[] queue = new SwitchPacket[16];
  private long[] enqueuedNanos = new long[16];
  private int head;
  private int queuedPackets;
  private long queuedBytes;

  private SwitchPacket sending;
  private PacketPipeline sendingFrom;
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

  SwitchPort(SwitchNode node, int number, long rateBps, long queueLimitBytes) {
    this.node = node;
    this.number = number;
    this.line = new LineClock(rateBps);
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
  }

  /** Changes how many bytes may wait, at least 0; what waits already stays. */
  public void setQueueLimitBytes(long limitBytes) {
    if (limitBytes < 0) {
      throw new IllegalArgumentException(
          "queueLimitBytes " + limitBytes + " of port " + number + ": must be at least 0");
    }
    this.queueLimitBytes = limitBytes;
  }

  /**
   * Sets what each frame takes on the line beyond its own bytes: 24 for Ethernet's preamble, FCS
   * and gap, 0 (the default) to give the whole rate to frames.
   */
  public void setOverheadBytes(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(
          "overheadBytes " + bytes + " of port " + number + ": must be at least 0");
    }
    this.overheadBytes = bytes;
  }

  /** Says where frames go that this port has sent; without that they are sent to nobody. */
  public void connect(FrameReceiver receiver) {
    this.peer = receiver;
  }

  /** A frame has come in on this port. */
  @Override
  public void receive(byte[] bytes, int offset, int length, long tag, long nowNanos) {
    receivedPackets++;
    receivedBytes += length;
    PacketPipeline pipeline = node.pipeline();
    SwitchPacket packet = pipeline.acquire();
    packet.setBytes(bytes, offset, length);
    packet.tag = tag;
    pipeline.ingress(packet, number, nowNanos / NANOS_PER_MICRO);
    if (packet.dropped) {
      ingressDrops++;
      pipeline.release(packet);
      return;
    }
    SwitchPort out = node.portOrNull(packet.egressPort);
    if (out == null) {
      node.countUnknownEgressPort();
      pipeline.release(packet);
      return;
    }
    out.enqueue(pipeline, packet, nowNanos);
  }

  /** The line has sent a frame. */
  @Override
  public void onEvent(long nowNanos, long argument) {
    SwitchPacket sent = sending;
    PacketPipeline owner = sendingFrom;
    sending = null;
    sendingFrom = null;
    sentPackets++;
    sentBytes += sent.length();
    // The line goes on before the peer hears of the frame: what the peer does at this instant is
    // later than what the line does.
    startNext(nowNanos);
    if (sending == null) {
      busyNanos += nowNanos - busySinceNanos;
    }
    if (peer != null) {
      peer.receive(sent.bytes(), sent.offset(), sent.length(), sent.tag, nowNanos);
    }
    owner.release(sent);
  }

  /**
   * Forgets everything counted so far, for the end of a warm-up; queue and line are left as they
   * are.
   */
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

  /** What the port did since the last reset. */
  public PortStatistics statistics() {
    long now = node.simulation().nowNanos();
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

  private void enqueue(PacketPipeline pipeline, SwitchPacket packet, long nowNanos) {
    int length = packet.length();
    boolean lineFree = sending == null;
    if (!lineFree && queuedBytes + length > queueLimitBytes) {
      tailDropPackets++;
      tailDropBytes += length;
      pipeline.release(packet);
      return;
    }
    packet.enqMicros = nowNanos / NANOS_PER_MICRO;
    packet.enqQdepth = queuedPackets;
    if (queuedPackets == queue.length) {
      grow();
    }
    int tail = (head + queuedPackets) & (queue.length - 1);
    queue[tail] = packet;
    enqueuedNanos[tail] = nowNanos;
    queuedPackets++;
    queuedBytes += length;
    enqueuedPackets++;
    if (lineFree) {
      startNext(nowNanos);
      if (sending != null) {
        busySinceNanos = nowNanos;
      }
    }
  }

  /** Takes frames out of the queue until one has passed egress, and starts to send that one. */
  private void startNext(long nowNanos) {
    while (queuedPackets > 0) {
      SwitchPacket packet = queue[head];
      long waitedSinceNanos = enqueuedNanos[head];
      queue[head] = null;
      head = (head + 1) & (queue.length - 1);
      queuedPackets--;
      queuedBytes -= packet.length();
      queueDelayNanos.recordValue(nowNanos - waitedSinceNanos);
      long nowMicros = nowNanos / NANOS_PER_MICRO;
      packet.deqTimedelta = (int) Math.min(Integer.MAX_VALUE, nowMicros - packet.enqMicros);
      packet.deqQdepth = queuedPackets;
      PacketPipeline pipeline = node.pipeline();
      pipeline.egress(packet, nowMicros);
      if (packet.dropped) {
        egressDropPackets++;
        pipeline.release(packet);
        continue;
      }
      sending = packet;
      sendingFrom = pipeline;
      long sentNanos =
          line.send(nowNanos, (long) (packet.length() + overheadBytes) * BITS_PER_BYTE);
      node.simulation().schedule(sentNanos, this, 0);
      return;
    }
  }

  /**
   * Empties the queue: its packets carry the parsed state of a pipeline that is no longer in force.
   */
  int flush(PacketPipeline owner) {
    int flushed = queuedPackets;
    while (queuedPackets > 0) {
      owner.release(queue[head]);
      queue[head] = null;
      head = (head + 1) & (queue.length - 1);
      queuedPackets--;
    }
    queuedBytes = 0;
    return flushed;
  }

  private void grow() {
    int size = queue.length;
    SwitchPacket[] packets = Arrays.copyOf(queue, size * 2);
    long[] nanos = Arrays.copyOf(enqueuedNanos, size * 2);
    for (int i = 0; i < size; i++) {
      int from = (head + i) & (size - 1);
      packets[i] = queue[from];
      nanos[i] = enqueuedNanos[from];
    }
    Arrays.fill(packets, size, 2 * size, null);
    queue = packets;
    enqueuedNanos = nanos;
    head = 0;
  }
}
