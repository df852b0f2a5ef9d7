package net.sluice.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import net.sluice.cli.OptionValues;
import net.sluice.cli.StartFailure;

/** Files that are there whole or not at all: what is not whole has another name. */
final class WholeFile {
  private WholeFile() {}

  /**
   * Writes what {@code in} has to its end, on to the disk.
   *
   * @throws IOException if {@code in} breaks off
   * @throws StartFailure if the file cannot be written
   */
  static void write(String name, InputStream in) throws IOException, StartFailure {
    write(name, in, "rw-r--r--");
  }

  /** The same, of a file that nobody else may read. */
  static void writeSecret(String name, InputStream in) throws IOException, StartFailure {
    write(name, in, "rw-------");
  }

  private static void write(String name, InputStream in, String permissions)
      throws IOException, StartFailure {
    Path file = OptionValues.outputFile("FILE", name).toAbsolutePath();
    Path part = file.resolveSibling(file.getFileName() + ".part");
    byte[] buffer = new byte[1 << 16];
    try {
      Files.deleteIfExists(part);
      try (FileChannel channel =
              FileChannel.open(
                  part,
                  Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                  PosixFilePermissions.asFileAttribute(
                      PosixFilePermissions.fromString(permissions)));
          OutputStream out = Channels.newOutputStream(channel)) {
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          write(out, buffer, n, name);
        }
        channel.force(true);
      }
      Path unused = Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void write(OutputStream out, byte[] buffer, int length, String name)
      throws StartFailure {
    try {
      out.write(buffer, 0, length);
    } catch (IOException e) {
      throw new StartFailure("cannot write " + name + ": " + e.getMessage(), e);
    }
  }
}
