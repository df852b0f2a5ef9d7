package net.sluice.core.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.PriorityQueue;
import net.sluice.core.time.Scheduler;

/**
 * Time that passes only when told to; every scheduler of it runs on the calling thread, whichever
 * thread a task comes from.
 */
public final class VirtualTime extends Clock {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final PriorityQueue<Task> tasks = new PriorityQueue<>();
  private long nowNanos;
  private long sequence;
  private Duration put = Duration.ZERO;

  private static final class Task implements Comparable<Task> {
    final long at;
    final long order;
    final Runnable action;
    volatile boolean cancelled;

    Task(long at, long order, Runnable action) {
      this.at = at;
      this.order = order;
      this.action = action;
    }

    @Override
    public int compareTo(Task other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /** A scheduler in this time. */
  public Scheduler scheduler() {
    return new Scheduler() {
      private volatile boolean closed;

      @Override
      public void execute(Runnable task) {
        schedule(Duration.ZERO, task);
      }

      @Override
      public Cancellable schedule(Duration delay, Runnable action) {
        Task task =
            add(
                delay,
                () -> {
                  if (!closed) {
                    action.run();
                  }
                });
        return () -> task.cancelled = true;
      }

      @Override
      public void close() {
        closed = true;
      }
    };
  }

  private synchronized Task add(Duration delay, Runnable action) {
    Task task = new Task(nowNanos + delay.toNanos(), sequence++, action);
    tasks.add(task);
    return task;
  }

  /** Lets time pass, and everything happen that is due; other threads may add to it meanwhile. */
  public void pass(Duration duration) {
    long end = now() + duration.toNanos();
    for (Task task = take(end); task != null; task = take(end)) {
      run(task);
    }
    set(end);
  }

  /** Lets the next thing happen that is due now; false if nothing is. */
  public boolean step() {
    Task task = take(now());
    if (task == null) {
      return false;
    }
    run(task);
    return true;
  }

  private static void run(Task task) {
    if (!task.cancelled) {
      task.action.run();
    }
  }

  /** The next task up to a time, which it is then; null if there is none. */
  private synchronized Task take(long end) {
    if (tasks.isEmpty() || tasks.peek().at > end) {
      return null;
    }
    Task task = tasks.remove();
    nowNanos = Math.max(nowNanos, task.at);
    return task;
  }

  private synchronized long now() {
    return nowNanos;
  }

  private synchronized void set(long nanos) {
    nowNanos = nanos;
  }

  /** Puts the clock, which is not what schedulers go by. */
  public synchronized void putClock(Duration by) {
    put = put.plus(by);
  }

  /** Lets everything happen that is due now. */
  public void settle() {
    pass(Duration.ZERO);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }

  @Override
  public synchronized Instant instant() {
    return START.plus(put).plusNanos(nowNanos);
  }
}
