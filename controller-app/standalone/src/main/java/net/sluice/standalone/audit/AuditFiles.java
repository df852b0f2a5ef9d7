package net.sluice.standalone.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import net.sluice.core.ControllerException;
import net.sluice.core.UnavailableException;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.guard.AuditLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log as files of JSON lines. A change has a line before it is begun and, with its number
 * in {@code of}, one with its outcome. A thread syncs the file while the changes are made, once for
 * all lines that came meanwhile, so that a change that waits for its commit in the store has not to
 * wait for its line as well.
 *
 * <p>A file that is full is followed by the next; the oldest go. Their names have the number of
 * their first line.
 */
public final class AuditFiles implements AuditLog, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditFiles.class);
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String PREFIX = "audit-";
  private static final String SUFFIX = ".jsonl";
  private static final Duration LAZY = Duration.ofSeconds(1);
  private static final String SEQ = "{\"seq\":";

  private final Path directory;
  private final long fileBytes;
  private final int files;
  private final Clock clock;
  private final Thread syncer;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private FileChannel current;
  private long size;
  private long written;
  private long durable;

  /** Up to here somebody waits; what is beyond is synced after {@link #LAZY} at the latest. */
  private long wanted;

  private boolean closed;

  /** Why what was written may be lost, until a new file is begun; null if nothing is. */
  private IOException failure;

  /** Writes what is in force by now where a change of an earlier process may have been made. */
  public interface Now {
    /** Writes fields of a JSON object for a line with what was asked. */
    void write(JsonGenerator json, JsonNode asked) throws IOException;
  }

  private AuditFiles(Path directory, long fileBytes, int files, Clock clock) {
    this.directory = directory;
    this.fileBytes = fileBytes;
    this.files = files;
    this.clock = clock;
    syncer = new Thread(this::sync, "sluice-audit");
    syncer.setDaemon(true);
  }

  /**
   * Opens the log in a directory, which is created if it does not exist. A line that was cut off is
   * taken out; changes without an outcome, of a process that died, get a line with what is in
   * force.
   *
   * @param fileBytes a file of more than so many bytes is followed by the next
   * @param files so many are kept
   * @throws IOException if that fails
   */
  public static AuditFiles open(Path directory, long fileBytes, int files, Clock clock, Now now)
      throws IOException {
    AuditFiles log = new AuditFiles(directory, fileBytes, files, clock);
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    List<Path> found = log.list();
    Map<Long, JsonNode> open = new LinkedHashMap<>();
    // What was under way began in the last file or, if that is new, in the one before.
    for (Path file : found.subList(Math.max(0, found.size() - 2), found.size())) {
      log.scan(file, open);
    }
    if (found.isEmpty()) {
      log.next();
    } else {
      Path last = found.get(found.size() - 1);
      log.written = Math.max(log.written, first(last) - 1);
      log.current = FileChannel.open(last, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
      log.size = log.current.size();
      log.current.force(true);
    }
    log.durable = log.written;
    log.syncer.start();
    for (Map.Entry<Long, JsonNode> each : open.entrySet()) {
      log.append(
          json -> {
            json.writeNumberField("of", each.getKey());
            json.writeStringField("outcome", "interrupted");
            now.write(json, each.getValue());
          });
    }
    log.awaitDurable(log.written);
    if (!open.isEmpty()) {
      LOG.warn("{} changes were interrupted; the audit log has what is in force", open.size());
    }
    return log;
  }

  /** Reads the lines of a file; takes out what is left of a line at its end. */
  private void scan(Path file, Map<Long, JsonNode> open) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int begin = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        JsonNode line = MAPPER.readTree(bytes, begin, i - begin);
        written = line.path("seq").asLong();
        if (line.has("of")) {
          open.remove(line.path("of").asLong());
        } else {
          open.put(written, line);
        }
        begin = i + 1;
      }
    }
    if (begin < bytes.length) {
      try (FileChannel cut = FileChannel.open(file, StandardOpenOption.WRITE)) {
        cut.truncate(begin);
      }
      LOG.warn("{}: a line that was cut off is taken out", file);
    }
  }

  private List<Path> list() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> file.getFileName().toString().matches(PREFIX + "\\d{19}\\.jsonl"))
          .sorted()
          .toList();
    }
  }

  private static long first(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(PREFIX.length(), name.length() - SUFFIX.length()));
  }

  /** Begins a file, with all lines before it durable. */
  private void next() throws IOException {
    Path file = directory.resolve(PREFIX + "%019d".formatted(written + 1) + SUFFIX);
    FileChannel next =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
      if (current != null && failure == null) {
        current.force(false);
      }
    } catch (IOException e) {
      next.close();
      throw e;
    }
    if (current != null) {
      current.close();
    }
    current = next;
    size = next.size();
    if (failure == null) {
      durable = written;
    }
    failure = null;
    List<Path> all = list();
    for (Path old : all.subList(0, Math.max(0, all.size() - files))) {
      Files.deleteIfExists(old);
    }
  }

  @Override
  public Entry asked(JsonAnswer.Content asked) {
    long seq = append(asked);
    want(seq);
    return new Entry() {
      @Override
      public void ended(JsonAnswer.Content outcome) {
        long unused =
            append(
                json -> {
                  json.writeNumberField("of", seq);
                  outcome.write(json);
                });
      }

      @Override
      public void awaitDurable() {
        AuditFiles.this.awaitDurable(seq);
      }
    };
  }

  private void want(long seq) {
    lock.lock();
    try {
      wanted = Math.max(wanted, seq);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private long append(JsonAnswer.Content fields) {
    byte[] object = object(fields);
    lock.lock();
    try {
      if (closed) {
        throw failed(new IOException("it is closed"));
      }
      if (failure != null || size > fileBytes) {
        next();
      }
      long seq = written + 1;
      String head =
          SEQ + seq + ",\"at\":\"" + clock.instant().truncatedTo(ChronoUnit.MILLIS) + "\",";
      ByteBuffer line = ByteBuffer.allocate(head.length() + object.length);
      line.put(head.getBytes(StandardCharsets.US_ASCII));
      line.put(object, 1, object.length - 1).put((byte) '\n').flip();
      try {
        while (line.hasRemaining()) {
          current.write(line);
        }
      } catch (IOException e) {
        current.truncate(size);
        throw e;
      }
      size += line.limit();
      written = seq;
      return seq;
    } catch (IOException e) {
      throw failed(e);
    } finally {
      lock.unlock();
    }
  }

  private ControllerException failed(IOException e) {
    LOG.error("the audit log in {} cannot be written: {}", directory, e.toString());
    return new UnavailableException(
        "the audit log cannot be written, and nothing is changed without it",
        Duration.ofSeconds(1),
        e);
  }

  private static byte[] object(JsonAnswer.Content fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JsonAnswer.generator(bytes)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private void awaitDurable(long seq) {
    want(seq);
    lock.lock();
    try {
      while (durable < seq) {
        if (failure != null) {
          throw failed(failure);
        }
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Makes durable whatever has been written since the last time. */
  private void sync() {
    lock.lock();
    try {
      while (!closed) {
        boolean isNeeded = durable < wanted && failure == null;
        boolean isOver = isNeeded || !changed.await(LAZY.toMillis(), TimeUnit.MILLISECONDS);
        if (isOver && durable < written && failure == null) {
          force();
        }
      }
      if (durable < written && failure == null) {
        force();
      }
    } catch (InterruptedException e) {
      LOG.warn("the audit log is synced no more", e);
      failure = new IOException("interrupted");
    } finally {
      changed.signalAll();
      lock.unlock();
    }
  }

  /** Syncs the file; lines may be written meanwhile. */
  private void force() {
    long upTo = written;
    FileChannel file = current;
    IOException failed = null;
    lock.unlock();
    try {
      file.force(false);
    } catch (IOException e) {
      failed = e;
    } finally {
      lock.lock();
    }
    // A file that was followed meanwhile was made durable by that.
    if (failed == null || file != current) {
      durable = Math.max(durable, upTo);
    } else {
      failure = failed;
    }
    changed.signalAll();
  }

  @Override
  public void write(JsonGenerator json, long since, int limit) throws IOException {
    long last;
    lock.lock();
    try {
      last = written;
    } finally {
      lock.unlock();
    }
    List<Path> all = list();
    json.writeStartObject();
    json.writeNumberField("first", first(all.get(0)));
    json.writeNumberField("last", last);
    json.writeArrayFieldStart("items");
    int left = limit;
    for (int i = 0; i < all.size() && left > 0; i++) {
      if (i + 1 == all.size() || first(all.get(i + 1)) > since + 1) {
        left -= write(json, all.get(i), since, last, left);
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static int write(JsonGenerator json, Path file, long since, long last, int limit)
      throws IOException {
    int lines = 0;
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      String line = reader.readLine();
      while (line != null && lines < limit) {
        int end = line.indexOf(',');
        if (!line.startsWith(SEQ) || end < 0) {
          break; // It is being written.
        }
        long seq = Long.parseLong(line.substring(SEQ.length(), end));
        if (seq > last) {
          break;
        }
        if (seq > since) {
          json.writeRawValue(line);
          lines++;
        }
        line = reader.readLine();
      }
    } catch (NoSuchFileException e) {
      return 0; // It was the oldest, and has gone.
    }
    return lines;
  }

  /** Makes durable what has been written, and takes no more. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      syncer.join();
      current.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.warn("the audit log was not closed: {}", e.toString());
    }
  }
}
