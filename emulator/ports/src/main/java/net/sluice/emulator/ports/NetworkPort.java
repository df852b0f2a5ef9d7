package net.sluice.emulator.ports;

import net.sluice.emulator.netsim.FrameReceiver;

/**
 * A port of this machine that a real-time switch is cabled to: a network interface or a TAP device.
 * Used by one thread, except for {@link #statistics}.
 */
public abstract sealed class NetworkPort implements AutoCloseable
    permits PacketSocketPort, TapPort {

  private final String name;

  // Written by the switch's thread only; read by others for reports.
  private volatile long receivedFrames;
  private volatile long unusableFrames;
  private volatile long sentFrames;
  private volatile long unsentFrames;
  private volatile String lastSendError = "";
  private volatile boolean another;

  private static final String TAP = "tap:";

  /**
   * Opens a port.
   *
   * @param device the name of an interface, or {@code tap:} and that of a TAP device
   * @throws PortException if it cannot be opened
   */
  public static NetworkPort open(String device) throws PortException {
    return device.startsWith(TAP)
        ? TapPort.open(device.substring(TAP.length()))
        : PacketSocketPort.open(device);
  }

  NetworkPort(String name) {
    this.name = name;
  }

  /** Name of the interface. */
  public final String name() {
    return name;
  }

  /** Counts of frames so far. */
  public final NetworkPortStatistics statistics() {
    return new NetworkPortStatistics(
        receivedFrames, kernelDrops(), unusableFrames, sentFrames, unsentFrames, lastSendError);
  }

  /** Notes that the name now belongs to another device than the one in use. Any thread. */
  final void deviceIsAnother() {
    another = true;
  }

  /** Moves to another device of the same name, if one has been noted. */
  final void renew() {
    if (another) {
      another = false;
      reopen();
    }
  }

  /** Opens the device of this name anew. */
  void reopen() {
    // A device removed with its port does not come back.
  }

  /** Descriptor that becomes readable when frames arrive; negative once the device is gone. */
  abstract int descriptor();

  /** Receives frames into the batch without waiting. */
  abstract int receive(ReceiveBatch batch);

  /** Offset of the frame in a slot that {@link #receive} has filled. */
  abstract int frameAt();

  /** Bytes in a slot that {@link #receive} has filled, those in front of the frame included. */
  abstract int held(ReceiveBatch batch, int slot);

  /**
   * Delivers frames of the batch that {@link #receive} has filled.
   *
   * @param first slot of the first of them
   */
  abstract void deliver(ReceiveBatch batch, int first, int count, FrameReceiver to, long nowNanos);

  /** Takes a copy of a frame; it leaves with {@link #flush} at the latest. */
  abstract void send(byte[] bytes, int offset, int length);

  /** Sends the frames kept by {@link #send}, as far as the kernel takes them. */
  abstract void flush();

  /**
   * Descriptor that becomes writable when the kernel takes frames again; negative if it has taken
   * all so far.
   */
  int blockedDescriptor() {
    return -1;
  }

  /** Frames dropped so far because the receive buffer was full. */
  abstract long kernelDrops();

  /** Closes the device; frames not yet sent are lost. */
  @Override
  public abstract void close();

  @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
  final void countReceived() {
    receivedFrames++;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
  final void countUnusable() {
    unusableFrames++;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
  final void countSent(int frames) {
    sentFrames += frames;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
  final void countUnsent(String error) {
    unsentFrames++;
    lastSendError = error;
  }
}
