package net.sluice.emulator.cli.tls;

import java.io.IOException;
import java.nio.file.Files;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.emulator.server.rpc.PemException;

/** PEM files that options name. */
public final class PemOption {

  private PemOption() {}

  /** Takes the contents of such a file. */
  @FunctionalInterface
  public interface Use<T> {
    /**
     * Takes them.
     *
     * @throws PemException if they cannot be used
     */
    T of(byte[] file) throws PemException;
  }

  /**
   * Reads one.
   *
   * @param option its name
   * @param file its value
   * @param allowed what should be in the file
   * @throws OptionException if it cannot be read or used
   */
  public static <T> T read(String option, String file, String allowed, Use<T> use) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(OptionValues.inputFile(option, file));
    } catch (IOException e) {
      throw OptionValues.unreadable(option, file);
    }
    try {
      return use.of(bytes);
    } catch (PemException e) {
      throw new OptionException(option, file, allowed + "; " + e.getMessage());
    }
  }
}
