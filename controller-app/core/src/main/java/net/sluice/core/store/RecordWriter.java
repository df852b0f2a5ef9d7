package net.sluice.core.store;

import java.util.Arrays;

/** Writes big-endian fields; reused from record to record. */
final class RecordWriter {
  private byte[] bytes = new byte[256];
  private int size;

  RecordWriter start() {
    size = 0;
    return this;
  }

  void u8(int value) {
    if (size == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * size);
    }
    bytes[size++] = (byte) value;
  }

  void u16(int value) {
    u8(value >>> 8);
    u8(value);
  }

  void i32(int value) {
    u16(value >>> 16);
    u16(value);
  }

  void i64(long value) {
    i32((int) (value >>> 32));
    i32((int) value);
  }

  void leadingBytes(long value, int count) {
    for (int i = 0; i < count; i++) {
      u8((int) (value >>> (56 - 8 * i)));
    }
  }

  /** ASCII, at most 255 characters. */
  void text(String text) {
    u8(text.length());
    for (int i = 0; i < text.length(); i++) {
      u8(text.charAt(i));
    }
  }

  /** A tag of 8 bits, the length of what {@code content} writes in 16 bits, and that. */
  void part(int tag, Runnable content) {
    u8(tag);
    int lengthAt = size;
    u16(0);
    content.run();
    int length = size - lengthAt - 2;
    bytes[lengthAt] = (byte) (length >>> 8);
    bytes[lengthAt + 1] = (byte) length;
  }

  byte[] take() {
    return Arrays.copyOf(bytes, size);
  }
}
