package net.sluice.core.reconcile;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import net.sluice.core.TargetDrift.Difference;
import net.sluice.core.neighbour.NextHops;
import net.sluice.core.session.CorrectionSink;
import net.sluice.core.session.ReconcileSource;
import net.sluice.core.session.RecordText;
import net.sluice.core.session.TargetDifferences;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.state.ShardState;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.Revision;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.compile.NextHopEntries;
import net.sluice.intents.limit.LimitedSubscriber;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.state.StoreIdentity;
import net.sluice.intents.state.SubscriberState;

/**
 * The desired content of the switch, as the compiler tells it entry by entry. Of subscribers
 * nothing is generated but the entries of the one in question; what has been seen of them takes a
 * byte each while reading. What is of no single subscriber is remembered as it should be, so that
 * it is written again if it should be something else by the end.
 */
public final class DesiredSwitchState implements ReconcileSource<SwitchEntry> {
  private static final int OWNERS_PER_STEP = 2_000;
  private static final int SCAN_SHARE = 8;

  private final ShardState shard;
  private final Compiler compiler;
  private final NextHops nextHops;

  /** The first that the switch gets. */
  private final SwitchEntry identity;

  private byte[] seenOfSubscriber = new byte[0];
  private final Set<SwitchEntry> seenShared = new HashSet<>();
  private final BitSet touched = new BitSet();

  /** Subscribers of which the switch holds something and that have changed since. */
  private final BitSet seenAndTouched = new BitSet();

  /** Entries of subscribers that there should be as reading began, less those seen. */
  private final Map<Table, Long> lacking = new EnumMap<>(Table.class);

  /**
   * Entries that limit subscribers which something else is to limit; they go when that is there.
   */
  private final List<SwitchEntry> passed = new ArrayList<>();

  private final TargetDifferences differences = new TargetDifferences();
  private final List<Long> otherStores = new ArrayList<>();
  private final List<Revision> revisions = new ArrayList<>();
  private long read;
  private long held;
  private long rewritten;

  // Progress of rewriting.
  private boolean sharedRewritten;
  private BitSet missing = new BitSet();
  private boolean byScan;
  private String scanAfter = "";
  private int nextIndex;

  /**
   * The content of a switch.
   *
   * @param nextHops what no declaration says and the switch should hold beside
   */
  public DesiredSwitchState(ShardState shard, Compiler compiler, NextHops nextHops) {
    this.shard = shard;
    this.compiler = compiler;
    this.nextHops = nextHops;
    this.identity = StoreIdentity.switchEntry(store().identity());
  }

  @Override
  public void exclusively(Runnable action) {
    shard.exclusively(action);
  }

  @Override
  public ExpectedEntries<SwitchEntry> expected() {
    return new DesiredSwitchTables(shard, compiler, this::shared);
  }

  @Override
  public void begin() {
    seenOfSubscriber = new byte[state().indexEnd()];
    for (Table table : Table.values()) {
      if (table.isOfSubscribers()) {
        lacking.put(table, compiler.entries(state(), table));
      }
    }
    touched.clear();
    seenAndTouched.clear();
    seenShared.clear();
    passed.clear();
    differences.clear();
    otherStores.clear();
    revisions.clear();
    read = 0;
    held = 0;
    rewritten = 0;
    sharedRewritten = false;
    missing = new BitSet();
    byScan = false;
    scanAfter = "";
    nextIndex = 0;
  }

  @Override
  public void touched(int owner) {
    if (owner != OwnerIds.NONE) {
      touched.set(owner);
    }
  }

  @Override
  public boolean rewritesAll(Op op, SwitchEntry entity, int owner) {
    return op != Op.DELETE && owner != OwnerIds.NONE;
  }

  private boolean isTouched(int owner) {
    return owner != OwnerIds.NONE && touched.get(owner);
  }

  // ---------------------------------------------------------------- comparing

  @Override
  public void compare(List<SwitchEntry> entries, CorrectionSink<SwitchEntry> corrections) {
    read += entries.size();
    for (SwitchEntry entry : entries) {
      OptionalLong revision = StoreIdentity.revisionOf(entry);
      if (revision.isPresent()) {
        revisions.add(Revision.of(revision.getAsLong()));
        continue;
      }
      OptionalLong store = StoreIdentity.of(entry);
      if (store.isEmpty()) {
        held++;
      } else if (store.getAsLong() != store().identity()) {
        otherStores.add(store.getAsLong());
      }
      Optional<Expected<SwitchEntry>> expected = expected(entry);
      if (expected.isPresent()) {
        compare(entry, expected.get(), corrections);
      } else {
        differences.foreign(entry.tableName(), entry);
        if (limitsStill(entry)) {
          passed.add(entry);
        } else {
          corrections.write(Op.DELETE, entry, OwnerIds.NONE, retires(entry));
        }
      }
    }
  }

