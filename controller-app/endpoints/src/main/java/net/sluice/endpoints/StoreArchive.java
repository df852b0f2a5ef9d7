package net.sluice.endpoints;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import net.sluice.core.store.StoreException;

/**
 * A store's files as a ZIP archive, the form of backups of earlier releases. Backups of this one
 * have the form of {@link net.sluice.core.store.BackupFile}.
 */
final class StoreArchive {
  /** The first entry, which has lines with the format of the archive and the names of its files. */
  private static final String CONTENTS = "sluice-backup";

  private static final int MAX_CONTENTS_BYTES = 16 << 20;

  private static final String FORMAT = "1";
  private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  private StoreArchive() {}

  /** Deletes a directory with all that is in it, if it is there. */
  static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Writes the files of an archive into an empty directory and to its disk.
   *
   * @throws StoreException if it is not an archive of a store, is damaged, or of a newer format
   * @throws IOException if the directory cannot be written
   */
  static void extract(Path archive, Path into) throws IOException {
    try (ZipFile zip = open(archive)) {
      List<String> contents = contents(archive, zip);
      if (!contents.get(0).equals(FORMAT)) {
        throw new StoreException(
            "%s has format %s; this release reads format %s"
                .formatted(archive, contents.get(0), FORMAT));
      }
      for (String name : contents.subList(1, contents.size())) {
        ZipEntry file = FILE_NAME.matcher(name).matches() ? zip.getEntry(name) : null;
        if (file == null) {
          throw new StoreException(archive + " is damaged: it lacks the file '" + name + "'");
        }
        extract(archive, zip, file, into.resolve(name));
      }
    }
    sync(into);
  }

  private static void extract(Path archive, ZipFile zip, ZipEntry entry, Path to)
      throws IOException {
    byte[] buffer = new byte[1 << 16];
    try (CheckedInputStream in = checked(zip, entry);
        OutputStream out = Files.newOutputStream(to, StandardOpenOption.CREATE_NEW)) {
      for (int n = read(archive, in, buffer); n >= 0; n = read(archive, in, buffer)) {
        out.write(buffer, 0, n);
      }
      requireWhole(archive, in, entry);
    }
    sync(to);
  }

  private static CheckedInputStream checked(ZipFile zip, ZipEntry entry) throws IOException {
    return new CheckedInputStream(zip.getInputStream(entry), new CRC32());
  }

  /** A ZIP file that is read by its directory compares nothing by itself. */
  private static void requireWhole(Path archive, CheckedInputStream read, ZipEntry entry) {
    if (read.getChecksum().getValue() != entry.getCrc()) {
      throw new StoreException(
          archive + " is damaged: " + entry.getName() + " has another checksum");
    }
  }

  private static ZipFile open(Path archive) {
    try {
      return new ZipFile(archive.toFile());
    } catch (IOException e) {
      throw new StoreException(
          archive + " cannot be read, or is no backup or only a part of one: " + e.getMessage(), e);
    }
  }

  private static List<String> contents(Path archive, ZipFile zip) {
    ZipEntry contents = zip.getEntry(CONTENTS);
    if (contents == null) {
      throw new StoreException(archive + " is no backup of a store");
    }
    try (CheckedInputStream in = checked(zip, contents)) {
      byte[] text = in.readNBytes(MAX_CONTENTS_BYTES);
      requireWhole(archive, in, contents);
      return List.of(new String(text, StandardCharsets.US_ASCII).split("\n", -1));
    } catch (IOException e) {
      throw damaged(archive, e);
    }
  }

  private static int read(Path archive, InputStream in, byte[] buffer) {
    try {
      return in.read(buffer);
    } catch (IOException e) {
      throw damaged(archive, e);
    }
  }

  private static StoreException damaged(Path archive, IOException cause) {
    return new StoreException(archive + " is damaged: " + cause.getMessage(), cause);
  }

  /** Returns when a file or the names in a directory are on the disk. */
  static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
