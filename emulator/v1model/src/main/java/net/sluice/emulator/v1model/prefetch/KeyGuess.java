package net.sluice.emulator.v1model.prefetch;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.table.WordLayout;

/** A guess of a table's key, read from a packet without parsing it. */
final class KeyGuess {

  /** Most guesses per key; with more, most loads are wasted. */
  private static final int MOST = 4;

  /**
   * Bits of a packet that go into a word of the key.
   *
   * @param fromBit their offset in the packet
   * @param widthBits 1..64
   * @param shift their position in the word
   */
  private record Part(int word, int shift, int fromBit, int widthBits) {}

  private final Part[] parts;
  private final int bytes;

  private KeyGuess(List<Part> parts) {
    this.parts = parts.toArray(new Part[0]);
    int bits = 0;
    for (Part part : parts) {
      bits = Math.max(bits, part.fromBit + part.widthBits);
    }
    bytes = (bits + 7) / 8;
  }

  /**
   * The guesses for a table with such a key: as many as the key field with the most sources has;
   * sources of the others repeat. None if a key field is not from the packet, or may be from more
   * than {@value #MOST} places.
   *
   * @param places offsets of headers, bits from the start of a packet
   */
  static List<KeyGuess> of(
      List<Program.KeyField> key,
      WordLayout layout,
      CopiedFields copied,
      Map<Header, Integer> places) {
    List<List<Integer>> starts = new ArrayList<>();
    int count = 0;
    for (Program.KeyField field : key) {
      List<Integer> from = starts(field, copied, places);
      if (from.isEmpty() || from.size() > MOST) {
        return List.of();
      }
      starts.add(from);
      count = Math.max(count, from.size());
    }
    List<KeyGuess> guesses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<Part> parts = new ArrayList<>();
      for (int f = 0; f < starts.size(); f++) {
        List<Integer> from = starts.get(f);
        add(layout.fields().get(f), from.get(i % from.size()), parts);
      }
      guesses.add(new KeyGuess(parts));
    }
    return guesses;
  }

  /** Possible offsets of a key field in a packet, bits. */
  private static List<Integer> starts(
      Program.KeyField field, CopiedFields copied, Map<Header, Integer> places) {
    List<Integer> starts = new ArrayList<>();
    if (field.source() instanceof Expr.FieldValue fieldValue && isWhole(field)) {
      for (Header.Ref ref : copied.of(fieldValue.ref())) {
        Integer place = places.get(ref.header());
        if (place != null && !ref.header().isVariable()) {
          starts.add(place + ref.field().offsetBits());
        }
      }
    }
    return starts;
  }

  private static boolean isWhole(Program.KeyField field) {
    return field.staticMask() == null
        || field
            .staticMask()
            .equals(BigInteger.ONE.shiftLeft(field.widthBits()).subtract(BigInteger.ONE));
  }

  /** The words of a wide field are in the packet with the least significant one last. */
  private static void add(WordLayout.Field field, int fromBit, List<Part> parts) {
    for (int w = 0; w < field.words(); w++) {
      int width = Math.min(Long.SIZE, field.widthBits() - Long.SIZE * w);
      int from = fromBit + field.widthBits() - Long.SIZE * w - width;
      parts.add(new Part(field.word() + w, field.shift(), from, width));
    }
  }

  /**
   * Reads the guess.
   *
   * @param into receives the words of the key
   * @return false if the packet is too short for it
   */
  boolean read(byte[] packet, int offset, int length, long[] into) {
    if (length < bytes) {
      return false;
    }
    for (int i = 0; i < into.length; i++) {
      into[i] = 0;
    }
    for (Part part : parts) {
      into[part.word] |= bits(packet, offset, part.fromBit, part.widthBits) << part.shift;
    }
    return true;
  }

  private static long bits(byte[] packet, int offset, int fromBit, int widthBits) {
    int end = fromBit + widthBits;
    int last = end - 1 >> 3;
    int below = (last + 1 << 3) - end;
    long value = (packet[offset + last] & 0xff) >>> below;
    int have = 8 - below;
    for (int at = last - 1; have < widthBits; at--) {
      value |= (packet[offset + at] & 0xffL) << have;
      have += 8;
    }
    return widthBits == Long.SIZE ? value : value & (1L << widthBits) - 1;
  }
}
