package net.sluice.standalone.http;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import net.sluice.endpoints.TlsFiles;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS in front of HTTP. A handshake costs a processor a thousand times what a request does, so
 * handshakes have two threads of their own, and clients that begin many delay each other and
 * nobody's requests.
 */
final class TlsConnections extends SslConnectionFactory {
  private static final Logger LOG = LoggerFactory.getLogger(TlsConnections.class);
  private static final String THREADS = "sluice-tls";
  private static final int HANDSHAKES = 2;
  private static final int KEEP_ALIVE_SECONDS = 10;

  private final TlsFiles files;
  private final SslContextFactory.Server contexts;
  private final ExecutorService handshakes;
  private TlsFiles.Content current;

  private TlsConnections(TlsFiles files, SslContextFactory.Server contexts) {
    super(contexts, HttpVersion.HTTP_1_1.asString());
    this.files = files;
    this.contexts = contexts;
    current = files.content();
    contexts.setSslContext(current.context());
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            HANDSHAKES,
            HANDSHAKES,
            KEEP_ALIVE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, THREADS);
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    handshakes = pool;
  }

  /** By the certificates in some files; clients need one if the files name their authorities. */
  static TlsConnections by(TlsFiles files) {
    SslContextFactory.Server contexts = new SslContextFactory.Server();
    contexts.setNeedClientAuth(!files.content().authorities().isEmpty());
    contexts.setEndpointIdentificationAlgorithm(null);
    contexts.setRenegotiationAllowed(false);
    return new TlsConnections(files, contexts);
  }

  @Override
  public Connection newConnection(Connector connector, EndPoint endPoint) {
    renew();
    return super.newConnection(connector, endPoint);
  }

  private synchronized void renew() {
    TlsFiles.Content now = files.content();
    if (now != current) {
      current = now;
      try {
        contexts.reload(factory -> factory.setSslContext(now.context()));
      } catch (Exception e) {
        LOG.error("the new certificate cannot be used", e);
      }
    }
  }

  @Override
  protected SslConnection newSslConnection(
      Connector connector, EndPoint endPoint, SSLEngine engine) {
    return new SslConnection(
        connector.getByteBufferPool(),
        connector.getExecutor(),
        contexts,
        endPoint,
        engine,
        isDirectBuffersForEncryption(),
        isDirectBuffersForDecryption()) {
      private volatile boolean isDone;

      {
        addHandshakeListener(
            new SslHandshakeListener() {
              @Override
              public void handshakeSucceeded(Event event) {
                isDone = true;
              }
            });
      }

      @Override
      public void onFillable() {
        if (isDone) {
          super.onFillable();
        } else {
          handshakes.execute(super::onFillable);
        }
      }
    };
  }

  /**
   * In front of {@code handler}: a request that came with the end of a handshake leaves its thread.
   */
  static Handler before(Handler handler) {
    return new Handler.Wrapper(handler) {
      @Override
      public boolean handle(Request request, Response response, Callback callback)
          throws Exception {
        if (!Thread.currentThread().getName().equals(THREADS)) {
          return super.handle(request, response, callback);
        }
        request
            .getComponents()
            .getExecutor()
            .execute(
                () -> {
                  try {
                    if (!super.handle(request, response, callback)) {
                      Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
                    }
                  } catch (Exception e) {
                    Response.writeError(request, response, callback, e);
                  }
                });
        return true;
      }
    };
  }
}
