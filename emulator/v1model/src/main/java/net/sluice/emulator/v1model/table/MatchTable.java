package net.sluice.emulator.v1model.table;

import java.util.Arrays;

/**
 * A match-action table: entries in one slab of 64-bit words, found by the subclass's index.
 *
 * <p>An entry is a row of the slab: a header word (action, index data, priority, const flag), the
 * words of its key, the words of its action data. Row 0 is the default entry, so that a miss is
 * slot 0 and needs no case of its own. Slots stay put for the life of an entry. Counters and
 * controller metadata lie in arrays beside the slab which exist only when used, so an entry with a
 * 32-bit key and 57 bits of action data costs 24 bytes in the slab and 8 to 16 in the index.
 *
 * <p>Generated code reads {@link #rows} directly; everything else goes through the methods. Not
 * thread-safe.
 */
public abstract class MatchTable {

  /** The slot of the default entry, which a lookup returns on a miss. */
  public static final int DEFAULT_SLOT = 0;

  static final int AUX_SHIFT = 16;
  static final int AUX_MASK = 0x7fff;
  private static final int PRIORITY_SHIFT = 32;
  private static final long PRIORITY_MASK = 0x7fffffffL << PRIORITY_SHIFT;
  private static final long CONST_FLAG = 1L << 31;
  private static final long USED_FLAG = 1L << 63;
  private static final int FIRST_ROWS = 16;

  /** The slab; row {@code s} starts at {@code s * stride}. */
  public long[] rows;

  /** Words of a row. */
  public final int stride;

  /** Offset of the action data in a row. */
  public final int dataAt;

  /**
   * Packets and bytes of slot {@code s} at {@code 2s} and {@code 2s+1}, or null if the table has no
   * direct counter.
   */
  public long[] counters;

  /** Meters by slot, or null if the table has no direct meter. */
  public MeterCells meters;

  /** P4_14's mask on the lookup key, or null for none. */
  public long[] visible;

  /** Idle times by slot, or null if the table has no timeouts. */
  public IdleTimeouts timeouts;

  private final String name;
  private final WordLayout layout;
  private final int dataWords;
  private int limit;
  private int size;
  private int highWater = 1;
  private int freeHead;
  private long[] controllerMetadata;
  private byte[][] metadata;
  private final long[] initialDefault;

  /**
   * @param keyCopies how many times a row holds the key's words: 2 if both value and mask (or high
   *     end) have to be kept
   * @param limit most entries the table takes, the default entry not counted
   */
  MatchTable(
      String name,
      WordLayout layout,
      int keyCopies,
      int dataWords,
      int limit,
      boolean withCounters) {
    this.name = name;
    this.layout = layout;
    this.dataAt = 1 + keyCopies * layout.words();
    this.dataWords = dataWords;
    // A free row keeps the link to the next one in its second word.
    this.stride = Math.max(2, dataAt + dataWords);
    this.limit = possible(limit);
    this.rows = new long[Math.min(FIRST_ROWS, this.limit + 1) * stride];
    this.initialDefault = new long[stride];
    if (withCounters) {
      counters = new long[2 * rows.length / stride];
    }
  }

  /** The table of a kind: {@code kind} is that of the whole table, the strongest of its fields. */
  public static MatchTable create(
      String name,
      MatchKind kind,
      WordLayout layout,
      int dataWords,
      int limit,
      boolean withCounters) {
    return switch (kind) {
      case EXACT -> new ExactTable(name, layout, dataWords, limit, withCounters);
      case LPM -> new LpmTable(name, layout, dataWords, limit, withCounters);
      case RANGE -> new RangeTable(name, layout, dataWords, limit, withCounters);
      case TERNARY, OPTIONAL -> new TernaryTable(name, layout, dataWords, limit, withCounters);
      default -> throw new IllegalArgumentException("no table for match kind " + kind);
    };
  }

  // ---- control side ----

