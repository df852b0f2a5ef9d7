package net.sluice.core.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Writes waiting for one target and those in flight, in an order in which none overtakes an earlier
 * one of the same owner or key. Not thread-safe.
 */
final class Outbox<E> {
  private final ArrayDeque<Update<E>> queue = new ArrayDeque<>();

  /** Older than everything in the queue; each waits for an owner or key that is in flight. */
  private final ArrayDeque<Update<E>> held = new ArrayDeque<>();

  private final List<List<Update<E>>> flights = new ArrayList<>();
  private final LongCounts keysInFlight = new LongCounts();
  private final LongCounts ownersInFlight = new LongCounts();
  private final LongCounts blocked = new LongCounts();
  private int writesInFlight;

  void add(Update<E> update) {
    queue.add(update);
  }

  /** Puts updates before everything that waits, in their order. */
  void addFirst(List<Update<E>> updates) {
    for (int i = updates.size() - 1; i >= 0; i--) {
      held.addFirst(updates.get(i));
    }
  }

  int waiting() {
    return queue.size() + held.size();
  }

  int flights() {
    return flights.size();
  }

  int writesInFlight() {
    return writesInFlight;
  }

  boolean isIdle() {
    return flights.isEmpty() && queue.isEmpty() && held.isEmpty();
  }

  /** Takes off at most {@code max} updates that may go now; empty if none may. */
  List<Update<E>> takeOff(int max) {
    List<Update<E>> flight = new ArrayList<>(Math.min(max, waiting()));
    blocked.clear();
    for (Iterator<Update<E>> each = held.iterator(); each.hasNext() && flight.size() < max; ) {
      Update<E> update = each.next();
      if (mayGo(update)) {
        each.remove();
        load(flight, update);
      } else {
        block(update);
      }
    }
    while (flight.size() < max && held.size() < max && !queue.isEmpty()) {
      Update<E> update = queue.peek();
      if (update.gate != null && !update.gate.isOpen()) {
        break;
      }
      queue.remove();
      if (mayGo(update)) {
        load(flight, update);
      } else {
        block(update);
        held.add(update);
      }
    }
    if (!flight.isEmpty()) {
      // Only now: updates of one owner and different keys may go in one flight.
      flight.forEach(update -> count(ownersInFlight, update.owner));
      flights.add(flight);
      writesInFlight += flight.size();
    }
    return flight;
  }

  private boolean mayGo(Update<E> update) {
    return !keysInFlight.contains(update.key)
        && !blocked.contains(update.key)
        && (update.owner == Owners.NONE
            || (!ownersInFlight.contains(update.owner) && !blocked.contains(mark(update.owner))));
  }

  private void block(Update<E> update) {
    blocked.add(update.key);
    if (update.owner != Owners.NONE) {
      blocked.add(mark(update.owner));
    }
  }

  private void load(List<Update<E>> flight, Update<E> update) {
    keysInFlight.add(update.key);
    flight.add(update);
  }

  /** Ends a flight; its keys and owners are free again. */
  void land(List<Update<E>> flight) {
    flights.removeIf(other -> other == flight);
    writesInFlight -= flight.size();
    for (Update<E> update : flight) {
      keysInFlight.remove(update.key);
      if (update.owner != Owners.NONE) {
        ownersInFlight.remove(update.owner);
      }
    }
  }

  /** Gives everything up, waiting or in flight. */
  void drop() {
    flights.clear();
    held.clear();
    queue.clear();
    keysInFlight.clear();
    ownersInFlight.clear();
    writesInFlight = 0;
  }

  /** The lowest sequence number of all that wait or fly; {@code Long.MAX_VALUE} if none does. */
  long lowestSequence() {
    long lowest = queue.isEmpty() ? Long.MAX_VALUE : queue.peek().sequence;
    for (Update<E> update : held) {
      lowest = Math.min(lowest, update.sequence);
    }
    for (List<Update<E>> flight : flights) {
      for (Update<E> update : flight) {
        lowest = Math.min(lowest, update.sequence);
      }
    }
    return lowest;
  }

  private static void count(LongCounts counts, int owner) {
    if (owner != Owners.NONE) {
      counts.add(owner);
    }
  }

  /** Keeps owners apart from keys in one set. */
  private static long mark(int owner) {
    return 1L << 62 | owner;
  }
}
