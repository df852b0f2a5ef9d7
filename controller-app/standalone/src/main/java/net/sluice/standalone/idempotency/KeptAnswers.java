package net.sluice.standalone.idempotency;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import net.sluice.cli.StartFailure;
import net.sluice.core.ControllerException;
import net.sluice.core.UnavailableException;
import net.sluice.standalone.files.FileDocuments;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answers to requests with a key, a file each. A key has its file before its request is made,
 * and the answer is in it before it is sent; both outlive the machine's death. So a key whose file
 * has no answer at the next start is that of a request that may have been made. Thread-safe.
 */
public final class KeptAnswers {
  /** How long an answer is kept. */
  static final Duration KEPT = Duration.ofHours(24);

  /** Most keys that are kept of a caller; of more the oldest go. */
  static final int MOST_OF_CALLER = 10_000;

  /** Longest body that is kept. */
  static final int MAX_BYTES = 4 << 20;

  /** Most bytes of answers that are kept of a caller; of more the oldest bodies go. */
  static final long MOST_BYTES_OF_CALLER = 64L << 20;

  /** Most bytes of answers that are kept of all callers. */
  static final long MOST_BYTES = 512L << 20;

  /** Longest first line of a file. */
  private static final int MAX_HEAD_BYTES = 64 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(KeptAnswers.class);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final FileDocuments files;
  private final Clock clock;

  /** By caller and by the name of the file, the oldest first. */
  private final Map<String, LinkedHashMap<String, Entry>> entries = new HashMap<>();

  /** Of the answers of a caller that are kept. */
  private final Map<String, Long> bytes = new HashMap<>();

  /** How far the request of a key is. */
  enum State {
    /** It is being made. */
    UNDER_WAY,
    /** It is answered, and the answer is kept. */
    ANSWERED,
    /** It is answered, with more than is kept. */
    TOO_LONG,
    /** It is answered, and newer answers have taken the room of that one. */
    DROPPED,
    /** Whether it was made is not known. */
    INTERRUPTED
  }

  /** The request of a key. */
  static final class Entry {
    private final String caller;
    private final String name;
    private final String request;
    private final Instant at;
    private State state = State.UNDER_WAY;

    /** Of its file, while it has an answer. */
    private long bytes;

    private Entry(String caller, String name, String request, Instant at) {
      this.caller = caller;
      this.name = name;
      this.request = request;
      this.at = at;
    }
  }

  /**
   * The request of a key, and how far it is.
   *
   * @param entry its request
   * @param isNew whether it is to be made now, and then kept or forgotten
   * @param isSame whether it is the one that is asked for
   */
  record Found(Entry entry, State state, boolean isNew, boolean isSame) {}

  private KeptAnswers(FileDocuments files, Clock clock) {
    this.files = files;
    this.clock = clock;
  }

  /**
   * The answers in a directory, which is made if there is none.
   *
   * @throws StartFailure if they cannot be read
   */
  public static KeptAnswers open(Path directory, Clock clock) throws StartFailure {
    KeptAnswers answers = new KeptAnswers(new FileDocuments(directory), clock);
    try {
      answers.read();
    } catch (IOException e) {
      throw new StartFailure(
          "the answers kept in " + directory + " cannot be read: " + e.getMessage(), e);
    }
    return answers;
  }

  private void read() throws IOException {
    List<Entry> found = new ArrayList<>();
    for (String name : files.names()) {
      JsonNode head = head(name);
      if (head == null) {
        // It was being written when the process died, so that its request was not begun.
        files.delete(name);
        continue;
      }
      Entry entry =
          new Entry(
              head.path("caller").asText(),
              name,
              head.path("request").asText(),
              Instant.parse(head.path("at").asText()));
      entry.state =
          head.path("tooLong").asBoolean()
              ? State.TOO_LONG
              : head.path("dropped").asBoolean()
                  ? State.DROPPED
                  : head.has("status") ? State.ANSWERED : State.INTERRUPTED;
      entry.bytes = entry.state == State.ANSWERED ? files.bytes(name) : 0;
      found.add(entry);
    }
    found.sort(Comparator.comparing(entry -> entry.at));
    found.forEach(
        each -> {
          of(each.caller).put(each.name, each);
          bytes.merge(each.caller, each.bytes, Long::sum);
        });
    forgetOld(clock.instant());
    drop(surplus());
  }