  /** The entry that the switch should hold with the key of one that it holds; empty for none. */
  private Optional<Expected<SwitchEntry>> expected(SwitchEntry held) {
    if (held.sameKey(identity)) {
      return Optional.of(new Expected<>(identity, OwnerIds.NONE));
    }
    return NextHopEntries.has(held)
        ? nextHops.expected(held).map(entry -> new Expected<>(entry, OwnerIds.NONE))
        : compiler.expected(state(), held);
  }

  private void compare(
      SwitchEntry actual, Expected<SwitchEntry> expected, CorrectionSink<SwitchEntry> corrections) {
    SwitchEntry entry = expected.entity();
    int owner = expected.owner();
    if (!entry.equals(actual)) {
      differences.changed(actual.tableName(), actual, entry);
      corrections.write(Op.MODIFY, entry, owner);
    }
    if (!OwnerIds.isSubscriber(owner)) {
      seenShared.add(entry);
    } else if (OwnerIds.number(owner) < seenOfSubscriber.length) {
      seenOfSubscriber[OwnerIds.number(owner)]++;
      lacking.merge(entry.table(), -1L, Long::sum);
    }
  }

  /**
   * True for what limits somebody who is under a limit: another limiter enforces it now, and until
   * that does, what is there stays.
   */
  private boolean limitsStill(SwitchEntry unknown) {
    return unknown.table().isOfLimits()
        && (unknown.subscriberIndex() == 0
            || subscriber(unknown.subscriberIndex())
                .filter(of -> LimitedSubscriber.of(state(), of).limits().any())
                .isPresent());
  }

  private void deletePassed(CorrectionSink<SwitchEntry> corrections) {
    passed.stream()
        .filter(entry -> compiler.expected(state(), entry).isEmpty())
        .forEach(entry -> corrections.write(Op.DELETE, entry, OwnerIds.NONE));
    passed.clear();
  }

  /** True for what classifies packets as those of a subscriber that is no more. */
  private boolean retires(SwitchEntry unknown) {
    return unknown.subscriberIndex() > 0 && !state().isUsed(unknown.subscriberIndex());
  }

  // ---------------------------------------------------------------- rewriting

  @Override
  public Comparison compared() {
    findMissing();
    // Its own identity is no declaration. Deleting another one's takes nothing from anybody, nor
    // does deleting what another limiter has replaced.
    long deletions = differences.count(Difference.FOREIGN) - otherStores.size() - passed.size();
    return new Comparison(
        read, held, deletions, store().identity(), otherStores, revisions, differences.tables());
  }

  @Override
  public boolean deletes(Op op, SwitchEntry entry) {
    return op == Op.DELETE;
  }

  private Stream<Expected<SwitchEntry>> shared() {
    return Stream.concat(
        Stream.concat(Stream.of(identity), nextHops.entries())
            .map(entry -> new Expected<>(entry, OwnerIds.NONE)),
        compiler.sharedEntries(state()));
  }

  private void findMissing() {
    shared()
        .filter(each -> !isTouched(each.owner()) && !seenShared.contains(each.entity()))
        .forEach(each -> differences.missing(each.entity().tableName(), each.entity()));
    int end = state().indexEnd();
    for (int index = 1; index < end; index++) {
      if (state().isUsed(index) && isMissing(index)) {
        missing.set(index);
      }
    }
    byScan = missing.cardinality() > state().subscribers() / SCAN_SHARE;
    List<SubscriberState> samples =
        missing.stream()
            .filter(index -> !touched.get(OwnerIds.subscriber(index)))
            .limit(TargetDifferences.SAMPLES)
            .mapToObj(index -> state().subscriber(state().idOf(index)).orElseThrow())
            .toList();
    lacking.forEach(
        (table, count) -> {
          if (count > 0 && !samples.isEmpty()) {
            differences.missing(table.text(), count, samples(samples, table).iterator());
          }
        });
  }

  /** Samples of entries that may be missing in a table, of subscribers each of which lacks some. */
  private List<String> samples(List<SubscriberState> subscribers, Table table) {
    List<String> words = new ArrayList<>();
    for (SubscriberState subscriber : subscribers) {
      int seen =
          subscriber.index() < seenOfSubscriber.length ? seenOfSubscriber[subscriber.index()] : 0;
      compiler.expected(
          state(),
          subscriber,
          entry -> {
            if (entry.table() == table) {
              words.add(
                  RecordText.of(entry) + (seen == 0 ? "" : " (or another of its subscriber)"));
            }
          });
    }
    return words;
  }

