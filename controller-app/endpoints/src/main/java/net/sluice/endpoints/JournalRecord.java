package net.sluice.endpoints;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import net.sluice.core.store.Journal.Entry;
import net.sluice.core.store.StoreException;

/**
 * A record of a journal, and how it is kept under the journal's name and its number.
 *
 * @param before the bytes of all records that ever were before it
 */
record JournalRecord(Entry entry, long before) {
  private static final char SEPARATOR = '\0';

  /** Of a record's value, before its bytes: when, how many numbers, the bytes before it. */
  private static final int HEADER = Long.BYTES + Integer.BYTES + Long.BYTES;

  /**
   * The head of a journal, which is kept beside its records.
   *
   * @param closedAt the last number that was given, if it was closed since; otherwise -1
   */
  record Head(int id, long closedAt) {
    static final long OPEN = -1;

    static Head drawn() {
      return new Head(new SecureRandom().nextInt(), OPEN);
    }

    static Head of(byte[] value) {
      ByteBuffer in = ByteBuffer.wrap(value);
      return new Head(in.getInt(), in.getLong());
    }

    byte[] value() {
      return ByteBuffer.allocate(Integer.BYTES + Long.BYTES).putInt(id).putLong(closedAt).array();
    }

    boolean isClosed() {
      return closedAt != OPEN;
    }
  }

  /** The record of a number with its value, as it is kept. */
  static JournalRecord of(RocksDatabase database, String name, long number, byte[] value) {
    if (value.length < HEADER) {
      throw damaged(database, name, number, "is cut short");
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    Instant millis = Instant.ofEpochMilli(in.getLong());
    int count = in.getInt();
    long before = in.getLong();
    byte[] content = Arrays.copyOfRange(value, HEADER, value.length);
    return new JournalRecord(new Entry(number, count, millis, content), before);
  }

  static byte[] key(byte[] prefix, long number) {
    return ByteBuffer.allocate(prefix.length + Long.BYTES).put(prefix).putLong(number).array();
  }

  static byte[] prefix(String name) {
    return (name + SEPARATOR).getBytes(StandardCharsets.US_ASCII);
  }

  static byte[] value(long millis, int count, long before, byte[] content) {
    return ByteBuffer.allocate(HEADER + content.length)
        .putLong(millis)
        .putInt(count)
        .putLong(before)
        .put(content)
        .array();
  }

  static StoreException damaged(RocksDatabase database, String name, long number, String how) {
    return new StoreException(
        "the store in %s is damaged: record %d of journal %s %s"
            .formatted(database.directory(), number, name, how));
  }
}
