package net.sluice.rest.edge;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.FilterChain;
import javax.servlet.ReadListener;
import javax.servlet.ServletException;
import javax.servlet.ServletInputStream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;
import net.sluice.rest.request.RequestBody;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the whole body of a request before it lets the request be handled, so that no thread of the
 * web server waits for a client that sends slowly. A request whose body does not come within the
 * deadline is refused with 408, one whose body is longer than the API reads with 413.
 *
 * <p>Streams, which are read while they come, have threads of their own.
 */
final class WholeBodies implements Step {
  private static final String ATTRIBUTE = WholeBodies.class.getName();
  private static final Logger LOG = LoggerFactory.getLogger(WholeBodies.class);

  private final Duration deadline;

  /** With the longest time that a body may take from the end of the headers on. */
  WholeBodies(Duration deadline) {
    this.deadline = deadline;
  }

  @Override
  public void take(HttpServletRequest from, HttpServletResponse to, FilterChain next)
      throws IOException, ServletException {
    if (from.getAttribute(ATTRIBUTE) instanceof byte[] body) {
      next.doFilter(new Whole(from, body), to);
      return;
    }
    if (RequestBody.isStream(from)) {
      next.doFilter(from, new Streamed(from, to));
      return;
    }
    if (!Refusals.announcesBody(from)) {
      next.doFilter(from, to);
      return;
    }
    if (from.getContentLengthLong() > RequestBody.MAX_BYTES) {
      // Before the client is told to go on (RFC 9110 section 10.1.1).
      Refusals.refuse(from, to, ProblemDetail.tooLarge(RequestBody.MAX_BYTES));
      if (from.getHeader("Expect") == null) {
        UnreadBody.take(from, to);
      }
      return;
    }
    Arrival arrival = new Arrival(from, to);
    boolean isWhole;
    try {
      isWhole = arrival.isWhole();
    } catch (IOException | RuntimeException e) {
      // A body that is no HTTP, or that the client does not send to its end.
      LOG.debug("the body of a request cannot be read", e);
      Refusals.refuse(from, to, cutOff());
      return;
    }
    if (arrival.isTooLong()) {
      Refusals.refuse(from, to, ProblemDetail.tooLarge(RequestBody.MAX_BYTES));
    } else if (isWhole) {
      next.doFilter(new Whole(from, arrival.body.toByteArray()), to);
    } else {
      arrival.await(from.startAsync());
    }
  }

  /**
   * The answer to a stream. One that refuses a stream before its end says that the connection ends
   * with it: the client would send its next request on a connection that is being closed.
   */
  private static final class Streamed extends HttpServletResponseWrapper {
    private final HttpServletRequest from;

    Streamed(HttpServletRequest from, HttpServletResponse to) {
      super(to);
      this.from = from;
    }

    @Override
    public void setStatus(int status) {
      endIfRefused(status);
      super.setStatus(status);
    }

    /** The one that Jersey uses. */
    @Override
    @Deprecated
    public void setStatus(int status, String reason) {
      endIfRefused(status);
      super.setStatus(status, reason);
    }

    private void endIfRefused(int status) {
      if (status >= HttpServletResponse.SC_BAD_REQUEST && !isRead()) {
        setHeader("Connection", "close");
      }
    }

    private boolean isRead() {
      try {
        return from.getInputStream().isFinished();
      } catch (IOException e) {
        return false;
      }
    }
  }

  private static ProblemDetail cutOff() {
    return ProblemDetail.of(ObjectReader.cutOff().problems());
  }

  /** The body of one request, on its way. */
  private final class Arrival implements ReadListener, AsyncListener {
    private final HttpServletRequest from;
    private final HttpServletResponse to;
    private final ServletInputStream in;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final byte[] piece = new byte[8 << 10];
    private final AtomicBoolean ended = new AtomicBoolean();
    private AsyncContext context;

    Arrival(HttpServletRequest from, HttpServletResponse to) throws IOException {
      this.from = from;
      this.to = to;
      in = from.getInputStream();
    }

    /** Reads what is here already; true if that is all. */
    boolean isWhole() throws IOException {
      while (!isTooLong() && !in.isFinished() && in.available() > 0) {
        int count = in.read(piece, 0, Math.min(piece.length, in.available()));
        if (count > 0) {
          body.write(piece, 0, count);
        }
      }
      return in.isFinished() || body.size() == from.getContentLengthLong();
    }

    boolean isTooLong() {
      return body.size() > RequestBody.MAX_BYTES;
    }

    /** Has the rest read as it comes. */
    void await(AsyncContext begun) {
      context = begun;
      context.setTimeout(deadline.toMillis());
      context.addListener(this);
      in.setReadListener(this);
    }

    @Override
    public void onDataAvailable() throws IOException {
      while (!ended.get() && in.isReady()) {
        int count = in.read(piece);
        if (count < 0) {
          return;
        }
        body.write(piece, 0, count);
        if (isTooLong()) {
          refuse(ProblemDetail.tooLarge(RequestBody.MAX_BYTES));
        }
      }
    }

    @Override
    public void onAllDataRead() {
      if (ended.compareAndSet(false, true)) {
        from.setAttribute(ATTRIBUTE, body.toByteArray());
        context.dispatch();
      }
    }

    /** A body that breaks off is refused; a client that is silent is as one that is slow. */
    @Override
    public void onError(Throwable failure) {
      LOG.debug("the body of a request has not come to its end", failure);
      if (failure instanceof TimeoutException || failure.getCause() instanceof TimeoutException) {
        refuse(tooLate());
      } else {
        refuse(cutOff());
      }
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      refuse(tooLate());
    }

    private void refuse(ProblemDetail problem) {
      if (!ended.compareAndSet(false, true)) {
        return;
      }
      try {
        Refusals.refuse(from, to, problem);
      } catch (IOException e) {
        LOG.debug("the client has gone before it was answered", e);
      } finally {
        context.complete();
      }
    }

    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
  }

  private ProblemDetail tooLate() {
    return new ProblemDetail(
        ProblemType.HTTP,
        HttpServletResponse.SC_REQUEST_TIMEOUT,
        "The body has not come within " + deadline.toSeconds() + " s.",
        List.of(),
        Optional.empty());
  }

  /** A request whose body is in memory. */
  private static final class Whole extends HttpServletRequestWrapper {
    private final ServletInputStream body;

    Whole(HttpServletRequest request, byte[] bytes) {
      super(request);
      ByteArrayInputStream in = new ByteArrayInputStream(bytes);
      body =
          new ServletInputStream() {
            @Override
            public int read() {
              return in.read();
            }

            @Override
            public int read(byte[] into, int offset, int length) {
              return in.read(into, offset, length);
            }

            @Override
            public int available() {
              return in.available();
            }

            @Override
            public boolean isFinished() {
              return in.available() == 0;
            }

            @Override
            public boolean isReady() {
              return true;
            }

            @Override
            public void setReadListener(ReadListener listener) {
              throw new IllegalStateException("the whole body is here");
            }
          };
    }

    @Override
    public ServletInputStream getInputStream() {
      return body;
    }
  }
}