  /**
   * The slot of the entry with exactly this match (and priority, where entries have one), or 0.
   * Bits outside the table's key mask are cleared first, as in bmv2.
   */
  public final int locate(MatchKey key) {
    hide(key);
    return find(key);
  }

  /** The same for a key that is already masked. */
  abstract int find(MatchKey key);

  private void hide(MatchKey key) {
    if (visible != null) {
      for (int i = 0; i < visible.length; i++) {
        key.value[i] &= visible[i];
      }
    }
  }

  /** Makes the row in {@code slot}, whose header and key are complete, visible to lookups. */
  abstract void link(int slot);

  /** Hides a row from lookups. */
  abstract void unlink(int slot);

  /** Writes the key into the row and returns its index data, 0..32767; -1 if the index is full. */
  abstract int placeKey(MatchKey key, int row);

  /** Reads an entry's key back. */
  public abstract void readKey(int slot, MatchKey into);

  /**
   * Adds an entry. The caller has checked that it does not exist and that the table has fewer
   * entries than its {@linkplain #limit() limit}.
   *
   * @return the slot, or 0 if the table's index cannot take this kind of entry any more (too many
   *     different masks)
   */
  public final int insert(MatchKey key, int action, long[] data, boolean isConst) {
    hide(key);
    int slot = allocate();
    int row = slot * stride;
    int aux = placeKey(key, row);
    if (aux < 0) {
      free(slot);
      return DEFAULT_SLOT;
    }
    rows[row] =
        USED_FLAG
            | (long) key.priority << PRIORITY_SHIFT
            | (isConst ? CONST_FLAG : 0)
            | (long) aux << AUX_SHIFT
            | action;
    System.arraycopy(data, 0, rows, row + dataAt, dataWords);
    if (counters != null) {
      setCounter(slot, 0, 0);
    }
    if (meters != null) {
      meters.grow(rows.length / stride);
      meters.reset(slot);
    }
    if (timeouts != null) {
      timeouts.grow(rows.length / stride);
    }
    link(slot);
    size++;
    return slot;
  }

  /** Replaces the action and the action data of an entry, or of the default entry. */
  public final void modify(int slot, int action, long[] data) {
    int row = slot * stride;
    rows[row] = rows[row] & ~0xffffL | action;
    System.arraycopy(data, 0, rows, row + dataAt, dataWords);
  }

  /** Removes an entry. */
  public final void remove(int slot) {
    unlink(slot);
    setControllerMetadata(slot, 0);
    setMetadata(slot, null);
    if (timeouts != null) {
      timeouts.remove(slot);
    }
    free(slot);
    size--;
  }

  /** Sets the default entry that the program declares, which {@link #resetDefault()} restores. */
  public final void setInitialDefault(int action, long[] data) {
    modify(DEFAULT_SLOT, action, data);
    System.arraycopy(rows, 0, initialDefault, 0, stride);
  }

  /** Restores the default entry that the program declares. */
  public final void resetDefault() {
    System.arraycopy(initialDefault, 0, rows, 0, stride);
  }

  /** Whether the default entry is the one that the program declares. */
  public final boolean isInitialDefault() {
    return Arrays.equals(rows, 0, stride, initialDefault, 0, stride);
  }

  // ---- reading ----

  /** P4 name of the table. */
  public final String name() {
    return name;
  }

  /** Layout of the key. */
  public final WordLayout layout() {
    return layout;
  }

  /** Entries in the table, the default entry not counted. */
  public final int size() {
    return size;
  }

  /** Most entries the table takes. */
  public final int limit() {
    return limit;
  }

  /** One more than the highest slot ever used; slots in use are from 1 to below this. */
  public final int slotEnd() {
    return highWater;
  }

  /** Whether a slot holds an entry. */
  public final boolean isUsed(int slot) {
    return rows[slot * stride] < 0;
  }

  /** Index of the entry's action among the actions of the table. */
  public final int action(int slot) {
    return (int) rows[slot * stride] & 0xffff;
  }

