package net.sluice.endpoints;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The sign by which a file's content and mode are known to be those that were seen: a file that was
 * written, replaced or given another mode since has another.
 *
 * @param attributes inode, size, and time of the last change of either or of the mode
 */
public record FileStamp(Map<String, Object> attributes) {
  /**
   * The stamp of a file, of the one that a symbolic link leads to.
   *
   * @throws IOException if there is none, or it may not be looked at
   */
  public static FileStamp of(Path file) throws IOException {
    return new FileStamp(Files.readAttributes(file, "unix:ino,size,ctime"));
  }
}