  @Override
  public boolean rewrite(CorrectionSink<SwitchEntry> corrections) {
    if (!sharedRewritten) {
      rewriteShared(corrections);
      sharedRewritten = true;
      return false;
    }
    boolean all = byScan ? rewriteByScan(corrections) : rewriteByIndex(corrections);
    if (all) {
      deletePassed(corrections);
    }
    return all;
  }

  private void rewriteShared(CorrectionSink<SwitchEntry> corrections) {
    shared()
        .filter(each -> isTouched(each.owner()) || !seenShared.contains(each.entity()))
        .forEach(
            each -> {
              rewritten++;
              corrections.write(Op.INSERT, each.entity(), each.owner());
            });
    // Declared or changed since the comparison.
    touched.stream()
        .filter(OwnerIds::isSubscriber)
        .map(OwnerIds::number)
        .filter(state()::isUsed)
        .forEach(
            index -> {
              missing.set(index);
              if (index < seenOfSubscriber.length && seenOfSubscriber[index] > 0) {
                seenAndTouched.set(index);
              }
            });
    seenOfSubscriber = new byte[0];
    seenShared.clear();
  }

  private boolean isMissing(int index) {
    return touched.get(OwnerIds.subscriber(index))
        || index >= seenOfSubscriber.length
        || seenOfSubscriber[index] != compiler.entries(state(), index);
  }

  /** Few are missing: looks each up. */
  private boolean rewriteByIndex(CorrectionSink<SwitchEntry> corrections) {
    for (int i = 0; i < OWNERS_PER_STEP; i++) {
      nextIndex = missing.nextSetBit(nextIndex);
      if (nextIndex < 0) {
        missing = new BitSet();
        return true;
      }
      subscriber(nextIndex).ifPresent(subscriber -> rewrite(subscriber, corrections));
      nextIndex++;
    }
    return false;
  }

  /** Many are missing: reads the store from end to end, which is faster than as many look-ups. */
  private boolean rewriteByScan(CorrectionSink<SwitchEntry> corrections) {
    int count =
        store()
            .scanSubscribers(
                scanAfter,
                0,
                OWNERS_PER_STEP,
                subscriber -> {
                  scanAfter = subscriber.subscriber().id();
                  if (missing.get(subscriber.index())) {
                    rewrite(subscriber, corrections);
                  }
                });
    if (count < OWNERS_PER_STEP) {
      missing = new BitSet();
      return true;
    }
    return false;
  }

  private void rewrite(SubscriberState subscriber, CorrectionSink<SwitchEntry> corrections) {
    compiler.expected(
        state(),
        subscriber,
        entry -> {
          rewritten++;
          // The session gets over the other answer either way; the right one is faster.
          Op op = seenAndTouched.get(subscriber.index()) ? Op.MODIFY : Op.INSERT;
          corrections.write(op, entry, OwnerIds.subscriber(subscriber.index()));
        });
  }

  @Override
  public void rewriteOwner(int owner, CorrectionSink<SwitchEntry> corrections) {
    if (OwnerIds.isSubscriber(owner)) {
      subscriber(OwnerIds.number(owner)).ifPresent(found -> rewrite(found, corrections));
    } else if (owner != OwnerIds.NONE) {
      compiler
          .sharedEntries(state())
          .filter(each -> each.owner() == owner)
          .forEach(each -> corrections.write(Op.INSERT, each.entity(), owner));
    }
  }

  @Override
  public Findings findings() {
    return new Findings(
        read,
        differences.count(Difference.CHANGED),
        differences.count(Difference.FOREIGN),
        rewritten);
  }

  @Override
  public void keep(List<Revision> kept, Revision now, CorrectionSink<SwitchEntry> out) {
    if (!now.equals(Revision.NONE) && !kept.contains(now)) {
      out.write(Op.INSERT, StoreIdentity.revisionEntry(now.bits()), OwnerIds.NONE);
    }
    kept.stream()
        .filter(old -> !old.equals(now))
        .map(old -> StoreIdentity.revisionEntry(old.bits()))
        .forEach(entry -> out.write(Op.DELETE, entry, OwnerIds.NONE));
  }

  private Optional<SubscriberState> subscriber(int index) {
    String id = state().idOf(index);
    return id == null ? Optional.empty() : state().subscriber(id);
  }

  private CompactSlaState state() {
    return shard.state();
  }

  @Override
  public IntentStore store() {
    return shard.store();
  }
}
