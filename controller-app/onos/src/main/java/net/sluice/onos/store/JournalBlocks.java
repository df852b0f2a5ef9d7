package net.sluice.onos.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.sluice.core.store.Journal;

/** Records of a restored journal in blocks: the newest of them, if they are too many for it. */
final class JournalBlocks {
  /** That of the instance that writes the blocks, before another one takes the journal over. */
  private static final long EPOCH = 1;

  private final TreeMap<Long, JournalBlock> blocks = new TreeMap<>();
  private long bytes;
  private long last;

  /** Adds the next record. */
  void add(Journal.Entry entry) {
    Journal.Item item = new Journal.Item(entry.count(), entry.bytes());
    boolean isNext =
        blocks.isEmpty()
            || entry.number() != last + 1
            || blocks.lastEntry().getValue().content().length + JournalBlock.size(item)
                > ClusterJournal.BLOCK_BYTES;
    long key = isNext ? entry.number() : blocks.lastKey();
    JournalBlock block = isNext ? JournalBlock.empty(EPOCH, Map.of()) : blocks.get(key);
    blocks.put(key, block.with(List.of(item), entry.at(), false, Map.of()));
    last = entry.last();
    bytes += JournalBlock.size(item);
    while (bytes > ClusterJournal.MOST_BYTES && blocks.size() > 1) {
      bytes -= blocks.pollFirstEntry().getValue().content().length;
    }
  }

  /** The number of the record that would be {@link #append}ed. */
  long next() {
    return last + Journal.SKIPPED + 1;
  }

  /** Adds records with numbers that the store of the backup has not given since. */
  void append(List<Journal.Item> items, Instant at) {
    long number = next();
    for (Journal.Item each : items) {
      add(new Journal.Entry(number, each.count(), at, each.bytes()));
      number = last + 1;
    }
  }

  /**
   * Writes them, and behind them an empty block: the store of the backup may have given the numbers
   * before it to records that the backup does not have.
   */
  void write(ClusterMap map) {
    blocks.put(next(), JournalBlock.empty(EPOCH, Map.of()));
    map.forEach(
        "writing a journal",
        blocks.entrySet(),
        each -> map.insert(ClusterJournal.key(each.getKey()), each.getValue().encode()));
  }
}
