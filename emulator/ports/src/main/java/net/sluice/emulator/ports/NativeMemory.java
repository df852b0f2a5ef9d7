package net.sluice.emulator.ports;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A piece of memory that the kernel reads and writes, seen from both sides; zero at first. */
final class NativeMemory {
  // Freed with this object: the buffer alone would not keep it.
  private final Memory memory;
  private final ByteBuffer bytes;

  NativeMemory(long size) {
    memory = new Memory(size);
    memory.clear();
    bytes = memory.getByteBuffer(0, size).order(ByteOrder.nativeOrder());
  }

  /** Where it is, for calls. */
  Pointer pointer() {
    return memory;
  }

  /** Where a part of it is, for calls. */
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
