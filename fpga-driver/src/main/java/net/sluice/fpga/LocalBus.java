package net.sluice.fpga;

import java.io.IOException;

/**
 * Registers reached directly, one word at a time: a mapped device, or a model of one. Called by one
 * thread at a time; addresses are multiples of 4 inside the window.
 */
public interface LocalBus extends AutoCloseable {
  /** Reads the word at a byte address. */
  int readWord(int address) throws IOException;

  /** Writes the word at a byte address. */
  void writeWord(int address, int value) throws IOException;

  /**
   * Waits until everything written has arrived.
   *
   * @throws IOException if that cannot be known, of any write since the last call
   */
  default void flush() throws IOException {}

  /** Gives up what reaching them takes; they are not accessed any more. */
  @Override
  default void close() {}
}
