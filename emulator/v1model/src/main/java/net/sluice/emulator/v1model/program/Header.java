package net.sluice.emulator.v1model.program;

import java.util.List;

/**
 * A header or metadata instance.
 *
 * @param name P4 name
 * @param index position among all instances of the program
 * @param metadata true if it is always valid and never on the wire
 * @param fields its fields, first on the wire first
 */
public record Header(String name, int index, boolean metadata, List<Field> fields) {

  /**
   * A field of a header.
   *
   * @param name P4 name within the header
   * @param index position in the header
   * @param widthBits at least 1, or 0 of a field of variable length
   * @param signed whether its value is a two's complement number
   * @param saturating whether a value that does not fit is clamped instead of truncated
   * @param offsetBits where it starts in the header if a field of variable length is empty
   */
  public record Field(
      String name, int index, int widthBits, boolean signed, boolean saturating, int offsetBits) {}

  /** A field of one header instance. */
  public record Ref(Header header, Field field) {

    /** P4 name, with the header's. */
    public String name() {
      return header.name() + "." + field.name();
    }
  }

  /** Length of the header without its variable-length field, bits. */
  public int widthBits() {
    if (fields.isEmpty()) {
      return 0;
    }
    Field last = fields.get(fields.size() - 1);
    return last.offsetBits() + last.widthBits();
  }

  /**
   * Whether a field is of variable length; there is at most one. That field counts as 0 bits wide;
   * its value lies apart from those of the others.
   */
  public boolean isVariable() {
    return variable() != null;
  }

  /** The field of variable length, or null. */
  public Field variable() {
    for (Field field : fields) {
      if (field.widthBits() == 0) {
        return field;
      }
    }
    return null;
  }

  /** The field of that name, or null. */
  public Ref find(String fieldName) {
    for (Field field : fields) {
      if (field.name().equals(fieldName)) {
        return new Ref(this, field);
      }
    }
    return null;
  }
}
