package net.sluice.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import net.sluice.cli.StartFailure;

/** Data directories of releases that kept events and the like in files beside the store. */
final class EarlierData {
  private static final List<String> FILES =
      List.of("answers", "audit", "events", "operations", "webhooks");

  private EarlierData() {}

  /**
   * Refuses a directory that an earlier release has used: its webhooks would be forgotten and its
   * audit log not be told.
   *
   * @throws StartFailure that says what to do
   */
  static void refuse(Path dataDirectory) throws StartFailure {
    List<String> found =
        FILES.stream()
            .filter(name -> hasFiles(dataDirectory.resolve(name)))
            .map(name -> name + "/")
            .toList();
    if (!found.isEmpty()) {
      throw new StartFailure(
          dataDirectory
              + " was kept by an earlier release, which had "
              + String.join(", ", found)
              + " there; this one keeps all of that in the store. Export with the earlier release"
              + " (sluice export), import into another directory with this one (sluice import), and"
              + " declare webhooks again");
    }
  }

  private static boolean hasFiles(Path directory) {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isPresent();
    } catch (IOException e) {
      return true;
    }
  }
}
