package net.sluice.onos.rest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import net.sluice.northbound.events.Endless;
import net.sluice.onos.rest.RequestMessage.Part;
import net.sluice.rest.edge.MeasuredRequests.Measured;
import net.sluice.rest.problem.ProblemType;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.spi.ContainerResponseWriter;

/**
 * A request of another instance's client, and its answer: the body is read as it comes, and the
 * answer is written as it is fetched, both at the pace of the slower side.
 */
final class RequestExchange implements ContainerResponseWriter {
  private static final int STATUS_OK = 200;

  /** Bytes of an answer that wait to be fetched before its writer has to. */
  private static final int MOST_WAITING = 256 << 10;

  private final Body body = new Body();
  private final Answer answer = new Answer();
  private final Executor threads;
  private final AtomicBoolean isGoingOn = new AtomicBoolean();
  private final AtomicBoolean isMore = new AtomicBoolean();

  /** The rest of an answer that has no end; null if it has one. */
  private volatile Endless rest;

  /** The request as Jersey has it, of which an answer may go on. */
  private volatile ContainerRequest asked;

  private volatile Measured measured;

  // Of all that follows: guarded by this object.
  private byte[] piece = new byte[0];
  private int used;
  private boolean isLast;
  private CompletableFuture<Part> pieceRead = new CompletableFuture<>();
  private int status;
  private int lastStatus;
  private Map<String, List<String>> headers = Map.of();
  private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
  private CompletableFuture<Part> fetching;
  private boolean fetched;
  private boolean ended;
  private String failure = "";
  private boolean abandoned;

  /** Nothing has come yet; what of an answer has no end is sent on {@code threads}. */
  RequestExchange(Executor threads) {
    this.threads = threads;
  }

  /** The request is being answered. */
  void begin(ContainerRequest request, Measured begun) {
    asked = request;
    measured = begun;
  }

  /** The request's body. */
  InputStream body() {
    return body;
  }

  /** Takes the next piece of the body; answered once it has been read or nobody will. */
  synchronized CompletableFuture<Part> take(byte[] bytes, boolean last) {
    piece = bytes;
    used = 0;
    isLast = last;
    pieceRead = new CompletableFuture<>();
    if (bytes.length == 0 || ended || abandoned) {
      pieceRead.complete(Part.EMPTY);
    }
    notifyAll();
    return pieceRead;
  }

  /** The next part of the answer, when there is something to tell. */
  synchronized CompletableFuture<Part> fetch() {
    fetched = true;
    fetching = new CompletableFuture<>();
    CompletableFuture<Part> asked = fetching;
    tell();
    return asked;
  }

  /** Answers who has waited long for the next part that there is none yet. */
  synchronized void tellNothing(CompletableFuture<Part> asked) {
    if (fetching == asked) {
      fetching = null;
      asked.complete(Part.EMPTY);
    }
  }

  /** Ends everything if nobody has asked for anything since the last call; whether it has ended. */
  synchronized boolean expire() {
    if (!fetched && fetching == null) {
      abandon();
    }
    fetched = false;
    return abandoned;
  }

  /** Nobody is there any more to answer, or the body does not come to its end. */
  void abandon() {
    synchronized (this) {
      abandoned = true;
      pieceRead.complete(Part.EMPTY);
      notifyAll();
    }
    Endless endless = rest;
    if (endless != null) {
      endless.close();
    }
  }

  private void tell() {
    if (fetching == null || (status == 0 && waiting.size() == 0 && !ended)) {
      return;
    }
    CompletableFuture<Part> asked = fetching;
    fetching = null;
    Part part = new Part(status, headers, waiting.toByteArray(), ended, failure);
    status = 0;
    headers = Map.of();
    waiting.reset();
    notifyAll();
    asked.complete(part);
  }

  private synchronized void end(String reason) {
    ended = true;
    measured.ended(asked.getMethod(), asked::getProperty, lastStatus);
    failure = reason;
    pieceRead.complete(Part.EMPTY);
    tell();
  }

  // ---------------------------------------------------------------- as Jersey sees it

  @Override
  public synchronized OutputStream writeResponseStatusAndHeaders(
      long contentLength, ContainerResponse response) {
    status = response.getStatus();
    lastStatus = status;
    headers = new LinkedHashMap<>(response.getStringHeaders());
    tell();
    return answer;
  }

  @Override
  public boolean suspend(long timeOut, TimeUnit unit, TimeoutHandler handler) {
    // Whoever suspends a request here sees to its end.
    return true;
  }

  @Override
  public void setSuspendTimeout(long timeOut, TimeUnit unit) {}

  @Override
  public void commit() {
    if (asked.getProperty(Endless.ATTRIBUTE) instanceof Endless endless
        && lastStatus == STATUS_OK) {
      rest = endless;
      endless.begin(this::more);
      more();
    } else {
      end("");
    }
  }

  /** Sends what has come of an answer without an end; one thread at a time does. */
  private void more() {
    isMore.set(true);
    if (isGoingOn.compareAndSet(false, true)) {
      threads.execute(this::goOn);
    }
  }

  private void goOn() {
    try {
      while (isMore.getAndSet(false)) {
        ByteBuffer next = rest.next();
        while (next != null && next.hasRemaining()) {
          answer.write(next.array(), next.arrayOffset() + next.position(), next.remaining());
          next = rest.next();
        }
        if (next == null) {
          rest.close();
          end("");
          return;
        }
      }
    } catch (IOException | RuntimeException e) {
      rest.close();
      end("");
      return;
    } finally {
      isGoingOn.set(false);
    }
    if (isMore.get()) {
      more();
    }
  }

  @Override
  public void failure(Throwable reason) {
    end(ProblemType.INTERNAL + ": " + reason);
  }

  @Override
  public boolean enableResponseBuffering() {
    return false;
  }

  private synchronized void await() throws IOException {
    try {
      wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("this instance is stopping");
    }
  }

  private void requireWanted() throws IOException {
    if (abandoned) {
      throw new IOException("the instance that forwarded the request is not there any more");
    }
  }

  private final class Body extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      synchronized (RequestExchange.this) {
        while (used == piece.length) {
          if (isLast) {
            return -1;
          }
          requireWanted();
          await();
        }
        int count = Math.min(length, piece.length - used);
        System.arraycopy(piece, used, into, offset, count);
        used += count;
        if (used == piece.length) {
          pieceRead.complete(Part.EMPTY);
        }
        return count;
      }
    }
  }

  private final class Answer extends OutputStream {
    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      synchronized (RequestExchange.this) {
        requireWanted();
        while (waiting.size() > MOST_WAITING) {
          await();
          requireWanted();
        }
        waiting.write(bytes, offset, length);
        tell();
      }
    }
  }
}
