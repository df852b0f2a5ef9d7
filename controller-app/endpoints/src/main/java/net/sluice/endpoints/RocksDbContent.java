package net.sluice.endpoints;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.core.store.Journal;
import net.sluice.core.store.StoreContent;
import net.sluice.core.store.StoreHistory;

/**
 * Makes the content of another store that of an empty one, which nothing else uses meanwhile. It is
 * whole, and on the disk, after {@link #end}.
 */
final class RocksDbContent implements StoreContent {
  /** A batch of as many bytes is written. */
  private static final int BATCH_BYTES = 1 << 20;

  private final RocksDatabase database;

  /** Written together when they are {@link #BATCH_BYTES} or more. */
  private final List<RocksDatabase.Adding> waiting = new ArrayList<>();

  private int waitingBytes;

  /** By name of a journal, the bytes of its records so far. */
  private final Map<String, Long> bytes = new HashMap<>();

  private long documents;

  RocksDbContent(RocksDatabase database) {
    this.database = database;
  }

  private static byte[] ascii(String key) {
    return key.getBytes(StandardCharsets.ISO_8859_1);
  }

  private void put(String key, byte[] value) {
    add(
        value.length,
        batch -> batch.put(database.family(RocksDatabase.DEFAULT), ascii(key), value));
  }

  private void add(int size, RocksDatabase.Adding adding) {
    waiting.add(adding);
    waitingBytes += size;
    if (waitingBytes >= BATCH_BYTES) {
      write();
    }
  }

  private void write() {
    database.write(
        batch -> {
          for (RocksDatabase.Adding each : waiting) {
            each.addTo(batch);
          }
        });
    waiting.clear();
    waitingBytes = 0;
  }

  @Override
  public void identity(long identity) {
    put(RocksDbIntentStore.IDENTITY_KEY, RocksDbIntentStore.bytes(identity));
  }

  @Override
  public void lastSeen(Map<String, Long> numbers) {
    numbers.forEach(
        (name, number) ->
            put(RocksDbIntentStore.SEEN_KEY + name, RocksDbIntentStore.bytes(number)));
  }

  @Override
  public void history(String switchName, StoreHistory history) {
    String prefix = RocksDbIntentStore.prefix(switchName);
    put(
        RocksDbIntentStore.REVISION_KEY + prefix,
        RocksDbIntentStore.bytes(history.revision().number()));
    put(RocksDbIntentStore.OPENINGS_KEY + prefix, history.openings());
  }

  @Override
  public void declaration(String switchName, byte[] document) {
    put(RocksDbIntentStore.SWITCH_KEY + switchName, document);
  }

  @Override
  public void record(String switchName, Kind kind, String id, byte[] value) {
    String prefix = RocksDbIntentStore.prefix(switchName);
    String family = RocksDbIntentStore.families(switchName).get(kind.ordinal());
    database.make(RocksDbIntentStore.families(switchName));
    add(value.length, batch -> batch.put(database.family(family), ascii(prefix + id), value));
  }

  @Override
  public void entry(String journal, Journal.Entry entry) {
    database.make(List.of(RocksDbJournal.FAMILY));
    long before = bytes.getOrDefault(journal, 0L);
    bytes.put(journal, before + entry.bytes().length);
    add(
        entry.bytes().length,
        batch -> RocksDbJournal.restore(database, batch, journal, entry, before));
  }

  @Override
  public void document(String of, String name, byte[] content) {
    database.make(List.of(RocksDbDocuments.FAMILY));
    long version = ++documents;
    add(
        content.length,
        batch -> RocksDbDocuments.restore(database, batch, of, name, version, content));
  }

  /** Writes what is left. */
  void end() {
    write();
    database.sync();
  }
}
