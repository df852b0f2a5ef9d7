package net.sluice.endpoints;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdb.RocksDBException;

/** The lock that keeps a store to one process: RocksDB's, a POSIX lock on its file LOCK. */
final class StoreLock {
  private static final Path LOCKS = Path.of("/proc/locks");
  private static final String ANOTHER = "another process";

  /** A line of {@code /proc/locks}: its process, the device in hexadecimal, the inode (proc(5)). */
  private static final Pattern HELD =
      Pattern.compile("\\d+: POSIX +\\w+ +WRITE +(\\d+) (\\p{XDigit}+):(\\p{XDigit}+):(\\d+) .*");

  private StoreLock() {}

  /**
   * The process that has the store open that could not be opened; empty if it failed for another
   * reason.
   */
  static Optional<String> heldBy(Path directory, RocksDBException failure) {
    String words = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    if (words.contains("lock hold by current process")) {
      return Optional.of("this process");
    }
    if (!words.contains("lock file")) {
      return Optional.empty();
    }
    return holder(directory).or(() -> Optional.of(ANOTHER));
  }

  /**
   * The process that has a store open; empty if none has, or the operating system does not tell.
   */
  static Optional<String> holder(Path directory) {
    String own = Long.toString(ProcessHandle.current().pid());
    return pid(directory.resolve("LOCK"))
        .map(pid -> pid.equals(own) ? "this process" : ANOTHER + ", pid " + pid);
  }

  private static Optional<String> pid(Path file) {
    try {
      long device = ((Number) Files.getAttribute(file, "unix:dev")).longValue();
      String inode = Files.getAttribute(file, "unix:ino").toString();
      List<String> locks = Files.readAllLines(LOCKS);
      for (String lock : locks) {
        Matcher held = HELD.matcher(lock);
        if (held.matches()
            && held.group(4).equals(inode)
            && Integer.parseInt(held.group(2), 16) == major(device)
            && Integer.parseInt(held.group(3), 16) == minor(device)) {
          return Optional.of(held.group(1));
        }
      }
    } catch (IOException | RuntimeException e) {
      // Another operating system, or not for us to know: then it is not told.
    }
    return Optional.empty();
  }

  /** As {@code gnu_dev_major} of the C library. */
  private static long major(long device) {
    return ((device >>> 8) & 0xfff) | ((device >>> 32) & 0xfffff000L);
  }

  private static long minor(long device) {
    return (device & 0xff) | ((device >>> 12) & 0xffffff00L);
  }
}
