package net.sluice.standalone.files;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Documents in a directory, a file each, which only the controller's user may read. A document is
 * there whole or not at all, and outlives the machine's death once it was put.
 */
public final class FileDocuments {
  private static final String NEXT = ".next";
  private static final FileAttribute<?> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path directory;

  /** Documents in {@code directory}, which is made with the first of them. */
  public FileDocuments(Path directory) {
    this.directory = directory;
  }

  /** Their directory. */
  public Path directory() {
    return directory;
  }

  /** Their names, sorted. What was being put when the process died is deleted. */
  public List<String> names() throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(NEXT)) {
          Files.delete(file);
        } else {
          names.add(name);
        }
      }
    }
    return names;
  }

  /** The document of a name. */
  public byte[] read(String name) throws IOException {
    return Files.readAllBytes(directory.resolve(name));
  }

  /** The document of a name, to be read in parts. */
  public InputStream open(String name) throws IOException {
    return Files.newInputStream(directory.resolve(name));
  }

  /** Bytes of the document of a name. */
  public long bytes(String name) throws IOException {
    return Files.size(directory.resolve(name));
  }

  /** Puts a document in the place of the one of its name. If that fails, that one stays. */
  public void put(String name, byte[] document) throws IOException {
    Files.createDirectories(directory, DIRECTORY);
    Path next = directory.resolve(name + NEXT);
    try {
      Files.deleteIfExists(next);
      Files.createFile(next, FILE);
      // Not a channel: an interrupted thread could not write to it.
      try (FileOutputStream out = new FileOutputStream(next.toFile())) {
        out.write(document);
        out.getFD().sync();
      }
      Files.move(
          next,
          directory.resolve(name),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException | RuntimeException | Error e) {
      try {
        Files.deleteIfExists(next);
      } catch (IOException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
    syncNames(directory);
  }

  /** Deletes a document; none of that name is none, too. */
  public void delete(String name) throws IOException {
    try {
      Files.deleteIfExists(directory.resolve(name));
    } catch (NoSuchFileException e) {
      // The directory is not there either.
    }
  }

  /** Makes durable which files a directory has. */
  public static void syncNames(Path directory) throws IOException {
    boolean isInterrupted = false;
    try {
      for (boolean isDone = false; !isDone; ) {
        // A directory is only synced by a channel, which an interrupt closes.
        isInterrupted |= Thread.interrupted();
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
          names.force(true);
          isDone = true;
        } catch (ClosedByInterruptException e) {
          isInterrupted = true;
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
