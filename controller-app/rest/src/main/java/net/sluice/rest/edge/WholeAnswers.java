package net.sluice.rest.edge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncListener;
import javax.servlet.FilterChain;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletOutputStream;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;
import net.sluice.northbound.events.Endless;
import net.sluice.rest.request.RequestBody;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes each answer whole before any of it is sent, and sends it as the client takes it, so that no
 * thread waits for a client that reads slowly. Of an answer {@link Spool#IN_MEMORY} bytes are in
 * memory, the others in a temporary file. What fails while an answer is made can still be answered
 * with a problem.
 *
 * <p>An answer may go on without an end, see {@link Endless}. Bulk requests, whose answers have no
 * end before their bodies have, go their own way.
 */
final class WholeAnswers implements Step {
  /**
   * Up to that many bytes a container keeps in its own buffer, whether the client takes them or
   * not, and sends them as the request ends: the smallest buffer that a container may have by
   * itself.
   */
  private static final int BUFFERED_BYTES = 4 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(WholeAnswers.class);

  @Override
  public void take(HttpServletRequest from, HttpServletResponse to, FilterChain next)
      throws IOException, ServletException {
    if (RequestBody.isBulk(from)) {
      next.doFilter(from, to);
      return;
    }
    Answer answer = new Answer(from, to);
    try {
      next.doFilter(new Asked(from, answer), answer);
    } catch (IOException | ServletException | RuntimeException | Error e) {
      answer.spool.close();
      throw e;
    }
    if (!from.isAsyncStarted() && !answer.isRefusedByContainer) {
      answer.send(from.startAsync(from, to));
    }
  }

  /** A request whose end is that of its answer. */
  private static final class Asked extends HttpServletRequestWrapper {
    private final Answer answer;
    private AsyncContext context;

    Asked(HttpServletRequest request, Answer answer) {
      super(request);
      this.answer = answer;
    }

    /** The answer to HEAD is that to GET, whose length it has to tell. */
    @Override
    public String getMethod() {
      return answer.isHead() ? "GET" : super.getMethod();
    }

    @Override
    public AsyncContext startAsync() {
      return startAsync(this, answer);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
      context = new Later(super.startAsync(request, response), answer);
      return context;
    }

    @Override
    public AsyncContext getAsyncContext() {
      return context == null ? super.getAsyncContext() : context;
    }
  }

  /** An answer that is being made. */
  private static final class Answer extends HttpServletResponseWrapper {
    private final HttpServletRequest asked;
    private final HttpServletResponse client;
    private final Spool spool = new Spool();
    private final AtomicBoolean isSent = new AtomicBoolean();
    private volatile boolean isRefusedByContainer;

    Answer(HttpServletRequest asked, HttpServletResponse client) {
      super(client);
      this.asked = asked;
      this.client = client;
    }

    @Override
    public ServletOutputStream getOutputStream() {
      return new ServletOutputStream() {
        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
          throw new IllegalStateException("this stream never waits");
        }

        @Override
        public void write(int one) throws IOException {
          write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          spool.write(bytes, offset, length);
        }
      };
    }

    @Override
    public void flushBuffer() {}

    @Override
    public void resetBuffer() {
      clear();
      super.resetBuffer();
    }

    @Override
    public void reset() {
      clear();
      super.reset();
    }

    private void clear() {
      try {
        spool.clear();
      } catch (IOException e) {
        LOG.debug("what was to be answered cannot be removed", e);
      }
    }

    @Override
    public void sendError(int status, String message) throws IOException {
      clear();
      isRefusedByContainer = true;
      super.sendError(status, message);
    }

    @Override
    public void sendError(int status) throws IOException {
      clear();
      isRefusedByContainer = true;
      super.sendError(status);
    }

    boolean isHead() {
      return asked.getMethod().equals("HEAD");
    }

    /** Sends all of it; {@code context} ends when it is sent or cannot be. */
    void send(AsyncContext context) {
      if (!isSent.compareAndSet(false, true)) {
        return;
      }
      if (asked.getAttribute(Endless.ATTRIBUTE) instanceof Endless rest) {
        if (asked.getMethod().equals("GET") && getStatus() == SC_OK && !isRefusedByContainer) {
          send(context, rest);
          return;
        }
        rest.close();
      }
      try {
        if (!isRefusedByContainer) {
          spool.endWriting();
        }
      } catch (IOException e) {
        LOG.warn("an answer of {} bytes cannot be kept until it is sent: {}", spool.size(), e);
        refuse();
      }
      if (isRefusedByContainer || spool.size() == 0) {
        clear();
        context.complete();
        return;
      }
      if (isHead()) {
        client.setContentLengthLong(spool.size());
        clear();
        context.complete();
        return;
      }
      // However long it takes: the connection is watched for silence.
      context.setTimeout(0);
      try {
        ServletOutputStream out = client.getOutputStream();
        if (spool.size() <= BUFFERED_BYTES) {
          // Without a length, which the container would take as told to send it at once.
          ByteBuffer all = spool.next();
          out.write(all.array(), all.arrayOffset() + all.position(), all.remaining());
          context.complete();
          return;
        }
        client.setContentLengthLong(spool.size());
        out.setWriteListener(new Sending(out, spool, context));
      } catch (IOException e) {
        LOG.debug("the client has gone before it was answered", e);
        clear();
        context.complete();
      }
    }

    private void send(AsyncContext context, Endless rest) {
      context.setTimeout(0);
      try {
        spool.endWriting();
        ServletOutputStream out = client.getOutputStream();
        out.setWriteListener(new Going(out, spool, rest, context));
      } catch (IOException e) {
        LOG.debug("the client has gone before it was answered", e);
        rest.close();
        clear();
        context.complete();
      }
    }

    private void refuse() {
      try {
        sendError(SC_SERVICE_UNAVAILABLE, "The answer cannot be kept until it is sent");
      } catch (IOException e) {
        LOG.debug("the client has gone before it was answered", e);
      }
    }
  }

  /** An answer on its way. */
  private static final class Sending implements WriteListener {
    private final ServletOutputStream out;
    private final Spool spool;
    private final AsyncContext context;

    Sending(ServletOutputStream out, Spool spool, AsyncContext context) {
      this.out = out;
      this.spool = spool;
      this.context = context;
    }

    @Override
    public void onWritePossible() throws IOException {
      while (out.isReady()) {
        ByteBuffer next = spool.next();
        if (!next.hasRemaining()) {
          end();
          return;
        }
        out.write(next.array(), next.arrayOffset() + next.position(), next.remaining());
      }
    }

    @Override
    public void onError(Throwable failure) {
      LOG.debug("the client went away while it was answered", failure);
      end();
    }

    private void end() {
      try {
        spool.close();
      } catch (IOException e) {
        LOG.debug("what was answered cannot be removed", e);
      }
      context.complete();
    }
  }

  /** An answer that goes on. */
  private static final class Going implements WriteListener {
    private final ServletOutputStream out;
    private final Spool spool;
    private final Endless rest;
    private final AsyncContext context;
    private boolean isBegun;
    private boolean isFlushed;
    private boolean isEnded;

    Going(ServletOutputStream out, Spool spool, Endless rest, AsyncContext context) {
      this.out = out;
      this.spool = spool;
      this.rest = rest;
      this.context = context;
    }

    @Override
    public synchronized void onWritePossible() {
      if (!isBegun) {
        isBegun = true;
        rest.begin(this::onWritePossible);
      }
      try {
        while (!isEnded && out.isReady()) {
          ByteBuffer next = spool.next();
          next = next.hasRemaining() ? next : rest.next();
          if (next == null) {
            end();
          } else if (next.hasRemaining()) {
            isFlushed = false;
            out.write(next.array(), next.arrayOffset() + next.position(), next.remaining());
          } else if (isFlushed) {
            return;
          } else {
            isFlushed = true;
            out.flush();
          }
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("an answer without an end has ended", e);
        end();
      }
    }

    @Override
    public synchronized void onError(Throwable failure) {
      LOG.debug("the client went away, or takes nothing, while it was answered", failure);
      end();
    }

    private void end() {
      if (!isEnded) {
        isEnded = true;
        rest.close();
        try {
          spool.close();
          context.complete();
        } catch (IOException | IllegalStateException e) {
          LOG.debug("the answer had ended already", e);
        }
      }
    }
  }

  /** Ends when the answer is sent, which begins when it is whole. */
  private static final class Later implements AsyncContext {
    private final AsyncContext context;
    private final Answer answer;

    Later(AsyncContext context, Answer answer) {
      this.context = context;
      this.answer = answer;
    }

    @Override
    public void complete() {
      answer.send(context);
    }

    @Override
    public ServletRequest getRequest() {
      return context.getRequest();
    }

    @Override
    public ServletResponse getResponse() {
      return context.getResponse();
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
      return context.hasOriginalRequestAndResponse();
    }

    @Override
    public void dispatch() {
      context.dispatch();
    }

    @Override
    public void dispatch(String path) {
      context.dispatch(path);
    }

    @Override
    public void dispatch(ServletContext servlets, String path) {
      context.dispatch(servlets, path);
    }

    @Override
    public void start(Runnable task) {
      context.start(task);
    }

    @Override
    public void addListener(AsyncListener listener) {
      context.addListener(listener);
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest to, ServletResponse of) {
      context.addListener(listener, to, of);
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
      return context.createListener(type);
    }

    @Override
    public void setTimeout(long millis) {
      context.setTimeout(millis);
    }

    @Override
    public long getTimeout() {
      return context.getTimeout();
    }
  }
}
