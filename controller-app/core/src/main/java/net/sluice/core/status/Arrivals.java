package net.sluice.core.status;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.core.session.WriteBarrier;

/**
 * The parts of one set of changes that come at several switches: none of these takes away what
 * classifies packets before all of them have what they get. So an address that passes to a
 * subscriber of another switch is known at one of the two at any moment.
 */
public final class Arrivals implements WriteBarrier {
  private final Map<Sessions, WriteBarrier> parts = new LinkedHashMap<>();
  private boolean complete;

  /** A switch has been handed what comes there: {@code arrived} is lifted when that is answered. */
  synchronized void add(Sessions at, WriteBarrier arrived) {
    parts.put(at, arrived);
  }

  /** Every switch has been handed its part, or has failed to. */
  public void complete() {
    synchronized (this) {
      complete = true;
    }
    gotOn();
  }

  @Override
  public synchronized boolean isLifted() {
    return complete && parts.values().stream().allMatch(WriteBarrier::isLifted);
  }

  /** One of the switches has got on: what waits at the others may go. */
  void gotOn() {
    if (!isLifted()) {
      return;
    }
    List<Sessions> all;
    synchronized (this) {
      all = List.copyOf(parts.keySet());
    }
    all.forEach(sessions -> sessions.arrived(this));
  }
}
