package net.sluice.onos.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import net.sluice.core.store.StoreException;

/**
 * Several records in one value: for each, a byte with the length of its id, the id, two bytes with
 * the length of the record, the record. One value for many records is what lets a million fit: a
 * map entry costs its cluster more than a record has bytes.
 */
final class RecordBlock {
  /** Longest record, in bytes. */
  static final int MAX_RECORD_BYTES = 0xffff;

  private static final byte[] EMPTY = new byte[0];

  private RecordBlock() {}

  /** The record of {@code id}, or null. */
  static byte[] find(byte[] image, String id) {
    ByteBuffer in = ByteBuffer.wrap(image);
    while (in.hasRemaining()) {
      int length = in.get() & 0xff;
      boolean found = length == id.length();
      for (int i = 0; i < length; i++) {
        byte next = in.get();
        found = found && next == (byte) id.charAt(i);
      }
      int size = in.getShort() & 0xffff;
      if (found) {
        byte[] record = new byte[size];
        in.get(record);
        return record;
      }
      in.position(in.position() + size);
    }
    return null;
  }

  /**
   * The records by id, in the order they are in.
   *
   * @throws StoreException if the bytes are no block
   */
  static Map<String, byte[]> records(String key, byte[] image) {
    Map<String, byte[]> records = new LinkedHashMap<>();
    ByteBuffer in = ByteBuffer.wrap(image);
    try {
      while (in.hasRemaining()) {
        byte[] id = new byte[in.get() & 0xff];
        in.get(id);
        byte[] record = new byte[in.getShort() & 0xffff];
        in.get(record);
        records.put(new String(id, StandardCharsets.ISO_8859_1), record);
      }
    } catch (java.nio.BufferUnderflowException e) {
      throw new StoreException("block " + key + " of the cluster's store is cut short", e);
    }
    return records;
  }

  /** The bytes of records; empty if there are none. */
  static byte[] image(Map<String, byte[]> records) {
    if (records.isEmpty()) {
      return EMPTY;
    }
    int size = 0;
    for (Map.Entry<String, byte[]> each : records.entrySet()) {
      size += 3 + each.getKey().length() + each.getValue().length;
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    for (Map.Entry<String, byte[]> each : records.entrySet()) {
      byte[] id = each.getKey().getBytes(StandardCharsets.ISO_8859_1);
      out.put((byte) id.length).put(id);
      out.putShort((short) each.getValue().length).put(each.getValue());
    }
    return out.array();
  }
}
