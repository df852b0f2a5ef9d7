package net.sluice.northbound.usage;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.LongSupplier;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterSink;

/**
 * The counters of a switch as they were last read, by the switch's index, outside of the heap; and
 * the rates that follow from the next reading.
 *
 * <p>A counter that is less than before has begun anew, or has wrapped: what it counts now is what
 * came since. So a rate may be too low then, and never too high.
 */
final class Counted implements CounterSink {
  private static final int BITS = 12;
  private static final int BLOCK = 1 << BITS;
  private static final long NEVER = Long.MIN_VALUE;

  private final Columns rates;
  private final LongSupplier nanos;
  private final LongBuffer[][] columns = new LongBuffer[Measure.COLUMNS][0];

  /** When the cells of a column began to come: now, and the time before. */
  private final long[] begun = new long[Measure.COLUMNS];

  private final long[] before = new long[Measure.COLUMNS];
  private int[] slots = new int[0];
  private BitSet used = new BitSet();
  private BitSet bound = new BitSet();

  /** Whose counters have not been read before. */
  private BitSet fresh = new BitSet();

  private boolean valid;
  private volatile boolean reads;

  /**
   * @param rates gets the rates
   * @param nanos a time that only goes on
   */
  Counted(Columns rates, LongSupplier nanos) {
    this.rates = rates;
    this.nanos = nanos;
    Arrays.fill(before, NEVER);
  }

  // ---------------------------------------------------------------- whose counters they are

  /** From here on {@link #bind} says whose the counters are. */
  void beginBinding() {
    bound = new BitSet();
    fresh = new BitSet();
  }

  /** Counters at an index are of that slot. */
  void bind(int index, int slot) {
    if (index >= slots.length) {
      slots = Arrays.copyOf(slots, index + 1 + index / 8);
    }
    if (!used.get(index) || slots[index] != slot) {
      fresh.set(index);
    }
    slots[index] = slot;
    bound.set(index);
  }

  /** All is said; the indices to be read. */
  BitSet endBinding() {
    used = bound;
    return used;
  }

  // ---------------------------------------------------------------- reading

  /** The cells are coming. */
  void beginReading() {
    Arrays.fill(begun, NEVER);
    reads = true;
  }

  @Override
  public void count(Point point, Direction direction, int index, long packets, long bytes) {
    int column = Measure.column(point, direction);
    if (column < 0 || !reads || !used.get(index)) {
      return;
    }
    long now = begun[column];
    if (now == NEVER) {
      now = nanos.getAsLong();
      begun[column] = now;
    }
    long value = Measure.isWait(column) ? packets : bytes;
    long last = exchange(column, index, value);
    if (before[column] != NEVER && now > before[column] && !fresh.get(index)) {
      long difference = value >= last ? value - last : value;
      rates.set(column, slots[index], Measure.rate(column, difference, now - before[column]));
    }
  }

  private long exchange(int column, int index, long value) {
    LongBuffer[] blocks = columns[column];
    int block = index >>> BITS;
    if (block >= blocks.length) {
      if (value == 0) {
        return 0;
      }
      blocks = Arrays.copyOf(blocks, block + 1 + block / 8);
      columns[column] = blocks;
    }
    if (blocks[block] == null) {
      if (value == 0) {
        return 0;
      }
      blocks[block] =
          ByteBuffer.allocateDirect(BLOCK * Long.BYTES)
              .order(ByteOrder.nativeOrder())
              .asLongBuffer();
    }
    long last = blocks[block].get(index & BLOCK - 1);
    if (last != value) {
      blocks[block].put(index & BLOCK - 1, value);
    }
    return last;
  }

  /**
   * No more cells come.
   *
   * @param complete whether all have come
   * @param known gets the slots of which the rates are known now
   */
  void endReading(boolean complete, BitSet known) {
    reads = false;
    boolean first = !valid;
    if (!complete) {
      // What has come is not to be taken for all: the next reading begins anew.
      if (!began()) {
        return;
      }
      valid = false;
      Arrays.fill(before, NEVER);
      return;
    }
    valid = true;
    long now = nanos.getAsLong();
    for (int column = 0; column < Measure.COLUMNS; column++) {
      if (begun[column] == NEVER) {
        // Nothing is counted there, as by a switch without limits.
        columns[column] = new LongBuffer[0];
        before[column] = now;
        clear(column);
      } else {
        before[column] = begun[column];
      }
    }
    if (!first) {
      used.stream().filter(index -> !fresh.get(index)).forEach(index -> known.set(slots[index]));
    }
  }

  private boolean began() {
    for (long each : begun) {
      if (each != NEVER) {
        return true;
      }
    }
    return false;
  }

  private void clear(int column) {
    for (int index = used.nextSetBit(0); index >= 0; index = used.nextSetBit(index + 1)) {
      if (rates.code(column, slots[index]) != 0) {
        rates.set(column, slots[index], 0);
      }
    }
  }

  /** The slot of an index that is read, or -1. */
  int slot(int index) {
    return used.get(index) ? slots[index] : -1;
  }
}
