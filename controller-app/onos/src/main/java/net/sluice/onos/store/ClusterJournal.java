package net.sluice.onos.store;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import net.sluice.core.store.Journal;
import net.sluice.core.store.StoreException;
import org.onosproject.store.service.Versioned;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal in one of the cluster's consistent maps, for one writer at a time: {@link JournalBlock
 * blocks} of which the last one grows, by a replacement of what the writer last knew, until the
 * next one is begun, where none may be yet. A new leader changes the last block and begins another
 * one, so that both fail for the writer before, however late they arrive.
 *
 * <p>What was added and not answered is not given up: it is completed before anything else is
 * added, by this writer or, of what belongs to a commit, by the next one. The writer holds a copy
 * in memory and reads only that.
 *
 * <p>More than 500 lines, because writing and taking over are one protocol.
 */
final class ClusterJournal implements Journal {
  /** A block of as many bytes is followed by the next. */
  static final int BLOCK_BYTES = 32 << 10;

  /** Most bytes that are added to a block at once, but for a single record. */
  static final int LARGEST_BYTES = 256 << 10;

  /** Most bytes of a journal; of more it forgets the oldest by itself. */
  static final long MOST_BYTES = 16L << 20;

  private static final Logger LOGGER = LoggerFactory.getLogger(ClusterJournal.class);
  private static final String ID = "id";
  private static final int ATTEMPTS = 100;

  private final String name;
  private final ClusterMap map;
  private final Clock clock;
  private final KnownCommits known;
  private final Consumer<StoreException> lost;

  /** By number; those above {@link #last} are not added yet. */
  private final ConcurrentNavigableMap<Long, Entry> entries = new ConcurrentSkipListMap<>();

  private final Queue<Addition> waiting = new ConcurrentLinkedQueue<>();

  /** Guards what follows. */
  private final Object writing = new Object();

  /** The keys of the blocks, with the number of the last record of each. */
  private final NavigableMap<Long, Long> blocks = new TreeMap<>();

  private long epoch;
  private long tailKey;
  private JournalBlock tail;

  /** The last block as it is by now, with its version; null to ask for it. */
  private CompletableFuture<Versioned<byte[]>> tailNow;

  private Instant newest = Instant.MIN;
  private long bytes;

  /** Written before anything else; null if nothing is under way. */
  private volatile Attempt attempt;

  private volatile StoreException failure;
  private volatile String id;
  private volatile boolean whole = true;
  private volatile long last;

  /**
   * Records that are to be added.
   *
   * @param recorded the commits that they are of, by name of the switch; empty of others
   */
  private static final class Addition {
    private final List<Item> items;
    private final Map<String, Long> recorded;
    private long first;
    private boolean isDone;

    Addition(List<Item> items, Map<String, Long> recorded) {
      this.items = items;
      this.recorded = recorded;
    }
  }

  /** Additions with the blocks by key that they lead to, the first of which may be there. */
  private record Attempt(List<Addition> additions, NavigableMap<Long, JournalBlock> after) {}

  /**
   * A journal that was not read yet; {@link #takeOver} has to be called.
   *
   * @param map where its blocks are, and no others
   * @param lost told if this instance can no longer write
   */
  ClusterJournal(
      String name, ClusterMap map, Clock clock, KnownCommits known, Consumer<StoreException> lost) {
    this.name = name;
    this.map = map;
    this.clock = clock;
    this.known = known;
    this.lost = lost;
  }

  static String key(long number) {
    return String.format(Locale.ROOT, "%019d", number);
  }

  // ---------------------------------------------------------------- taking over

  /** A block with the version of the value that it is in. */
  private record Kept(JournalBlock block, long version) {}

  /** The blocks of the journal, told from those that do not count. */
  private static final class Found {
    /** The records that count, in blocks by key. */
    private final NavigableMap<Long, Kept> whole = new TreeMap<>();

    /** The newest blocks if what was added with them does not end. */
    private final NavigableMap<Long, Kept> unfinished = new TreeMap<>();

    /** Blocks that do not count: of an instance that did not lead any more, or left unfinished. */
    private final NavigableMap<Long, Kept> stray = new TreeMap<>();

    /** The highest number of a takeover. */
    private long epoch;

    Found(NavigableMap<Long, Kept> all) {
      long writer = 0;
      for (Map.Entry<Long, Kept> each : all.entrySet()) {
        JournalBlock block = each.getValue().block;
        epoch = Math.max(epoch, Math.max(block.epoch(), block.heir()));
        if (block.epoch() < writer) {
          stray.put(each.getKey(), each.getValue());
          continue;
        }
        if (block.epoch() > writer) {
          stray.putAll(unfinished);
          unfinished.clear();
          writer = block.epoch();
        }
        unfinished.put(each.getKey(), each.getValue());
        if (!block.isContinued()) {
          whole.putAll(unfinished);
          unfinished.clear();
        }
      }
    }

