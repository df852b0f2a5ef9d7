package net.sluice.fpga;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Registers mapped into memory, e.g. {@code /sys/bus/pci/devices/0000:03:00.0/resource0}. Each
 * access is one aligned 32-bit load or store, and accesses keep their order. The mapping lasts as
 * long as the object is reachable.
 */
public final class MappedRegisters implements LocalBus {
  private static final VarHandle WORD =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final ByteBuffer window;

  private MappedRegisters(ByteBuffer window) {
    this.window = window;
  }

  /**
   * Maps the window.
   *
   * @throws IOException if the file cannot be mapped for reading and writing, or is smaller than
   *     the window: it is then not this FPGA's resource
   */
  public static MappedRegisters map(Path resource) throws IOException {
    try (FileChannel channel =
        FileChannel.open(resource, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (channel.size() < RegisterLayout.WINDOW_BYTES) {
        throw new IOException(
            resource
                + " has "
                + channel.size()
                + " bytes; the FPGA's register window has "
                + RegisterLayout.WINDOW_BYTES);
      }
      return new MappedRegisters(
          channel.map(FileChannel.MapMode.READ_WRITE, 0, RegisterLayout.WINDOW_BYTES));
    }
  }

  @Override
  public int readWord(int address) {
    return (int) WORD.getVolatile(window, address);
  }

  @Override
  public void writeWord(int address, int value) {
    WORD.setVolatile(window, address, value);
  }
}
