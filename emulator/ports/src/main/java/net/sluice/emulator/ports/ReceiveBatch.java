package net.sluice.emulator.ports;

import com.sun.jna.Pointer;

/**
 * Buffers for a batch of frames from the kernel, shared by all ports of a switch: each port's
 * frames are delivered before the next port receives.
 */
final class ReceiveBatch {
  /** Frames in a batch. */
  static final int FRAMES = 64;

  /**
   * Size of a slot, bytes: the largest IP packet that the kernel delivers, with all headers in
   * front of it.
   */
  static final int SLOT_BYTES = 65_536 + 256;

  /** Room that a frame in {@link #frame} has for a VLAN tag. */
  static final int TAG_BYTES = 4;

  private static final int CONTROL_BYTES = 64;

  private final NativeMemory slots = new NativeMemory((long) FRAMES * SLOT_BYTES);
  private final MessageVector messages = new MessageVector(FRAMES, CONTROL_BYTES);
  private final int[] lengths = new int[FRAMES];
  private final byte[] frame = new byte[SLOT_BYTES + TAG_BYTES];

  ReceiveBatch() {
    for (int i = 0; i < FRAMES; i++) {
      messages.setBuffer(i, slots.address((long) i * SLOT_BYTES), SLOT_BYTES);
    }
  }

  MessageVector messages() {
    return messages;
  }

  /** Address of a slot, for calls. */
  Pointer slot(int index) {
    return slots.pointer((long) index * SLOT_BYTES);
  }

  /** Sets the length of a slot's contents, for ports that receive without {@link #messages}. */
  void setLength(int slot, int bytes) {
    lengths[slot] = bytes;
  }

  /** The length set by {@link #setLength}. */
  int length(int slot) {
    return lengths[slot];
  }

  /** A 16-bit word of a slot, in the machine's byte order. */
  int word(int slot, int at) {
    return Short.toUnsignedInt(slots.bytes().getShort(slot * SLOT_BYTES + at));
  }

  /** A byte of a slot. */
  int octet(int slot, int at) {
    return Byte.toUnsignedInt(slots.bytes().get(slot * SLOT_BYTES + at));
  }

  /**
   * Copies a part of a slot into {@link #frame}.
   *
   * @param from first byte to copy
   * @param count bytes to copy
   * @param to index in {@link #frame}
   */
  void copy(int slot, int from, int count, int to) {
    copy(slot, from, count, frame, to);
  }

  /** Copies a part of a slot into an array. */
  void copy(int slot, int from, int count, byte[] into, int to) {
    slots.bytes().get(slot * SLOT_BYTES + from, into, to, count);
  }

  /** The current frame. */
  byte[] frame() {
    return frame;
  }
}