    /** The block behind which the last writer would go on; null if there is none. */
    private Map.Entry<Long, Kept> newest() {
      return unfinished.isEmpty() ? whole.lastEntry() : unfinished.lastEntry();
    }

    private Map<String, Long> recorded() {
      return whole.isEmpty() ? Map.of() : whole.lastEntry().getValue().block.recorded();
    }
  }

  /** From here on nothing that another instance adds is taken; what is there is read. */
  void takeOver() {
    synchronized (writing) {
      id = identify();
      boolean isFenced = false;
      for (int round = 0; round < ATTEMPTS; round++) {
        Found found = find();
        if (!isFenced) {
          epoch = found.epoch + 1;
        } else if (found.epoch > epoch) {
          throw deposed();
        }
        Map.Entry<Long, Kept> newest = found.newest();
        long key = 1;
        if (newest != null) {
          Kept kept = newest.getValue();
          key = newest.getKey() + numbers(kept.block);
          if (!kept.block.isEmpty() && kept.block.heir() != epoch) {
            byte[] left = kept.block.leftTo(epoch).encode();
            if (!map.replace(key(newest.getKey()), kept.version, left)) {
              continue;
            }
            isFenced = true;
          }
        }
        if (isBegun(found, key)) {
          return;
        }
      }
    }
    throw new StoreException(
        "journal " + name + " of the cluster changes too often to be taken over");
  }

  /** Begins the block with which this instance goes on, if nothing has come in between. */
  private boolean isBegun(Found found, long end) {
    // In storage that has gone back there are records missing that had numbers.
    long key = Math.max(end, known.lastNumber(name) + 1);
    JournalBlock begun = JournalBlock.empty(epoch, found.recorded());
    Kept instead = found.stray.getOrDefault(key, found.whole.get(key));
    boolean isBegun =
        instead == null
            ? map.putIfAbsent(key(key), begun.encode())
            : map.replace(key(key), instead.version, begun.encode());
    if (isBegun) {
      whole = key == end;
      load(found, key, begun);
    }
    return isBegun;
  }

  private String identify() {
    byte[] kept =
        map.drawn(
            ID,
            () ->
                HexFormat.of()
                    .toHexDigits(new SecureRandom().nextInt())
                    .getBytes(StandardCharsets.US_ASCII));
    return new String(kept, StandardCharsets.US_ASCII);
  }

  private Found find() {
    Set<String> keys = map.allKeys();
    Map<Long, Kept> read = new ConcurrentHashMap<>();
    List<String> ofBlocks = map.own(keys).stream().filter(key -> !key.equals(ID)).toList();
    map.forEach(
        "reading everything",
        ofBlocks,
        key ->
            map.read(key)
                .thenAccept(
                    value -> {
                      if (value != null) {
                        read.put(
                            Long.parseLong(key),
                            new Kept(JournalBlock.decode(key, value.value()), value.version()));
                      }
                    }));
    return new Found(new TreeMap<>(read));
  }

  private static long numbers(JournalBlock block) {
    return block.entries(0, 1).stream().mapToLong(Entry::count).sum();
  }

  private void load(Found found, long key, JournalBlock begun) {
    found.whole.remove(key);
    found.whole.forEach((first, kept) -> keep(first, kept.block, 0, first));
    last = key - 1;
    known.numbered(name, last);
    blocks.put(key, last);
    tailKey = key;
    tail = begun;
    found.stray.putAll(found.unfinished);
    found.stray.remove(key);
    try {
      map.forEach(
          "removing what does not count",
          found.stray.entrySet(),
          stray -> map.remove(key(stray.getKey()), stray.getValue().version));
    } catch (StoreException e) {
      LOGGER.info("journal {}: {}", name, e.getMessage());
    }
  }

  /**
   * Takes records of a block into memory.
   *
   * @param from where in its content they begin
   * @param number the first of their numbers
   */
  private void keep(long key, JournalBlock block, int from, long number) {
    long end = number - 1;
    for (Entry entry : block.entries(from, number)) {
      entries.put(entry.number(), entry);
      bytes += entry.bytes().length;
      newest = entry.at();
      end = entry.last();
    }
    blocks.put(key, end);
  }

  // ---------------------------------------------------------------- adding

  @Override
  public long append(List<Item> items) {
    return append(items, Map.of());
  }

