package net.sluice.core.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import net.sluice.intents.plan.OwnerIds;

/**
 * Writes waiting for one target and those in flight, in an order in which none overtakes an earlier
 * one of the same owner or key. Not thread-safe.
 */
final class Outbox<E> {
  private final ArrayDeque<PendingWrite<E>> queue = new ArrayDeque<>();

  /** Older than everything in the queue; each waits for an owner or key that is in flight. */
  private final ArrayDeque<PendingWrite<E>> held = new ArrayDeque<>();

  /**
   * Newer than what is held of the same owner or key, older than what is in the queue of it: writes
   * behind a barrier that is not lifted, and those that must not overtake them.
   */
  private ArrayDeque<PendingWrite<E>> behindBarrier = new ArrayDeque<>();

  /** Keys and owners of {@link #behindBarrier}. */
  private final LongMultiset barredMarks = new LongMultiset();

  /**
   * Whether a barrier may have been lifted since {@link #behindBarrier} was last looked through.
   */
  private boolean barriersChanged;

  private final List<List<PendingWrite<E>>> flights = new ArrayList<>();
  private final LongMultiset keysInFlight = new LongMultiset();
  private final LongMultiset ownersInFlight = new LongMultiset();
  private final LongMultiset blocked = new LongMultiset();
  private int writesInFlight;

  void add(PendingWrite<E> write) {
    queue.add(write);
  }

  /** Puts writes before everything that waits, in their order. */
  void addFirst(List<PendingWrite<E>> writes) {
    for (int i = writes.size() - 1; i >= 0; i--) {
      held.addFirst(writes.get(i));
    }
  }

  /** Drops what is so of all that waits and that no barrier, nor anything behind one, holds up. */
  void removeIf(Predicate<? super PendingWrite<E>> condition) {
    queue.removeIf(condition);
    held.removeIf(condition);
  }

  /** Passes on everything, waiting or in flight. */
  void forEach(Consumer<? super PendingWrite<E>> action) {
    queue.forEach(action);
    held.forEach(action);
    behindBarrier.forEach(action);
    flights.forEach(flight -> flight.forEach(action));
  }

  int waiting() {
    return queue.size() + held.size() + behindBarrier.size();
  }

  int flights() {
    return flights.size();
  }

  int writesInFlight() {
    return writesInFlight;
  }

  boolean isIdle() {
    return flights.isEmpty() && waiting() == 0;
  }

  /** Whether something is behind a barrier, or has been when that was last looked at. */
  boolean isBarred() {
    return !queue.isEmpty() || !behindBarrier.isEmpty();
  }

  /** Barriers may have been lifted: what is behind them is looked at again. */
  void barriersChanged() {
    barriersChanged = true;
  }

  /** Takes off at most {@code max} writes that may go now; empty if none may. */
  List<PendingWrite<E>> nextBatch(int max) {
    List<PendingWrite<E>> flight = new ArrayList<>(Math.min(max, waiting()));
    blocked.clear();
    for (Iterator<PendingWrite<E>> each = held.iterator();
        each.hasNext() && flight.size() < max; ) {
      PendingWrite<E> write = each.next();
      if (mayGo(write)) {
        each.remove();
        load(flight, write);
      } else {
        block(write);
      }
    }
    if (barriersChanged && !behindBarrier.isEmpty()) {
      takeOffBarred(max, flight);
    }
    while (flight.size() < max && held.size() < max && !queue.isEmpty()) {
      PendingWrite<E> write = queue.remove();
      if (isBehindBarrier(write) || isBarred(write)) {
        bar(write);
      } else if (mayGo(write)) {
        load(flight, write);
      } else {
        block(write);
        held.add(write);
      }
    }
    if (!flight.isEmpty()) {
      // Only now: writes of one owner and different keys may go in one flight.
      flight.forEach(write -> count(ownersInFlight, write.owner()));
      flights.add(flight);
      writesInFlight += flight.size();
    }
    return flight;
  }

  /** Takes those off that no barrier keeps any more, in their order. */
  private void takeOffBarred(int max, List<PendingWrite<E>> flight) {
    ArrayDeque<PendingWrite<E>> all = behindBarrier;
    behindBarrier = new ArrayDeque<>();
    barredMarks.clear();
    barriersChanged = false;
    for (PendingWrite<E> write : all) {
      if (isBehindBarrier(write) || isBarred(write)) {
        bar(write);
      } else if (flight.size() < max && mayGo(write)) {
        load(flight, write);
      } else {
        // For want of room, or behind what is in flight: looked at again with the next flight.
        bar(write);
        barriersChanged = true;
      }
    }
  }

  private static boolean isBehindBarrier(PendingWrite<?> write) {
    return write.barrier() != null && !write.barrier().isLifted();
  }

  private boolean isBarred(PendingWrite<E> write) {
    return !behindBarrier.isEmpty()
        && (barredMarks.contains(write.key())
            || (write.owner() != OwnerIds.NONE && barredMarks.contains(mark(write.owner()))));
  }

  private void bar(PendingWrite<E> write) {
    behindBarrier.add(write);
    mark(barredMarks, write);
  }

  private boolean mayGo(PendingWrite<E> write) {
    return !keysInFlight.contains(write.key())
        && !blocked.contains(write.key())
        && (write.owner() == OwnerIds.NONE
            || (!ownersInFlight.contains(write.owner()) && !blocked.contains(mark(write.owner()))));
  }

  private void block(PendingWrite<E> write) {
    mark(blocked, write);
  }

  private static void mark(LongMultiset marks, PendingWrite<?> write) {
    marks.add(write.key());
    if (write.owner() != OwnerIds.NONE) {
      marks.add(mark(write.owner()));
    }
  }

  private void load(List<PendingWrite<E>> flight, PendingWrite<E> write) {
    keysInFlight.add(write.key());
    flight.add(write);
  }

  /** Ends a flight; its keys and owners are free again. */
  void land(List<PendingWrite<E>> flight) {
    flights.removeIf(other -> other == flight);
    writesInFlight -= flight.size();
    for (PendingWrite<E> write : flight) {
      keysInFlight.remove(write.key());
      if (write.owner() != OwnerIds.NONE) {
        ownersInFlight.remove(write.owner());
      }
    }
  }

  /** Gives everything up, waiting or in flight. */
  void drop() {
    flights.clear();
    held.clear();
    behindBarrier.clear();
    barredMarks.clear();
    queue.clear();
    keysInFlight.clear();
    ownersInFlight.clear();
    writesInFlight = 0;
  }

  /** The lowest sequence number of all that wait or fly; {@code Long.MAX_VALUE} if none does. */
  long lowestSequence() {
    long lowest = queue.isEmpty() ? Long.MAX_VALUE : queue.peek().sequence();
    for (PendingWrite<E> write : behindBarrier) {
      lowest = Math.min(lowest, write.sequence());
    }
    for (PendingWrite<E> write : held) {
      lowest = Math.min(lowest, write.sequence());
    }
    for (List<PendingWrite<E>> flight : flights) {
      for (PendingWrite<E> write : flight) {
        lowest = Math.min(lowest, write.sequence());
      }
    }
    return lowest;
  }

  private static void count(LongMultiset counts, int owner) {
    if (owner != OwnerIds.NONE) {
      counts.add(owner);
    }
  }

  /** Keeps owners apart from keys in one set. */
  private static long mark(int owner) {
    return 1L << 62 | owner;
  }
}
