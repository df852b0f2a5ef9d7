package net.sluice.core.status;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import net.sluice.core.Controller;
import net.sluice.core.ControllerEvent;
import net.sluice.core.ControllerListener;
import net.sluice.core.time.Scheduler;

/**
 * Passes events on to listeners, in order, on a thread of its own. Events are made only if somebody
 * listens. If listeners cannot keep up, events of declarations are left out and their number is
 * told; those of targets, of which there are few, are not.
 */
public final class Events implements AutoCloseable {
  static final int MAX_WAITING = 65_536;

  private final Scheduler scheduler;
  private final List<ControllerListener> listeners = new CopyOnWriteArrayList<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong left = new AtomicLong();

  public Events(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  public boolean isListenedTo() {
    return !listeners.isEmpty();
  }

  public Controller.Registration listen(ControllerListener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** An event of a declaration. It is made on the events' thread; null stands for none. */
  public void tell(Supplier<ControllerEvent> event) {
    if (listeners.isEmpty()) {
      return;
    }
    if (waiting.incrementAndGet() > MAX_WAITING) {
      waiting.decrementAndGet();
      left.incrementAndGet();
      return;
    }
    scheduler.execute(
        () -> {
          waiting.decrementAndGet();
          passLeftOut();
          ControllerEvent made = event.get();
          if (made != null) {
            pass(made);
          }
        });
  }

  /** An event of a target. */
  public void tellOfTarget(ControllerEvent event) {
    if (!listeners.isEmpty()) {
      scheduler.execute(
          () -> {
            passLeftOut();
            pass(event);
          });
    }
  }

  private void passLeftOut() {
    long missed = left.getAndSet(0);
    if (missed > 0) {
      pass(new ControllerEvent.EventsLeftOut(missed));
    }
  }

  private void pass(ControllerEvent event) {
    for (ControllerListener listener : listeners) {
      listener.on(event);
    }
  }

  @Override
  public void close() {
    scheduler.close();
  }
}