  /**
   * Adds records of commits. If this fails, the leader of then adds them before anything else.
   *
   * @param recorded number of the commit by name of the switch
   */
  long append(List<Item> items, Map<String, Long> recorded) {
    Journal.requireItems(items);
    Addition mine = new Addition(items, recorded);
    waiting.add(mine);
    synchronized (writing) {
      try {
        while (!mine.isDone) {
          write();
        }
      } catch (StoreException e) {
        if (mine.recorded.isEmpty()) {
          // It is not added any more, unless that was begun.
          waiting.remove(mine);
        }
        throw e;
      }
    }
    return mine.first;
  }

  /** The last commit of a switch whose changes are recorded; 0 if there is none. */
  long recorded(String switchName) {
    synchronized (writing) {
      return tail.recorded().getOrDefault(switchName, 0L);
    }
  }

  /** Completes what was begun and not answered, and what commits have to add. */
  void settle() {
    if (failure != null) {
      throw new StoreException(failure.getMessage(), failure);
    }
    if (attempt == null && waiting.isEmpty()) {
      return;
    }
    synchronized (writing) {
      while (attempt != null || waiting.stream().anyMatch(each -> !each.recorded.isEmpty())) {
        write();
      }
    }
  }

  /** Completes what was begun, or else what waits, as much as goes into a few blocks. */
  private void write() {
    if (failure != null) {
      throw new StoreException(failure.getMessage(), failure);
    }
    if (attempt == null) {
      List<Addition> taken = new ArrayList<>();
      for (long size = 0; size < LARGEST_BYTES && !waiting.isEmpty(); ) {
        Addition next = waiting.remove();
        size += next.items.stream().mapToLong(JournalBlock::size).sum();
        taken.add(next);
      }
      attempt = new Attempt(taken, blocks(taken));
    }
    write(attempt);
  }

  /** The blocks as they are to be: the last one with more records, or those that follow it. */
  private NavigableMap<Long, JournalBlock> blocks(List<Addition> additions) {
    List<Item> items = new ArrayList<>();
    Map<String, Long> recorded = new TreeMap<>(tail.recorded());
    for (Addition addition : additions) {
      items.addAll(addition.items);
      recorded.putAll(addition.recorded);
    }
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Instant at = now.isAfter(newest) ? now : newest;
    NavigableMap<Long, JournalBlock> after = new TreeMap<>();
    int size = items.stream().mapToInt(JournalBlock::size).sum();
    boolean isNext = !tail.isEmpty() && tail.content().length + size > BLOCK_BYTES;
    long key = isNext ? last + 1 : tailKey;
    JournalBlock block = isNext ? JournalBlock.empty(epoch, Map.of()) : tail;
    long next = last + 1;
    int from = 0;
    int filled = 0;
    for (int i = 0; i < items.size(); i++) {
      int more = JournalBlock.size(items.get(i));
      if (i > from && filled + more > LARGEST_BYTES) {
        after.put(key, block.with(items.subList(from, i), at, true, tail.recorded()));
        key = next;
        block = JournalBlock.empty(epoch, Map.of());
        from = i;
        filled = 0;
      }
      filled += more;
      next += items.get(i).count();
    }
    after.put(key, block.with(items.subList(from, items.size()), at, false, recorded));
    return after;
  }

  private void write(Attempt of) {
    for (Map.Entry<Long, JournalBlock> each : of.after.entrySet()) {
      if (each.getKey() == tailKey) {
        replaceTail(each.getValue().encode());
      } else {
        insert(key(each.getKey()), each.getValue());
      }
    }
    for (Map.Entry<Long, JournalBlock> each : of.after.entrySet()) {
      boolean grows = each.getKey() == tailKey;
      keep(
          each.getKey(),
          each.getValue(),
          grows ? tail.content().length : 0,
          grows ? last + 1 : each.getKey());
    }
    tailKey = of.after.lastKey();
    tail = of.after.lastEntry().getValue();
    tailNow = map.read(key(tailKey));
    attempt = null;
    long next = last + 1;
    for (Addition addition : of.additions) {
      addition.first = next;
      addition.isDone = true;
      next += addition.items.stream().mapToLong(Item::count).sum();
    }
    last = next - 1;
    known.numbered(name, last);
    if (bytes > MOST_BYTES) {
      makeRoom();
    }
  }

