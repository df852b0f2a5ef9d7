package net.sluice.northbound.webhooks;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import net.sluice.core.ControllerException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * Sends events, signed as Standard Webhooks describes it ("Signature scheme", symmetric).
 *
 * <p>A name is looked up for each connection, which is made to an address that is allowed or not at
 * all. Redirects are not followed and nothing of an answer but its status is looked at, so that
 * whoever declares a webhook learns nothing of what is there.
 */
final class WebhookSender implements AutoCloseable {
  /** Longest line of an answer's head, and most of its fields. */
  private static final int MAX_LINE_BYTES = 8 << 10;

  private static final int MAX_FIELDS = 100;

  /** Bytes of an answer, headers and framing too, after which the connection is closed. */
  private static final int MAX_ANSWER_BYTES = 64 << 10;

  private static final String ALGORITHM = "HmacSHA256";

  private final Clock clock;
  private final WebhookTiming timing;
  private final CloseableHttpClient client;
  private final ScheduledThreadPoolExecutor deadlines;

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
  WebhookSender(WebhookSettings settings, Clock clock) {
    this.clock = clock;
    this.timing = settings.timing();
    deadlines =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "sluice-webhook-deadlines");
              thread.setDaemon(true);
              return thread;
            });
    deadlines.setRemoveOnCancelPolicy(true);
    TlsSocketStrategy tls =
        (socket, host, port, attachment, context) ->
            new DefaultClientTlsStrategy(settings.tls().get())
                .upgrade(socket, host, port, attachment, context);
    PoolingHttpClientConnectionManager connections =
        new PoolingHttpClientConnectionManager(
            new DefaultHttpClientConnectionOperator(
                BoundedSocket::new,
                null,
                new OnlyAllowed(settings.allowed()),
                RegistryBuilder.<TlsSocketStrategy>create()
                    .register(URIScheme.HTTPS.id, tls)
                    .build()),
            PoolConcurrencyPolicy.LAX,
            PoolReusePolicy.LIFO,
            TimeValue.NEG_ONE_MILLISECOND,
            ManagedHttpClientConnectionFactory.builder()
                .http1Config(
                    Http1Config.custom()
                        .setMaxLineLength(MAX_LINE_BYTES)
                        .setMaxHeaderCount(MAX_FIELDS)
                        .build())
                .build());
    connections.setDefaultMaxPerRoute(Webhooks.MOST);
    connections.setMaxTotal(Webhooks.MOST);
    connections.setDefaultConnectionConfig(
        ConnectionConfig.custom()
            .setConnectTimeout(Timeout.of(settings.timing().connect()))
            .setSocketTimeout(Timeout.of(settings.timing().answer()))
            .build());
    client =
        HttpClients.custom()
            .setConnectionManager(connections)
            .setDefaultRequestConfig(
                RequestConfig.custom()
                    .setResponseTimeout(Timeout.of(settings.timing().answer()))
                    .build())
            .setUserAgent("sluice")
            .disableAutomaticRetries()
            .disableRedirectHandling()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableContentCompression()
            .build();
  }

  /**
   * A socket that gives a bounded number of bytes for each request. Interim answers and the framing
   * of chunks have no end either, so that all is counted that comes.
   */
  private static final class BoundedSocket extends Socket {
    private final AtomicInteger left = new AtomicInteger(MAX_ANSWER_BYTES);

    BoundedSocket(Proxy proxy) {
      super(proxy == null ? Proxy.NO_PROXY : proxy);
    }

    /** Each request has its answer before the next one is sent. */
    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
          left.set(MAX_ANSWER_BYTES);
          out.write(from, offset, length);
        }
      };
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
          int read = super.read(to, offset, length);
          if (read > 0 && left.addAndGet(-read) < 0) {
            BoundedSocket.this.close();
            throw new IOException("the answer is longer than " + MAX_ANSWER_BYTES + " bytes");
          }
          return read;
        }
      };
    }
  }

  /** Leaves out the addresses of a name that are not allowed. */
  private record OnlyAllowed(Destinations allowed) implements DnsResolver {
    @Override
    public List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
      String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
      List<InetSocketAddress> left =
          Stream.of(InetAddress.getAllByName(bare))
              .map(each -> new InetSocketAddress(each, port))
              .filter(each -> allowed.allows(bare, each))
              .toList();
      if (left.isEmpty()) {
        throw new NotAllowed(host + " leads nowhere that is allowed: " + allowed.allowed());
      }
      return left;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
      throw new UnknownHostException("an address is allowed with its port only");
    }

    @Override
    public String resolveCanonicalHostname(String host) {
      return host;
    }
  }

  /** Connections may not be made there. */
  private static final class NotAllowed extends UnknownHostException {
    private static final long serialVersionUID = 1L;

    NotAllowed(String message) {
      super(message);
    }
  }

  /**
   * An attempt that has not begun.
   *
   * @param secret of the webhook
   * @param id of the message, the same in each attempt
   */
  Attempt attempt(URI url, String secret, String id, String mediaType, String body) {
    String time = Long.toString(clock.instant().getEpochSecond());
    HttpPost request = new HttpPost(url);
    request.setHeader("webhook-id", id);
    request.setHeader("webhook-timestamp", time);
    request.setHeader("webhook-signature", "v1," + signature(secret, id, time, body));
    request.setEntity(
        new StringEntity(body, ContentType.create(mediaType, StandardCharsets.UTF_8)));
    return new Attempt(request);
  }

  /** One request. */
  final class Attempt {
    private final HttpPost request;
    private volatile boolean isLate;

    private Attempt(HttpPost request) {
      this.request = request;
    }

    /** Sends it, and waits for the outcome. */
    Sent make() {
      AtomicInteger status = new AtomicInteger();
      ScheduledFuture<?> deadline =
          deadlines.schedule(this::late, timing.answer().toMillis(), TimeUnit.MILLISECONDS);
      try {
        return client.execute(
            request,
            answer -> {
              status.set(answer.getCode());
              InputStream rest =
                  answer.getEntity() == null
                      ? InputStream.nullInputStream()
                      : answer.getEntity().getContent();
              rest.transferTo(OutputStream.nullOutputStream());
              return outcome(status.get());
            });
      } catch (IOException | RuntimeException e) {
        // An answer that breaks off after its head is one.
        return status.get() == 0 ? new Sent.Unanswered(reason(e)) : outcome(status.get());
      } finally {
        deadline.cancel(false);
      }
    }

    private void late() {
      isLate = true;
      request.cancel();
    }

    /** Ends it, from another thread. */
    void cancel() {
      request.cancel();
    }

    private Sent outcome(int status) {
      return status / 100 == 2 ? new Sent.Taken() : new Sent.Refused(status);
    }

    private String reason(Exception failure) {
      Throwable root = failure;
      while (root.getCause() != null && !(root instanceof NotAllowed)) {
        root = root.getCause();
      }
      if (root instanceof NotAllowed) {
        return root.getMessage();
      }
      if (isLate || root instanceof SocketTimeoutException) {
        return "no answer in time";
      }
      return root instanceof UnknownHostException
          ? "the name is not known"
          : root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
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
    deadlines.shutdownNow();
    try {
      client.close();
    } catch (IOException e) {
      throw new ControllerException("the HTTP client does not end", e);
    }
  }
}
