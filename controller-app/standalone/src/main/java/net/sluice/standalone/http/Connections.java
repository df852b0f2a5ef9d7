package net.sluice.standalone.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of a listener: so many at most, and each is closed that takes too long to send
 * the headers of a request, one byte at a time as much as none. While there are no more to be had,
 * those that are in no request have less time.
 */
final class Connections extends NetworkConnectionLimit implements Connection.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
  private static final Duration WHEN_FULL = Duration.ofSeconds(2);

  private final String name;
  private final ServerConnector connector;
  private final Duration headers;

  /** The task that closes each connection whose request has not come yet. */
  private final Map<EndPoint, Scheduler.Task> waiting = new ConcurrentHashMap<>();

  private volatile boolean full;
  private int open;

  /** Of {@code connector}, which serves what the log calls {@code name}. */
  Connections(String name, ServerConnector connector, HttpLimits limits) {
    super(limits.connections(), connector);
    this.name = name;
    this.connector = connector;
    this.headers = limits.request();
    connector.addBean(this);
  }

  @Override
  public void onOpened(Connection connection) {
    // Of a connection with TLS the HTTP within it is watched, from the same moment on.
    if (!(connection instanceof SslConnection)) {
      count(1);
      await(connection.getEndPoint());
    }
  }

  @Override
  public void onClosed(Connection connection) {
    stopAwaiting(connection.getEndPoint());
    if (!(connection instanceof SslConnection)) {
      count(-1);
    }
  }

  private synchronized void count(int more) {
    open += more;
    notifyAll();
  }

  /** Returns when no connection is open, or after the time given. */
  synchronized void awaitNone(Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    for (long left = most.toNanos(); open > 0 && left > 0; left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  private void await(EndPoint client) {
    Duration time = full && WHEN_FULL.compareTo(headers) < 0 ? WHEN_FULL : headers;
    Scheduler.Task replaced =
        waiting.put(
            client,
            connector.getScheduler().schedule(client::close, time.toNanos(), TimeUnit.NANOSECONDS));
    if (replaced != null) {
      replaced.cancel();
    }
    if (!client.isOpen()) {
      stopAwaiting(client);
    }
  }

  private void stopAwaiting(EndPoint client) {
    Scheduler.Task task = waiting.remove(client);
    if (task != null) {
      task.cancel();
    }
  }

  @Override
  protected void limit() {
    super.limit();
    full = true;
    waiting.keySet().forEach(this::await);
    LOG.warn(
        "{} has {} connections, which is the most allowed: others wait until one ends",
        name,
        getMaxNetworkConnectionCount());
  }

  @Override
  protected void unlimit() {
    full = false;
    super.unlimit();
    LOG.info("{} has connections to spare again", name);
  }

  /** In front of {@code handler}: from its headers to its end a request is not waited for. */
  Handler before(Handler handler) {
    return new Handler.Wrapper(handler) {
      @Override
      public boolean handle(Request request, Response response, Callback callback)
          throws Exception {
        EndPoint client = request.getConnectionMetaData().getConnection().getEndPoint();
        stopAwaiting(client);
        Request.addCompletionListener(request, failure -> await(client));
        return super.handle(request, response, callback);
      }
    };
  }
}
