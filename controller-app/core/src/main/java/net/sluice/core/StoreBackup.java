package net.sluice.core;

import java.io.IOException;
import java.io.OutputStream;

/** A copy of the store as it was at one moment, kept until it is closed. */
public interface StoreBackup extends AutoCloseable {
  /**
   * Writes the copy as one file, from which its host can make a store again.
   *
   * @throws IOException if the copy cannot be read, or {@code out} not be written
   */
  void writeTo(OutputStream out) throws IOException;

  @Override
  void close();
}
