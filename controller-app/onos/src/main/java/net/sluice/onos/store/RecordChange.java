package net.sluice.onos.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One record of one block, as it is to be. Doing it twice is the same as doing it once.
 *
 * @param block key of the block
 * @param id of the record
 * @param record the record, or null if it is to go
 */
record RecordChange(String block, String id, byte[] record) {
  private static final int GONE = 0;
  private static final int PRESENT = 1;

  /** The changes as bytes. */
  static byte[] encode(List<RecordChange> changes) {
    int size = 0;
    for (RecordChange change : changes) {
      size += 3 + change.block.length() + change.id.length();
      size += change.record == null ? 0 : 2 + change.record.length;
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    for (RecordChange change : changes) {
      text(out, change.block);
      text(out, change.id);
      if (change.record == null) {
        out.put((byte) GONE);
      } else {
        out.put((byte) PRESENT).putShort((short) change.record.length).put(change.record);
      }
    }
    return out.array();
  }

  /** The changes of bytes; throws {@code BufferUnderflowException} if they are cut short. */
  static List<RecordChange> decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    List<RecordChange> changes = new ArrayList<>();
    while (in.hasRemaining()) {
      String block = text(in);
      String id = text(in);
      byte[] record = null;
      if (in.get() == PRESENT) {
        record = new byte[in.getShort() & 0xffff];
        in.get(record);
      }
      changes.add(new RecordChange(block, id, record));
    }
    return changes;
  }

  private static void text(ByteBuffer out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    out.put((byte) bytes.length).put(bytes);
  }

  private static String text(ByteBuffer in) {
    byte[] bytes = new byte[in.get() & 0xff];
    in.get(bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
