package net.sluice.onos.rest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.UnaryOperator;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.ws.rs.core.MediaType;
import net.sluice.core.target.RpcErrors;
import net.sluice.northbound.caller.Caller;
import net.sluice.northbound.events.Endless;
import net.sluice.onos.rest.RequestMessage.Part;
import net.sluice.rest.edge.MeasuredRequests;
import net.sluice.rest.request.RequestBody;
import org.onosproject.cluster.NodeId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A client's request at this instance that the leader answers. */
final class ForwardedRequest {
  private static final Logger LOG = LoggerFactory.getLogger(ForwardedRequest.class);

  /**
   * The headers that are for this instance only: of the connection (RFC 9110 section 7.6.1), of the
   * login that was looked at here, and of the body's length, which is told anew. {@code Host} is in
   * the address. Others that the connection names go on: for its client this instance is the
   * server.
   */
  private static final Set<String> OWN_HEADERS =
      Set.of(
          "authorization",
          "connection",
          "content-length",
          "cookie",
          "expect",
          "host",
          "keep-alive",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** Bytes of a body that go with one message. */
  private static final int PIECE = 64 << 10;

  /** The leader answers within {@link RequestServer#LONGEST_SILENCE}, if it is there. */
  static final Duration PATIENCE = RequestServer.LONGEST_SILENCE.multipliedBy(2);

  /**
   * A leader answers at once that it has a request. If it is frozen, reading is refused after this
   * time; a change is given more, as it may be made though its answer has not come.
   */
  static final Duration READING_PATIENCE = Duration.ofSeconds(4);

  /** A piece of a body may have to wait for a store; beyond this nobody reads it. */
  private static final Duration BODY_PATIENCE = Duration.ofMinutes(10);

  private final ClusterCommunicationService cluster;
  private final NodeId leader;
  private final HttpServletRequest from;
  private final HttpServletResponse to;
  private final Executor threads;
  private final UUID request = UUID.randomUUID();
  private final RequestMessage open;

  /** The whole body; null for one that is sent while it comes. */
  private final byte[] body;

  /** Completed when the client has been answered; fails if that cannot be. */
  private final CompletableFuture<Void> answered = new CompletableFuture<>();

  private OutputStream out;

  /**
   * A request that has not been sent yet, whose body has been read unless it is a stream.
   *
   * @param threads where answers are written
   * @throws IOException if the body cannot be read
   */
  ForwardedRequest(
      ClusterCommunicationService cluster,
      NodeId leader,
      HttpServletRequest from,
      HttpServletResponse to,
      Executor threads)
      throws IOException {
    this.cluster = cluster;
    this.leader = leader;
    this.from = from;
    this.to = to;
    this.threads = threads;
    // Now: the container knows less of it on other threads. Unless it is a stream it has come.
    this.body =
        RequestBody.isStream(from)
            ? null
            : from.getInputStream().readNBytes(RequestBody.MAX_BYTES + 1);
    this.open = open();
  }

  /**
   * Sends it, and the answer back; no thread waits for it.
   *
   * @param bodies where a body is sent that comes while it is answered
   * @return completed when the client has been answered; fails, for people, if the leader cannot be
   *     asked or the client be answered
   */
  CompletableFuture<Void> send(Executor bodies) {
    boolean reads = from.getMethod().equals("GET") || from.getMethod().equals("HEAD");
    ask(open, reads ? READING_PATIENCE : PATIENCE)
        .thenAccept(
            unused -> {
              if (body == null) {
                bodies.execute(this::sendBody);
              } else {
                var alsoUnused = ask(new RequestMessage.Body(request, body, true), PATIENCE);
              }
              pull();
            })
        .exceptionally(this::fail);
    return answered;
  }

  private Void fail(Throwable failure) {
    Throwable reason = failure instanceof CompletionException ? failure.getCause() : failure;
    if (answered.completeExceptionally(
        reason instanceof RejectedExecutionException
            ? unavailable("too many streams are being forwarded")
            : reason)) {
      abandon();
    }
    return null;
  }

  private void pull() {
    ask(new RequestMessage.Pull(request), PATIENCE)
        .thenAcceptAsync(
            part -> {
              write(part);
              if (part.isLast() || goesOn(part)) {
                answered.complete(null);
              } else {
                pull();
              }
            },
            threads)
        .exceptionally(this::fail);
  }

  /** Leaves the rest of an answer without an end to whoever sends it to the client. */
  private boolean goesOn(Part part) {
    boolean isEndless =
        part.status() == HttpServletResponse.SC_OK
            && part.headers().getOrDefault("Content-Type", List.of()).stream()
                .anyMatch(type -> type.startsWith(MediaType.SERVER_SENT_EVENTS));
    if (isEndless) {
      from.setAttribute(Endless.ATTRIBUTE, new Relay());
    }
    return isEndless;
  }

  /** The parts of an answer without an end, each asked for when the one before is sent. */
  private final class Relay implements Endless {
    private Runnable whenMore = () -> {};
    private ByteBuffer waiting = NOTHING;
    private boolean isAsked;
    private boolean isOver;

    @Override
    public synchronized void begin(Runnable more) {
      whenMore = more;
    }

    @Override
    public synchronized ByteBuffer next() {
      ByteBuffer taken = waiting;
      waiting = NOTHING;
      if (!taken.hasRemaining() && isOver) {
        return null;
      }
      if (!isAsked && !isOver) {
        isAsked = true;
        var unused = ask(new RequestMessage.Pull(request), PATIENCE).whenComplete(this::came);
      }
      return taken;
    }

    private void came(Part part, Throwable failure) {
      synchronized (this) {
        isAsked = false;
        isOver = failure != null || part.isLast();
        waiting = failure == null ? ByteBuffer.wrap(part.bytes()) : NOTHING;
      }
      threads.execute(whenMore);
    }

    @Override
    public void close() {
      abandon();
    }
  }

  private void write(Part part) {
    try {
      if (part.status() != 0) {
        to.setStatus(part.status());
        from.setAttribute(MeasuredRequests.ELSEWHERE, leader);
        part.headers()
            .forEach((name, values) -> values.forEach(value -> to.addHeader(name, value)));
        out = to.getOutputStream();
      }
      if (out != null && part.bytes().length > 0) {
        out.write(part.bytes());
        out.flush();
      }
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private RequestMessage open() {
    Map<String, List<String>> headers = endToEnd();
    if (body != null && body.length > 0) {
      headers.put("content-length", List.of(Integer.toString(body.length)));
    }
    String url = from.getRequestURL().toString();
    String path = from.getRequestURI();
    String api = from.getContextPath() + from.getServletPath();
    String query = from.getQueryString() == null ? "" : "?" + from.getQueryString();
    URI base = URI.create(url.substring(0, url.length() - path.length()) + api + "/");
    return new RequestMessage.Open(
        request,
        from.getMethod(),
        base,
        URI.create(url + query),
        headers,
        (Caller) from.getAttribute(Caller.ATTRIBUTE),
        (String) from.getAttribute(Caller.REQUEST_ID));
  }

  /** The headers of the request that are for its other end, by lower-case name. */
  private Map<String, List<String>> endToEnd() {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (String name : Collections.list(from.getHeaderNames())) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (!OWN_HEADERS.contains(lower)) {
        headers.put(lower, Collections.list(from.getHeaders(name)));
      }
    }
    MeasuredRequests.trace(from)
        .ifPresent(
            trace -> trace.headers().forEach((name, value) -> headers.put(name, List.of(value))));
    return headers;
  }

  private void sendBody() {
    byte[] buffer = new byte[PIECE];
    try {
      InputStream in = from.getInputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        send(Arrays.copyOf(buffer, count), false);
      }
      send(new byte[0], true);
    } catch (IOException | CompletionException e) {
      // Without its end the leader takes no line that was cut off for a whole one.
      LOG.debug("the body of a request has not been sent to its end", e);
      abandon();
    }
  }

  private void send(byte[] bytes, boolean isLast) {
    Part unused = ask(new RequestMessage.Body(request, bytes, isLast), BODY_PATIENCE).join();
  }

  private void abandon() {
    // Not waited for: without it the leader finds out after a while.
    var unused = ask(new RequestMessage.Abandon(request), PATIENCE);
  }

  /** Fails if the leader does not answer, or says why it cannot. */
  private CompletableFuture<Part> ask(RequestMessage message, Duration patience) {
    return cluster
        .<byte[], Part>sendAndReceive(
            message.encode(),
            RequestMessage.SUBJECT,
            UnaryOperator.identity(),
            Part::decode,
            leader,
            patience)
        .handle(
            (part, failure) -> {
              if (failure != null) {
                throw new CompletionException(unavailable(RpcErrors.text(failure)));
              }
              if (!part.failure().isEmpty()) {
                throw new CompletionException(unavailable(part.failure()));
              }
              return part;
            });
  }

  private IOException unavailable(String reason) {
    return new IOException(
        "Instance "
            + leader
            + " of the cluster leads, and cannot be asked: "
            + reason
            + ". If it is gone, another takes over within seconds; try again.");
  }
}
