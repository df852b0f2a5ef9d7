package net.sluice.core.network;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;
import java.util.PriorityQueue;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.StoredRecord;
import net.sluice.intents.model.Kind;

/**
 * The records of one kind at several switches, by id, read from their stores as they are asked for.
 * A record that several switches have comes once for each.
 */
final class StoredRecords {
  /** A record and the switch whose it is. */
  record Stored(String switchName, StoredRecord record) {}

  private final Kind kind;
  private final int chunkRecords;
  private final PriorityQueue<Source> sources;

  /**
   * The records after an id.
   *
   * @param stores by name of the switch
   * @param afterId "" for all
   * @param chunkRecords records of a switch that are read at a time
   */
  StoredRecords(Map<String, IntentStore> stores, Kind kind, String afterId, int chunkRecords) {
    this.kind = kind;
    this.chunkRecords = chunkRecords;
    sources =
        new PriorityQueue<>(
            Math.max(1, stores.size()), Comparator.comparing(source -> source.first().id()));
    stores.forEach((name, store) -> add(new Source(name, store, afterId)));
  }

  private void add(Source source) {
    if (source.first() != null) {
      sources.add(source);
    }
  }

  boolean hasNext() {
    return !sources.isEmpty();
  }

  /** The id of the next record; there has to be one. */
  String nextId() {
    return sources.element().first().id();
  }

  Stored next() {
    Source source = sources.remove();
    Stored next = new Stored(source.switchName, source.chunk.remove());
    add(source);
    return next;
  }

  private final class Source {
    private final String switchName;
    private final IntentStore store;
    private final Deque<StoredRecord> chunk = new ArrayDeque<>();
    private String last;
    private boolean isRead;

    Source(String switchName, IntentStore store, String afterId) {
      this.switchName = switchName;
      this.store = store;
      this.last = afterId;
    }

    /** The next; null after the last. */
    StoredRecord first() {
      if (chunk.isEmpty() && !isRead) {
        isRead = store.scan(kind, last, 0, chunkRecords, chunk::add) < chunkRecords;
        last = chunk.isEmpty() ? last : chunk.getLast().id();
      }
      return chunk.peek();
    }
  }
}
