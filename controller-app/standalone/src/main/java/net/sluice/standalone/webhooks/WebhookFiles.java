package net.sluice.standalone.webhooks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.sluice.cli.StartFailure;
import net.sluice.standalone.files.FileDocuments;

/** A file a webhook, which only the controller's user may read: it has the secret. */
final class WebhookFiles {
  private static final String END = ".json";
  private final FileDocuments files;

  /** In a directory, which is made with the first webhook. */
  WebhookFiles(Path directory) {
    files = new FileDocuments(directory);
  }

  /**
   * All that are there.
   *
   * @throws StartFailure if one cannot be read
   */
  List<StoredWebhook> read() throws StartFailure {
    List<StoredWebhook> all = new ArrayList<>();
    String reading = "";
    try {
      for (String name : files.names()) {
        reading = name;
        if (name.endsWith(END)) {
          String id = name.substring(0, name.length() - END.length());
          all.add(StoredWebhook.of(id, files.read(name)));
        }
      }
      return all;
    } catch (IOException e) {
      throw new StartFailure(
          "webhook in " + files.directory().resolve(reading) + ": " + e.getMessage(), e);
    }
  }

  /** Writes one, so that it outlives the machine's death. */
  void write(StoredWebhook webhook) throws IOException {
    files.put(webhook.declared().id() + END, webhook.bytes());
  }

  /** Deletes one. */
  void delete(String id) throws IOException {
    files.delete(id + END);
  }
}
