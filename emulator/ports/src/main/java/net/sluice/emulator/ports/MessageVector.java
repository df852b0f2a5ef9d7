package net.sluice.emulator.ports;

import com.sun.jna.Pointer;
import java.nio.ByteBuffer;

/**
 * An array of {@code struct mmsghdr}, one message after the other, each with one {@code struct
 * iovec} and possibly room for control data; layouts of 64-bit Linux.
 */
final class MessageVector {
  private static final int MESSAGE_BYTES = 64;
  private static final int IOVEC_BYTES = 16;
  private static final int IOV_POINTER = 16;
  private static final int IOV_COUNT = 24;
  private static final int CONTROL_POINTER = 32;
  private static final int CONTROL_LENGTH = 40;
  private static final int FLAGS = 48;
  private static final int LENGTH = 56;

  private final NativeMemory memory;
  private final ByteBuffer bytes;
  private final int iovecs;
  private final int controls;
  private final int controlBytes;

  /**
   * @param count messages
   * @param controlBytes room for control data of each
   */
  MessageVector(int count, int controlBytes) {
    this.controlBytes = controlBytes;
    iovecs = count * MESSAGE_BYTES;
    controls = iovecs + count * IOVEC_BYTES;
    memory = new NativeMemory(controls + (long) count * controlBytes);
    bytes = memory.bytes();
    for (int i = 0; i < count; i++) {
      int message = i * MESSAGE_BYTES;
      bytes.putLong(message + IOV_POINTER, memory.address(iovecs + i * IOVEC_BYTES));
      bytes.putLong(message + IOV_COUNT, 1);
      if (controlBytes > 0) {
        bytes.putLong(message + CONTROL_POINTER, memory.address(control(i)));
        rearm(i);
      }
    }
  }

  /** Offset of a message. */
  Pointer pointer(int message) {
    return message == 0 ? memory.pointer() : memory.pointer((long) message * MESSAGE_BYTES);
  }

  /** Sets a message's buffer. */
  void setBuffer(int message, long address, long length) {
    int iovec = iovecs + message * IOVEC_BYTES;
    bytes.putLong(iovec, address);
    bytes.putLong(iovec + Long.BYTES, length);
  }

  /** Bytes received into a message. */
  int length(int message) {
    return bytes.getInt(message * MESSAGE_BYTES + LENGTH);
  }

  /** Flags that came with a message. */
  int flags(int message) {
    return bytes.getInt(message * MESSAGE_BYTES + FLAGS);
  }

  /** Control data that came with a message, bytes. */
  int controlLength(int message) {
    return (int) bytes.getLong(message * MESSAGE_BYTES + CONTROL_LENGTH);
  }

  /** Index in {@link #bytes} of a message's control data. */
  int control(int message) {
    return controls + message * controlBytes;
  }

  /** The memory of the array. */
  ByteBuffer bytes() {
    return bytes;
  }

  /** Resets a message's control data length, which receiving sets to the bytes used. */
  void rearm(int message) {
    bytes.putLong(message * MESSAGE_BYTES + CONTROL_LENGTH, controlBytes);
  }
}
