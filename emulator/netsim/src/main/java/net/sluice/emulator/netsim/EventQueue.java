package net.sluice.emulator.netsim;

import java.util.Arrays;

/**
 * Events in order of (time, order of scheduling). Events live in numbered slots of primitive
 * arrays, so scheduling one allocates nothing.
 *
 * <p>Three levels by distance: a small heap holds what falls into the current {@value #SLOT_NANOS}
 * ns; a wheel of {@value #WHEEL_SLOTS} lists covers the next 67 ms; a heap holds the rest and feeds
 * the wheel as it turns. Most events touch the wheel and the small heap only, whatever their
 * number. Not thread-safe.
 */
final class EventQueue {

  static final int SLOT_SHIFT = 10;
  static final int SLOT_NANOS = 1 << SLOT_SHIFT;
  static final int WHEEL_SLOTS = 1 << 16;

  private static final int WHEEL_MASK = WHEEL_SLOTS - 1;
  private static final int NONE = -1;

  // The fields of an event are adjacent, so that it takes one cache line.
  private static final int STRIDE = 4;
  private static final int TIME = 0;
  private static final int SEQUENCE = 1;
  private static final int ARGUMENT = 2;
  private static final int NEXT = 3;

  private long[] events = new long[1024 * STRIDE];
  private EventHandler[] handlers = new EventHandler[1024];
  private int used;
  private int free = NONE;
  private long nextSequence;
  private int size;

  private final int[] wheel = new int[WHEEL_SLOTS];
  // One bit per list that is not empty, and one bit per word of those that is not zero.
  private final long[] occupied = new long[WHEEL_SLOTS / 64];
  private final long[] occupiedWords = new long[WHEEL_SLOTS / 64 / 64];
  private int inWheel;
  private long currentSlot;

  private final Heap near = new Heap();
  private final Heap far = new Heap();

  EventQueue() {
    Arrays.fill(wheel, NONE);
  }

  int size() {
    return size;
  }

  /** Adds an event; its time must not be before that of the last event taken. */
  void add(long time, EventHandler handler, long argument) {
    int event = free;
    if (event == NONE) {
      event = used++;
      if (event == handlers.length) {
        grow();
      }
    } else {
      free = (int) events[event * STRIDE + NEXT];
    }
    int at = event * STRIDE;
    events[at + TIME] = time;
    events[at + SEQUENCE] = nextSequence++;
    events[at + ARGUMENT] = argument;
    // Most events are those of one source, over and over: a store that changes nothing is not made.
    if (handlers[event] != handler) {
      handlers[event] = handler;
    }
    size++;
    place(event, time);
  }

  /** Time of the first event, or Long.MAX_VALUE when there is none. */
  long peekTime() {
    if (near.size == 0 && !turn()) {
      return Long.MAX_VALUE;
    }
    return near.times[0];
  }

  /**
   * Removes the first event; call only after {@link #peekTime} has found one.
   *
   * @return its slot, for {@link #handler} and {@link #argument} until the next {@link #add}
   */
  int poll() {
    int event = near.poll();
    events[event * STRIDE + NEXT] = free;
    free = event;
    size--;
    return event;
  }

  EventHandler handler(int event) {
    return handlers[event];
  }

  long argument(int event) {
    return events[event * STRIDE + ARGUMENT];
  }

  private void place(int event, long time) {
    long slot = time >> SLOT_SHIFT;
    if (slot <= currentSlot) {
      near.add(time, event);
    } else if (slot - currentSlot < WHEEL_SLOTS) {
      int index = (int) slot & WHEEL_MASK;
      events[event * STRIDE + NEXT] = wheel[index];
      wheel[index] = event;
      int word = index >> 6;
      occupied[word] |= 1L << index;
      occupiedWords[word >> 6] |= 1L << word;
      inWheel++;
    } else {
      far.add(time, event);
    }
  }

