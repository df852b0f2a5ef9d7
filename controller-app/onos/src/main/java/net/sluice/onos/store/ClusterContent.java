package net.sluice.onos.store;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import java.util.function.LongFunction;
import net.sluice.core.store.Journal;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreCodec;
import net.sluice.core.store.StoreContent;
import net.sluice.core.store.StoreHistory;

/**
 * Makes the content of a backup that of maps that nothing uses yet. It is whole after {@link #end}.
 */
final class ClusterContent implements StoreContent {
  /** Records of one commit: the blocks that it touches are written once. */
  private static final int BATCH = 32_768;

  private final ClusterNetworkStore store;
  private final BiPredicate<String, byte[]> declares;
  private final Map<String, JournalBlocks> journals = new LinkedHashMap<>();
  private final Deque<CompletableFuture<?>> documents = new ArrayDeque<>();
  private StoreBatch batch = new StoreBatch();
  private int waiting;
  private String switchName = "";
  private long tooLarge;

  /**
   * Into the maps of a store that is not open.
   *
   * @param declares whether the declaration of a switch, by its name, is taken
   */
  ClusterContent(ClusterNetworkStore store, BiPredicate<String, byte[]> declares) {
    this.store = store;
    this.declares = declares;
  }

  @Override
  public void identity(long identity) {
    store.beginAs(identity);
  }

  @Override
  public void lastSeen(Map<String, Long> numbers) {
    store.lastSeen(numbers);
  }

  @Override
  public void history(String name, StoreHistory history) {
    store.begin(name, history);
  }

  @Override
  public void declaration(String name, byte[] document) {
    if (declares.test(name, document)) {
      store.declare(name, Optional.of(document));
    }
  }

  @Override
  public void record(String name, Kind kind, String id, byte[] value) {
    if (!name.equals(switchName) || waiting == BATCH) {
      commit();
      switchName = name;
    }
    switch (kind) {
      case SUBSCRIBER -> batch.put(StoreCodec.subscriber(id, value));
      case POLICY -> batch.put(StoreCodec.policy(id, value));
      case RATE_LIMIT -> batch.put(StoreCodec.rateLimit(id, value));
      case TARIFF -> batch.put(StoreCodec.tariff(id, value));
    }
    waiting++;
  }

  private void commit() {
    if (waiting > 0) {
      store.of(switchName).commit(batch);
      batch = new StoreBatch();
      waiting = 0;
    }
  }

  @Override
  public void entry(String journal, Journal.Entry entry) {
    journals.computeIfAbsent(journal, unused -> new JournalBlocks()).add(entry);
  }

  @Override
  public void document(String of, String name, byte[] bytes) {
    if (bytes.length > ClusterDocuments.MAX_BYTES) {
      tooLarge++;
      return;
    }
    if (documents.size() == ClusterMap.AT_ONCE) {
      store.documentsOf(of).await("writing documents", documents.remove());
    }
    documents.add(store.documentsOf(of).write(name, bytes));
  }

  /**
   * Adds records to a journal behind those of the backup.
   *
   * @param records made for the number of the first of them
   */
  void append(String journal, LongFunction<List<Journal.Item>> records, Instant at) {
    JournalBlocks blocks = journals.computeIfAbsent(journal, unused -> new JournalBlocks());
    blocks.append(records.apply(blocks.next()), at);
  }

  /** Writes what is left; the number of documents that are too large for the cluster. */
  long end() {
    commit();
    documents.forEach(each -> store.documentsOf("").await("writing documents", each));
    journals.forEach((name, blocks) -> blocks.write(store.journalOf(name)));
    return tooLarge;
  }
}
