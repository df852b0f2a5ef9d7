package net.sluice.emulator.v1model.table;

import java.util.ArrayList;
import java.util.List;

/**
 * The layout of a table key's fields, or of an action's parameters, in the 64-bit words that a
 * table stores. Fields of at most 64 bits share words but never straddle two; wider fields take
 * whole words, the least significant first. In keys with a range field every field has a word of
 * its own, so that words can be compared as numbers.
 */
public final class WordLayout {

  /** A field: its P4 name, match kind and width in bits (at least 1). */
  public record FieldSpec(String name, MatchKind kind, int widthBits) {}

  /**
   * A field with its position.
   *
   * @param word index of the word with the field's least significant bits
   * @param shift position of the field's lowest bit in that word; 0 for fields wider than 64 bits
   */
  public record Field(String name, MatchKind kind, int widthBits, int word, int shift) {

    /** Words the field takes. */
    public int words() {
      return (widthBits + 63) / 64;
    }

    /** All ones over the field's bits in its {@code i}-th word, in place. */
    public long maskOf(int i) {
      return WordLayout.ones(Math.min(64, widthBits - 64 * i)) << shift;
    }
  }

  private final List<Field> fields;
  private final long[] fullMask;

  private WordLayout(List<Field> fields, int words) {
    this.fields = List.copyOf(fields);
    this.fullMask = new long[words];
    for (Field field : fields) {
      for (int i = 0; i < field.words(); i++) {
        fullMask[field.word() + i] |= field.maskOf(i);
      }
    }
  }

  /** Places fields in the order given. */
  public static WordLayout of(List<FieldSpec> specs) {
    boolean separate = specs.stream().anyMatch(f -> f.kind() == MatchKind.RANGE);
    List<Field> placed = new ArrayList<>();
    int words = 0;
    int usedBits = 64;
    for (FieldSpec spec : specs) {
      int width = spec.widthBits();
      if (!separate && width <= 64 && usedBits + width <= 64) {
        placed.add(new Field(spec.name(), spec.kind(), width, words - 1, usedBits));
        usedBits += width;
      } else {
        placed.add(new Field(spec.name(), spec.kind(), width, words, 0));
        words += (width + 63) / 64;
        usedBits = width <= 64 ? width : 64;
      }
    }
    return new WordLayout(placed, words);
  }

  /** The fields in key order. */
  public List<Field> fields() {
    return fields;
  }

  /** Words of a key. */
  public int words() {
    return fullMask.length;
  }

  /** Bits of a word that belong to some field. */
  public long fullMask(int word) {
    return fullMask[word];
  }

  /** The longest-prefix field, or null. */
  public Field prefixField() {
    for (Field field : fields) {
      if (field.kind() == MatchKind.LPM) {
        return field;
      }
    }
    return null;
  }

  /**
   * Writes the mask of a prefix of {@code field} into the words of {@code mask}, leaving other
   * fields' bits alone.
   */
  public static void prefixMask(Field field, int prefixLength, long[] mask) {
    for (int i = 0; i < field.words(); i++) {
      int bitsHere = Math.min(64, field.widthBits() - 64 * i);
      int zeros = Math.min(bitsHere, Math.max(0, field.widthBits() - prefixLength - 64 * i));
      long here = ones(bitsHere) & ~ones(zeros);
      mask[field.word() + i] = mask[field.word() + i] & ~field.maskOf(i) | here << field.shift();
    }
  }

  /** Compares unsigned numbers of {@code n} words, the least significant first. */
  public static int compare(long[] a, int aFrom, long[] b, int bFrom, int n) {
    for (int i = n - 1; i >= 0; i--) {
      int order = Long.compareUnsigned(a[aFrom + i], b[bFrom + i]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /** The lowest {@code bits} bits set, 0 to 64. */
  public static long ones(int bits) {
    return bits >= 64 ? -1L : (1L << bits) - 1;
  }
}
