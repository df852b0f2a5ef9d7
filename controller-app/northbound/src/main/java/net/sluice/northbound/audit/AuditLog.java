package net.sluice.northbound.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.sluice.core.ControllerException;
import net.sluice.core.UnavailableException;
import net.sluice.core.store.Journal;
import net.sluice.core.store.StoreException;
import net.sluice.core.time.Scheduler;
import net.sluice.northbound.json.JsonContent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The record of who asked for which change, and what came of it: a line for each, the outcome with
 * the number of what was asked. While it cannot be written nothing is changed: it is in the store
 * of the declarations, which has failed then. Thread-safe.
 */
public final class AuditLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The beginning of each outcome. */
  private static final byte[] OUTCOME = "{\"of\":".getBytes(StandardCharsets.US_ASCII);

  private static final int READ_BYTES = 256 << 10;

  /** Bytes of a record; a line may have several. */
  private static final int PART_BYTES = 200 << 10;

  /** The first byte of the records of a line but for its first. */
  private static final byte GOES_ON = '+';

  /** After so many bytes no other line is told at once. */
  private static final long MOST_BYTES = 4 << 20;

  /** How often it is looked whether the oldest lines have to go, and outcomes are owed. */
  private static final Duration NOW_AND_THEN = Duration.ofSeconds(1);

  private final Journal journal;
  private final long mostBytes;
  private final Scheduler scheduler;
  private final Consumer<String> storeFailed;

  /** Outcomes that the store did not take: those of requests that were under way as it failed. */
  private final Queue<byte[]> owed = new ConcurrentLinkedQueue<>();

  /** A change that was asked for. */
  public interface Entry {
    /**
     * Notes what came of it.
     *
     * @param outcome writes fields of a JSON object, at least one
     * @throws ControllerException if it cannot be noted
     */
    void ended(JsonContent outcome);

    /**
     * Waits until the entry outlives the machine's death. The outcome may be noted a moment later;
     * without it the next start notes what is in force then.
     *
     * @throws ControllerException if that fails
     */
    void awaitDurable();
  }

  /** Writes what is in force by now where a change of an earlier process may have been made. */
  public interface Now {
    /** Writes fields of a JSON object for a line with what was asked. */
    void write(JsonGenerator json, JsonNode asked) throws IOException;
  }

  /**
   * The log in a journal. Changes without an outcome, of a process that died, get a line with what
   * is in force.
   *
   * @param mostBytes of lines that are kept; the oldest go
   * @param scheduler closed with the log
   * @param storeFailed is told why a line could not be written
   * @throws StoreException if that fails
   */
  public AuditLog(
      Journal journal, long mostBytes, Scheduler scheduler, Consumer<String> storeFailed, Now now) {
    this.journal = journal;
    this.mostBytes = mostBytes;
    this.scheduler = scheduler;
    this.storeFailed = storeFailed;
    endInterrupted(now);
    trimLater();
  }

  private void endInterrupted(Now now) {
    Map<Long, byte[]> open = new LinkedHashMap<>();
    read(
        journal.first(),
        (number, at, line) -> {
          if (isOutcome(line)) {
            open.remove(of(line));
          } else {
            open.put(number, line);
          }
          return true;
        });
    int interrupted = 0;
    for (Map.Entry<Long, byte[]> each : open.entrySet()) {
      JsonNode line = parsed(each.getValue());
      if (line.has("who")) {
        interrupted++;
        Line ended =
            append(
                JsonContent.object(
                    json -> {
                      json.writeNumberField("of", each.getKey());
                      json.writeStringField("outcome", "interrupted");
                      now.write(json, line);
                    }));
        journal.sync(ended.last());
      }
    }
    if (interrupted > 0) {
      LOG.warn("{} changes were interrupted; the audit log has what is in force", interrupted);
    }
  }

  private static boolean isOutcome(byte[] line) {
    return line.length > OUTCOME.length
        && Arrays.equals(line, 0, OUTCOME.length, OUTCOME, 0, OUTCOME.length);
  }

  private static long of(byte[] outcome) {
    long number = 0;
    for (int i = OUTCOME.length; outcome[i] >= '0' && outcome[i] <= '9'; i++) {
      number = 10 * number + outcome[i] - '0';
    }
    return number;
  }

  private static JsonNode parsed(byte[] line) {
    try {
      return MAPPER.readTree(line);
    } catch (IOException e) {
      throw new StoreException("a line of the audit log is no JSON", e);
    }
  }

  /** Adds a line; a long one takes several records, of which only the first begins as an object. */
  private Line append(byte[] line) {
    List<Journal.Item> items = new ArrayList<>(1);
    items.add(new Journal.Item(1, Arrays.copyOf(line, Math.min(line.length, PART_BYTES))));
    for (int from = PART_BYTES; from < line.length; from += PART_BYTES - 1) {
      byte[] part =
          Arrays.copyOfRange(line, from - 1, Math.min(line.length, from + PART_BYTES - 1));
      part[0] = GOES_ON;
      items.add(new Journal.Item(1, part));
    }
    long first = journal.append(items);
    return new Line(first, first + items.size() - 1);
  }

  /**
   * Numbers of a line's records.
   *
   * @param first by which it is known
   */
  private record Line(long first, long last) {}

  /** Takes whole lines, with the numbers by which they are known; false to end. */
  private interface Reader {
    boolean take(long number, Instant at, byte[] line);
  }

  /** Reads whole lines from the one with a number on. */
  private void read(long from, Reader out) {
    Journal.Entry begun = null;
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    List<Journal.Entry> read = journal.read(from, READ_BYTES);
    while (!read.isEmpty()) {
      for (Journal.Entry each : read) {
        if (each.bytes()[0] == GOES_ON) {
          line.write(each.bytes(), 1, each.bytes().length - 1);
          continue;
        }
        if (begun != null && !out.take(begun.number(), begun.at(), line.toByteArray())) {
          return;
        }
        line.reset();
        line.writeBytes(each.bytes());
        begun = each;
      }
      read = journal.read(read.get(read.size() - 1).last() + 1, READ_BYTES);
    }
    if (begun != null) {
      boolean unused = out.take(begun.number(), begun.at(), line.toByteArray());
    }
  }

  /**
   * Notes that a change is asked for, so that the entry outlives the process. Called before the
   * change is begun.
   *
   * @param asked writes fields of a JSON object, {@code who} first
   * @throws ControllerException if it cannot be noted; the change must not be made then
   */
  public Entry asked(JsonContent asked) {
    Line line = noted(asked);
    return new Entry() {
      @Override
      public void ended(JsonContent outcome) {
        byte[] ended =
            JsonContent.object(
                json -> {
                  json.writeNumberField("of", line.first());
                  outcome.write(json);
                });
        try {
          var unused = append(ended);
        } catch (StoreException e) {
          owed.add(ended);
          throw failed(e);
        }
      }

      @Override
      public void awaitDurable() {
        try {
          journal.sync(line.last());
        } catch (StoreException e) {
          throw failed(e);
        }
      }
    };
  }

  /**
   * The records of a change that was made before its log is opened.
   *
   * @param asked as of {@link #asked}
   * @param outcome as of {@link Entry#ended}
   * @param number that the first record is given
   */
  public static List<Journal.Item> made(JsonContent asked, JsonContent outcome, long number) {
    return Stream.of(
            JsonContent.object(asked),
            JsonContent.object(
                json -> {
                  json.writeNumberField("of", number);
                  outcome.write(json);
                }))
        .map(line -> new Journal.Item(1, line))
        .toList();
  }

  private Line noted(JsonContent fields) {
    try {
      return append(JsonContent.object(fields));
    } catch (StoreException e) {
      throw failed(e);
    }
  }

  /** Adds the outcomes that could not be added when they were there. */
  private void addOwed() {
    for (byte[] next = owed.peek(); next != null; next = owed.peek()) {
      var unused = append(next);
      owed.remove();
    }
  }

  private ControllerException failed(StoreException e) {
    storeFailed.accept(e.getMessage());
    return new UnavailableException(
        "the audit log cannot be written: " + e.getMessage(), Duration.ofSeconds(1), e);
  }

  private void trimLater() {
    var unused =
        scheduler.schedule(
            NOW_AND_THEN,
            () -> {
              try {
                addOwed();
                journal.trim(mostBytes, Instant.EPOCH);
              } catch (StoreException e) {
                LOG.debug("the audit log cannot be tidied yet", e);
              }
              trimLater();
            });
  }

  /**
   * Writes a JSON object with {@code first}, the lowest number that is kept, {@code last}, the
   * highest one, and as {@code items} the lines after a number.
   *
   * @param since the number, 0 or more
   * @param limit most lines; fewer if they are long
   */
  public void write(JsonGenerator json, long since, int limit) throws IOException {
    long last = journal.last();
    json.writeStartObject();
    json.writeNumberField("first", journal.first());
    json.writeNumberField("last", last);
    json.writeArrayFieldStart("items");
    int[] left = {limit};
    long[] bytes = {0};
    IOException[] failed = new IOException[1];
    read(
        since + 1,
        (number, at, line) -> {
          if (left[0] == 0 || number > last || bytes[0] > MOST_BYTES) {
            return false;
          }
          left[0]--;
          bytes[0] += line.length;
          try {
            json.writeRawValue(text(number, at, line));
          } catch (IOException e) {
            failed[0] = e;
          }
          return failed[0] == null;
        });
    if (failed[0] != null) {
      throw failed[0];
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static String text(long number, Instant at, byte[] line) {
    return "{\"seq\":"
        + number
        + ",\"at\":\""
        + at
        + "\","
        + new String(line, 1, line.length - 1, StandardCharsets.UTF_8);
  }

  /** Makes durable what has been noted, and takes no more. */
  @Override
  public void close() {
    scheduler.close();
    try {
      journal.sync(journal.last());
    } catch (StoreException e) {
      LOG.warn("the last lines of the audit log may be lost: {}", e.getMessage());
    }
  }
}
