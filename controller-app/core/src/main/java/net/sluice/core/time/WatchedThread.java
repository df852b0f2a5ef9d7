package net.sluice.core.time;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that is to run until its owner ends it. One that ends before is told by {@link #ended},
 * which health asks: without it a process would look well whose work is no more done.
 */
public final class WatchedThread {
  private static final Logger LOG = LoggerFactory.getLogger(WatchedThread.class);

  /** Those of this process that have ended and should not have. */
  private static final Set<WatchedThread> ENDED = new CopyOnWriteArraySet<>();

  private final Thread thread;
  private volatile boolean isOver;
  private volatile String reason = "";

  private WatchedThread(String name, Runnable body) {
    thread = new Thread(() -> run(body), name);
    thread.setDaemon(true);
  }

  /**
   * A daemon thread that does not run yet.
   *
   * @param body returns only after {@link #over}
   */
  public static WatchedThread of(String name, Runnable body) {
    return new WatchedThread(name, body);
  }

  /** The threads that have ended and should not have, each with why. */
  public static List<String> ended() {
    List<String> ended = new ArrayList<>();
    ENDED.forEach(
        each -> ended.add("thread " + each.thread.getName() + " has ended: " + each.reason));
    return ended;
  }

  private void run(Runnable body) {
    try {
      body.run();
      reason = "without a reason";
    } catch (RuntimeException | Error e) {
      reason = e.toString();
      LOG.error("thread {} has ended", thread.getName(), e);
    }
    synchronized (this) {
      if (!isOver) {
        ENDED.add(this);
      }
    }
  }

  /** Begins to run. */
  public void start() {
    thread.start();
  }

  /** Ends the watch: from now on the thread may end without a report. */
  public synchronized void over() {
    isOver = true;
    ENDED.remove(this);
  }

  /** Interrupts it, and waits so long for its end, which it may from now on. */
  public void end(long millis) throws InterruptedException {
    over();
    thread.interrupt();
    thread.join(millis);
  }

  /** Waits until it has ended, which it may from now on. */
  public void join() throws InterruptedException {
    over();
    thread.join();
  }
}
