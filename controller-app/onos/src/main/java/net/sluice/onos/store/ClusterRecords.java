package net.sluice.onos.store;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.sluice.core.store.Journal;
import net.sluice.core.store.StoreException;

/**
 * The records of the changes of a commit, as they are kept with it until they are in their journal.
 *
 * @param journal its name
 * @param items the records; none if the commit tells of no change
 */
record ClusterRecords(String journal, List<Journal.Item> items) {
  static final ClusterRecords NONE = new ClusterRecords("", List.of());

  boolean isEmpty() {
    return items.isEmpty();
  }

  byte[] encode() {
    if (isEmpty()) {
      return new byte[0];
    }
    byte[] name = journal.getBytes(StandardCharsets.US_ASCII);
    int size = 1 + name.length;
    for (Journal.Item item : items) {
      size += 2 * Integer.BYTES + item.bytes().length;
    }
    ByteBuffer out = ByteBuffer.allocate(size).put((byte) name.length).put(name);
    for (Journal.Item item : items) {
      out.putInt(item.count()).putInt(item.bytes().length).put(item.bytes());
    }
    return out.array();
  }

  static ClusterRecords decode(byte[] bytes) {
    if (bytes.length == 0) {
      return NONE;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      byte[] name = new byte[in.get()];
      in.get(name);
      List<Journal.Item> items = new ArrayList<>();
      while (in.hasRemaining()) {
        int count = in.getInt();
        byte[] record = new byte[in.getInt()];
        in.get(record);
        items.add(new Journal.Item(count, record));
      }
      return new ClusterRecords(new String(name, StandardCharsets.US_ASCII), items);
    } catch (BufferUnderflowException e) {
      throw new StoreException("the records of a commit in the cluster's store are cut short", e);
    }
  }
}
