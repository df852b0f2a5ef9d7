package net.sluice.rest.edge;

import java.io.IOException;
import java.time.Duration;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * Takes what a client still sends after its request was refused. A connection that is closed under
 * a client that sends is reset, and the answer is lost with it (RFC 9112 section 9.6).
 */
final class UnreadBody implements ReadListener, AsyncListener {
  private static final Duration AT_MOST = Duration.ofSeconds(2);
  private static final long MAX_BYTES = 16L << 20;

  private final AsyncContext context;
  private final ServletInputStream in;
  private final byte[] piece = new byte[8 << 10];
  private long bytes;

  private UnreadBody(AsyncContext context, ServletInputStream in) {
    this.context = context;
    this.in = in;
  }

  /** Sends the answer that was given, and takes the body until its end, for a while. */
  static void take(HttpServletRequest from, HttpServletResponse to) throws IOException {
    to.flushBuffer();
    ServletInputStream in = from.getInputStream();
    AsyncContext context = from.startAsync();
    UnreadBody unread = new UnreadBody(context, in);
    context.setTimeout(AT_MOST.toMillis());
    context.addListener(unread);
    in.setReadListener(unread);
  }

  @Override
  public void onDataAvailable() throws IOException {
    while (in.isReady()) {
      int count = in.read(piece);
      bytes += Math.max(0, count);
      if (count < 0 || bytes > MAX_BYTES) {
        context.complete();
        return;
      }
    }
  }

  @Override
  public void onAllDataRead() {
    context.complete();
  }

  @Override
  public void onError(Throwable failure) {
    context.complete();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    context.complete();
  }

  @Override
  public void onComplete(AsyncEvent event) {}

  @Override
  public void onError(AsyncEvent event) {}

  @Override
  public void onStartAsync(AsyncEvent event) {}
}
