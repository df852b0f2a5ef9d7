package net.sluice.lab.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory that is deleted with its contents when it is closed. */
public final class TemporaryDirectory implements AutoCloseable {
  private final Path path;

  /** A new empty directory whose name begins with {@code prefix}. */
  public TemporaryDirectory(String prefix) throws IOException {
    path = Files.createTempDirectory(prefix);
  }

  /** Its path. */
  public Path path() {
    return path;
  }

  @Override
  public void close() {
    try (Stream<Path> contents = Files.walk(path)) {
      List<Path> deepestFirst = contents.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + path + ": " + e.getMessage(), e);
    }
  }
}
