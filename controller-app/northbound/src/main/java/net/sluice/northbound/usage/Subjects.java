package net.sluice.northbound.usage;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The slots of all that is measured: each has the same one from its first sweep on, at whichever
 * switch it is and however long it was away. Their names are in a file of equal records, and a hash
 * of each outside of the heap.
 *
 * <p>A slot is given to another when nothing of it has been measured for longer than is kept.
 */
final class Subjects implements AutoCloseable {
  /** Bytes of a record: the day it was seen last, the length of its name, the name. */
  private static final int RECORD = 96;

  private static final int NAME_AT = Integer.BYTES + 1;
  private static final int LONGEST = RECORD - NAME_AT;
  private static final int NONE = -1;

  /** Parts of 8 of the table that are used at most. */
  private static final int MOST_OF_8 = 5;

  private final FileChannel file;
  private final int keptDays;
  private LongBuffer hashes = LongBuffer.allocate(0);
  private int[] table = table(64);
  private int filled;
  private int end;

  /** Slots that may be given to others, as of a day. */
  private BitSet free = new BitSet();

  private int freeAsOf = NONE;

  /** Opens the file, or makes it; a record that was cut off at its end is none. */
  Subjects(Path path, int keptDays) throws IOException {
    this.keptDays = keptDays;
    file =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    end = (int) (file.size() / RECORD);
    makeRoom(end);
    ByteBuffer some = ByteBuffer.allocate(RECORD << 10);
    for (int slot = 0; slot < end; slot += some.limit() / RECORD) {
      some.clear().limit(Math.min(RECORD << 10, (end - slot) * RECORD));
      fill(some, (long) slot * RECORD);
      for (int i = 0; i < some.limit() / RECORD; i++) {
        String name = name(some, i * RECORD);
        hashes.put(slot + i, hash(name));
        add(slot + i);
      }
    }
  }

  /** Hashes are outside of the heap. */
  private void makeRoom(int slots) {
    LongBuffer more =
        ByteBuffer.allocateDirect((slots + 64 + slots / 4) * Long.BYTES)
            .order(ByteOrder.nativeOrder())
            .asLongBuffer();
    hashes = more.put(hashes.clear()).clear();
  }

  private static int[] table(int size) {
    int[] table = new int[size];
    Arrays.fill(table, NONE);
    return table;
  }

  private void fill(ByteBuffer some, long at) throws IOException {
    long from = at;
    while (some.hasRemaining()) {
      int read = file.read(some, from);
      if (read < 0) {
        throw new EOFException("the file of names has become shorter");
      }
      from += read;
    }
    some.flip();
  }

  private static String name(ByteBuffer record, int at) {
    int length = Math.min(record.get(at + Integer.BYTES) & 0xff, LONGEST);
    return new String(record.array(), at + NAME_AT, length, StandardCharsets.UTF_8);
  }

  private static long hash(String name) {
    long hash = name.length();
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    return hash;
  }

  private int place(long hash) {
    long mixed = hash * 0xBF58476D1CE4E5B9L;
    return (int) ((mixed ^ mixed >>> 32) & 0x7fffffff) % table.length;
  }

  /** Places of slots that were given to others stay, and go when the table is made anew. */
  private void add(int slot) {
    if ((filled + 1L) * 8 > (long) table.length * MOST_OF_8) {
      table = table((int) Math.min(1 << 30, Math.max(end, slot + 1) * 2L + 64));
      filled = 0;
      for (int i = 0; i < slot; i++) {
        insert(i);
      }
    }
    insert(slot);
  }

  private void insert(int slot) {
    int at = place(hashes.get(slot));
    while (table[at] != NONE) {
      at = at + 1 == table.length ? 0 : at + 1;
    }
    table[at] = slot;
    filled++;
  }

  /** The slot of a name, or -1. */
  synchronized int find(String name) {
    long hash = hash(name);
    int at = place(hash);
    while (table[at] != NONE) {
      if (hashes.get(table[at]) == hash) {
        return table[at];
      }
      at = at + 1 == table.length ? 0 : at + 1;
    }
    return NONE;
  }

  /**
   * The slot of a name, a new one if it has none.
   *
   * @param day today, as days of the epoch
   */
  synchronized int findOrAdd(String name, int day) throws IOException {
    int found = find(name);
    if (found != NONE) {
      return found;
    }
    int slot = freeSlot(day);
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > LONGEST) {
      throw new IOException("a name of " + bytes.length + " bytes: " + name);
    }
    ByteBuffer record = ByteBuffer.allocate(RECORD);
    record.putInt(day).put((byte) bytes.length).put(bytes).clear();
    write(record, (long) slot * RECORD);
    if (slot == end) {
      if (end == hashes.capacity()) {
        makeRoom(end);
      }
      hashes.put(end++, hash(name));
      add(slot);
    } else {
      hashes.put(slot, hash(name));
      addAgain(slot);
    }
    return slot;
  }

  private void write(ByteBuffer bytes, long at) throws IOException {
    long to = at;
    while (bytes.hasRemaining()) {
      to += file.write(bytes, to);
    }
  }

  private void addAgain(int slot) {
    if ((filled + 1L) * 8 > (long) table.length * MOST_OF_8) {
      table = table(table.length);
      filled = 0;
      for (int i = 0; i < end; i++) {
        insert(i);
      }
    } else {
      insert(slot);
    }
  }

  /** The records are read once a day for slots that nothing was measured of for long. */
  private int freeSlot(int day) throws IOException {
    if (freeAsOf != day) {
      freeAsOf = day;
      free = new BitSet();
      ByteBuffer seen = ByteBuffer.allocate(Integer.BYTES);
      for (int slot = 0; slot < end; slot++) {
        seen.clear();
        fill(seen, (long) slot * RECORD);
        if (seen.getInt(0) < day - keptDays) {
          free.set(slot);
        }
      }
    }
    int slot = free.nextSetBit(0);
    if (slot < 0) {
      return end;
    }
    free.clear(slot);
    return slot;
  }

  /** Something was measured of slots on a day. */
  synchronized void seen(BitSet slots, int day) throws IOException {
    ByteBuffer seen = ByteBuffer.allocate(Integer.BYTES);
    for (int slot = slots.nextSetBit(0); slot >= 0; slot = slots.nextSetBit(slot + 1)) {
      seen.clear();
      seen.putInt(day).flip();
      write(seen, (long) slot * RECORD);
    }
    free.andNot(slots);
  }

  /** The name of a slot. */
  String name(int slot) throws IOException {
    ByteBuffer record = ByteBuffer.allocate(RECORD);
    fill(record, (long) slot * RECORD);
    return name(record, 0);
  }

  /** Higher than every slot. */
  synchronized int end() {
    return end;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