  /** Replaces the last block, if it is not done yet. */
  private void replaceTail(byte[] image) {
    String key = key(tailKey);
    byte[] before = tail.encode();
    for (int round = 0; round < ATTEMPTS; round++) {
      CompletableFuture<Versioned<byte[]>> asked = tailNow == null ? map.read(key) : tailNow;
      tailNow = null;
      Versioned<byte[]> now = map.await("reading " + key, asked);
      if (now == null) {
        throw fail(goneBack());
      }
      if (Arrays.equals(now.value(), image)) {
        return;
      }
      if (!Arrays.equals(now.value(), before)) {
        throw fail(overtaken(JournalBlock.decode(key, now.value())));
      }
      if (map.replace(key, now.version(), image)) {
        return;
      }
    }
    throw changesTooOften();
  }

  /** Begins a block, if that is not done yet. */
  private void insert(String key, JournalBlock block) {
    byte[] image = block.encode();
    for (int round = 0; round < ATTEMPTS; round++) {
      if (map.putIfAbsent(key, image)) {
        return;
      }
      Versioned<byte[]> now = map.get(key);
      if (now != null) {
        if (Arrays.equals(now.value(), image)) {
          return;
        }
        JournalBlock other = JournalBlock.decode(key, now.value());
        if (other.epoch() >= epoch) {
          throw fail(overtaken(other));
        }
        // It came late, from an instance that leads no more.
        if (map.replace(key, now.version(), image)) {
          return;
        }
      }
    }
    throw changesTooOften();
  }

  private StoreException overtaken(JournalBlock by) {
    return by.epoch() > epoch || by.heir() > epoch ? deposed() : goneBack();
  }

  private static StoreException deposed() {
    return new StoreException("another instance leads now");
  }

  private StoreException goneBack() {
    return new StoreException(
        "the cluster's storage has gone back: it has lost records of journal " + name);
  }

  private StoreException changesTooOften() {
    return new StoreException("journal " + name + " of the cluster changes too often");
  }

  private StoreException fail(StoreException reason) {
    failure = reason;
    lost.accept(reason);
    return reason;
  }

  // ---------------------------------------------------------------- reading

  @Override
  public String id() {
    return id;
  }

  /** Also after a failure: nothing is acknowledged that the storage can lose without a trace. */
  @Override
  public boolean isWhole() {
    return whole;
  }

  @Override
  public long first() {
    Map.Entry<Long, Entry> first = entries.firstEntry();
    long end = last;
    return first == null || first.getKey() > end ? end + 1 : first.getKey();
  }

  @Override
  public long last() {
    return last;
  }

  /** Records are in the storage of most of the cluster's members when they are added. */
  @Override
  public void sync(long number) {
    if (number > last) {
      settle();
    }
  }

  @Override
  public List<Entry> read(long from, int maxBytes) {
    if (failure != null) {
      throw new StoreException(failure.getMessage(), failure);
    }
    long end = last;
    Map.Entry<Long, Entry> before = entries.floorEntry(from);
    long begin = before != null && before.getValue().last() >= from ? before.getKey() : from;
    List<Entry> read = new ArrayList<>();
    long size = 0;
    for (Entry entry : entries.tailMap(begin, true).values()) {
      if (entry.number() > end || (size >= maxBytes && !read.isEmpty())) {
        break;
      }
      read.add(entry);
      size += entry.bytes().length;
    }
    return read;
  }

  // ---------------------------------------------------------------- forgetting

  /** Forgets whole blocks: the first one that is kept may have records that could go. */
  @Override
  public void trim(long mostBytes, Instant before) {
    synchronized (writing) {
      settle();
      forget(mostBytes, before);
    }
  }

  private void makeRoom() {
    try {
      forget(MOST_BYTES, Instant.MIN);
    } catch (StoreException e) {
      LOGGER.info("journal {} is not made smaller yet: {}", name, e.getMessage());
    }
  }

  private void forget(long mostBytes, Instant before) {
    if (entries.isEmpty()) {
      return;
    }
    List<Long> gone = new ArrayList<>();
    long left = bytes;
    for (Map.Entry<Long, Long> block : blocks.entrySet()) {
      if (block.getValue() >= entries.lastKey()) {
        break;
      }
      Collection<Entry> of = entries.subMap(block.getKey(), true, block.getValue(), true).values();
      long size = 0;
      boolean stays = false;
      for (Entry entry : of) {
        long withIt = left - size;
        size += entry.bytes().length;
        stays = withIt <= mostBytes && !entry.at().isBefore(before);
      }
      if (stays) {
        break;
      }
      left -= size;
      gone.add(block.getKey());
    }
    map.forEach("forgetting records", gone, block -> map.remove(key(block)));
    for (long block : gone) {
      entries.subMap(block, true, blocks.remove(block), true).clear();
    }
    bytes = left;
  }

  /** Takes no more records. */
  void close() {
    if (failure == null) {
      failure = new StoreException("the cluster's store is closed");
    }
  }
}
