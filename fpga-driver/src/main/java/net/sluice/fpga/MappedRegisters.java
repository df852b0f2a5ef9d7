package net.sluice.fpga;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Registers mapped into memory, e.g. {@code /sys/bus/pci/devices/0000:03:00.0/resource0}. Each
 * access is one aligned 32-bit load or store, and accesses keep their order. The file is locked
 * meanwhile, so that controllers take turns: there is no agent that would know their epochs.
 */
public final class MappedRegisters implements LocalBus {
  private static final VarHandle WORD =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** Read where no card answers: what a PCIe read that timed out gives. */
  private static final int ALL_ONES = -1;

  private final ByteBuffer window;

  /** Open as long as the lock is held, which is lost with it. */
  private final FileChannel channel;

  private MappedRegisters(ByteBuffer window, FileChannel channel) {
    this.window = window;
    this.channel = channel;
  }

  /**
   * Maps the window and locks the file, until it is closed or the process ends.
   *
   * @throws IOException if the file cannot be mapped for reading and writing, another controller
   *     has it locked, or it is smaller than the window: it is then not this FPGA's resource
   */
  public static MappedRegisters map(Path resource) throws IOException {
    FileChannel channel =
        FileChannel.open(resource, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (channel.size() < RegisterLayout.WINDOW_BYTES) {
        throw new IOException(
            "%s has %s bytes; the FPGA's register window has %s"
                .formatted(resource, channel.size(), RegisterLayout.WINDOW_BYTES));
      }
      if (!lock(channel)) {
        throw new IOException(
            resource + " is in use by another controller, which has to be stopped first");
      }
      return new MappedRegisters(
          channel.map(FileChannel.MapMode.READ_WRITE, 0, RegisterLayout.WINDOW_BYTES), channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** False if another process, or this one in another place, holds the lock. */
  private static boolean lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  @Override
  public int readWord(int address) throws IOException {
    int word = load(address);
    if (word == ALL_ONES) {
      requireCard();
    }
    return word;
  }

  @Override
  public void writeWord(int address, int value) throws IOException {
    try {
      WORD.setVolatile(window, address, value);
    } catch (InternalError e) {
      throw fault(e);
    }
  }

  /** Writes are posted: a read comes back only behind them. */
  @Override
  public void flush() throws IOException {
    requireCard();
  }

  /** No register of a core is all ones for good, and its identification never is. */
  private void requireCard() throws IOException {
    if (load(RegisterLayout.CORE_ID) == ALL_ONES) {
      throw new IOException("the card does not answer: its identification reads 0xffffffff");
    }
  }

  private int load(int address) throws IOException {
    try {
      return (int) WORD.getVolatile(window, address);
    } catch (InternalError e) {
      throw fault(e);
    }
  }

  /** Java tells a bus error so, when the mapped device has gone. */
  private static IOException fault(InternalError error) {
    return new IOException("the card's memory has gone: " + error.getMessage(), error);
  }

  /** Frees the file for other controllers; the mapping lasts as long as the object is reachable. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the lock of the registers cannot be given up", e);
    }
  }
}