  /** Moves on to the next slot that has events; false when there are none at all. */
  private boolean turn() {
    long next;
    if (inWheel > 0) {
      next = currentSlot + distanceToOccupied((int) (currentSlot + 1) & WHEEL_MASK) + 1;
    } else if (far.size > 0) {
      next = far.times[0] >> SLOT_SHIFT;
    } else {
      return false;
    }
    currentSlot = next;
    // Far events are beyond the whole wheel, so none is earlier than those the wheel held.
    while (far.size > 0 && (far.times[0] >> SLOT_SHIFT) - currentSlot < WHEEL_SLOTS) {
      long time = far.times[0];
      place(far.poll(), time);
    }
    int index = (int) next & WHEEL_MASK;
    int event = wheel[index];
    wheel[index] = NONE;
    int word = index >> 6;
    occupied[word] &= ~(1L << index);
    if (occupied[word] == 0) {
      occupiedWords[word >> 6] &= ~(1L << word);
    }
    while (event != NONE) {
      int following = (int) events[event * STRIDE + NEXT];
      near.add(events[event * STRIDE + TIME], event);
      inWheel--;
      event = following;
    }
    return true;
  }

  /** Distance from the given list to the next non-empty one, round the wheel; there is one. */
  private int distanceToOccupied(int from) {
    int word = from >> 6;
    long bits = occupied[word] & (-1L << from);
    if (bits != 0) {
      return (word << 6) + Long.numberOfTrailingZeros(bits) - from;
    }
    int found = nextOccupiedWord(word + 1);
    int index = (found << 6) + Long.numberOfTrailingZeros(occupied[found]);
    return (index - from) & WHEEL_MASK;
  }

  private int nextOccupiedWord(int from) {
    int words = occupied.length;
    int start = from % words;
    int summary = start >> 6;
    long bits = occupiedWords[summary] & (-1L << start);
    for (int i = 0; i <= occupiedWords.length; i++) {
      if (bits != 0) {
        return (summary << 6) + Long.numberOfTrailingZeros(bits);
      }
      summary = (summary + 1) % occupiedWords.length;
      bits = occupiedWords[summary];
    }
    throw new IllegalStateException("wheel holds " + inWheel + " events but no list is marked");
  }

  private void grow() {
    handlers = Arrays.copyOf(handlers, handlers.length * 2);
    events = Arrays.copyOf(events, events.length * 2);
  }

  /**
   * Binary heap of events by (time, sequence); times are copied in, next to each other, as they
   * decide nearly every comparison.
   */
  private final class Heap {
    long[] times = new long[64];
    int[] ids = new int[64];
    int size;

    void add(long time, int event) {
      if (size == times.length) {
        times = Arrays.copyOf(times, size * 2);
        ids = Arrays.copyOf(ids, size * 2);
      }
      int at = size++;
      while (at > 0) {
        int parent = (at - 1) >> 1;
        if (before(times[parent], ids[parent], time, event)) {
          break;
        }
        times[at] = times[parent];
        ids[at] = ids[parent];
        at = parent;
      }
      times[at] = time;
      ids[at] = event;
    }

    int poll() {
      int first = ids[0];
      int last = --size;
      long time = times[last];
      int event = ids[last];
      int at = 0;
      while (true) {
        int child = 2 * at + 1;
        if (child >= last) {
          break;
        }
        int right = child + 1;
        if (right < last && before(times[right], ids[right], times[child], ids[child])) {
          child = right;
        }
        if (before(time, event, times[child], ids[child])) {
          break;
        }
        times[at] = times[child];
        ids[at] = ids[child];
        at = child;
      }
      times[at] = time;
      ids[at] = event;
      return first;
    }

    private boolean before(long timeA, int eventA, long timeB, int eventB) {
      return timeA != timeB
          ? timeA < timeB
          : events[eventA * STRIDE + SEQUENCE] < events[eventB * STRIDE + SEQUENCE];
    }
  }
}
