package net.sluice.rest.idempotency;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.annotation.Priority;
import javax.ws.rs.HttpMethod;
import javax.ws.rs.Priorities;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.ContainerResponseContext;
import javax.ws.rs.container.ContainerResponseFilter;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MultivaluedMap;
import javax.ws.rs.core.Response;
import javax.ws.rs.ext.WriterInterceptor;
import javax.ws.rs.ext.WriterInterceptorContext;
import net.sluice.northbound.Northbound;
import net.sluice.northbound.answers.KeptAnswer;
import net.sluice.northbound.answers.KeptAnswers;
import net.sluice.northbound.answers.KeptAnswers.Entry;
import net.sluice.northbound.answers.KeptAnswers.Found;
import net.sluice.northbound.caller.Caller;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.operation.Operation;
import net.sluice.rest.operation.Operations;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemDetail.FieldError;
import net.sluice.rest.problem.ProblemType;

/**
 * Makes a request with an {@code Idempotency-Key} once: sent again it gets the answer that it got
 * (draft-ietf-httpapi-idempotency-key-header). It is in front of the roles and the audit log: who
 * is answered again has asked for nothing new, and a key is that of a caller and a role.
 */
@Priority(Priorities.HEADER_DECORATOR)
public final class IdempotencyFilter
    implements ContainerRequestFilter, ContainerResponseFilter, WriterInterceptor {
  /** The header that has the key. */
  public static final String HEADER = "Idempotency-Key";

  /** The header of an answer that is given again. */
  static final String REPLAYED = "Idempotency-Replayed";

  private static final Set<String> METHODS = Set.of(HttpMethod.POST, HttpMethod.PATCH);
  private static final Pattern KEY =
      Pattern.compile("\"([A-Za-z0-9._~:+/=-]{1,128})\"|([A-Za-z0-9._~:+/=-]{1,128})");
  private static final String ALLOWED =
      "once, 1 to 128 characters of A-Z a-z 0-9 . _ ~ : + / = -, in quotes or not";
  private static final int MAX_SHOWN = 64;

  /** Refusals of changes; what else is refused was not looked at. */
  private static final Set<Integer> KEPT_REFUSALS = Set.of(404, 409, 412, 422, 507);

  private static final String ENTRY = "net.sluice.idempotency";
  private static final String HEAD = "net.sluice.idempotency-head";

  private final Supplier<Northbound> northbound;
  private final Supplier<Operations> operations;
  private final int maxBodyBytes;

  /**
   * A filter for all resources.
   *
   * @param northbound has the answers
   * @param operations those that answers lead to
   * @param maxBodyBytes longest body that resources read
   */
  public IdempotencyFilter(
      Supplier<Northbound> northbound, Supplier<Operations> operations, int maxBodyBytes) {
    this.northbound = northbound;
    this.operations = operations;
    this.maxBodyBytes = maxBodyBytes;
  }

  /** A request that was begun, and where its answer is to be kept. */
  private record Begun(KeptAnswers answers, Entry entry) {
    void keep(KeptAnswer answer) {
      answers.keep(entry, answer);
    }
  }

  @Override
  public void filter(ContainerRequestContext request) throws IOException {
    List<String> given = request.getHeaders().getOrDefault(HEADER, List.of());
    if (given.isEmpty() || !METHODS.contains(request.getMethod())) {
      return;
    }
    var matched = KEY.matcher(given.get(0));
    if (given.size() > 1 || !matched.matches()) {
      request.abortWith(malformed(String.join(", ", given)));
      return;
    }
    String key = matched.group(1) == null ? matched.group(2) : matched.group(1);
    Caller caller = (Caller) request.getProperty(Caller.ATTRIBUTE);
    KeptAnswers answers = northbound.get().answers();
    String fingerprint;
    try {
      fingerprint = fingerprint(request);
    } catch (IOException e) {
      // A stream, which is read here for the first time, breaks off.
      request.abortWith(ProblemDetail.of(ObjectReader.cutOff().problems()).response());
      return;
    }
    Found found = answers.begin(caller.role().text() + " " + caller.name(), key, fingerprint);
    if (found.isNew()) {
      request.setProperty(ENTRY, new Begun(answers, found.entry()));
      return;
    }
    request.abortWith(again(answers, found, key));
  }

  private Response again(KeptAnswers answers, Found found, String key) {
    if (!found.isSame()) {
      return ProblemDetail.of(
              ProblemType.INVALID,
              HEADER + " is that of another request, " + key + "; allowed: a key of its own.",
              new FieldError(HEADER, key, "a key of its own for each request"))
          .response();
    }
    return switch (found.state()) {
      case ANSWERED -> {
        KeptAnswer answer = answers.answer(found.entry());
        yield dead(answer, key).orElseGet(() -> replayed(answer));
      }
      case UNDER_WAY ->
          conflict(key, "The request of this key is under way", "the same after its end")
              .header(HttpHeaders.RETRY_AFTER, 1)
              .build();
      case TOO_LONG ->
          conflict(
                  key,
                  "The request of this key was made, and its answer is longer than is kept ("
                      + answers.maxBodyBytes()
                      + " bytes)",
                  "another key, if it is to be made again")
              .build();
      case DROPPED ->
          conflict(
                  key,
                  "The request of this key was made, and its answer is kept no more: newer ones"
                      + " have taken its room",
                  "another key, if it is to be made again")
              .build();
      case INTERRUPTED ->
          conflict(
                  key,
                  "The request of this key was interrupted, and may have been made or not",
                  "another key, after a look at what is in force")
              .build();
    };
  }

  /** The refusal where an answer leads to an operation that has nothing to tell any more. */
  private Optional<Response> dead(KeptAnswer answer, String key) {
    String location = answer.headers().get(HttpHeaders.LOCATION);
    if (!Operations.RESPOND_ASYNC.equals(answer.headers().get(Operations.APPLIED))
        || location == null) {
      return Optional.empty();
    }
    String id = location.substring(location.lastIndexOf('/') + 1);
    Optional<Operation> operation = operations.get().find(id);
    if (operation.isPresent() && !operation.get().isInterrupted()) {
      return Optional.empty();
    }
    String became =
        operation.isPresent()
            ? ", which was interrupted, and may have been made, in part or not at all"
            : ", of which nothing is told any more";
    return Optional.of(
        conflict(
                key,
                "The request of this key became operation " + id + became,
                "another key, after a look at what is in force")
            .build());
  }

  private static Response.ResponseBuilder conflict(String key, String why, String allowed) {
    return ProblemDetail.of(
            ProblemType.CONFLICT,
            why + "; allowed: " + allowed + ".",
            new FieldError(HEADER, key, allowed))
        .builder();
  }

  private static Response replayed(KeptAnswer answer) {
    Response.ResponseBuilder response = Response.status(answer.status());
    answer.headers().forEach(response::header);
    if (answer.body().length > 0) {
      response.entity(answer.body());
    }
    return response.header(REPLAYED, true).build();
  }

  private static Response malformed(String given) {
    String shown = given.length() > MAX_SHOWN ? given.substring(0, MAX_SHOWN) + "..." : given;
    return ProblemDetail.of(
            ProblemType.MALFORMED,
            HEADER + " is " + JsonText.quoted(shown) + "; allowed: " + ALLOWED + ".",
            new FieldError(HEADER, JsonText.quoted(shown), ALLOWED))
        .response();
  }

  /** A digest of all that tells a request from others. */
  private String fingerprint(ContainerRequestContext request) throws IOException {
    byte[] body = request.getEntityStream().readNBytes(maxBodyBytes + 1);
    request.setEntityStream(new ByteArrayInputStream(body));
    MessageDigest digest = KeptAnswers.sha256();
    Stream.of(
            request.getMethod(),
            request.getUriInfo().getRequestUri().getRawPath(),
            String.valueOf(request.getUriInfo().getRequestUri().getRawQuery()),
            String.valueOf(request.getHeaderString(HttpHeaders.CONTENT_TYPE)),
            String.valueOf(request.getHeaderString(HttpHeaders.IF_MATCH)))
        .forEach(part -> digest.update((part + "\n").getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().formatHex(digest.digest(body));
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (!(request.getProperty(ENTRY) instanceof Begun begun)) {
      return;
    }
    int status = response.getStatus();
    if (status >= 300 && !KEPT_REFUSALS.contains(status)) {
      request.removeProperty(ENTRY);
      begun.answers().forget(begun.entry());
      return;
    }
    KeptAnswer head = new KeptAnswer(status, headers(response.getStringHeaders()), new byte[0]);
    if (response.hasEntity()) {
      request.setProperty(HEAD, head);
    } else {
      request.removeProperty(ENTRY);
      begun.keep(head);
    }
  }

  /** Keeps the answer before any of it is sent. */
  @Override
  public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
    if (!(context.getProperty(ENTRY) instanceof Begun begun)) {
      context.proceed();
      return;
    }
    Beginning copy = new Beginning(context.getOutputStream(), begun.answers().maxBodyBytes());
    context.setOutputStream(copy);
    boolean isWhole = false;
    try {
      context.proceed();
      isWhole = !copy.isTooLong;
    } finally {
      if (isWhole) {
        KeptAnswer head = (KeptAnswer) context.getProperty(HEAD);
        SortedMap<String, String> headers = new TreeMap<>(head.headers());
        headers.put(HttpHeaders.CONTENT_TYPE, context.getMediaType().toString());
        begun.keep(new KeptAnswer(head.status(), headers, copy.bytes.toByteArray()));
      } else {
        begun.answers().keepTooLong(begun.entry());
      }
    }
    copy.send();
  }

  private static SortedMap<String, String> headers(MultivaluedMap<String, String> all) {
    SortedMap<String, String> headers = new TreeMap<>();
    all.forEach((name, values) -> headers.put(name, values.get(0)));
    return headers;
  }

  /** An answer that is held back as long as it can be kept. */
  private static final class Beginning extends OutputStream {
    private final OutputStream client;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int most;
    private boolean isTooLong;

    Beginning(OutputStream client, int most) {
      this.client = client;
      this.most = most;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      if (!isTooLong && bytes.size() + length > most) {
        isTooLong = true;
        bytes.writeTo(client);
        bytes.reset();
      }
      (isTooLong ? client : bytes).write(from, offset, length);
    }

    @Override
    public void flush() throws IOException {
      if (isTooLong) {
        client.flush();
      }
    }

    void send() throws IOException {
      bytes.writeTo(client);
      client.flush();
    }
  }
}
