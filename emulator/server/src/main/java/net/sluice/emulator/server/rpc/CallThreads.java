package net.sluice.emulator.server.rpc;

import io.grpc.Server;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads that carry out a server's calls, and how they end. */
public final class CallThreads {

  private static final int CLOSE_SECONDS = 10;
  private static final int IDLE_THREAD_SECONDS = 5;

  private CallThreads() {}

  /**
   * As many threads as there are calls, none while there are none. Never to be shut down: the ends
   * of calls are handed to it even after the server has ended. Its threads end by themselves when
   * there is nothing to do.
   *
   * @param name of the threads, each followed by a number
   */
  public static Executor executor(String name) {
    AtomicInteger number = new AtomicInteger();
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        IDLE_THREAD_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        task -> {
          Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Waits until a server that has been shut down has ended its calls; not for ever. */
  public static void awaitEnd(Server server) {
    try {
      server.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
