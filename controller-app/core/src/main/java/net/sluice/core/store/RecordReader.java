package net.sluice.core.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads big-endian fields from a record, and complains if it is too short or too long. */
final class RecordReader {
  private final byte[] bytes;
  private int at;

  RecordReader(byte[] bytes) {
    this.bytes = bytes;
  }

  int u8() {
    return bytes[take(1)] & 0xff;
  }

  int u16() {
    return u8() << 8 | u8();
  }

  int i32() {
    return u16() << 16 | u16();
  }

  long i64() {
    return (long) i32() << 32 | i32() & 0xffff_ffffL;
  }

  /** The first {@code count} of a long's bytes; the others are 0. */
  long leadingBytes(int count) {
    int from = take(count);
    long value = 0;
    for (int i = 0; i < count; i++) {
      value |= (bytes[from + i] & 0xffL) << (56 - 8 * i);
    }
    return value;
  }

  /** A part as {@link RecordWriter#part} wrote it, without its tag. */
  RecordReader part() {
    int length = u16();
    int from = take(length);
    return new RecordReader(Arrays.copyOfRange(bytes, from, from + length));
  }

  String text() {
    int length = u8();
    return new String(bytes, take(length), length, StandardCharsets.ISO_8859_1);
  }

  boolean isAtEnd() {
    return at == bytes.length;
  }

  void end() {
    if (!isAtEnd()) {
      throw new MalformedRecord(bytes.length - at + " bytes too many");
    }
  }

  private int take(int count) {
    int from = at;
    if (bytes.length - from < count) {
      throw new MalformedRecord("cut short at byte " + bytes.length);
    }
    at += count;
    return from;
  }

  /** The bytes are no record; the message says why. */
  static final class MalformedRecord extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedRecord(String message) {
      super(message);
    }
  }
}
