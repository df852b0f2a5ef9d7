package net.sluice.rest.request;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.Response;
import net.sluice.core.UnavailableException;
import net.sluice.core.trace.CurrentTrace;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;

/**
 * Threads for answers that are not given at once, so that neither a request that waits nor a stream
 * that is idle holds one of the HTTP server's. They end when they have nothing to do.
 */
public final class AnswerThreads {
  /** Most bulk requests at a time. */
  public static final int MAX_STREAMS = 64;

  /**
   * Most changes at a time. Each has a thread of its own while it waits for room at a target, for
   * another change of the same names and for its commit: changes of a switch that stands still keep
   * no other waiting.
   */
  public static final int MAX_CHANGES = 1024;

  /**
   * Of these, most at a time that stay on the HTTP server's threads, of which it has several times
   * as many: to hand a change over takes longer than most changes wait.
   */
  private static final int CHANGES_AT_SERVER = 8;

  /** Most answers with everything that is declared that are made at a time. */
  public static final int MAX_EXPORTS = 4;

  private static final int ANSWERED_AT_ONCE = 8;
  private static final int KEEP_ALIVE_SECONDS = 10;

  private static final ThreadPoolExecutor ANSWERS =
      pool("sluice-answer-", ANSWERED_AT_ONCE, new LinkedBlockingQueue<>());
  private static final ThreadPoolExecutor CHANGES =
      pool("sluice-change-", MAX_CHANGES - CHANGES_AT_SERVER, new SynchronousQueue<>());
  private static final Semaphore AT_SERVER = new Semaphore(CHANGES_AT_SERVER);
  private static final ThreadPoolExecutor STREAMS =
      pool("sluice-bulk-", MAX_STREAMS, new SynchronousQueue<>());
  private static final ThreadPoolExecutor EXPORTS =
      pool("sluice-export-", MAX_EXPORTS, new SynchronousQueue<>());

  private AnswerThreads() {}

  private static ThreadPoolExecutor pool(String name, int size, BlockingQueue<Runnable> waiting) {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            waiting instanceof SynchronousQueue ? 0 : size,
            size,
            KEEP_ALIVE_SECONDS,
            TimeUnit.SECONDS,
            waiting,
            task -> {
              Thread thread = new Thread(task, name + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Makes an answer. */
  public interface Making {
    /**
     * The answer.
     *
     * @throws Refusal if it is one
     */
    Response answer() throws Refusal;
  }

  /** Makes an answer of what {@code awaited} ends with; no thread waits for it. */
  public interface Following<T> {
    /**
     * The answer.
     *
     * @throws Refusal if it is one
     */
    Response answer(T ended) throws Refusal;
  }

  /** Answers when {@code awaited} is done; at once, on this thread, if it is. */
  public static <T> void whenDone(
      CompletableFuture<T> awaited, AsyncResponse response, Following<? super T> answer) {
    Executor thread = awaited.isDone() ? Runnable::run : ANSWERS;
    var unused =
        awaited.whenCompleteAsync(
            (ended, failure) -> resume(response, failure, () -> answer.answer(ended)), thread);
  }

  /**
   * Answers when an install or a deletion is done, on the thread on which it ends; that is one of
   * the controller's for what follows upon installs.
   */
  public static void whenSettled(
      CompletableFuture<Boolean> settled, AsyncResponse response, Making answer) {
    var unused = settled.whenComplete((ended, failure) -> resume(response, failure, answer));
  }

  /** Answers with what takes a while to read. */
  public static void read(AsyncResponse response, Making answer) {
    ANSWERS.execute(() -> resume(response, null, answer));
  }

  /** Changes something; {@code making} sees to the answer unless it throws. */
  public static void change(AsyncResponse response, Changing making) {
    if (AT_SERVER.tryAcquire()) {
      try {
        make(response, making);
      } finally {
        AT_SERVER.release();
      }
      return;
    }
    try {
      CHANGES.execute(CurrentTrace.carried(() -> make(response, making)));
    } catch (RejectedExecutionException e) {
      refuse(response, MAX_CHANGES + " changes are under way", MAX_CHANGES);
    }
  }

  /** As {@link #change}, never on this thread; where too many are under way the answer says so. */
  public static void later(AsyncResponse response, Changing making) {
    try {
      CHANGES.execute(CurrentTrace.carried(() -> make(response, making)));
    } catch (RejectedExecutionException e) {
      response.resume(
          new UnavailableException(
              MAX_CHANGES + " changes are under way", Duration.ofSeconds(1), e));
    }
  }

  private static void make(AsyncResponse response, Changing making) {
    try {
      making.change();
    } catch (Refusal | RuntimeException | Error e) {
      response.resume(e);
    }
  }

  /** A change that may wait. */
  public interface Changing {
    /**
     * Makes it.
     *
     * @throws Refusal if it is refused
     */
    void change() throws Refusal;
  }

  /** Answers with {@code answer}, whose entity is read and written for as long as it takes. */
  public static void stream(AsyncResponse response, Making answer) {
    try {
      STREAMS.execute(CurrentTrace.carried(() -> resume(response, null, answer)));
    } catch (RejectedExecutionException e) {
      refuse(response, MAX_STREAMS + " bulk requests are under way", MAX_STREAMS);
    }
  }

  /** Answers with {@code answer}, which holds all that is declared. */
  public static void everything(AsyncResponse response, Making answer) {
    try {
      EXPORTS.execute(() -> resume(response, null, answer));
    } catch (RejectedExecutionException e) {
      refuse(response, MAX_EXPORTS + " exports and backups are being made", MAX_EXPORTS);
    }
  }

  private static void refuse(AsyncResponse response, String what, int most) {
    response.resume(
        ProblemDetail.of(
                ProblemType.UNAVAILABLE,
                what + "; allowed: " + most + " at a time. Try again when one has ended.")
            .builder()
            .header(HttpHeaders.RETRY_AFTER, 1)
            .build());
  }

  private static void resume(AsyncResponse response, Throwable failure, Making answer) {
    if (failure != null) {
      response.resume(failure instanceof CompletionException ? failure.getCause() : failure);
      return;
    }
    Response ready;
    try {
      ready = answer.answer();
    } catch (Refusal | RuntimeException | Error e) {
      response.resume(e);
      return;
    }
    response.resume(ready);
  }
}
