package net.sluice.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.sluice.cli.OptionException;
import net.sluice.cli.StartFailure;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.bulk.BulkLine;
import net.sluice.rest.bulk.BulkLineDecoder;
import net.sluice.rest.bulk.LineSplitter;
import net.sluice.rest.request.RequestBody;

/**
 * The declarations of a folder: each file {@code *.ndjson} has one a line, each file {@code *.json}
 * is one, both in the form of bulk requests.
 */
final class DeclaredFiles {
  private static final String ALLOWED =
      "a folder with files *.json or *.ndjson that can be read, or such a file";

  private final Map<Key, Declaration> all = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();
  private final List<Path> unread = new ArrayList<>();

  /** A declaration's name among all. */
  record Key(Kind kind, String id) {
    static Key of(Change change) {
      return new Key(change.kind(), change.id());
    }
  }

  /**
   * A declaration.
   *
   * @param where its file and line, for people
   */
  record Declaration(String where, Change.Put put) {}

  private DeclaredFiles() {}

  /**
   * Reads a folder with all that is in it, or one file.
   *
   * @throws OptionException if it cannot be read or has no such file
   * @throws StartFailure with everything that is wrong in the files
   */
  static DeclaredFiles read(String option, String name) throws StartFailure {
    DeclaredFiles files = new DeclaredFiles();
    Path root = Path.of(name);
    int read = 0;
    try (Stream<Path> tree = Files.walk(root)) {
      for (Path file : tree.filter(Files::isRegularFile).sorted().toList()) {
        if (file.toString().endsWith(".ndjson")) {
          files.readLines(file);
          read++;
        } else if (file.toString().endsWith(".json")) {
          files.readOne(file);
          read++;
        } else {
          files.unread.add(file);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      throw new OptionException(option, name, ALLOWED);
    }
    if (read == 0) {
      throw new OptionException(option, name, ALLOWED);
    }
    if (!files.problems.isEmpty()) {
      throw new StartFailure(String.join(System.lineSeparator() + "sluice: ", files.problems));
    }
    return files;
  }

  private void readLines(Path file) throws IOException {
    LineSplitter splitter = new LineSplitter(line -> take(file, line));
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        splitter.take(buffer, n);
      }
      splitter.end();
    }
  }

  private void take(Path file, BulkLine line) {
    String where = file + " line " + line.number();
    if (line.isSound()) {
      take(where, line);
    } else {
      problems.add(where + ": " + ImportCommand.text(line.problems()));
    }
  }

  private void readOne(Path file) throws IOException {
    if (Files.size(file) > RequestBody.MAX_BYTES) {
      problems.add(
          "%s: more than %d bytes; allowed: at most that many"
              .formatted(file, RequestBody.MAX_BYTES));
      return;
    }
    byte[] bytes = Files.readAllBytes(file);
    try {
      take(file.toString(), BulkLineDecoder.decodeFully(1, bytes, 0, bytes.length));
    } catch (Refusal e) {
      problems.add(file + ": " + ImportCommand.text(e.problems()));
    }
  }

  private void take(String where, BulkLine line) {
    if (!line.condition().isNone()) {
      problems.add(where + ": has ifMatch or ifNoneMatch; allowed: neither");
      return;
    }
    if (!(line.change() instanceof Change.Put put)) {
      problems.add(where + ": op is \"delete\"; allowed: \"put\"");
      return;
    }
    Declaration before = all.putIfAbsent(Key.of(put), new Declaration(where, put));
    if (before != null) {
      problems.add(
          "%s: %s %s is in %s already"
              .formatted(where, put.kind().words(), put.id(), before.where));
    }
  }

  /** The declarations by name. */
  Map<Key, Declaration> all() {
    return all;
  }

  /** Files of the folder that are neither. */
  List<Path> unread() {
    return unread;
  }
}
