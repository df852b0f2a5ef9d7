package net.sluice.emulator.v1model.table;

import java.util.Arrays;

/**
 * The idle timeouts of a table's entries: the time of the last hit of each, and which have expired.
 * Packets only store the time; entries with a timeout wait in a heap by the earliest time at which
 * they can expire, and are checked then.
 */
public final class IdleTimeouts {

  /** Least timeout, microseconds; shorter ones are raised to it. */
  public static final long MIN_MICROS = 10_000;

  private static final int NANOS_PER_MICRO = 1_000;

  /** When the entry in a slot was last hit, or else written, microseconds. Packets set it. */
  public long[] lastHitMicros = new long[16];

  /** By slot; 0 for entries that never expire. */
  private long[] timeoutNanos = new long[16];

  /** By slot: when to check the entry. */
  private long[] dueMicros = new long[16];

  /** By slot: position in the heap, counted from 1; 0 if not in it. */
  private int[] place = new int[16];

  private int[] heap = new int[16];
  private int waiting;

  /** Makes room for at least so many slots. */
  void grow(int slots) {
    if (slots > place.length) {
      lastHitMicros = Arrays.copyOf(lastHitMicros, slots);
      timeoutNanos = Arrays.copyOf(timeoutNanos, slots);
      dueMicros = Arrays.copyOf(dueMicros, slots);
      place = Arrays.copyOf(place, slots);
    }
  }

  /** The timeout of an entry as it was set, nanoseconds; 0 if it never expires. */
  public long timeoutNanos(int slot) {
    return timeoutNanos[slot];
  }

  /** Sets an entry's timeout, nanoseconds, and restarts its idle time; 0 for none. */
  public void set(int slot, long nanos, long nowMicros) {
    timeoutNanos[slot] = nanos;
    lastHitMicros[slot] = nowMicros;
    if (nanos == 0) {
      leave(slot);
    } else {
      dueMicros[slot] = nowMicros + timeoutMicros(slot);
      enter(slot);
    }
  }

  /** Changes an entry's timeout, nanoseconds, without restarting its idle time; 0 for none. */
  public void modify(int slot, long nanos) {
    set(slot, nanos, lastHitMicros[slot]);
  }

  /** Removes an entry. */
  void remove(int slot) {
    timeoutNanos[slot] = 0;
    leave(slot);
  }

  private long timeoutMicros(int slot) {
    long nanos = timeoutNanos[slot];
    long micros = nanos / NANOS_PER_MICRO + (nanos % NANOS_PER_MICRO == 0 ? 0 : 1);
    return Math.max(MIN_MICROS, micros);
  }

  /**
   * Earliest time at which {@link #expire} may return an entry, microseconds; Long.MAX_VALUE for
   * never.
   */
  public long nextMicros() {
    return waiting == 0 ? Long.MAX_VALUE : dueMicros[heap[0]];
  }

  /** The next expired entry, whose idle time restarts; 0 if there is none. */
  public int expire(long nowMicros) {
    while (waiting > 0 && dueMicros[heap[0]] <= nowMicros) {
      int slot = heap[0];
      long expires = lastHitMicros[slot] + timeoutMicros(slot);
      boolean expired = expires <= nowMicros;
      dueMicros[slot] = expired ? nowMicros + timeoutMicros(slot) : expires;
      if (expired) {
        lastHitMicros[slot] = nowMicros;
      }
      sink(0);
      if (expired) {
        return slot;
      }
    }
    return 0;
  }

  private void enter(int slot) {
    if (place[slot] == 0) {
      if (waiting == heap.length) {
        heap = Arrays.copyOf(heap, 2 * waiting);
      }
      put(waiting++, slot);
    }
    sink(place[slot] - 1);
    rise(place[slot] - 1);
  }

  private void leave(int slot) {
    int at = place[slot] - 1;
    if (at < 0) {
      return;
    }
    place[slot] = 0;
    int last = heap[--waiting];
    if (at < waiting) {
      put(at, last);
      sink(at);
      rise(place[last] - 1);
    }
  }

  private void put(int at, int slot) {
    heap[at] = slot;
    place[slot] = at + 1;
  }

  private void rise(int from) {
    int at = from;
    int slot = heap[at];
    while (at > 0 && dueMicros[heap[(at - 1) / 2]] > dueMicros[slot]) {
      put(at, heap[(at - 1) / 2]);
      at = (at - 1) / 2;
    }
    put(at, slot);
  }

  private void sink(int from) {
    int at = from;
    int slot = heap[at];
    while (2 * at + 1 < waiting) {
      int child = 2 * at + 1;
      if (child + 1 < waiting && dueMicros[heap[child + 1]] < dueMicros[heap[child]]) {
        child++;
      }
      if (dueMicros[heap[child]] >= dueMicros[slot]) {
        break;
      }
      put(at, heap[child]);
      at = child;
    }
    put(at, slot);
  }
}
