package net.sluice.core.store;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A journal in memory, which can be opened again as if its process or its machine had ended. */
public final class InMemoryJournal implements Journal {
  private final Clock clock;
  private final Runnable requireWell;
  private final String id;
  private final boolean whole;
  private final TreeMap<Long, Entry> entries = new TreeMap<>();
  private Instant newest = Instant.MIN;
  private long last;
  private long synced;

  /** A journal that is new. */
  public InMemoryJournal(Clock clock) {
    this(clock, () -> {});
  }

  /** The same, of a store that may have failed: then {@code requireWell} throws. */
  InMemoryJournal(Clock clock, Runnable requireWell) {
    this(clock, requireWell, "0000ab1e", true);
  }

  private InMemoryJournal(Clock clock, Runnable requireWell, String id, boolean whole) {
    this.clock = clock;
    this.requireWell = requireWell;
    this.id = id;
    this.whole = whole;
  }

  /** What is found after it was closed. */
  public InMemoryJournal afterClosing() {
    return taken(last, true, requireWell);
  }

  /** What is found after its process was killed. */
  public InMemoryJournal afterKill() {
    return afterKill(requireWell);
  }

  InMemoryJournal afterKill(Runnable requiringWell) {
    return taken(last, false, requiringWell);
  }

  /** What is found after its machine lost power: nothing that was not synced. */
  public InMemoryJournal afterPowerCut() {
    return taken(synced, false, requireWell);
  }

  private synchronized InMemoryJournal taken(long to, boolean isWhole, Runnable requiringWell) {
    InMemoryJournal next = new InMemoryJournal(clock, requiringWell, id, isWhole);
    next.entries.putAll(entries.headMap(to, true));
    next.newest = newest;
    next.last = isWhole ? to : to + SKIPPED;
    next.synced = next.last;
    return next;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public boolean isWhole() {
    return whole;
  }

  @Override
  public synchronized long first() {
    return entries.isEmpty() ? last + 1 : entries.firstKey();
  }

  @Override
  public synchronized long last() {
    return last;
  }

  @Override
  public long append(List<Item> items) {
    requireWell.run();
    return add(items);
  }

  /** Adds records with a commit, which is durable. */
  synchronized void commit(List<Item> items) {
    long unused = add(items);
    synced = last;
  }

  private synchronized long add(List<Item> items) {
    Journal.requireItems(items);
    long first = last + 1;
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    newest = now.isAfter(newest) ? now : newest;
    for (Item item : items) {
      entries.put(last + 1, new Entry(last + 1, item.count(), newest, item.bytes().clone()));
      last += item.count();
    }
    return first;
  }

  @Override
  public void sync(long number) {
    requireWell.run();
    synchronized (this) {
      synced = Math.max(synced, number);
    }
  }

  @Override
  public synchronized List<Entry> read(long from, int maxBytes) {
    Map.Entry<Long, Entry> before = entries.floorEntry(from);
    long first = before != null && before.getValue().last() >= from ? before.getKey() : from;
    List<Entry> read = new ArrayList<>();
    long bytes = 0;
    for (Entry entry : entries.tailMap(first, true).values()) {
      if (!read.isEmpty() && bytes >= maxBytes) {
        break;
      }
      read.add(entry);
      bytes += entry.bytes().length;
    }
    return read;
  }

  @Override
  public void trim(long mostBytes, Instant before) {
    requireWell.run();
    forget(mostBytes, before);
  }

  private synchronized void forget(long mostBytes, Instant before) {
    long bytes = entries.values().stream().mapToLong(each -> each.bytes().length).sum();
    while (entries.size() > 1
        && (bytes > mostBytes || entries.firstEntry().getValue().at().isBefore(before))) {
      bytes -= entries.pollFirstEntry().getValue().bytes().length;
    }
  }
}
