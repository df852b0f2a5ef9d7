package net.sluice.standalone.events;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.standalone.files.AppendedFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of a controller in files of JSON lines, the oldest of which go. A line has one event,
 * or several that differ in the end of their subject only; each event has a number of its own. One
 * thread writes, any read.
 *
 * <p>Lines are not synced: they outlive the process, and the machine's death but for those of its
 * last half minute. A log that was not closed goes on {@link #SKIPPED} numbers further, so that no
 * number is ever another event's.
 */
final class EventLog implements AutoCloseable {
  /** Numbers that are left out after an end in which events may have been lost. */
  static final long SKIPPED = 1_000_000;

  private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);
  private static final Pattern NAME = Pattern.compile("events-(\\d{19})\\.jsonl");
  private static final Pattern HEADER = Pattern.compile("\\{\"log\":\"([0-9a-f]{8})\"}");
  private static final String CLOSED = "{\"closed\":true}\n";
  private static final int READ_BYTES = 64 << 10;

  /** The place of a line that begins a stretch of so many bytes is remembered. */
  private static final int MARKED_BYTES = 64 << 10;

  private final Path directory;
  private final long fileBytes;
  private final long allBytes;
  private final Clock clock;
  private final AppendedFile.Opening opening;

  /** The files by the number of their first event. */
  private final ConcurrentNavigableMap<Long, Part> parts = new ConcurrentSkipListMap<>();

  private String name;
  private boolean wasClosed = true;
  private volatile Part current;

  /** The file that is written; readers open files of their own, each time. */
  private AppendedFile out;

  private volatile long last;
  private long lost;

  /** A file. */
  private static final class Part {
    private final Path file;

    /** Where some lines are, by the number of their first event. */
    private final ConcurrentNavigableMap<Long, Long> marks = new ConcurrentSkipListMap<>();

    private volatile long size;
    private long marked;

    Part(Path file) {
      this.file = file;
    }

    private void mark(long seq, long offset) {
      if (marks.isEmpty() || offset - marked >= MARKED_BYTES) {
        marks.put(seq, offset);
        marked = offset;
      }
    }
  }

  /**
   * A place to read from.
   *
   * @param file number of the file
   * @param offset of a line in it, or its end
   */
  record Position(long file, long offset) {}

  /**
   * A line.
   *
   * @param first number of its first event
   * @param count of its events
   * @param position of it
   */
  record Line(long first, int count, byte[] json, Position position) {
    /** Number of its last event. */
    long last() {
      return first + count - 1;
    }
  }

  /**
   * Lines that follow each other.
   *
   * @param next the place after them
   */
  record Lines(List<Line> lines, Position next) {}

  private EventLog(
      Path directory, long fileBytes, long allBytes, Clock clock, AppendedFile.Opening opening) {
    this.opening = opening;
    this.directory = directory;
    this.fileBytes = fileBytes;
    this.allBytes = allBytes;
    this.clock = clock;
  }

  /**
   * Opens the log in a directory, which is created if it does not exist. A line that was cut off is
   * taken out.
   *
   * @param fileBytes a file of more than so many bytes is followed by the next
   * @param allBytes of more than so many bytes the oldest files go
   */
  static EventLog open(Path directory, long fileBytes, long allBytes, Clock clock)
      throws IOException {
    return open(directory, fileBytes, allBytes, clock, AppendedFile::open);
  }

  static EventLog open(
      Path directory, long fileBytes, long allBytes, Clock clock, AppendedFile.Opening opening)
      throws IOException {
    EventLog log = new EventLog(directory, fileBytes, allBytes, clock, opening);
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try (Stream<Path> all = Files.list(directory)) {
      for (Path file : all.toList()) {
        Matcher matcher = NAME.matcher(file.getFileName().toString());
        if (matcher.matches()) {
          Part part = new Part(file);
          part.size = Files.size(file);
          log.parts.put(Long.parseLong(matcher.group(1)), part);
        }
      }
    }
    if (log.parts.isEmpty()) {
      log.name = "%08x".formatted(new SecureRandom().nextInt());
      log.begin();
    } else {
      log.takeUp(log.parts.lastEntry());
    }
    return log;
  }

  /** Finds the end of the last file. */
  private void takeUp(Map.Entry<Long, Part> newest) throws IOException {
    Part part = newest.getValue();
    byte[] bytes = Files.readAllBytes(part.file);
    out = opening.open(part.file);
    last = newest.getKey() - 1;
    wasClosed = false;
    int begin = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        String line = new String(bytes, begin, i - begin, StandardCharsets.UTF_8);
        long[] numbers = numbers(bytes, begin);
        Matcher header = HEADER.matcher(line);
        if (header.matches()) {
          name = header.group(1);
        } else if (numbers != null && line.endsWith("}")) {
          last = numbers[0] + numbers[1] - 1;
          part.mark(numbers[0], begin);
        } else if (!CLOSED.startsWith(line)) {
          break;
        }
        wasClosed = CLOSED.startsWith(line);
        begin = i + 1;
      }
    }
    if (begin < bytes.length) {
      out.cut(begin);
      wasClosed = false;
      LOG.warn("{}: what is no whole line is taken out", part.file);
    }
    part.size = begin;
    if (!wasClosed) {
      last += SKIPPED;
    }
    current = part;
    if (name == null) {
      // The machine ended while the file was begun.
      name = "%08x".formatted(new SecureRandom().nextInt());
      begin();
    }
  }

  /** Begins a file. */
  private void begin() throws IOException {
    Path file = directory.resolve("events-%019d.jsonl".formatted(last + 1));
    byte[] header = ("{\"log\":\"" + name + "\"}\n").getBytes(StandardCharsets.US_ASCII);
    AppendedFile begun = opening.open(file);
    try {
      begun.cut(0);
      begun.append(header);
    } catch (IOException e) {
      begun.close();
      throw e;
    }
    if (out != null) {
      out.close();
    }
    out = begun;
    Part next = new Part(file);
    next.size = begun.size();
    parts.put(last + 1, next);
    current = next;
    long bytes = parts.values().stream().mapToLong(part -> part.size).sum();
    while (bytes > allBytes && parts.size() > 1) {
      Part oldest = parts.pollFirstEntry().getValue();
      bytes -= oldest.size;
      Files.deleteIfExists(oldest.file);
    }
  }

  /** Adds to the current file; what was only added in part is never read. */
  private void write(byte[] line) throws IOException {
    out.append(line);
    current.size = out.size();
  }

  /** Tells this log from another one that was in the same place. */
  String name() {
    return name;
  }

  /** Whether the one who wrote it before has told all that it had to tell. */
  boolean wasClosed() {
    return wasClosed;
  }

  /** Number of the first event that is kept. */
  long first() {
    return parts.firstKey();
  }

  /** Number of the last event. */
  long last() {
    return last;
  }

  /**
   * Adds a line.
   *
   * @param count number of events in it
   * @param fields writes fields of a JSON object
   * @return false if it cannot be written, and its events are lost; {@link #takeLost} counts them
   */
  boolean append(int count, JsonAnswer.Content fields) {
    long first = last + 1;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (JsonGenerator json = JsonAnswer.generator(bytes)) {
      json.writeStartObject();
      json.writeNumberField("seq", first);
      json.writeNumberField("n", count);
      json.writeStringField("at", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    bytes.write('\n');
    try {
      if (current.size > fileBytes) {
        begin();
      }
      Part part = current;
      long offset = part.size;
      write(bytes.toByteArray());
      part.mark(first, offset);
      last = first + count - 1;
      return true;
    } catch (IOException e) {
      if (lost == 0) {
        LOG.error("events cannot be written to {} and are lost: {}", directory, e.toString());
      }
      lost += count;
      return false;
    }
  }

  /** The number of events that were lost since this was asked last. */
  long takeLost() {
    long taken = lost;
    lost = 0;
    return taken;
  }

  /** The place of the line with an event of a number, or of one before it that is near. */
  Position before(long seq) {
    Map.Entry<Long, Part> part = parts.floorEntry(seq);
    if (part == null) {
      part = parts.firstEntry();
    }
    Map.Entry<Long, Long> mark = part.getValue().marks.floorEntry(seq);
    return new Position(part.getKey(), mark == null ? 0 : mark.getValue());
  }

  /** The place after the last line. */
  Position end() {
    Map.Entry<Long, Part> newest = parts.lastEntry();
    return new Position(newest.getKey(), newest.getValue().size);
  }

  /**
   * Reads a few lines; none at the end of the log.
   *
   * @throws IOException if they are not kept any more, or cannot be read
   */
  Lines read(Position from) throws IOException {
    Part part = parts.get(from.file);
    if (part == null) {
      throw new IOException("the events are not kept any more");
    }
    // Asked in this order: a file that has one after it does not grow any more.
    NavigableMap<Long, Part> later = parts.tailMap(from.file, false);
    boolean isLast = later.isEmpty();
    long size = part.size;
    if (from.offset >= size) {
      return isLast
          ? new Lines(List.of(), from)
          : new Lines(List.of(), new Position(later.firstKey(), 0));
    }
    byte[] bytes = new byte[(int) Math.min(READ_BYTES, size - from.offset)];
    // Not a channel: an interrupt of this thread would close it for all others.
    try (RandomAccessFile file = new RandomAccessFile(part.file.toFile(), "r")) {
      file.seek(from.offset);
      file.readFully(bytes);
    } catch (FileNotFoundException e) {
      throw new IOException("the events are not kept any more", e);
    }
    List<Line> lines = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        long[] numbers = numbers(bytes, begin);
        if (numbers != null) {
          byte[] json = new byte[i - begin];
          System.arraycopy(bytes, begin, json, 0, json.length);
          lines.add(
              new Line(
                  numbers[0],
                  (int) numbers[1],
                  json,
                  new Position(from.file, from.offset + begin)));
        }
        begin = i + 1;
      }
    }
    if (begin == 0) {
      throw new IOException(part.file + " has a line of more than " + READ_BYTES + " bytes");
    }
    return new Lines(lines, new Position(from.file, from.offset + begin));
  }

  /** The numbers of the first event and of events of the line at {@code begin}; null for none. */
  private static long[] numbers(byte[] bytes, int begin) {
    long[] numbers = new long[2];
    int at = begin;
    for (int i = 0; i < 2; i++) {
      for (char expected : (i == 0 ? "{\"seq\":" : ",\"n\":").toCharArray()) {
        if (at >= bytes.length || bytes[at++] != expected) {
          return null;
        }
      }
      while (at < bytes.length && bytes[at] >= '0' && bytes[at] <= '9') {
        numbers[i] = 10 * numbers[i] + bytes[at++] - '0';
      }
    }
    return numbers;
  }

  /** Notes that all was told; nothing is added any more. */
  @Override
  public void close() {
    try {
      write(CLOSED.getBytes(StandardCharsets.US_ASCII));
      out.sync();
      out.close();
    } catch (IOException e) {
      LOG.warn("the log of events was not closed: {}", e.toString());
    }
  }
}
