package net.sluice.emulator.ports.stf;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The programs and tests that the tests of this package share. */
final class StfFiles {

  private StfFiles() {}

  static byte[] bytes(String name) {
    try (InputStream in = StfFiles.class.getResourceAsStream("/stf/" + name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
