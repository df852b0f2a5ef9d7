package net.sluice.core.store;

import java.time.Instant;
import java.util.List;

/**
 * Records that are added at the end and go at the beginning, in the order in which they were added.
 * Each has a number, and one that stands for several has as many. A number is not given twice, even
 * if its record was lost; only a copy of the store that is put back counts it again.
 *
 * <p>Thread-safe: reads run beside appends and see whole records. Every method throws {@link
 * StoreException} if the store fails, or if another process writes it by now.
 */
public interface Journal {
  /** Numbers that are left out after an end in which records may have been lost. */
  long SKIPPED = 1_000_000;

  /** The most bytes that a record may have. */
  int MAX_BYTES = 256 << 10;

  /**
   * A record to add.
   *
   * @param count how many numbers it takes, 1 or more
   */
  record Item(int count, byte[] bytes) {}

  /**
   * A record that was added.
   *
   * @param number the first of its numbers
   * @param count how many it has
   * @param at when it was added, in milliseconds; never before the one in front of it
   */
  record Entry(long number, int count, Instant at, byte[] bytes) {
    /** The last of its numbers. */
    public long last() {
      return number + count - 1;
    }
  }

  /** Tells this journal from another one that was in its place: 8 hexadecimal digits. */
  String id();

  /** Whether nothing was lost when it was written last: it was closed, or loses nothing. */
  boolean isWhole();

  /** The first number that is kept; one more than {@link #last} if none is. */
  long first();

  /** The last number that was given; 0 before the first. */
  long last();

  /**
   * Adds records, all of them or none. They outlive the process, and after {@link #sync} the
   * machine too. If this fails they may have been added all the same, which shows when the store is
   * open again.
   *
   * @param items one or more
   * @return the first number of the first
   */
  long append(List<Item> items);

  /** Returns when the records up to that number outlive the death of the machine. */
  void sync(long number);

  /**
   * Reads records from the one with a number on, or from the first that is kept.
   *
   * @param maxBytes records are read until they are so many bytes or more; at least one
   * @return empty if there is none with that number or a higher one
   */
  List<Entry> read(long from, int maxBytes);

  /**
   * Forgets the oldest records, but for the newest one. A journal that keeps records in blocks
   * forgets whole ones only, and one in a small store forgets by itself when there is no room.
   *
   * @param mostBytes that may stay
   * @param before those that are older go, however few bytes they are
   */
  void trim(long mostBytes, Instant before);

  /**
   * Refuses what cannot be added.
   *
   * @throws IllegalArgumentException if so
   */
  static void requireItems(List<Item> items) {
    if (items.isEmpty()) {
      throw new IllegalArgumentException("items is empty; allowed: 1 or more");
    }
    for (Item item : items) {
      if (item.count < 1 || item.bytes.length > MAX_BYTES) {
        throw new IllegalArgumentException(
            "item has count %d and %d bytes; allowed: count 1 or more, 0 to %d bytes"
                .formatted(item.count, item.bytes.length, MAX_BYTES));
      }
    }
  }
}