  /** Priority of an entry, higher wins; 0 in tables without. */
  public final int priority(int slot) {
    return (int) ((rows[slot * stride] & PRIORITY_MASK) >>> PRIORITY_SHIFT);
  }

  /** Whether the program declared the entry immutable. */
  public final boolean isConst(int slot) {
    return (rows[slot * stride] & CONST_FLAG) != 0;
  }

  private int possible(int wanted) {
    return (int) Math.min(wanted, (Integer.MAX_VALUE - 16) / stride - 1L);
  }

  /**
   * Makes the program's constant entries modifiable and removable, and lets others be added.
   *
   * @param size most entries the table is to take
   */
  public final void makeMutable(int size) {
    limit = Math.max(limit, possible(size));
    for (int slot = 1; slot < highWater; slot++) {
      rows[slot * stride] &= ~CONST_FLAG;
    }
  }

  /** A word of the entry's action data. */
  public final long data(int slot, int word) {
    return rows[slot * stride + dataAt + word];
  }

  /** Words of action data that every entry has. */
  public final int dataWords() {
    return dataWords;
  }

  /** Memory that entries and index take, bytes. */
  public long memoryBytes() {
    long bytes = 8L * rows.length;
    bytes += counters == null ? 0 : 8L * counters.length;
    bytes += controllerMetadata == null ? 0 : 8L * controllerMetadata.length;
    return bytes + (metadata == null ? 0 : 4L * metadata.length);
  }

  final int aux(int slot) {
    return (int) (rows[slot * stride] >>> AUX_SHIFT) & AUX_MASK;
  }

  // ---- what goes with an entry ----

  /** Adds a packet to an entry's direct counter. */
  public final void count(int slot, int lengthBytes) {
    counters[2 * slot]++;
    counters[2 * slot + 1] += lengthBytes;
  }

  /** Sets an entry's direct counter. */
  public final void setCounter(int slot, long packets, long bytes) {
    counters[2 * slot] = packets;
    counters[2 * slot + 1] = bytes;
  }

  /** An entry's {@code controller_metadata}; 0 if unset. */
  public final long controllerMetadata(int slot) {
    return controllerMetadata == null || slot >= controllerMetadata.length
        ? 0
        : controllerMetadata[slot];
  }

  /** Sets an entry's {@code controller_metadata}. */
  public final void setControllerMetadata(int slot, long value) {
    if (value == 0 && controllerMetadata(slot) == 0) {
      return;
    }
    if (controllerMetadata == null || slot >= controllerMetadata.length) {
      controllerMetadata =
          controllerMetadata == null
              ? new long[rows.length / stride]
              : Arrays.copyOf(controllerMetadata, rows.length / stride);
    }
    controllerMetadata[slot] = value;
  }

  /** An entry's {@code metadata}; null if unset. */
  public final byte[] metadata(int slot) {
    return metadata == null || slot >= metadata.length ? null : metadata[slot];
  }

  /** Sets an entry's {@code metadata}; null for none. */
  public final void setMetadata(int slot, byte[] value) {
    if (value == null && metadata(slot) == null) {
      return;
    }
    if (metadata == null || slot >= metadata.length) {
      metadata =
          metadata == null
              ? new byte[rows.length / stride][]
              : Arrays.copyOf(metadata, rows.length / stride);
    }
    metadata[slot] = value;
  }

  private int allocate() {
    if (freeHead != 0) {
      int slot = freeHead;
      freeHead = (int) rows[slot * stride + 1];
      return slot;
    }
    if (highWater * stride == rows.length) {
      int wanted = (int) Math.min(limit + 1L, 2L * highWater);
      rows = Arrays.copyOf(rows, wanted * stride);
      if (counters != null) {
        counters = Arrays.copyOf(counters, 2 * wanted);
      }
    }
    return highWater++;
  }

  private void free(int slot) {
    int row = slot * stride;
    rows[row] = 0;
    rows[row + 1] = freeHead;
    freeHead = slot;
  }
}
