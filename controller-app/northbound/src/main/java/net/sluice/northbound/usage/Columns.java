package net.sluice.northbound.usage;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import net.sluice.intents.value.Direction;

/**
 * Rates by slot in {@link Compact} numbers, of which those that are not 0 take memory. Written by
 * one thread, read by many; who reads beside a sweep may see some of what it brings.
 */
final class Columns {
  private static final int BITS = 10;
  private static final int BLOCK = 1 << BITS;

  private final short[][][] columns = new short[Measure.COLUMNS][0][];
  private volatile BitSet known = new BitSet();

  /** Sets a rate. */
  void set(int column, int slot, long rate) {
    short[][] blocks = columns[column];
    int block = slot >>> BITS;
    if (block >= blocks.length) {
      if (rate == 0) {
        return;
      }
      blocks = Arrays.copyOf(blocks, block + 1 + block / 8);
      columns[column] = blocks;
    }
    if (blocks[block] == null) {
      if (rate == 0) {
        return;
      }
      blocks[block] = new short[BLOCK];
    }
    blocks[block][slot & BLOCK - 1] = Compact.code(rate);
  }

  /** The code of a rate. */
  short code(int column, int slot) {
    short[][] blocks = columns[column];
    int block = slot >>> BITS;
    return block >= blocks.length || blocks[block] == null ? 0 : blocks[block][slot & BLOCK - 1];
  }

  /** Makes all rates of a slot 0. */
  void clear(int slot) {
    for (int column = 0; column < Measure.COLUMNS; column++) {
      set(column, slot, 0);
    }
  }

  /** Says of which slots something is known from now on; not changed any more. */
  void known(BitSet now) {
    known = now;
  }

  /** The slots of which something is known. */
  BitSet known() {
    return known;
  }

  /** The rates of a slot; empty if nothing is known. */
  Optional<Rates> rates(int slot, Direction direction) {
    return rates(slot, direction, known);
  }

  /** The same by what is known of a sweep that goes on. */
  Optional<Rates> rates(int slot, Direction direction, BitSet known) {
    if (slot < 0 || !known.get(slot)) {
      return Optional.empty();
    }
    double[] values = new double[Measure.COUNT];
    for (int i = 0; i < values.length; i++) {
      values[i] = Compact.value(code(Measure.column(i, direction), slot));
    }
    return Optional.of(rates(values));
  }

  /** A number by which subscribers are ordered; 0 for none. */
  long rank(Usage.Order by, Direction direction, int slot) {
    return switch (by) {
      case RATE -> value(Measure.GOT, direction, slot);
      case DROPS ->
          value(Measure.POLICED, direction, slot)
              + value(Measure.OVERFLOWED, direction, slot)
              + value(Measure.DROPPED, direction, slot);
      case DELAY -> delay(direction, slot);
    };
  }

  private long value(Measure measure, Direction direction, int slot) {
    return Compact.value(code(Measure.column(measure.ordinal(), direction), slot));
  }

  private long delay(Direction direction, int slot) {
    double[] waits = new double[Measure.COUNT - Measure.FIRST_WAIT];
    for (int i = 0; i < waits.length; i++) {
      waits[i] = Compact.value(code(Measure.column(Measure.FIRST_WAIT + i, direction), slot));
    }
    return Delay.of(waits).map(delay -> Math.round(1_000 * delay.p95())).orElse(0L);
  }

  /** Rates of a direction by the place of {@link Measure}. */
  static Rates rates(double[] values) {
    return new Rates(
        Math.round(values[Measure.OFFERED.ordinal()]),
        Math.round(values[Measure.GOT.ordinal()]),
        Math.round(values[Measure.POLICED.ordinal()]),
        Math.round(values[Measure.OVERFLOWED.ordinal()]),
        Math.round(values[Measure.SUSPENDED.ordinal()]),
        Math.round(values[Measure.DROPPED.ordinal()]),
        Delay.of(Arrays.copyOfRange(values, Measure.FIRST_WAIT, Measure.COUNT)));
  }
}
