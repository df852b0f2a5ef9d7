package net.sluice.standalone.webhooks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.sluice.cli.StartFailure;

/** A file a webhook, which only the controller's user may read: it has the secret. */
final class WebhookFiles {
  private static final String END = ".json";
  private static final FileAttribute<?> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path directory;

  /** In a directory, which is made with the first webhook. */
  WebhookFiles(Path directory) {
    this.directory = directory;
  }

  /**
   * All that are there.
   *
   * @throws StartFailure if one cannot be read
   */
  List<StoredWebhook> read() throws StartFailure {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    List<StoredWebhook> all = new ArrayList<>();
    Path reading = directory;
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        reading = file;
        String name = file.getFileName().toString();
        if (name.endsWith(END)) {
          String id = name.substring(0, name.length() - END.length());
          all.add(StoredWebhook.of(id, Files.readAllBytes(file)));
        }
      }
      return all;
    } catch (IOException e) {
      throw new StartFailure("webhook in " + reading + ": " + e.getMessage(), e);
    }
  }

  /** Writes one, so that it outlives the machine's death. */
  void write(StoredWebhook webhook) throws IOException {
    Files.createDirectories(directory, DIRECTORY);
    Path next = Files.createTempFile(directory, ".webhook", ".next", FILE);
    try {
      try (FileChannel out = FileChannel.open(next, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(webhook.bytes());
        while (bytes.hasRemaining()) {
          int unused = out.write(bytes);
        }
        out.force(true);
      }
      Files.move(
          next,
          file(webhook.declared().id()),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  /** Deletes one. */
  void delete(String id) throws IOException {
    Files.deleteIfExists(file(id));
  }

  private Path file(String id) {
    return directory.resolve(id + END);
  }
}
