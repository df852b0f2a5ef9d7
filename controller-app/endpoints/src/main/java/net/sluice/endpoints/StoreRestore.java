package net.sluice.endpoints;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.sluice.core.store.BackupFile;
import net.sluice.core.store.StoreException;

/**
 * Makes the store in a directory what a backup holds. At any moment there is the old store, or the
 * backup's, or a directory that tells the next start that this was cut short.
 */
public final class StoreRestore {
  /** Being extracted: the store is still what it was. */
  private static final String EXTRACTED = "restored.part";

  /** Extracted and read; the old store's files are on their way out of the store's directory. */
  private static final String NEXT = "restored.next";

  /** Those that were not moved into the store's directory yet; what is there came from here. */
  private static final String MOVING = "restored.moving";

  /** Where the old store's files go first. */
  private static final String ASIDE = "replaced.part";

  private static final String REPLACED = "replaced-";
  private static final String CURRENT = "CURRENT";

  /** The files of RocksDB, but for its lock. */
  private static final Pattern OF_STORE =
      Pattern.compile(
          "CURRENT|IDENTITY|MANIFEST-\\d+|OPTIONS-\\d+(\\.dbtmp)?|LOG(\\.old\\.\\d+)?"
              + "|\\d+\\.(log|sst|blob|dbtmp)");

  private final Path archive;
  private final Path directory;
  private final Path extracted;
  private final Path next;
  private final Path moving;
  private final Path aside;

  private StoreRestore(Path archive, Path directory) {
    this.archive = archive;
    this.directory = directory;
    extracted = directory.resolve(EXTRACTED);
    next = directory.resolve(NEXT);
    moving = directory.resolve(MOVING);
    aside = directory.resolve(ASIDE);
  }

  /**
   * The store that was made.
   *
   * @param identity its identity
   * @param revisions number of the last commit by name of the switch
   * @param replaced where the files of the old store are now; empty if there was none
   */
  public record Restored(long identity, Map<String, Long> revisions, Optional<Path> replaced) {}

  /**
   * Restores the backup in {@code archive}.
   *
   * @param directory of the store; created if it does not exist
   * @param replace whether an old store may be put aside
   * @param now names the directory in which that is put
   * @throws StoreException if the store is in use, or there is one that may not be put aside, or
   *     the backup is damaged, or a disk fails or is full; the store is what it was
   */
  public static Restored run(Path archive, Path directory, boolean replace, Instant now) {
    return new StoreRestore(archive, directory).run(replace, now);
  }

  /**
   * Refuses a directory in which a restore was begun and not ended.
   *
   * @throws StoreException if so
   */
  static void requireEnded(Path directory) {
    cutShort(directory)
        .ifPresent(
            reason -> {
              throw new StoreException(reason);
            });
  }

  /** Why no store can be opened in a directory; empty unless a restore there was not ended. */
  public static Optional<String> cutShort(Path directory) {
    return Files.exists(directory.resolve(NEXT)) || Files.exists(directory.resolve(MOVING))
        ? Optional.of(
            "cannot open the store in "
                + directory
                + ": a restore of it was cut short; run sluice restore again")
        : Optional.empty();
  }

  private Restored run(boolean replace, Instant now) {
    try {
      StoreDirectory.makePrivate(directory);
      StoreLock.holder(directory)
          .ifPresent(
              holder -> {
                throw inUse(holder);
              });
      try (FileChannel file = FileChannel.open(directory.resolve("LOCK"), CREATE, WRITE);
          FileLock lock = file.tryLock()) {
        if (lock == null) {
          throw inUse("another process");
        }
        return locked(replace, now);
      }
    } catch (IOException e) {
      throw new StoreException("cannot restore the store in " + directory + ": " + e, e);
    }
  }

  private StoreException inUse(String holder) {
    return new StoreException(
        "cannot restore the store in " + directory + ": it is in use by " + holder);
  }

  private Restored locked(boolean replace, Instant now) throws IOException {
    Path replaced = directory.resolve(REPLACED + text(now));
    endEarlier(replaced);
    boolean isThere = Files.exists(directory.resolve(CURRENT));
    if (isThere && !replace) {
      throw new StoreException(
          "there is a store in " + directory + "; with --replace it is put aside");
    }
    Restored restored;
    try {
      Files.createDirectory(extracted);
      restored = extract();
    } catch (IOException | RuntimeException e) {
      Folders.delete(extracted);
      throw e;
    }
    Files.createDirectory(aside);
    rename(extracted, next);
    move(directory, aside);
    rename(next, moving);
    move(moving, directory);
    Folders.delete(moving);
    if (isThere) {
      rename(aside, replaced);
    } else {
      Files.delete(aside);
    }
    return new Restored(
        restored.identity, restored.revisions, isThere ? Optional.of(replaced) : Optional.empty());
  }

  /** Makes the backup's store, and reads it whole. */
  private Restored extract() {
    RocksDbIntentStore.make(
        extracted,
        to -> {
          try (InputStream whole = Files.newInputStream(archive)) {
            BackupFile.read(archive.toString(), whole, to);
          } catch (IOException e) {
            throw new StoreException(archive + " cannot be read: " + e, e);
          }
        });
    return read();
  }

  /** Makes of what a restore that was cut short has left a store that is whole, or none. */
  private void endEarlier(Path replaced) throws IOException {
    Folders.delete(extracted);
    if (Files.exists(next)) {
      move(aside, directory);
      Folders.delete(next);
    } else if (Files.exists(moving)) {
      // The old store is aside, and the backup has what is here.
      for (Path file : storeFiles(directory)) {
        Files.delete(file);
      }
      Folders.delete(moving);
    }
    if (Files.exists(aside.resolve(CURRENT))) {
      rename(aside, replaced);
    } else {
      Folders.delete(aside);
    }
  }

  /** Reads the backup's store whole. */
  private Restored read() {
    try (RocksDbIntentStore store = RocksDbIntentStore.readOnly(extracted)) {
      store.verify();
      return new Restored(store.identity(), store.revisions(), Optional.empty());
    } catch (StoreException e) {
      throw new StoreException(archive + " is damaged: " + e.getMessage(), e);
    }
  }

  /** Moves a store's files, the one that makes them a store last. */
  private static void move(Path from, Path to) throws IOException {
    Path current = from.resolve(CURRENT);
    for (Path file : storeFiles(from)) {
      if (!file.equals(current)) {
        Path unused = Files.move(file, to.resolve(file.getFileName()));
      }
    }
    if (Files.exists(current)) {
      Path unused = Files.move(current, to.resolve(CURRENT));
    }
    Folders.sync(to);
    Folders.sync(from);
  }

  private void rename(Path from, Path to) throws IOException {
    Path unused = Files.move(from, to);
    Folders.sync(directory);
  }

  private static List<Path> storeFiles(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> OF_STORE.matcher(file.getFileName().toString()).matches()).toList();
    }
  }

  private static String text(Instant now) {
    return DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC).format(now);
  }
}
