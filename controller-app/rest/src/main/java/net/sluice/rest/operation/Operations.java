package net.sluice.rest.operation;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.ControllerException;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.condition.Preference;
import net.sluice.rest.problem.Incidents;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;

/** The operations of this start of the controller: those that go on, and the last that ended. */
public final class Operations {
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

  private final Incidents incidents;
  private final Clock clock;
  private final String start;
  private final Map<String, Operation> all = new LinkedHashMap<>();
  private long last;

  /** No operation yet; {@code clock} also tells this start from others. */
  public Operations(Incidents incidents, Clock clock) {
    this.incidents = incidents;
    this.clock = clock;
    this.start = Long.toString(clock.millis(), Character.MAX_RADIX);
  }

  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /** Whether a client asks not to be kept waiting. */
  public static boolean isAsked(HttpHeaders headers) {
    return Preference.isGiven(headers, RESPOND_ASYNC, "");
  }

  /**
   * Takes a request in.
   *
   * @return empty if too many go on
   */
  public synchronized Optional<Operation> begin(String request) {
    if (all.values().stream().filter(Operation::isRunning).count() >= MOST_RUNNING) {
      return Optional.empty();
    }
    String id = start + "-" + ++last;
    Operation operation = new Operation(id, request, now(), this);
    all.put(id, operation);
    forget();
    return Optional.of(operation);
  }

  private void forget() {
    Iterator<Operation> oldest = all.values().iterator();
    while (all.size() > MOST_KEPT && oldest.hasNext()) {
      if (!oldest.next().isRunning()) {
        oldest.remove();
      }
    }
  }

  synchronized void ended() {
    forget();
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
