package net.sluice.lab.report;

import java.nio.file.Files;
import java.nio.file.Path;

/** A file of a run in the current directory, beside those of runs before. */
public final class FreshFile {
  private FreshFile() {}

  /**
   * The first of {@code stem.ending}, {@code stem-2.ending}, {@code stem-3.ending} and so on that
   * is not there yet.
   *
   * @param directory where the file would be
   */
  public static Path in(Path directory, String stem, String ending) {
    Path file = directory.resolve(stem + "." + ending);
    for (int number = 2; Files.exists(file); number++) {
      file = directory.resolve(stem + "-" + number + "." + ending);
    }
    return file;
  }
}
