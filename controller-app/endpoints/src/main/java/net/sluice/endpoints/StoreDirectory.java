package net.sluice.endpoints;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import net.sluice.core.store.StoreException;

/**
 * The directory of a store: whether there is one in it, who may read it, and what room is left.
 *
 * @param directory where it is; it need not exist
 */
record StoreDirectory(Path directory) {
  private static final Set<PosixFilePermission> OF_OTHERS =
      Set.of(
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.OTHERS_EXECUTE);

  /** Left free when the database is copied. */
  private static final long SPARE_BYTES = 16L << 20;

  /** A database that is opened again writes some files of less than that. */
  private static final int TRIAL_BYTES = 1 << 20;

  /** Whether there is a database in it. */
  boolean hasStore() {
    return Files.exists(directory.resolve("CURRENT"));
  }

  /**
   * Tries nothing, and finds out whether a database in it could be made or written.
   *
   * @throws StoreException if not
   */
  void requireWritable() {
    Path there = directory;
    while (there.getParent() != null && !Files.exists(there, NOFOLLOW_LINKS)) {
      there = there.getParent();
    }
    if (!Files.isDirectory(there)) {
      throw cannotCreate("it is not a directory", null);
    }
    if (!Files.isWritable(there)) {
      String denied = "permission denied";
      throw there.equals(directory)
          ? new StoreException("cannot write the store in " + directory + ": " + denied)
          : cannotCreate(denied, null);
    }
  }

  /**
   * Makes the directory, as {@link #makePrivate} does.
   *
   * @throws StoreException if it cannot be made
   */
  void make() {
    try {
      makePrivate(directory);
    } catch (IOException e) {
      throw cannotCreate(reason(e), e);
    }
  }

  private StoreException cannotCreate(String reason, IOException cause) {
    return new StoreException(
        "cannot create the store's directory " + directory + ": " + reason, cause);
  }

  /**
   * RocksDB writes what is in memory to files before it links them into a copy. A store that ran
   * full by that would take no more changes.
   *
   * @param unwrittenBytes what is in memory
   */
  void requireRoomForCopy(long unwrittenBytes) {
    try {
      long needed = unwrittenBytes + SPARE_BYTES;
      long room = Files.getFileStore(directory).getUsableSpace();
      if (room < needed) {
        throw new StoreException(
            "cannot copy the store in %s: %d bytes are free there; needed: %d"
                .formatted(directory, room, needed));
      }
    } catch (IOException e) {
      throw new StoreException("cannot copy the store in " + directory + ": " + reason(e), e);
    }
  }

  /** Writes something before the open database, which can be read, is closed. */
  void requireRoomForLog() {
    Path trial = directory.resolve("trial");
    try {
      try (FileChannel channel = FileChannel.open(trial, CREATE, WRITE)) {
        ByteBuffer zeros = ByteBuffer.allocate(TRIAL_BYTES);
        while (zeros.hasRemaining()) {
          int unused = channel.write(zeros);
        }
        channel.force(true);
      } finally {
        Files.deleteIfExists(trial);
      }
    } catch (IOException e) {
      throw new StoreException("cannot write the store in " + directory + ": " + reason(e), e);
    }
  }

  private static String reason(IOException failure) {
    if (failure instanceof FileAlreadyExistsException) {
      return "it is not a directory";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof FileSystemException of) {
      return of.getReason() == null ? of.toString() : of.getReason();
    }
    return String.valueOf(failure.getMessage());
  }

  /**
   * Makes a directory for its owner alone; of one that is there already, others lose their rights.
   * There are secrets in it.
   */
  static void makePrivate(Path directory) throws IOException {
    boolean isPosix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
    if (!Files.isDirectory(directory) && isPosix) {
      if (directory.toAbsolutePath().getParent() != null) {
        Files.createDirectories(directory.toAbsolutePath().getParent());
      }
      Files.createDirectory(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      return;
    }
    Files.createDirectories(directory);
    if (isPosix) {
      Set<PosixFilePermission> kept = Files.getPosixFilePermissions(directory);
      if (kept.removeAll(OF_OTHERS)) {
        Files.setPosixFilePermissions(directory, kept);
      }
    }
  }
}