  /** The first line of a file, of which no more is read; null if it is not whole. */
  private JsonNode head(String name) throws IOException {
    byte[] begin;
    try (InputStream in = files.open(name)) {
      begin = in.readNBytes(MAX_HEAD_BYTES);
    }
    int end = end(begin);
    try {
      return end < 0 ? null : MAPPER.readTree(begin, 0, end);
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  private static int end(byte[] file) {
    for (int i = 0; i < file.length; i++) {
      if (file[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private LinkedHashMap<String, Entry> of(String caller) {
    return entries.computeIfAbsent(caller, each -> new LinkedHashMap<>());
  }

  /**
   * Begins the request of a key, unless it was begun already.
   *
   * @param caller whose key it is
   * @param request tells it from others
   * @throws ControllerException if it cannot be noted; it must not be made then
   */
  Found begin(String caller, String key, String request) {
    String name = digest(caller + "\n" + key);
    Entry entry;
    synchronized (this) {
      Instant now = clock.instant();
      forgetOld(now);
      Entry known = of(caller).get(name);
      if (known != null) {
        return new Found(known, known.state, false, known.request.equals(request));
      }
      entry = new Entry(caller, name, request, now);
      of(caller).put(name, entry);
    }
    try {
      write(entry, head(entry), new byte[0]);
    } catch (IOException e) {
      forget(entry);
      throw failed(e);
    }
    return new Found(entry, State.UNDER_WAY, true, true);
  }

  /** Forgets what is too old, and the oldest where there is too much; a request under way never. */
  private void forgetOld(Instant now) {
    Instant oldest = now.minus(KEPT);
    for (LinkedHashMap<String, Entry> all : entries.values()) {
      Iterator<Entry> each = all.values().iterator();
      boolean isOld = true;
      while (isOld && each.hasNext()) {
        Entry entry = each.next();
        isOld = entry.at.isBefore(oldest) || all.size() >= MOST_OF_CALLER;
        if (isOld && entry.state != State.UNDER_WAY) {
          each.remove();
          count(entry, 0);
          delete(entry);
        }
      }
    }
  }

  private void count(Entry entry, long now) {
    bytes.merge(entry.caller, now - entry.bytes, Long::sum);
    entry.bytes = now;
  }

  /**
   * The oldest answers that there is no room for, which are answers no more from now on. Their keys
   * stay: a request that was made is made no second time.
   */
  private synchronized List<Entry> surplus() {
    List<Entry> surplus = new ArrayList<>();
    long all = bytes.values().stream().mapToLong(Long::longValue).sum();
    for (Map.Entry<String, LinkedHashMap<String, Entry>> caller : entries.entrySet()) {
      for (Entry entry : caller.getValue().values()) {
        if (bytes.getOrDefault(caller.getKey(), 0L) <= MOST_BYTES_OF_CALLER) {
          break;
        }
        all -= entry.bytes;
        take(entry, surplus);
      }
    }
    if (all > MOST_BYTES) {
      List<Entry> oldest =
          entries.values().stream()
              .flatMap(each -> each.values().stream())
              .filter(each -> each.bytes > 0)
              .sorted(Comparator.comparing(each -> each.at))
              .toList();
      for (int i = 0; all > MOST_BYTES; i++) {
        all -= oldest.get(i).bytes;
        take(oldest.get(i), surplus);
      }
    }
    return surplus;
  }

  private void take(Entry entry, List<Entry> surplus) {
    if (entry.bytes > 0) {
      count(entry, 0);
      entry.state = State.DROPPED;
      surplus.add(entry);
    }
  }

  private void drop(List<Entry> surplus) {
    for (Entry entry : surplus) {
      try {
        write(entry, head(entry).put("dropped", true), new byte[0]);
      } catch (IOException e) {
        // It still has its answer, which the next start finds.
        LOG.warn("an answer in {} takes up room: {}", files.directory(), e.toString());
      }
    }
  }

  /** Forgets the request of a key, of which nothing has been made. */
  void forget(Entry entry) {
    delete(entry);
    synchronized (this) {
      of(entry.caller).remove(entry.name);
    }
  }

  private void delete(Entry entry) {
    try {
      files.delete(entry.name);
    } catch (IOException e) {
      LOG.warn(
          "an answer in {} that is kept no longer is still there: {}",
          files.directory(),
          e.toString());
    }
  }

  /** Keeps the answer of a request that was begun, before it is given. */
  void keep(Entry entry, KeptAnswer answer) {
    ObjectNode head = head(entry).put("status", answer.status());
    answer.headers().forEach(head.putObject("headers")::put);
    end(entry, head, answer.body(), State.ANSWERED);
  }

  /** Keeps that a request was answered with more than is kept. */
  void keepTooLong(Entry entry) {
    end(entry, head(entry).put("tooLong", true), new byte[0], State.TOO_LONG);
  }

  private void end(Entry entry, ObjectNode head, byte[] body, State state) {
    State reached = state;
    long written = 0;
    try {
      written = write(entry, head, body);
    } catch (IOException e) {
      LOG.error("an answer is not kept in {}: {}", files.directory(), e.toString());
      reached = State.INTERRUPTED;
    }
    synchronized (this) {
      entry.state = reached;
      count(entry, reached == State.ANSWERED ? written : 0);
    }
    drop(surplus());
  }

  /**
   * The answer of a key.
   *
   * @throws ControllerException if it cannot be read
   */
  KeptAnswer answer(Entry entry) {
    try {
      byte[] file = files.read(entry.name);
      int end = end(file);
      JsonNode head = MAPPER.readTree(file, 0, end);
      SortedMap<String, String> headers = new TreeMap<>();
      head.path("headers")
          .fields()
          .forEachRemaining(each -> headers.put(each.getKey(), each.getValue().asText()));
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      body.write(file, end + 1, file.length - end - 1);
      return new KeptAnswer(head.path("status").asInt(), headers, body.toByteArray());
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private ControllerException failed(IOException e) {
    LOG.error("answers cannot be kept in {}: {}", files.directory(), e.toString());
    return new UnavailableException(
        "answers cannot be kept by their Idempotency-Key, and nothing is changed without it",
        Duration.ofSeconds(1),
        e);
  }

  private static ObjectNode head(Entry entry) {
    return MAPPER
        .createObjectNode()
        .put("caller", entry.caller)
        .put("request", entry.request)
        .put("at", entry.at.toString());
  }

  /** Bytes of the file. */
  private long write(Entry entry, ObjectNode head, byte[] body) throws IOException {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes(MAPPER.writeValueAsBytes(head));
    whole.write('\n');
    whole.writeBytes(body);
    files.put(entry.name, whole.toByteArray());
    return whole.size();
  }

  private static String digest(String text) {
    return HexFormat.of().formatHex(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
