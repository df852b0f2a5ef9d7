package net.sluice.core.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import net.sluice.core.Controller;
import net.sluice.core.ControllerEvent;
import net.sluice.core.ControllerListener;
import net.sluice.core.time.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes events on to listeners, in order, on a thread of its own. Events are made only if somebody
 * listens. If listeners cannot keep up, events of changes are left out and their number is told;
 * those of targets, of which there are few, are not.
 */
public final class Events implements AutoCloseable {
  static final int MAX_WAITING = 131_072;

  private static final Logger LOG = LoggerFactory.getLogger(Events.class);

  private final Scheduler scheduler;
  private final List<ControllerListener> listeners = new CopyOnWriteArrayList<>();
  private final Queue<Waiting> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isScheduled = new AtomicBoolean();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong left = new AtomicLong();

  private final Object earlyLock = new Object();

  /** Events of the opening, for each listener that keeps a record. */
  private final List<Waiting> early = new ArrayList<>();

  private int earlyChanges;

  /** Makes events when they are told, on the events' thread. */
  @FunctionalInterface
  public interface Telling {
    /** Passes on each event. */
    void tell(Consumer<ControllerEvent> out);
  }

  /**
   * Events that are to be told.
   *
   * @param changes number of them that count for what may wait
   */
  private record Waiting(int changes, Telling telling) {}

  public Events(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  public boolean isListenedTo() {
    return !listeners.isEmpty();
  }

  /** Registers a listener; it is told all that waits before its registration ends. */
  public Controller.Registration listen(ControllerListener listener) {
    listeners.add(listener);
    if (listener.keepsRecord()) {
      List<Waiting> opening = early();
      add(
          new Waiting(
              0,
              unused ->
                  opening.forEach(
                      each -> each.telling.tell(event -> guarded(() -> listener.on(event))))));
    }
    return () -> {
      passWaiting();
      listeners.remove(listener);
    };
  }

  /** Tells of changes, if not too many wait. */
  public void tellOfChanges(int changes, Telling telling) {
    if (listeners.isEmpty()) {
      return;
    }
    if (waiting.addAndGet(changes) > MAX_WAITING) {
      waiting.addAndGet(-changes);
      left.addAndGet(changes);
      return;
    }
    add(new Waiting(changes, telling));
  }

  private List<Waiting> early() {
    synchronized (earlyLock) {
      return List.copyOf(early);
    }
  }

  /** Keeps events of the opening for the listeners that keep a record. */
  public void tellOfOpening(int changes, Telling telling) {
    synchronized (earlyLock) {
      if (earlyChanges + changes > MAX_WAITING) {
        left.addAndGet(changes);
        return;
      }
      earlyChanges += changes;
      early.add(new Waiting(changes, telling));
    }
  }

  /** Tells of what there is little of, or once for all of it. */
  public void tell(Telling telling) {
    add(new Waiting(0, telling));
  }

  /** An event of a target. */
  public void tellOfTarget(ControllerEvent event) {
    if (!listeners.isEmpty()) {
      tell(out -> out.accept(event));
    }
  }

  private void add(Waiting telling) {
    queue.add(telling);
    if (isScheduled.compareAndSet(false, true)) {
      scheduler.execute(this::passWaiting);
    }
  }

  private synchronized void passWaiting() {
    // First: what comes from here on is passed on by this call or by another one.
    isScheduled.set(false);
    for (Waiting next; (next = queue.poll()) != null; ) {
      waiting.addAndGet(-next.changes);
      long missed = left.getAndSet(0);
      if (missed > 0) {
        pass(new ControllerEvent.EventsLeftOut(missed));
      }
      next.telling.tell(this::pass);
    }
    for (ControllerListener listener : listeners) {
      guarded(listener::caughtUp);
    }
  }

  private void pass(ControllerEvent event) {
    for (ControllerListener listener : listeners) {
      guarded(() -> listener.on(event));
    }
  }

  /** A listener that fails keeps no other from being told. */
  private static void guarded(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      LOG.error("a listener to events has failed", e);
    }
  }

  @Override
  public void close() {
    scheduler.close();
  }
}
