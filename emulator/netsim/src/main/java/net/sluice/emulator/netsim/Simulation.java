package net.sluice.emulator.netsim;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A discrete-event simulation: virtual time in nanoseconds, events in order of time and, at the
 * same time, of scheduling. Nothing in it depends on the wall clock or on the machine, so the same
 * set-up and seed give the same run, byte for byte, as long as no other thread interferes.
 *
 * <p>Threads. One thread runs the simulation. It works in slices of {@value #EVENTS_PER_SLICE}
 * events, during which it holds {@link #lock()} and the lock of every {@link SliceParticipant};
 * between slices it holds none and lets waiting threads in. Another thread may touch anything
 * inside the simulation, this object included, by holding {@link #lock()} ({@link #execute} does),
 * and may touch a participant's own state by holding that participant's lock. A thread that needs
 * both takes {@link #lock()} first.
 */
public final class Simulation {

  /** Events between two releases of the locks: about a tenth of a millisecond of work. */
  public static final int EVENTS_PER_SLICE = 256;

  /** Lag of virtual time in a paced run beyond which it is given up. */
  public static final long MAX_LAG_NANOS = 100_000_000L;

  /** Wake-up interval of a paced run that keeps pace. */
  public static final long PACE_NANOS = 1_000_000L;

  private static final long NANOS_PER_MICRO = 1_000L;
  // A parked writer needs some tens of microseconds to wake up; beyond a millisecond it is better
  // to go on than to wait for it.
  private static final long MAX_YIELD_NANOS = 1_000_000L;
  private static final int PROGRESS_STEPS = 100;

  private final long seed;
  private final ReentrantLock lock = new ReentrantLock();
  private final EventQueue queue = new EventQueue();
  private final List<SliceParticipant> participants = new ArrayList<>();
  private long nowNanos;
  private long events;
  private long givenUpNanos;
  private boolean running;
  private volatile boolean stopRequested;

  /** An empty simulation at time 0. */
  public Simulation(long seed) {
    this.seed = seed;
  }

  /** Virtual time, nanoseconds since the start. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Virtual time, whole microseconds since the start. */
  public long nowMicros() {
    return nowNanos / NANOS_PER_MICRO;
  }

  /** Events run so far. */
  public long events() {
    return events;
  }

  /** Events scheduled and not yet run. */
  public int pendingEvents() {
    return queue.size();
  }

  /**
   * Virtual time of the first event scheduled and not yet run, nanoseconds, or Long.MAX_VALUE if
   * there is none; for the owner of the simulation, who decides when to go on.
   */
  public long nextEventNanos() {
    return queue.peekTime();
  }

  /** Wall-clock time that paced runs could not keep up with and gave up, nanoseconds. */
  public long givenUpNanos() {
    return givenUpNanos;
  }

  /**
   * Random numbers for one consumer.
   *
   * @param streamId any number; the same number in the same simulation gives the same stream
   */
  public Prng random(long streamId) {
    return Prng.stream(seed, streamId);
  }

  /** The lock around everything in this simulation; held during slices. */
  public ReentrantLock lock() {
    return lock;
  }

  /**
   * Runs an action between two events of the simulation; for threads other than the one that runs
   * it.
   */
  public void execute(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs a query between two events of the simulation; for threads other than the one that runs it.
   */
  public <T> T query(Supplier<T> question) {
    lock.lock();
    try {
      return question.get();
    } finally {
      lock.unlock();
    }
  }

  /** Makes every slice hold a participant's lock; to be called before the simulation runs. */
  public void addParticipant(SliceParticipant participant) {
    participants.add(participant);
  }

  /**
   * Schedules an event.
   *
   * @param atNanos virtual time, nanoseconds; not in the past
   * @throws IllegalArgumentException when it lies in the past
   */
  public void schedule(long atNanos, EventHandler handler, long argument) {
    if (atNanos < nowNanos) {
      throw new IllegalArgumentException(
          "atNanos " + atNanos + ": must not be before the present, " + nowNanos);
    }
    queue.add(atNanos, handler, argument);
  }

  /**
   * Makes the run under way end soon, wherever it is; the next run goes on from there. Any thread.
   */
  public void stop() {
    stopRequested = true;
  }

  /** As {@link #runUntil(long, ProgressListener)}, silently. */
  public void runUntil(long endNanos) {
    runUntil(endNanos, ProgressListener.NONE);
  }

  /**
   * Runs every event up to and including a time, as fast as it goes.
   *
   * @param endNanos virtual time, nanoseconds; not in the past. It is the present afterwards,
   *     unless the run was stopped.
   * @throws IllegalStateException when a run is under way
   */
  public void runUntil(long endNanos, ProgressListener listener) {
    begin(endNanos);
    try {
      long startNanos = nowNanos;
      long lastStep = 0;
      boolean more = true;
      while (more && !stopRequested) {
        more = slice(endNanos);
        letOthersIn();
        long step =
            endNanos == startNanos
                ? 0
                : (long)
                    ((double) (nowNanos - startNanos) / (endNanos - startNanos) * PROGRESS_STEPS);
        if (step > lastStep) {
          lastStep = step;
          listener.onProgress(nowNanos, endNanos, events);
        }
      }
    } finally {
      running = false;
    }
  }

  /**
   * Runs in step with the wall clock, one virtual second a second, until a time is reached or
   * {@link #stop} is called. Waits while there is nothing to do. When the work takes longer than
   * real time, virtual time lags; a lag of more than {@link #MAX_LAG_NANOS} is given up and
   * counted, so that the emulated network becomes slow instead of ever more late.
   *
   * @param endNanos virtual time, nanoseconds; Long.MAX_VALUE to go on until stopped
   * @throws InterruptedException when the thread is interrupted while it waits
   */
  public void runPaced(long endNanos, WallClock clock) throws InterruptedException {
    begin(endNanos);
    try {
      // Virtual time = wall time - offset.
      long offset = clock.nanoTime() - nowNanos;
      while (nowNanos < endNanos && !stopRequested) {
        long target = Math.min(endNanos, Math.max(nowNanos, clock.nanoTime() - offset));
        boolean more = true;
        while (more && !stopRequested) {
          more = slice(target);
          letOthersIn();
        }
        long lag = clock.nanoTime() - offset - nowNanos;
        if (lag > MAX_LAG_NANOS) {
          givenUpNanos += lag;
          offset += lag;
        } else if (lag < PACE_NANOS && nowNanos < endNanos) {
          clock.waitUntil(offset + Math.min(endNanos, nowNanos + PACE_NANOS));
        }
      }
    } finally {
      running = false;
    }
  }

  private void begin(long endNanos) {
    if (running) {
      throw new IllegalStateException("the simulation is already running");
    }
    if (endNanos < nowNanos) {
      throw new IllegalArgumentException(
          "endNanos " + endNanos + ": must not be before the present, " + nowNanos);
    }
    running = true;
    stopRequested = false;
  }

  /** Runs some events under the locks; false when there are no more up to the given time. */
  private boolean slice(long endNanos) {
    lock.lock();
    int locked = 0;
    try {
      for (; locked < participants.size(); locked++) {
        participants.get(locked).lock().lock();
      }
      // By index: an iterator would be garbage for every slice.
      for (int i = 0; i < participants.size(); i++) {
        participants.get(i).onSliceStart();
      }
      for (int i = 0; i < EVENTS_PER_SLICE; i++) {
        long time = queue.peekTime();
        if (time > endNanos) {
          nowNanos = endNanos;
          return false;
        }
        nowNanos = time;
        int event = queue.poll();
        events++;
        queue.handler(event).onEvent(time, queue.argument(event));
      }
      return true;
    } finally {
      while (locked > 0) {
        participants.get(--locked).lock().unlock();
      }
      lock.unlock();
    }
  }

  /**
   * Waits a little for threads that queue for a lock. Without this the running thread would take
   * its locks back before a parked thread is awake, again and again.
   */
  private void letOthersIn() {
    if (!othersWait()) {
      return;
    }
    long giveUp = System.nanoTime() + MAX_YIELD_NANOS;
    while (othersWait() && System.nanoTime() - giveUp < 0) {
      Thread.yield();
    }
  }

  private boolean othersWait() {
    if (lock.hasQueuedThreads()) {
      return true;
    }
    for (int i = 0; i < participants.size(); i++) {
      if (participants.get(i).lock().hasQueuedThreads()) {
        return true;
      }
    }
    return false;
  }
}
