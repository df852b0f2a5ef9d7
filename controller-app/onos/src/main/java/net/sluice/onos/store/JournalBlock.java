package net.sluice.onos.store;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.sluice.core.store.Journal;
import net.sluice.core.store.StoreException;

/**
 * Records of a journal that share a value; the key is the first of their numbers.
 *
 * @param epoch of the instance that began the block
 * @param heir epoch of the instance that has taken the journal over since; 0 if none has
 * @param isContinued whether what was added with these records ends in a later block; without that
 *     none of it counts
 * @param recorded by name of a switch, number of its last commit whose changes are recorded here or
 *     before
 * @param content the records: for each how many numbers it has, when it was added, its length, and
 *     its bytes
 */
record JournalBlock(
    long epoch, long heir, boolean isContinued, Map<String, Long> recorded, byte[] content) {
  private static final byte FORMAT = 1;
  private static final int RECORD_BYTES = Integer.BYTES + Long.BYTES + Integer.BYTES;
  private static final byte[] EMPTY = new byte[0];

  /** A block without records. */
  static JournalBlock empty(long epoch, Map<String, Long> recorded) {
    return new JournalBlock(epoch, 0, false, recorded, EMPTY);
  }

  /** The bytes that an item takes in a block. */
  static int size(Journal.Item item) {
    return RECORD_BYTES + item.bytes().length;
  }

  boolean isEmpty() {
    return content.length == 0;
  }

  /** The same, taken over. */
  JournalBlock leftTo(long newEpoch) {
    return new JournalBlock(epoch, newEpoch, isContinued, recorded, content);
  }

  /** With more records behind those that are here. */
  JournalBlock with(
      List<Journal.Item> items, Instant at, boolean continued, Map<String, Long> nowRecorded) {
    ByteBuffer out =
        ByteBuffer.allocate(content.length + items.stream().mapToInt(JournalBlock::size).sum());
    out.put(content);
    for (Journal.Item item : items) {
      out.putInt(item.count())
          .putLong(at.toEpochMilli())
          .putInt(item.bytes().length)
          .put(item.bytes());
    }
    return new JournalBlock(epoch, heir, continued, nowRecorded, out.array());
  }

  byte[] encode() {
    int size = 1 + 8 + 8 + 1 + 2 + content.length;
    for (String name : recorded.keySet()) {
      size += 2 + name.length() + 8;
    }
    ByteBuffer out =
        ByteBuffer.allocate(size)
            .put(FORMAT)
            .putLong(epoch)
            .putLong(heir)
            .put((byte) (isContinued ? 1 : 0))
            .putShort((short) recorded.size());
    recorded.forEach(
        (name, number) ->
            out.putShort((short) name.length())
                .put(name.getBytes(StandardCharsets.ISO_8859_1))
                .putLong(number));
    return out.put(content).array();
  }

  static JournalBlock decode(String key, byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      int format = in.get();
      if (format != FORMAT) {
        throw new StoreException(
            "block %s of a journal of the cluster has format %d; this release reads format %d; nothing was changed"
                .formatted(key, format, FORMAT));
      }
      long epoch = in.getLong();
      long heir = in.getLong();
      boolean isContinued = in.get() != 0;
      Map<String, Long> recorded = new TreeMap<>();
      for (int left = in.getShort(); left > 0; left--) {
        byte[] name = new byte[in.getShort()];
        in.get(name);
        recorded.put(new String(name, StandardCharsets.ISO_8859_1), in.getLong());
      }
      byte[] content = Arrays.copyOfRange(bytes, in.position(), bytes.length);
      return new JournalBlock(epoch, heir, isContinued, recorded, content);
    } catch (BufferUnderflowException e) {
      throw cutShort(key, e);
    }
  }

  private static StoreException cutShort(String key, RuntimeException cause) {
    return new StoreException("block " + key + " of a journal of the cluster is cut short", cause);
  }

  /**
   * The records.
   *
   * @param from where in the content they begin
   * @param first the first of their numbers
   */
  List<Journal.Entry> entries(int from, long first) {
    List<Journal.Entry> entries = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(content).position(from);
    long number = first;
    try {
      while (in.hasRemaining()) {
        int count = in.getInt();
        Instant at = Instant.ofEpochMilli(in.getLong());
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        entries.add(new Journal.Entry(number, count, at, bytes));
        number += count;
      }
    } catch (BufferUnderflowException e) {
      throw cutShort(Long.toString(first), e);
    }
    return entries;
  }
}
