package net.sluice.onos.rest;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ReadListener;
import javax.servlet.ServletException;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import net.sluice.rest.RequestBody;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the whole body of a request before it lets the request be handled, so that no thread of
 * ONOS's web server waits for a client that sends slowly. A request whose body does not come within
 * the deadline is refused with 408, one whose body is longer than the API reads with 413.
 *
 * <p>Bulk requests, which are answered while they come, have threads of their own.
 */
public final class WholeBodies implements Filter {
  /** The deadline that {@code serve} has by default. */
  static final Duration DEADLINE = Duration.ofSeconds(30);

  private static final String ATTRIBUTE = WholeBodies.class.getName();
  private static final Logger LOG = LoggerFactory.getLogger(WholeBodies.class);

  @Override
  public void init(FilterConfig config) {}

  @Override
  public void destroy() {}

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest from = (HttpServletRequest) request;
    if (request.getAttribute(ATTRIBUTE) instanceof byte[] body) {
      chain.doFilter(new Whole(from, body), response);
    } else if (!hasBody(from) || ForwardedRequest.isStream(from)) {
      chain.doFilter(request, response);
    } else if (from.getContentLengthLong() > RequestBody.MAX_BYTES) {
      refuse((HttpServletResponse) response, ProblemDetail.tooLarge(RequestBody.MAX_BYTES));
    } else {
      AsyncContext context = request.startAsync();
      Arrival arrival = new Arrival(request, (HttpServletResponse) response, context);
      context.setTimeout(DEADLINE.toMillis());
      context.addListener(arrival);
      request.getInputStream().setReadListener(arrival);
    }
  }

  private static boolean hasBody(HttpServletRequest request) {
    return request.getHeader("Transfer-Encoding") != null || request.getContentLengthLong() > 0;
  }

  private static void refuse(HttpServletResponse to, ProblemDetail problem) throws IOException {
    to.setStatus(problem.status());
    to.setContentType(ProblemDetail.MEDIA_TYPE.toString());
    // What is left of the body must not be taken for the next request.
    to.setHeader("Connection", "close");
    new JsonAnswer(problem::write).write(to.getOutputStream());
  }

  /** The body of one request, on its way. */
  private static final class Arrival implements ReadListener, AsyncListener {
    private final ServletRequest request;
    private final HttpServletResponse response;
    private final AsyncContext context;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final byte[] piece = new byte[8 << 10];
    private final AtomicBoolean ended = new AtomicBoolean();

    Arrival(ServletRequest request, HttpServletResponse response, AsyncContext context) {
      this.request = request;
      this.response = response;
      this.context = context;
    }

    @Override
    public void onDataAvailable() throws IOException {
      ServletInputStream in = request.getInputStream();
      while (!ended.get() && in.isReady()) {
        int count = in.read(piece);
        if (count < 0) {
          return;
        }
        body.write(piece, 0, count);
        if (body.size() > RequestBody.MAX_BYTES) {
          refuse(ProblemDetail.tooLarge(RequestBody.MAX_BYTES));
        }
      }
    }

    @Override
    public void onAllDataRead() {
      if (ended.compareAndSet(false, true)) {
        request.setAttribute(ATTRIBUTE, body.toByteArray());
        context.dispatch();
      }
    }

    /** The body is cut off: the client is gone, or has sent what is no HTTP. */
    @Override
    public void onError(Throwable failure) {
      LOG.debug("the body of a request has not come to its end", failure);
      if (ended.compareAndSet(false, true)) {
        context.complete();
      }
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      refuse(
          new ProblemDetail(
              ProblemType.HTTP,
              HttpServletResponse.SC_REQUEST_TIMEOUT,
              "The body has not come within " + DEADLINE.toSeconds() + " s.",
              List.of(),
              Optional.empty()));
    }

    private void refuse(ProblemDetail problem) {
      if (!ended.compareAndSet(false, true)) {
        return;
      }
      try {
        WholeBodies.refuse(response, problem);
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
