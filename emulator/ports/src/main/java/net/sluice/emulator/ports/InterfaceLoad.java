package net.sluice.emulator.ports;

import java.util.List;

/**
 * Load for a switch under measurement: sends the same frames by a network interface, over and over,
 * from memory that is laid out beforehand, so that sending costs this process next to nothing but
 * the kernel's work. Used by one thread. Needs CAP_NET_RAW.
 */
public final class InterfaceLoad implements AutoCloseable {
  /** Most frames per call. */
  public static final int MAX_FRAMES = 64;

  private static final int PACKET_QDISC_BYPASS = 20;

  private final PacketSocket socket;
  // Referenced by the messages.
  private final NativeMemory arena;
  private final MessageVector messages;
  private final int frames;
  private int next;

  private InterfaceLoad(PacketSocket socket, List<byte[]> frames) {
    this.socket = socket;
    this.frames = frames.size();
    arena = new NativeMemory(frames.stream().mapToLong(frame -> frame.length).sum());
    messages = new MessageVector(this.frames, 0);
    int used = 0;
    for (int i = 0; i < this.frames; i++) {
      byte[] frame = frames.get(i);
      arena.bytes().put(used, frame, 0, frame.length);
      messages.setBuffer(i, arena.address(used), frame.length);
      used += frame.length;
    }
  }

  /**
   * Opens an interface.
   *
   * @param frames to send in this order, at least one, none of them empty
   * @throws PortException if there is no such interface, or it may not be used like this
   */
  public static InterfaceLoad open(String name, List<byte[]> frames) throws PortException {
    if (frames.isEmpty()) {
      throw new IllegalArgumentException("frames: there must be at least one");
    }
    PacketSocket socket = PacketSocket.sending(name);
    try {
      socket.set(PACKET_QDISC_BYPASS, 1);
      return new InterfaceLoad(socket, frames);
    } catch (PortException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Sends the next frames.
   *
   * @param count how many, 1..{@value #MAX_FRAMES}; fewer are sent where the frames begin anew
   * @return how many the kernel has taken
   */
  public int send(int count) {
    int sent =
        Libc.sendmmsg(
            socket.descriptor(),
            messages.pointer(next),
            Math.min(count, frames - next),
            Libc.MSG_DONTWAIT);
    if (sent <= 0) {
      return 0;
    }
    next += sent;
    if (next == frames) {
      next = 0;
    }
    return sent;
  }

  @Override
  public void close() {
    socket.close();
  }
}
