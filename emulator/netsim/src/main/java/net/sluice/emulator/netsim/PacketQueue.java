package net.sluice.emulator.netsim;

import java.util.Arrays;
import net.sluice.emulator.switching.SwitchPacket;

/** One queue of a port: frames in order, limited in bytes and in frames, with its statistics. */
final class PacketQueue {

  private static final int INITIAL_FRAMES = 16;

  // A ring; its size is a power of two, or nothing until the first frame.
  private SwitchPacket[] frames = new SwitchPacket[0];
  private long[] enqueuedNanos = new long[0];
  private int head;

  long limitBytes;
  int limitPackets = Integer.MAX_VALUE;
  int packets;
  long bytes;
  long maxBytes;
  long sentPackets;
  long sentBytes;
  long droppedPackets;
  long droppedBytes;

  boolean fits(int length) {
    return bytes + length <= limitBytes && packets < limitPackets;
  }

  boolean isUnlimited() {
    return limitBytes == Long.MAX_VALUE && limitPackets == Integer.MAX_VALUE;
  }

  void drop(int length) {
    droppedPackets++;
    droppedBytes += length;
  }

  void add(SwitchPacket packet, long nowNanos) {
    if (packets == frames.length) {
      grow();
    }
    int tail = (head + packets) & (frames.length - 1);
    frames[tail] = packet;
    enqueuedNanos[tail] = nowNanos;
    packets++;
    bytes += packet.length();
    if (bytes > maxBytes) {
      maxBytes = bytes;
    }
  }

  /** When the first frame came; there is one. */
  long firstEnqueuedNanos() {
    return enqueuedNanos[head];
  }

  /** Removes the first frame; the queue is not empty. */
  SwitchPacket poll() {
    SwitchPacket packet = frames[head];
    frames[head] = null;
    head = (head + 1) & (frames.length - 1);
    packets--;
    bytes -= packet.length();
    return packet;
  }

  QueueStatistics statistics() {
    return new QueueStatistics(
        packets, bytes, maxBytes, sentPackets, sentBytes, droppedPackets, droppedBytes);
  }

  private void grow() {
    int size = frames.length;
    int bigger = size == 0 ? INITIAL_FRAMES : 2 * size;
    SwitchPacket[] copy = Arrays.copyOf(frames, bigger);
    long[] nanos = Arrays.copyOf(enqueuedNanos, bigger);
    for (int i = 0; i < size; i++) {
      int from = (head + i) & (size - 1);
      copy[i] = frames[from];
      nanos[i] = enqueuedNanos[from];
    }
    frames = copy;
    enqueuedNanos = nanos;
    head = 0;
  }
}
