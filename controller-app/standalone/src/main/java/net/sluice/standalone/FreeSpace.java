package net.sluice.standalone;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import net.sluice.core.ChangeNeeds;
import net.sluice.core.ChangeNeeds.Lack;

/**
 * The free space of a file system. A change is refused while there is less than it needs, because a
 * store that is cut off in the midst of a write needs to be read again, and because whoever makes
 * room needs some.
 */
public final class FreeSpace implements ChangeNeeds.Need {
  private final String name;
  private final Path directory;
  private final FileStore system;
  private final long leastBytes;

  private FreeSpace(String name, Path directory, FileStore system, long leastBytes) {
    this.name = name;
    this.directory = directory;
    this.system = system;
    this.leastBytes = leastBytes;
  }

  /**
   * The free space where a directory is.
   *
   * @param directory one that is there
   * @throws IOException if it cannot be told
   */
  public static FreeSpace at(String name, Path directory, long leastBytes) throws IOException {
    return new FreeSpace(name, directory, Files.getFileStore(directory), leastBytes);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<Lack> lack() {
    long free;
    try {
      free = system.getUsableSpace();
    } catch (IOException e) {
      return Optional.of(
          new Lack(name, "the free space at " + directory + " cannot be told: " + e.getMessage()));
    }
    return free >= leastBytes
        ? Optional.empty()
        : Optional.of(
            new Lack(
                name,
                free + " bytes are free at " + directory + ", and changes need " + leastBytes));
  }
}
