package net.sluice.standalone.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.content.ByteBufferContentSource;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Has the whole body of a request before it lets the request be handled. No thread waits for a
 * client that is slow to send it; one that takes longer than the deadline is refused with 408, one
 * that sends more than is read with 413.
 */
final class BodyFirst extends Handler.Wrapper {
  private final int maxBytes;
  private final Duration deadline;

  /** In front of {@code handler}, for bodies of up to {@code maxBytes} bytes. */
  BodyFirst(Handler handler, int maxBytes, Duration deadline) {
    super(handler);
    this.maxBytes = maxBytes;
    this.deadline = deadline;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (request.getLength() > maxBytes) {
      // Before the client is told to go on (RFC 9110 section 10.1.1).
      Response.writeError(request, response, callback, HttpStatus.PAYLOAD_TOO_LARGE_413);
    } else {
      new Arrival(request, response, callback).run();
    }
    return true;
  }

  /** The body of one request, on its way. */
  private final class Arrival implements Invocable.Task {
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final AtomicBoolean ended = new AtomicBoolean();
    private Scheduler.Task timer;

    Arrival(Request request, Response response, Callback callback) {
      this.request = request;
      this.response = response;
      this.callback = callback;
    }

    /** Reads what has come; called again when there is more. */
    @Override
    public void run() {
      while (!ended.get()) {
        Content.Chunk chunk = request.read();
        if (chunk == null) {
          if (timer == null) {
            timer =
                request
                    .getComponents()
                    .getScheduler()
                    .schedule(this::tooLate, deadline.toNanos(), TimeUnit.NANOSECONDS);
          }
          request.demand(this);
          return;
        }
        if (Content.Chunk.isFailure(chunk)) {
          failed(chunk.getFailure());
          return;
        }
        body.writeBytes(BufferUtil.toArray(chunk.getByteBuffer()));
        chunk.release();
        if (body.size() > maxBytes) {
          refuse(HttpStatus.PAYLOAD_TOO_LARGE_413);
        } else if (chunk.isLast() && end()) {
          handle();
        }
      }
    }

    /** A client that is gone gets no answer. */
    private void failed(Throwable failure) {
      if (failure instanceof TimeoutException) {
        refuse(HttpStatus.REQUEST_TIMEOUT_408);
      } else if (end()) {
        callback.failed(failure);
      }
    }

    private void tooLate() {
      refuse(HttpStatus.REQUEST_TIMEOUT_408);
    }

    private void refuse(int status) {
      if (end()) {
        Response.writeError(request, response, callback, status);
      }
    }

    /** True for whoever ends the arrival first. */
    private boolean end() {
      if (!ended.compareAndSet(false, true)) {
        return false;
      }
      if (timer != null) {
        timer.cancel();
      }
      return true;
    }

    private void handle() {
      Request whole = new Whole(request, body.toByteArray());
      // What waited is continued on a thread that only reads what comes.
      if (timer == null) {
        handle(whole);
      } else {
        request.getContext().execute(() -> handle(whole));
      }
    }

    private void handle(Request whole) {
      try {
        if (!getHandler().handle(whole, response, callback)) {
          Response.writeError(whole, response, callback, HttpStatus.NOT_FOUND_404);
        }
      } catch (Exception e) {
        Response.writeError(whole, response, callback, e);
      }
    }

    @Override
    public InvocationType getInvocationType() {
      return InvocationType.NON_BLOCKING;
    }
  }

  /** A request whose body is in memory. */
  private static final class Whole extends Request.Wrapper {
    private final ByteBufferContentSource body;

    Whole(Request request, byte[] body) {
      super(request);
      this.body = new ByteBufferContentSource(ByteBuffer.wrap(body));
    }

    @Override
    public Content.Chunk read() {
      return body.read();
    }

    @Override
    public void demand(Runnable demandCallback) {
      body.demand(demandCallback);
    }

    @Override
    public long getLength() {
      return body.getLength();
    }
  }
}
