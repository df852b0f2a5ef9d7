package net.sluice.core.network;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import net.sluice.core.store.IntentStore;

/**
 * The records of one kind at several switches, by id, read from their stores as they are asked for.
 * A record that several switches have comes once for each.
 */
final class StoredRecords<T> {
  /** A record and the switch whose it is. */
  record Stored<T>(String switchName, T record) {}

  /** A scan of {@link IntentStore}. */
  interface Scan<T> {
    /** Passes on at most {@code limit} records with greater ids; tells how many. */
    int records(String afterId, long skip, int limit, Consumer<? super T> out);
  }

  private final Function<? super T, String> id;
  private final int chunkRecords;
  private final PriorityQueue<Source> sources;

  /**
   * The records after an id.
   *
   * @param stores by name of the switch
   * @param afterId "" for all
   * @param chunkRecords records of a switch that are read at a time
   */
  StoredRecords(
      Map<String, IntentStore> stores,
      Function<IntentStore, Scan<T>> scan,
      Function<? super T, String> id,
      String afterId,
      int chunkRecords) {
    this.id = id;
    this.chunkRecords = chunkRecords;
    sources =
        new PriorityQueue<>(
            Math.max(1, stores.size()), Comparator.comparing(source -> id.apply(source.first())));
    stores.forEach((name, store) -> add(new Source(name, scan.apply(store), afterId)));
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
    return id.apply(sources.element().first());
  }

  Stored<T> next() {
    Source source = sources.remove();
    Stored<T> next = new Stored<>(source.switchName, source.chunk.remove());
    add(source);
    return next;
  }

  private final class Source {
    private final String switchName;
    private final Scan<T> scan;
    private final Deque<T> chunk = new ArrayDeque<>();
    private String last;
    private boolean isRead;

    Source(String switchName, Scan<T> scan, String afterId) {
      this.switchName = switchName;
      this.scan = scan;
      this.last = afterId;
    }

    /** The next; null after the last. */
    T first() {
      if (chunk.isEmpty() && !isRead) {
        isRead = scan.records(last, 0, chunkRecords, chunk::add) < chunkRecords;
        last = chunk.isEmpty() ? last : id.apply(chunk.getLast());
      }
      return chunk.peek();
    }
  }
}
