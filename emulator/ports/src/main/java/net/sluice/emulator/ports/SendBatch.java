package net.sluice.emulator.ports;

/** Frames that wait to be handed to the kernel together. */
final class SendBatch {
  private static final int FRAMES = 64;
  private static final int ARENA_BYTES = 2 * ReceiveBatch.SLOT_BYTES;

  private final NativeMemory arena = new NativeMemory(ARENA_BYTES);
  private final MessageVector messages = new MessageVector(FRAMES, 0);
  private int count;
  private int used;

  /** Takes a copy of a frame; false if the batch is full. */
  boolean add(byte[] bytes, int offset, int length) {
    if (length > ARENA_BYTES) {
      throw new IllegalArgumentException(
          "length " + length + " of a frame: must be at most " + ARENA_BYTES);
    }
    if (count == FRAMES || used + length > ARENA_BYTES) {
      return false;
    }
    arena.bytes().put(used, bytes, offset, length);
    messages.setBuffer(count, arena.address(used), length);
    used += length;
    count++;
    return true;
  }

  /** Whether there is room for only one more frame of any length. */
  boolean nearlyFull() {
    return count >= FRAMES - 1 || used > ARENA_BYTES - ReceiveBatch.SLOT_BYTES;
  }

  int count() {
    return count;
  }

  MessageVector messages() {
    return messages;
  }

  void clear() {
    count = 0;
    used = 0;
  }
}
