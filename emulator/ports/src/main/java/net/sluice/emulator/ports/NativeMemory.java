package net.sluice.emulator.ports;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory shared with the kernel, zero at first. */
final class NativeMemory {
  // Freed with this object: the buffer alone would not keep it.
  private final Memory memory;
  private final ByteBuffer bytes;

  NativeMemory(long size) {
    memory = new Memory(size);
    memory.clear();
    bytes = memory.getByteBuffer(0, size).order(ByteOrder.nativeOrder());
  }

  /** Its address, for calls. */
  Pointer pointer() {
    return memory;
  }

  /** Address of a part of it, for calls. */
  Pointer pointer(long offset) {
    return memory.share(offset);
  }

  /** Address of a part of it, for structures that hold pointers. */
  long address(long offset) {
    return Pointer.nativeValue(memory) + offset;
  }

  /** Its contents, in the machine's byte order. */
  ByteBuffer bytes() {
    return bytes;
  }
}
