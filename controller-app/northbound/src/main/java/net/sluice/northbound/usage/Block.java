package net.sluice.northbound.usage;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import net.sluice.intents.value.Direction;

/**
 * The rates of some slots over one time, as they are written: a bit for each slot that is known,
 * then for each column a bit for each slot where it is not 0, and the numbers there, their high
 * bytes before their low ones. What was offered is written as the difference from what was got, and
 * waits as shares of 255; great numbers are rounded. All of it is compressed.
 *
 * <p>Not thread-safe; one is used for many.
 */
final class Block {
  /** Slots. */
  static final int SLOTS = 1024;

  private static final int BITMAP = SLOTS / Byte.SIZE;
  private static final int WHOLE_SHARE = 255;

  /** Codes below that are numbers themselves. */
  private static final int EXACT = 4_096;

  private static final int MOST_BYTES = BITMAP + Measure.COLUMNS * (1 + BITMAP + 2 * SLOTS);

  /** The known slots. */
  final BitSet known = new BitSet(SLOTS);

  /** Codes of {@link Compact} by column and slot; of waits any numbers in proportion. */
  final short[][] codes = new short[Measure.COLUMNS][SLOTS];

  private final byte[] plain = new byte[MOST_BYTES];
  private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
  private final Inflater inflater = new Inflater(true);
  private final short[] column = new short[SLOTS];

  /** Nothing is known. */
  void clear() {
    known.clear();
    for (short[] each : codes) {
      Arrays.fill(each, (short) 0);
    }
  }

  // ---------------------------------------------------------------- writing

  /** Adds it to a buffer that has room for {@link #MOST_BYTES}; nothing if nothing is known. */
  void write(ByteBuffer to) {
    if (known.isEmpty()) {
      return;
    }
    ByteBuffer out = ByteBuffer.wrap(plain);
    out.put(bitmap(known));
    for (int i = 0; i < Measure.COLUMNS; i++) {
      prepare(i);
      writeColumn(i, out);
    }
    deflater.reset();
    deflater.setInput(plain, 0, out.position());
    deflater.finish();
    to.position(
        to.position()
            + deflater.deflate(to.array(), to.arrayOffset() + to.position(), to.remaining()));
  }

  /** Room that is enough for any. */
  static int mostBytes() {
    return MOST_BYTES + MOST_BYTES / 8 + 64;
  }

  private static byte[] bitmap(BitSet of) {
    return Arrays.copyOf(of.toByteArray(), BITMAP);
  }

  /** Puts the numbers of a column, as they are written, into {@link #column}. */
  private void prepare(int of) {
    int measure = of % Measure.COUNT;
    int first = of - measure;
    if (measure == Measure.OFFERED.ordinal()) {
      short[] got = codes[first + Measure.GOT.ordinal()];
      for (int i = 0; i < SLOTS; i++) {
        int difference = (short) (rounded(codes[of][i]) - rounded(got[i]));
        column[i] = (short) (difference << 1 ^ difference >> Short.SIZE - 1);
      }
    } else if (Measure.isWait(of)) {
      for (int i = 0; i < SLOTS; i++) {
        column[i] = codes[of][i] == 0 ? 0 : share(first, of, i);
      }
    } else {
      for (int i = 0; i < SLOTS; i++) {
        column[i] = rounded(codes[of][i]);
      }
    }
  }

  /** To 0.1 %: the last two bits are worth an eighth of all that is written. */
  private static short rounded(short code) {
    int bits = code & 0xffff;
    return bits < EXACT ? code : (short) Math.min(bits + 2 & ~3, 0xfffc);
  }

  /** At least 1: what waited is never told as not there. */
  private short share(int first, int of, int slot) {
    long all = 0;
    for (int i = Measure.FIRST_WAIT; i < Measure.COUNT; i++) {
      all += Compact.value(codes[first + i][slot]);
    }
    return (short)
        Math.max(1, Math.round((double) WHOLE_SHARE * Compact.value(codes[of][slot]) / all));
  }

  private void writeColumn(int of, ByteBuffer out) {
    BitSet there = new BitSet(SLOTS);
    for (int i = known.nextSetBit(0); i >= 0; i = known.nextSetBit(i + 1)) {
      if (column[i] != 0) {
        there.set(i);
      }
    }
    out.put((byte) (there.isEmpty() ? 0 : 1));
    if (there.isEmpty()) {
      return;
    }
    out.put(bitmap(there));
    if (!Measure.isWait(of)) {
      there.stream().forEach(i -> out.put((byte) (column[i] >>> Byte.SIZE)));
    }
    there.stream().forEach(i -> out.put((byte) column[i]));
  }

  // ---------------------------------------------------------------- reading

  /**
   * Reads what {@link #write} has written; 0 bytes are a block of which nothing is known.
   *
   * @throws DataFormatException if it is none
   */
  void read(byte[] bytes, int from, int length) throws DataFormatException {
    clear();
    if (length == 0) {
      return;
    }
    inflater.reset();
    inflater.setInput(bytes, from, length);
    int size = inflater.inflate(plain);
    if (!inflater.finished()) {
      throw new DataFormatException("a block is longer than any");
    }
    ByteBuffer in = ByteBuffer.wrap(plain, 0, size);
    try {
      known.or(bits(in));
      for (int i = 0; i < Measure.COLUMNS; i++) {
        readColumn(i, in);
      }
    } catch (BufferUnderflowException e) {
      throw new DataFormatException("a block is too short");
    }
    for (Direction direction : Direction.values()) {
      short[] offered = codes[Measure.column(Measure.OFFERED.ordinal(), direction)];
      short[] got = codes[Measure.column(Measure.GOT.ordinal(), direction)];
      for (int i = 0; i < SLOTS; i++) {
        int zigzag = offered[i] & 0xffff;
        offered[i] = (short) (got[i] + (zigzag >>> 1 ^ -(zigzag & 1)));
      }
    }
  }

  private static BitSet bits(ByteBuffer in) {
    byte[] bitmap = new byte[BITMAP];
    in.get(bitmap);
    return BitSet.valueOf(bitmap);
  }

  private void readColumn(int of, ByteBuffer in) {
    if (in.get() == 0) {
      return;
    }
    BitSet there = bits(in);
    short[] to = codes[of];
    if (!Measure.isWait(of)) {
      there.stream().forEach(i -> to[i] = (short) (in.get() << Byte.SIZE));
    }
    there.stream().forEach(i -> to[i] = (short) (to[i] | in.get() & 0xff));
  }

  /** Ends it; it is not used any more. */
  void end() {
    deflater.end();
    inflater.end();
  }
}
