package net.sluice.rest.operation;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.ControllerException;
import net.sluice.core.UnavailableException;
import net.sluice.core.store.Documents;
import net.sluice.core.store.StoreException;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.condition.Preference;
import net.sluice.rest.problem.Incidents;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operations: those that go on, and the last that ended. One is kept before it is told to
 * anybody, so that it is there after the controller's end, too: what had not ended by then is told
 * as interrupted from the next start on.
 */
public final class Operations implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Operations.class);

  /** Where they are told, below the API's path. */
  public static final String PATH = "operations";

  /** The header that tells which preference was heeded (RFC 7240 section 3). */
  public static final String APPLIED = "Preference-Applied";

  /** The preference of clients that do not wait (RFC 7240 section 4.1). */
  public static final String RESPOND_ASYNC = "respond-async";

  /** Most that go on at a time. */
  static final int MOST_RUNNING = 64;

  /** Most that are told; of more those that ended first are forgotten. */
  static final int MOST_KEPT = 1000;

  private static final int KEEP_ALIVE_SECONDS = 10;
  private static final int KEEP_SECONDS = 10;

  private final Incidents incidents;
  private final Clock clock;
  private final Documents documents;
  private final String start;
  private final Map<String, Operation> all = new LinkedHashMap<>();
  private long last;

  /** Keeps what has ended: nothing waits for that, least of all a thread of the controller. */
  private final ThreadPoolExecutor keeping =
      new ThreadPoolExecutor(
          1,
          1,
          KEEP_ALIVE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          task -> {
            Thread thread = new Thread(task, "sluice-operations");
            thread.setDaemon(true);
            return thread;
          },
          // What ends after the end is interrupted.
          new ThreadPoolExecutor.DiscardPolicy());

  /**
   * The operations that are kept, and those to come.
   *
   * @param clock also tells this start from others
   * @throws StoreException if they cannot be read
   */
  public Operations(Documents documents, Incidents incidents, Clock clock) {
    this.documents = documents;
    this.incidents = incidents;
    this.clock = clock;
    this.start = Long.toString(clock.millis(), Character.MAX_RADIX);
    keeping.allowCoreThreadTimeOut(true);
    read();
  }

  private void read() {
    List<KeptOperation> kept = new ArrayList<>();
    for (String name : documents.names()) {
      documents
          .get(name)
          .flatMap(each -> KeptOperation.of(each.bytes()))
          .ifPresentOrElse(kept::add, () -> LOG.warn("what is kept as operation {} is none", name));
    }
    kept.sort(Comparator.comparing(KeptOperation::begun).thenComparing(KeptOperation::id));
    for (KeptOperation each : kept) {
      Operation known = Operation.earlier(each, this);
      if (each.isRunning()) {
        documents.put(known.id(), known.told());
        LOG.warn("operation {} was interrupted: {}", known.id(), each.request());
      }
      all.put(known.id(), known);
    }
    forget();
  }

  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /** Whether a client asks not to be kept waiting. */
  public static boolean isAsked(HttpHeaders headers) {
    return Preference.isGiven(headers, RESPOND_ASYNC, "");
  }

  /**
   * Takes a request in, and keeps that.
   *
   * @return empty if too many go on
   * @throws ControllerException if it cannot be kept; the request must not be made then
   */
  public Optional<Operation> begin(String request) {
    Optional<Operation> taken = take(request);
    if (taken.isPresent()) {
      Operation operation = taken.get();
      try {
        documents.put(operation.id(), operation.told());
      } catch (StoreException e) {
        synchronized (this) {
          all.remove(operation.id());
        }
        throw new UnavailableException(
            "operations cannot be kept, and none is begun without that: " + e.getMessage(),
            Duration.ofSeconds(1),
            e);
      }
    }
    return taken;
  }

  private synchronized Optional<Operation> take(String request) {
    if (all.values().stream().filter(Operation::isRunning).count() >= MOST_RUNNING) {
      return Optional.empty();
    }
    String id;
    do {
      id = start + "-" + ++last;
    } while (all.containsKey(id));
    Operation operation = new Operation(id, request, now(), this);
    all.put(id, operation);
    forget();
    return Optional.of(operation);
  }

  private void forget() {
    Iterator<Operation> oldest = all.values().iterator();
    while (all.size() > MOST_KEPT && oldest.hasNext()) {
      Operation operation = oldest.next();
      if (!operation.isRunning()) {
        oldest.remove();
        keeping.execute(() -> forget(operation));
      }
    }
  }

  private void forget(Operation operation) {
    try {
      documents.delete(operation.id());
    } catch (RuntimeException e) {
      LOG.warn("operation {} is told no more and still kept: {}", operation.id(), e.toString());
    }
  }

  void ended(Operation operation) {
    keeping.execute(() -> keep(operation));
    synchronized (this) {
      forget();
    }
  }

  private void keep(Operation operation) {
    try {
      documents.put(operation.id(), operation.told());
    } catch (RuntimeException e) {
      LOG.error(
          "the end of operation {} cannot be kept; the next start will tell that it was"
              + " interrupted: {}",
          operation.id(),
          e.toString());
    }
  }

  /** Returns when all that has ended is kept. */
  @Override
  public void close() {
    keeping.shutdown();
    try {
      if (!keeping.awaitTermination(KEEP_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("the ends of some operations are not kept");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One of them; empty if there is none of that id, or not any more. */
  public synchronized Optional<Operation> find(String id) {
    return Optional.ofNullable(all.get(id));
  }

  /** All that are told, the newest first. */
  public synchronized List<Operation> list() {
    List<Operation> newest = new ArrayList<>(all.values());
    Collections.reverse(newest);
    return newest;
  }

  /** The refusal where too many go on. */
  public static Response tooMany() {
    return ProblemDetail.of(
            ProblemType.UNAVAILABLE,
            MOST_RUNNING
                + " operations are under way; allowed: "
                + MOST_RUNNING
                + " at a time. Try again when one has ended.")
        .builder()
        .header(HttpHeaders.RETRY_AFTER, 1)
        .build();
  }

  /**
   * Answers a request with 202, and then has it made.
   *
   * @param work makes it; whatever ends the operation
   */
  public Response accept(String method, UriInfo uri, Work work) {
    Optional<Operation> taken = begin(method + " " + uri.getRequestUri().getRawPath());
    return taken.isEmpty() ? tooMany() : accepted(taken.get(), uri, work);
  }

  /** Makes the request of an operation. */
  public interface Work {
    /** Makes it, and ends the operation; on a thread of its own. */
    void make(Operation operation, AcceptedOperation accepted) throws Exception;
  }

  private Response accepted(Operation operation, UriInfo uri, Work work) {
    return Response.accepted(new AcceptedOperation(operation, work, this))
        .type(MediaType.APPLICATION_JSON_TYPE)
        .location(location(operation, uri))
        .header(APPLIED, RESPOND_ASYNC)
        .build();
  }

  /** Where an operation is told. */
  public static URI location(Operation operation, UriInfo uri) {
    return uri.getBaseUriBuilder().path(PATH).path(operation.id()).build();
  }

  /** Ends an operation with what a resource answers. */
  public void answered(Operation operation, Object answer) {
    try {
      if (answer instanceof Response response) {
        byte[] body =
            response.getEntity() instanceof JsonAnswer json ? Operation.bytes(json) : new byte[0];
        operation.done(response.getStatus(), json -> json.writeRaw(text(body)));
      } else {
        operation.failed(problem(operation, (Throwable) answer));
      }
    } catch (IOException | RuntimeException e) {
      operation.failed(incidents.report("operation " + operation.id(), e));
    }
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8).strip();
  }

  private ProblemDetail problem(Operation operation, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof Refusal refusal) {
      return ProblemDetail.of(refusal.problems());
    }
    if (cause instanceof ControllerException unavailable) {
      return ProblemDetail.of(ProblemType.UNAVAILABLE, unavailable.getMessage() + ".");
    }
    if (cause instanceof RejectedExecutionException) {
      return ProblemDetail.of(ProblemType.UNAVAILABLE, "Too many requests are under way.");
    }
    return incidents.report("operation " + operation.id(), cause);
  }

  /** Passes on what a resource answers. */
  public Consumer<Object> answers(Operation operation) {
    return answer -> answered(operation, answer);
  }
}
