package net.sluice.standalone.webhooks;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import net.sluice.cli.ListenAddress;
import net.sluice.rest.events.Webhook;
import net.sluice.standalone.network.AllowedTargets;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.client.StringRequestContent;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.client.transport.HttpExchange;
import org.eclipse.jetty.client.transport.SendFailure;
import org.eclipse.jetty.client.transport.internal.HttpConnectionOverHTTP;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/**
 * Sends events, signed as Standard Webhooks describes it ("Signature scheme", symmetric).
 *
 * <p>A name is looked up for each connection, which is made to an address that is allowed or not at
 * all. Redirects are not followed and nothing of an answer but its status is looked at, so that
 * whoever declares a webhook learns nothing of what is there.
 */
final class WebhookSender implements AutoCloseable {
  private static final int THREADS = 8;

  /** Nothing of it is wanted but the status. */
  private static final int MAX_HEADER_BYTES = 16 << 10;

  /** Bytes of an answer, headers and framing too, after which the connection is closed. */
  private static final int MAX_ANSWER_BYTES = 64 << 10;

  private static final String ALGORITHM = "HmacSHA256";

  private final Clock clock;
  private final WebhookTiming timing;
  private final HttpClient client;

  /** The outcome of an attempt. */
  sealed interface Sent {
    /** It was taken. */
    record Taken() implements Sent {}

    /** The other side answered something else. */
    record Refused(int status) implements Sent {}

    /** There was no answer. */
    record Unanswered(String reason) implements Sent {}
  }

  /** Sends as {@code settings} allow. */
  WebhookSender(WebhookOptions.Settings settings, Clock clock, WebhookTiming timing) {
    this.clock = clock;
    this.timing = timing;
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, 1);
    threads.setName("sluice-webhook-client");
    threads.setDaemon(true);
    ScheduledExecutorScheduler timers =
        new ScheduledExecutorScheduler("sluice-webhook-timers", true);
    ClientConnector connector = new ClientConnector();
    connector.setSelectors(1);
    connector.setExecutor(threads);
    connector.setScheduler(timers);
    SslContextFactory.Client tls = new SslContextFactory.Client();
    tls.setSslContext(settings.tls().content().context());
    connector.setSslContextFactory(tls);
    client = new HttpClient(new BoundedTransport(connector));
    client.setExecutor(threads);
    client.setScheduler(timers);
    client.setFollowRedirects(false);
    client.setHttpCookieStore(new HttpCookieStore.Empty());
    client.setConnectTimeout(timing.connect().toMillis());
    client.setIdleTimeout(timing.answer().toMillis());
    client.setMaxResponseHeadersSize(MAX_HEADER_BYTES);
    client.setUserAgentField(new HttpField(HttpHeader.USER_AGENT, "sluice"));
    client.setSocketAddressResolver(
        new OnlyAllowed(
            new SocketAddressResolver.Async(threads, timers, timing.connect().toMillis()),
            settings.allowed()));
    try {
      client.start();
    } catch (Exception e) {
      throw new IllegalStateException("no HTTP client can be made", e);
    }
  }

  /** Makes connections that close when an answer is too long. */
  private static final class BoundedTransport extends HttpClientTransportOverHTTP {
    BoundedTransport(ClientConnector connector) {
      super(connector);
    }

    @Override
    public Connection newConnection(EndPoint endPoint, Map<String, Object> context) {
      return customize(new BoundedConnection(endPoint, context), context);
    }
  }

  /**
   * Counts what is read, which listeners for content cannot: interim answers and the framing of
   * chunks have no end either, and an abort waits until the receiver's socket is read empty.
   */
  private static final class BoundedConnection extends HttpConnectionOverHTTP {
    private final AtomicLong left = new AtomicLong();

    BoundedConnection(EndPoint endPoint, Map<String, Object> context) {
      super(endPoint, context);
    }

    @Override
    public SendFailure send(HttpExchange exchange) {
      left.set(MAX_ANSWER_BYTES);
      return super.send(exchange);
    }

    @Override
    protected void addBytesIn(long bytes) {
      super.addBytesIn(bytes);
      if (left.addAndGet(-bytes) < 0) {
        IllegalStateException tooLong =
            new IllegalStateException("the answer is longer than " + MAX_ANSWER_BYTES + " bytes");
        close(tooLong);
        throw tooLong;
      }
    }
  }

  /** Leaves out the addresses of a name that are not allowed. */
  private record OnlyAllowed(SocketAddressResolver all, AllowedTargets allowed)
      implements SocketAddressResolver {
    @Override
    public void resolve(
        String host,
        int port,
        Map<String, Object> context,
        Promise<List<InetSocketAddress>> promise) {
      String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
      all.resolve(
          bare,
          port,
          context,
          Promise.from(
              found -> {
                List<InetSocketAddress> left =
                    found.stream().filter(each -> allowed.allows(bare, each)).toList();
                if (left.isEmpty()) {
                  promise.failed(
                      new NotAllowed(
                          host + " leads nowhere that is allowed: " + allowed.allowed()));
                } else {
                  promise.succeeded(left);
                }
              },
              promise::failed));
    }
  }

  /** Connections may not be made there. */
  private static final class NotAllowed extends Exception {
    private static final long serialVersionUID = 1L;

    NotAllowed(String message) {
      super(message);
    }
  }

  /**
   * Sends a request. Whoever cancels it ends it.
   *
   * @param secret of the webhook
   * @param id of the message, the same in each attempt
   */
  CompletableFuture<Sent> send(URI url, String secret, String id, String mediaType, String body) {
    String time = Long.toString(clock.instant().getEpochSecond());
    CompletableFuture<Sent> done = new CompletableFuture<>();
    AtomicInteger status = new AtomicInteger();
    Request request =
        client
            .POST(url)
            .timeout(timing.answer().toMillis(), TimeUnit.MILLISECONDS)
            .headers(
                headers ->
                    headers
                        .put("webhook-id", id)
                        .put("webhook-timestamp", time)
                        .put("webhook-signature", "v1," + signature(secret, id, time, body)))
            .body(new StringRequestContent(mediaType, body, StandardCharsets.UTF_8))
            .onResponseHeaders(
                response -> {
                  if (!HttpStatus.isInterim(response.getStatus())) {
                    status.set(response.getStatus());
                  }
                });
    var unused =
        done.whenComplete(
            (sent, failure) -> {
              if (failure != null) {
                request.abort(failure);
              }
            });
    request.send(result -> done.complete(sent(status.get(), result)));
    return done;
  }

  /** The outcome: an answer that breaks off after its headers is one. */
  private static Sent sent(int status, Result result) {
    if (status == 0) {
      return new Sent.Unanswered(reason(result.getFailure()));
    }
    return status / 100 == 2 ? new Sent.Taken() : new Sent.Refused(status);
  }

  private static String reason(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && !(root instanceof NotAllowed)) {
      root = root.getCause();
    }
    if (root instanceof NotAllowed) {
      return root.getMessage();
    }
    if (root instanceof UnknownHostException) {
      return "the name is not known";
    }
    return ListenAddress.reason(root);
  }

  /** The signature of a message, in base64. */
  static String signature(String secret, String id, String time, String body) {
    byte[] key = Base64.getDecoder().decode(secret.substring(Webhook.SECRET_PREFIX.length()));
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      String signed = id + "." + time + "." + body;
      return Base64.getEncoder()
          .encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      client.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the HTTP client does not end", e);
    }
  }
}
