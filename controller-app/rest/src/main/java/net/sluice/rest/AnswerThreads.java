package net.sluice.rest;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.core.Response;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemType;

/**
 * Threads for answers that are not given at once, so that neither a request that waits nor a stream
 * that is idle holds one of the HTTP server's. They end when they have nothing to do.
 */
final class AnswerThreads {
  /** Most bulk requests at a time. */
  static final int MAX_STREAMS = 64;

  private static final int WAITED_FOR = 8;
  private static final int KEEP_ALIVE_SECONDS = 10;

  private static final ThreadPoolExecutor ANSWERS =
      pool("sluice-answer-", WAITED_FOR, new LinkedBlockingQueue<>());
  private static final ThreadPoolExecutor STREAMS =
      pool("sluice-bulk-", MAX_STREAMS, new SynchronousQueue<>());

  private AnswerThreads() {}

  private static ThreadPoolExecutor pool(String name, int size, BlockingQueue<Runnable> waiting) {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            size,
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

  /**
   * Answers with {@code answer} when {@code awaited} is done; at once, on this thread, if it is.
   */
  static void whenDone(
      CompletableFuture<?> awaited, AsyncResponse response, Supplier<Response> answer) {
    Executor thread = awaited.isDone() ? Runnable::run : ANSWERS;
    var unused =
        awaited.whenCompleteAsync((done, failure) -> resume(response, failure, answer), thread);
  }

  /** Answers with {@code answer}, whose entity is read and written for as long as it takes. */
  static void stream(AsyncResponse response, Supplier<Response> answer) {
    try {
      STREAMS.execute(() -> resume(response, null, answer));
    } catch (RejectedExecutionException e) {
      response.resume(
          ProblemDetail.of(
                  ProblemType.UNAVAILABLE,
                  MAX_STREAMS
                      + " bulk requests are under way; allowed: "
                      + MAX_STREAMS
                      + " at a time. Try again when one has ended.")
              .response());
    }
  }

  private static void resume(AsyncResponse response, Throwable failure, Supplier<Response> answer) {
    if (failure != null) {
      response.resume(failure);
      return;
    }
    Response ready;
    try {
      ready = answer.get();
    } catch (RuntimeException e) {
      response.resume(e);
      return;
    }
    response.resume(ready);
  }
}
