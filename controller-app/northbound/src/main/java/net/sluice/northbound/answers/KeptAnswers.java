package net.sluice.northbound.answers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import net.sluice.core.ControllerException;
import net.sluice.core.UnavailableException;
import net.sluice.core.store.Documents;
import net.sluice.core.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answers to requests with a key: a document each for head and body. A key has its head before
 * its request is made, and the answer is kept before it is sent; both outlive the machine's death.
 * So a key without an answer at the next start is that of a request that may have been made.
 * Thread-safe.
 */
public final class KeptAnswers {
  /** How long an answer is kept. */
  static final Duration KEPT = Duration.ofHours(24);

  /** Most keys that are kept of a caller; of more the oldest go. */
  static final int MOST_OF_CALLER = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(KeptAnswers.class);
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String HEAD = ".head";
  private static final String BODY = ".body";

  private final Documents documents;
  private final Bounds bounds;
  private final Clock clock;

  /** By caller and by the name of the documents, the oldest first. */
  private final Map<String, LinkedHashMap<String, Entry>> entries = new HashMap<>();

  /** Of the answers of a caller that are kept. */
  private final Map<String, Long> bytes = new HashMap<>();

  /**
   * The room for answers.
   *
   * @param body longest body that is kept, in bytes
   * @param ofCaller most bytes of bodies that are kept of a caller; of more the oldest go
   * @param ofAll most bytes of bodies that are kept of all callers
   */
  public record Bounds(int body, long ofCaller, long ofAll) {}

  /** How far the request of a key is. */
  public enum State {
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
  public static final class Entry {
    private final String caller;
    private final String name;
    private final String request;
    private final Instant at;
    private State state = State.UNDER_WAY;

    /** Of the body, while it is kept. */
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
  public record Found(Entry entry, State state, boolean isNew, boolean isSame) {}

  /**
   * The answers that are kept in documents.
   *
   * @throws StoreException if they cannot be read
   */
  public KeptAnswers(Documents documents, Bounds bounds, Clock clock) {
    this.documents = documents;
    this.bounds =
        new Bounds(
            Math.min(bounds.body(), documents.maxBytes()), bounds.ofCaller(), bounds.ofAll());
    this.clock = clock;
    read();
  }

  /** Longest body that is kept, in bytes. */
  public int maxBodyBytes() {
    return bounds.body();
  }

  private void read() {
    List<Entry> found = new ArrayList<>();
    for (String document : documents.names()) {
      if (document.endsWith(HEAD)) {
        String name = document.substring(0, document.length() - HEAD.length());
        documents.get(document).ifPresent(head -> found.add(entry(name, parsed(head.bytes()))));
      }
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

  private static Entry entry(String name, JsonNode head) {
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
    entry.bytes = entry.state == State.ANSWERED ? head.path("bytes").asLong() : 0;
    return entry;
  }

  private static JsonNode parsed(byte[] head) {
    try {
      return MAPPER.readTree(head);
    } catch (IOException e) {
      throw new StoreException("an answer that is kept has no head", e);
    }
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
  public Found begin(String caller, String key, String request) {
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
      write(entry, head(entry));
    } catch (StoreException e) {
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
        if (bytes.getOrDefault(caller.getKey(), 0L) <= bounds.ofCaller()) {
          break;
        }
        all -= entry.bytes;
        take(entry, surplus);
      }
    }
    if (all > bounds.ofAll()) {
      List<Entry> oldest =
          entries.values().stream()
              .flatMap(each -> each.values().stream())
              .filter(each -> each.bytes > 0)
              .sorted(Comparator.comparing(each -> each.at))
              .toList();
      for (int i = 0; all > bounds.ofAll(); i++) {
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
        write(entry, head(entry).put("dropped", true));
        documents.delete(entry.name + BODY);
      } catch (StoreException e) {
        // It still has its answer, which the next start finds.
        LOG.warn("an answer takes up room: {}", e.getMessage());
      }
    }
  }

  /** Forgets the request of a key, of which nothing has been made. */
  public void forget(Entry entry) {
    delete(entry);
    synchronized (this) {
      of(entry.caller).remove(entry.name);
    }
  }

  private void delete(Entry entry) {
    try {
      documents.delete(entry.name + HEAD);
      documents.delete(entry.name + BODY);
    } catch (StoreException e) {
      LOG.warn("an answer that is kept no longer is still there: {}", e.getMessage());
    }
  }

  /** Keeps the answer of a request that was begun, before it is given. */
  public void keep(Entry entry, KeptAnswer answer) {
    ObjectNode head = head(entry).put("status", answer.status()).put("bytes", answer.body().length);
    answer.headers().forEach(head.putObject("headers")::put);
    end(entry, head, answer.body(), State.ANSWERED);
  }

  /** Keeps that a request was answered with more than is kept. */
  public void keepTooLong(Entry entry) {
    end(entry, head(entry).put("tooLong", true), new byte[0], State.TOO_LONG);
  }

  private void end(Entry entry, ObjectNode head, byte[] body, State state) {
    State reached = state;
    try {
      if (body.length > 0) {
        // Before the head, which says that it is there.
        documents.put(entry.name + BODY, body);
      }
      write(entry, head);
    } catch (StoreException e) {
      LOG.error("an answer is not kept: {}", e.getMessage());
      reached = State.INTERRUPTED;
    }
    synchronized (this) {
      entry.state = reached;
      count(entry, reached == State.ANSWERED ? body.length : 0);
    }
    drop(surplus());
  }

  /**
   * The answer of a key.
   *
   * @throws ControllerException if it cannot be read
   */
  public KeptAnswer answer(Entry entry) {
    try {
      JsonNode head =
          parsed(
              documents
                  .get(entry.name + HEAD)
                  .orElseThrow(() -> new StoreException("the answer has gone"))
                  .bytes());
      SortedMap<String, String> headers = new TreeMap<>();
      head.path("headers")
          .fields()
          .forEachRemaining(each -> headers.put(each.getKey(), each.getValue().asText()));
      byte[] body =
          documents.get(entry.name + BODY).map(Documents.Stored::bytes).orElse(new byte[0]);
      return new KeptAnswer(head.path("status").asInt(), headers, body);
    } catch (StoreException e) {
      throw failed(e);
    }
  }

  private static ControllerException failed(StoreException e) {
    LOG.error("answers cannot be kept: {}", e.getMessage());
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

  private void write(Entry entry, ObjectNode head) {
    documents.put(entry.name + HEAD, head.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static String digest(String text) {
    return HexFormat.of().formatHex(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
