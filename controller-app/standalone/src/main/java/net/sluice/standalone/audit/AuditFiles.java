package net.sluice.standalone.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import net.sluice.core.ChangeNeeds;
import net.sluice.core.ChangeNeeds.Lack;
import net.sluice.core.ControllerException;
import net.sluice.core.UnavailableException;
import net.sluice.core.time.WatchedThread;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.guard.AuditLog;
import net.sluice.standalone.files.AppendedFile;
import net.sluice.standalone.files.FileDocuments;
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
public final class AuditFiles implements AuditLog, ChangeNeeds.Need, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditFiles.class);
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String PREFIX = "audit-";
  private static final String SUFFIX = ".jsonl";
  private static final Duration LAZY = Duration.ofSeconds(1);
  private static final String SEQ = "{\"seq\":";

  /** So much of a line is in memory as it is told. */
  private static final int PART_CHARS = 8 << 10;

  /** No line is told after so much of others. */
  static final int PAGE_CHARS = 4 << 20;

  /** Bytes that are written to find out whether any can be. */
  private static final int TRIED_BYTES = 4096;

  private final Path directory;
  private final long fileBytes;
  private final int files;
  private final Clock clock;
  private final WatchedThread syncer;

  private final AppendedFile.Opening opening;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Part current;
  private long written;

  /** Up to here somebody waits; what is beyond is synced after {@link #LAZY} at the latest. */
  private long wanted;

  private boolean closed;
  private boolean isSynced = true;
  private volatile Optional<Lack> lack = Optional.empty();

  /** A file. What it has lost is never durable, whatever becomes of the files after it. */
  private static final class Part {
    private final AppendedFile file;

    /** The number of its last line. */
    private long last;

    /** The number of the last line that is durable. */
    private long durable;

    private boolean isSyncing;

    /** Why what is not durable may be lost; null if nothing is. */
    private IOException failure;

    Part(AppendedFile file, long before) {
      this.file = file;
      last = before;
      durable = before;
    }

    private boolean isBehind() {
      return failure == null && durable < last;
    }
  }

  /**
   * A line that was written.
   *
   * @param seq its number
   */
  private record Line(Part part, long seq) {}

  /** Writes what is in force by now where a change of an earlier process may have been made. */
  public interface Now {
    /** Writes fields of a JSON object for a line with what was asked. */
    void write(JsonGenerator json, JsonNode asked) throws IOException;
  }

  private AuditFiles(
      Path directory, long fileBytes, int files, Clock clock, AppendedFile.Opening opening) {
    this.directory = directory;
    this.opening = opening;
    this.fileBytes = fileBytes;
    this.files = files;
    this.clock = clock;
    syncer = WatchedThread.of("sluice-audit", this::sync);
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
    return open(directory, fileBytes, files, clock, now, AppendedFile::open);
  }

  static AuditFiles open(
      Path directory, long fileBytes, int files, Clock clock, Now now, AppendedFile.Opening opening)
      throws IOException {
    AuditFiles log = new AuditFiles(directory, fileBytes, files, clock, opening);
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
      log.current = new Part(opening.open(last), log.written);
      log.current.file.sync();
    }
    log.syncer.start();
    for (Map.Entry<Long, JsonNode> each : open.entrySet()) {
      Line line =
          log.append(
              json -> {
                json.writeNumberField("of", each.getKey());
                json.writeStringField("outcome", "interrupted");
                now.write(json, each.getValue());
              });
      log.awaitDurable(line);
    }
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
      try (AppendedFile cut = opening.open(file)) {
        cut.cut(begin);
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

  /** Begins a file. Lines of the one before are durable then, or never will be. */
  private void next() throws IOException {
    while (current != null && current.isSyncing) {
      changed.awaitUninterruptibly();
    }
    Path file = directory.resolve(PREFIX + "%019d".formatted(written + 1) + SUFFIX);
    Part next = new Part(opening.open(file), written);
    try {
      // What is there are bytes that were no line.
      next.file.cut(0);
      FileDocuments.syncNames(directory);
    } catch (IOException e) {
      next.file.close();
      throw e;
    }
    if (current != null) {
      if (current.isBehind()) {
        try {
          current.file.sync();
          current.durable = current.last;
        } catch (IOException e) {
          current.failure = e;
        }
        changed.signalAll();
      }
      current.file.close();
    }
    current = next;
    List<Path> all = list();
    for (Path old : all.subList(0, Math.max(0, all.size() - files))) {
      Files.deleteIfExists(old);
    }
  }

  @Override
  public Entry asked(JsonAnswer.Content asked) {
    Line line = append(asked);
    want(line.seq);
    return new Entry() {
      @Override
      public void ended(JsonAnswer.Content outcome) {
        Line unused =
            append(
                json -> {
                  json.writeNumberField("of", line.seq);
                  outcome.write(json);
                });
      }

      @Override
      public void awaitDurable() {
        AuditFiles.this.awaitDurable(line);
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

  private Line append(JsonAnswer.Content fields) {
    byte[] object = object(fields);
    lock.lock();
    try {
      if (closed) {
        throw failed(new IOException("it is closed"));
      }
      if (current.failure != null || current.file.size() > fileBytes) {
        next();
      }
      long seq = written + 1;
      String head =
          SEQ + seq + ",\"at\":\"" + clock.instant().truncatedTo(ChronoUnit.MILLIS) + "\",";
      ByteBuffer line = ByteBuffer.allocate(head.length() + object.length);
      line.put(head.getBytes(StandardCharsets.US_ASCII));
      line.put(object, 1, object.length - 1).put((byte) '\n');
      current.file.append(line.array());
      written = seq;
      current.last = seq;
      written();
      return new Line(current, seq);
    } catch (IOException e) {
      throw failed(e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String name() {
    return "audit-log";
  }

  /** Whether it can be written, as far as that is known: while it cannot, that is tried. */
  @Override
  public Optional<Lack> lack() {
    return lack;
  }

  private void written() {
    if (lack.isPresent()) {
      lack = Optional.empty();
      LOG.info("the audit log in {} is written again", directory);
    }
  }

  private void lacks(IOException why) {
    if (lack.isEmpty()) {
      lack =
          Optional.of(
              new Lack(
                  name(),
                  "the audit log in "
                      + directory
                      + " cannot be written since "
                      + clock.instant().truncatedTo(ChronoUnit.MILLIS)
                      + ": "
                      + why.getMessage()));
    }
  }

  private ControllerException failed(IOException e) {
    lacks(e);
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

  private void awaitDurable(Line line) {
    want(line.seq);
    lock.lock();
    try {
      while (line.part.durable < line.seq) {
        if (line.part.failure != null) {
          throw failed(line.part.failure);
        }
        if (!isSynced) {
          throw failed(new IOException("it is synced no more"));
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
        boolean isNeeded = current.isBehind() && current.durable < wanted;
        boolean isOver = isNeeded || !changed.await(LAZY.toMillis(), TimeUnit.MILLISECONDS);
        if (isOver && current.isBehind()) {
          force();
        } else if (isOver && lack.isPresent()) {
          tryToWrite();
        }
      }
      if (current.isBehind()) {
        force();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nothing interrupts this thread", e);
    } finally {
      isSynced = false;
      changed.signalAll();
      lock.unlock();
    }
  }

  /** Syncs the file; lines may be written meanwhile. */
  private void force() {
    Part part = current;
    long upTo = part.last;
    IOException failed = null;
    part.isSyncing = true;
    lock.unlock();
    try {
      part.file.sync();
    } catch (IOException e) {
      failed = e;
    } finally {
      lock.lock();
      part.isSyncing = false;
    }
    if (failed == null) {
      part.durable = upTo;
    } else {
      // A second sync would say nothing of what the first one has lost.
      part.failure = failed;
      lacks(failed);
    }
    changed.signalAll();
  }

  /** Finds out whether a line could be written by now. */
  private void tryToWrite() {
    try {
      if (current.failure != null) {
        next();
      }
      long size = current.file.size();
      current.file.append(new byte[TRIED_BYTES]);
      try {
        current.file.sync();
      } finally {
        current.file.cut(size);
      }
      written();
    } catch (IOException e) {
      LOG.debug("the audit log still cannot be written", e);
    }
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
    Page page = new Page(json, since, last, limit);
    for (int i = 0; i < all.size() && page.hasRoom(); i++) {
      if (i + 1 == all.size() || first(all.get(i + 1)) > since + 1) {
        page.write(all.get(i));
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Lines that are told, of which only a part is in memory: each may be as long as a request. */
  private static final class Page {
    private final JsonGenerator json;
    private final long since;
    private final long last;
    private final char[] part = new char[PART_CHARS];
    private int left;
    private long chars;

    Page(JsonGenerator json, long since, long last, int limit) {
      this.json = json;
      this.since = since;
      this.last = last;
      this.left = limit;
    }

    boolean hasRoom() {
      return left > 0 && chars < PAGE_CHARS;
    }

    void write(Path file) throws IOException {
      try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
        boolean goesOn = true;
        while (goesOn && hasRoom()) {
          goesOn = writeLine(reader);
        }
      } catch (NoSuchFileException e) {
        // It was the oldest, and has gone.
      }
    }

    /** Writes the next line if it is to be told; false at the end of what is written. */
    private boolean writeLine(Reader reader) throws IOException {
      StringBuilder head = new StringBuilder();
      int next = reader.read();
      for (; next >= 0 && next != ','; next = reader.read()) {
        head.append((char) next);
      }
      if (next < 0 || head.indexOf(SEQ) != 0) {
        return false; // It is being written.
      }
      long seq = Long.parseLong(head.substring(SEQ.length()));
      if (seq > last) {
        return false;
      }
      boolean isTold = seq > since;
      if (isTold) {
        left--;
        json.writeRawValue(head.append(',').toString());
      }
      int length = 0;
      for (next = reader.read(); next >= 0 && next != '\n'; next = reader.read()) {
        part[length++] = (char) next;
        if (length >= PART_CHARS - 1 && !Character.isHighSurrogate((char) next)) {
          write(length, isTold);
          length = 0;
        }
      }
      write(length, isTold);
      return true;
    }

    private void write(int length, boolean isTold) throws IOException {
      if (isTold) {
        json.writeRaw(part, 0, length);
        chars += length;
      }
    }
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
      current.file.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.warn("the audit log was not closed: {}", e.toString());
    }
  }
}
