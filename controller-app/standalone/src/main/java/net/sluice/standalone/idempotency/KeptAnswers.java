package net.sluice.standalone.idempotency;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
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
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.sluice.cli.StartFailure;
import net.sluice.core.ControllerException;
import net.sluice.core.UnavailableException;
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

  private static final Logger LOG = LoggerFactory.getLogger(KeptAnswers.class);
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String NEXT = ".next";
  private static final FileAttribute<?> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path directory;
  private final Clock clock;

  /** By caller and by the name of the file, the oldest first. */
  private final Map<String, LinkedHashMap<String, Entry>> entries = new HashMap<>();

  /** How far the request of a key is. */
  enum State {
    /** It is being made. */
    UNDER_WAY,
    /** It is answered, and the answer is kept. */
    ANSWERED,
    /** It is answered, with more than is kept. */
    TOO_LONG,
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

  private KeptAnswers(Path directory, Clock clock) {
    this.directory = directory;
    this.clock = clock;
  }

  /**
   * The answers in a directory, which is made if there is none.
   *
   * @throws StartFailure if they cannot be read
   */
  public static KeptAnswers open(Path directory, Clock clock) throws StartFailure {
    KeptAnswers answers = new KeptAnswers(directory, clock);
    try {
      answers.read();
    } catch (IOException e) {
      throw new StartFailure(
          "the answers kept in " + directory + " cannot be read: " + e.getMessage(), e);
    }
    return answers;
  }

  private void read() throws IOException {
    Files.createDirectories(directory, DIRECTORY);
    List<Entry> found = new ArrayList<>();
    List<Path> all;
    try (Stream<Path> files = Files.list(directory)) {
      all = files.toList();
    }
    for (Path file : all) {
      String name = file.getFileName().toString();
      JsonNode head = name.endsWith(NEXT) ? null : head(Files.readAllBytes(file));
      if (head == null) {
        // It was being written when the process died, so that its request was not begun.
        Files.delete(file);
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
              : head.has("status") ? State.ANSWERED : State.INTERRUPTED;
      found.add(entry);
    }
    found.sort(Comparator.comparing(entry -> entry.at));
    found.forEach(each -> of(each.caller).put(each.name, each));
    forgetOld(clock.instant());
  }

  /** The first line of a file; null if it is not whole. */
  private static JsonNode head(byte[] file) {
    int end = end(file);
    try {
      return end < 0 ? null : MAPPER.readTree(file, 0, end);
    } catch (IOException e) {
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
          delete(entry);
        }
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
      Files.deleteIfExists(directory.resolve(entry.name));
    } catch (IOException e) {
      LOG.warn(
          "an answer in {} that is kept no longer is still there: {}", directory, e.toString());
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
    try {
      write(entry, head, body);
    } catch (IOException e) {
      LOG.error("an answer is not kept in {}: {}", directory, e.toString());
      reached = State.INTERRUPTED;
    }
    synchronized (this) {
      entry.state = reached;
    }
  }

  /**
   * The answer of a key.
   *
   * @throws ControllerException if it cannot be read
   */
  KeptAnswer answer(Entry entry) {
    try {
      byte[] file = Files.readAllBytes(directory.resolve(entry.name));
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
    LOG.error("answers cannot be kept in {}: {}", directory, e.toString());
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

  private void write(Entry entry, ObjectNode head, byte[] body) throws IOException {
    Path next = directory.resolve(entry.name + NEXT);
    try (FileChannel out =
        FileChannel.open(
            next,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE),
            FILE)) {
      ByteArrayOutputStream whole = new ByteArrayOutputStream();
      whole.writeBytes(MAPPER.writeValueAsBytes(head));
      whole.write('\n');
      whole.writeBytes(body);
      ByteBuffer bytes = ByteBuffer.wrap(whole.toByteArray());
      while (bytes.hasRemaining()) {
        int unused = out.write(bytes);
      }
      out.force(true);
    }
    Files.move(
        next,
        directory.resolve(entry.name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
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
