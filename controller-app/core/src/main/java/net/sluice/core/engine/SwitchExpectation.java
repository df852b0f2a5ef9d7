package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.sluice.core.TargetDrift.Difference;
import net.sluice.core.session.CorrectionSink;
import net.sluice.core.session.Differences;
import net.sluice.core.session.OwnerIds;
import net.sluice.core.session.ReconcileSource;
import net.sluice.core.session.RecordText;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.IntentStore;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.StoreIdentity;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.marker.RateBins;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.EncapsulationEntry;
import net.sluice.intents.plan.SwitchEntry.PolicyValueEntry;
import net.sluice.intents.plan.SwitchEntry.QueueAqmEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberPrefixEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberVlanEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;

/**
 * What the switch should hold, asked entry by entry: nothing is generated but the entries of the
 * one subscriber or policy in question, by the same code that compiles changes. What has been seen
 * takes a byte per subscriber and a bit per policy value while reading.
 */
final class SwitchExpectation implements ReconcileSource<SwitchEntry> {
  private static final int OWNERS_PER_STEP = 2_000;
  private static final int SCAN_SHARE = 8;
  private static final List<Table> SUBSCRIBER_TABLES =
      List.of(Table.IPV4_PREFIX, Table.IPV6_PREFIX, Table.VLAN, Table.ENCAPSULATION);

  private final ShardState shard;
  private final Compiler compiler;
  private final Topology topology;
  private final QueueExpectation queues;

  /** In the order in which a switch is to get them. */
  private final Map<SwitchEntry.Key, SwitchEntry> base = new LinkedHashMap<>();

  private byte[] seenOfSubscriber = new byte[0];

  /** By table: entries of subscribers there should be as reading began, less those seen. */
  private final Map<Table, Long> lacking = new EnumMap<>(Table.class);

  private final BitSet touchedSubscribers = new BitSet();
  private final BitSet seenPolicyValues = new BitSet();
  private final BitSet touchedPolicies = new BitSet();
  private final Set<SwitchEntry.Key> seenBase = new HashSet<>();
  private final Differences differences = new Differences();
  private final List<Long> otherStores = new ArrayList<>();
  private long read;
  private long held;
  private long rewritten;

  private final List<SwitchEntry> missingBase = new ArrayList<>();

  // Progress of rewriting.
  private boolean othersRewritten;
  private BitSet missing = new BitSet();
  private boolean byScan;
  private String scanAfter = "";
  private int nextIndex;

  SwitchExpectation(ShardState shard, Compiler compiler, Topology topology) {
    this.shard = shard;
    this.compiler = compiler;
    this.topology = topology;
    this.queues = new QueueExpectation(compiler);
    baseEntries().forEach(entry -> base.put(entry.key(), entry));
  }

  /** What the switch holds whatever is declared. The store's identity is the first of it. */
  private Stream<SwitchEntry> baseEntries() {
    return Stream.concat(
        Stream.of(StoreIdentity.switchEntry(store().identity())), compiler.baseEntries());
  }

  @Override
  public void exclusively(Runnable action) {
    shard.exclusively(action);
  }

  @Override
  public ExpectedEntries<SwitchEntry> expected() {
    return new ExpectedSwitchEntries(
        shard, compiler, () -> Stream.concat(baseEntries(), compiler.queueEntries(shard.state())));
  }

  @Override
  public void begin() {
    seenOfSubscriber = new byte[state().indexEnd()];
    for (Table table : SUBSCRIBER_TABLES) {
      lacking.put(table, (long) state().subscriberEntries(table));
    }
    touchedSubscribers.clear();
    seenPolicyValues.clear();
    touchedPolicies.clear();
    seenBase.clear();
    queues.begin();
    differences.clear();
    otherStores.clear();
    read = 0;
    held = 0;
    rewritten = 0;
    othersRewritten = false;
    missing = new BitSet();
    byScan = false;
    scanAfter = "";
    nextIndex = 0;
  }

  @Override
  public void touched(int owner) {
    if (OwnerIds.isSubscriber(owner)) {
      touchedSubscribers.set(owner);
    } else if (OwnerIds.isPolicy(owner)) {
      touchedPolicies.set(OwnerIds.number(owner));
    }
  }

  // ---------------------------------------------------------------- comparing

  @Override
  public void compare(List<SwitchEntry> entries, CorrectionSink<SwitchEntry> corrections) {
    read += entries.size();
    for (SwitchEntry entry : entries) {
      OptionalLong identity = StoreIdentity.of(entry);
      if (identity.isEmpty()) {
        held++;
      } else if (identity.getAsLong() != store().identity()) {
        otherStores.add(identity.getAsLong());
      }
      if (entry instanceof SubscriberPrefixEntry e) {
        compareSubscriber(
            state().exactOwnerOf(e.prefix()), List.of(e.prefix()), entry, corrections);
      } else if (entry instanceof SubscriberVlanEntry e) {
        compareSubscriber(taggedIndex(e), List.of(), entry, corrections);
      } else if (entry instanceof EncapsulationEntry e) {
        int owner = state().isUsed(e.index()) && state().isTagged(e.index()) ? e.index() : 0;
        compareSubscriber(owner, List.of(), entry, corrections);
      } else if (entry instanceof PolicyValueEntry e) {
        comparePolicy(e, corrections);
      } else if (entry instanceof QueueAqmEntry e) {
        compareQueue(e, corrections);
      } else {
        SwitchEntry expected = base.get(entry.key());
        if (correct(entry, expected, OwnerIds.NONE, corrections)) {
          seenBase.add(entry.key());
        }
      }
    }
  }

  private int taggedIndex(SubscriberVlanEntry entry) {
    return state().taggedIndex(port -> topology.leadsTo(port, entry.ingressPort()), entry.vlans());
  }

  private void compareSubscriber(
      int index,
      List<IpPrefix> prefixes,
      SwitchEntry entry,
      CorrectionSink<SwitchEntry> corrections) {
    SwitchEntry[] expected = new SwitchEntry[1];
    if (index != 0) {
      Consumer<SwitchEntry> find =
          candidate -> {
            if (candidate.sameKey(entry)) {
              expected[0] = candidate;
            }
          };
      compiler.expected(state(), state().inMemory(index, prefixes), find);
    }
    if (correct(entry, expected[0], index == 0 ? OwnerIds.NONE : index, corrections)
        && index < seenOfSubscriber.length) {
      seenOfSubscriber[index]++;
      lacking.merge(entry.table(), -1L, Long::sum);
    }
  }

  private void comparePolicy(PolicyValueEntry entry, CorrectionSink<SwitchEntry> corrections) {
    PolicyState policy = state().policyInSlot(entry.policySlot());
    SwitchEntry expected =
        policy == null || entry.bin() < 0 || entry.bin() >= RateBins.BINS
            ? null
            : values(policy)[entry.bin()];
    int owner = policy == null ? OwnerIds.NONE : OwnerIds.policy(policy.slot());
    if (correct(entry, expected, owner, corrections)) {
      seenPolicyValues.set(entry.policySlot() * RateBins.BINS + entry.bin());
    }
  }

  private void compareQueue(QueueAqmEntry entry, CorrectionSink<SwitchEntry> corrections) {
    QueueAqmEntry expected = queues.expected(state(), entry);
    int owner = expected == null ? OwnerIds.NONE : queues.owner(state(), expected);
    if (correct(entry, expected, owner, corrections)) {
      queues.seen(expected);
    }
  }

  private final Map<PolicyState, SwitchEntry[]> valuesOf = new HashMap<>();

  private SwitchEntry[] values(PolicyState policy) {
    if (valuesOf.size() > 256) {
      valuesOf.clear();
    }
    return valuesOf.computeIfAbsent(
        policy,
        p -> {
          SwitchEntry[] values = new SwitchEntry[RateBins.BINS];
          compiler.expected(p).forEach(e -> values[((PolicyValueEntry) e).bin()] = e);
          return values;
        });
  }

  /** Queues what makes {@code actual} as expected; returns true if the key is expected. */
  private boolean correct(
      SwitchEntry actual,
      SwitchEntry expected,
      int owner,
      CorrectionSink<SwitchEntry> corrections) {
    if (expected == null) {
      differences.foreign(name(actual.table()), actual);
      corrections.write(Op.DELETE, actual, OwnerIds.NONE, retires(actual));
      return false;
    }
    if (!expected.equals(actual)) {
      differences.changed(name(actual.table()), actual, expected);
      corrections.write(Op.MODIFY, expected, owner);
    }
    return true;
  }

  /** True for what classifies packets as those of a subscriber that is no more. */
  private boolean retires(SwitchEntry unknown) {
    int index = 0;
    if (unknown instanceof SubscriberPrefixEntry e) {
      index = e.data().index();
    } else if (unknown instanceof SubscriberVlanEntry e) {
      index = e.data().index();
    }
    return index > 0 && !state().isUsed(index);
  }

  private static String name(Table table) {
    return table.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  // ---------------------------------------------------------------- rewriting

  @Override
  public Comparison compared() {
    findMissing();
    // Its own identity is no declaration, and deleting another one's takes nothing from anybody.
    long deletions = differences.count(Difference.FOREIGN) - otherStores.size();
    return new Comparison(
        read, held, deletions, store().identity(), otherStores, differences.tables());
  }

  @Override
  public boolean deletes(Op op, SwitchEntry entry) {
    return op == Op.DELETE;
  }

  private void findMissing() {
    missingBase.clear();
    base.forEach(
        (key, entry) -> {
          if (!seenBase.contains(key)) {
            missingBase.add(entry);
            missing(entry);
          }
        });
    queues.missing(state()).forEach(this::missing);
    state()
        .allPolicies()
        .filter(policy -> !touchedPolicies.get(policy.slot()))
        .forEach(
            policy -> {
              for (SwitchEntry entry : values(policy)) {
                if (!isSeen((PolicyValueEntry) entry)) {
                  missing(entry);
                }
              }
            });
    int end = state().indexEnd();
    for (int index = 1; index < end; index++) {
      if (state().isUsed(index) && isMissing(index)) {
        missing.set(index);
      }
    }
    byScan = missing.cardinality() > state().subscribers() / SCAN_SHARE;
    List<SubscriberState> samples =
        missing.stream()
            .filter(index -> !touchedSubscribers.get(index))
            .limit(Differences.SAMPLES)
            .mapToObj(index -> state().subscriber(state().idOf(index)).orElseThrow())
            .toList();
    lacking.forEach(
        (table, count) -> {
          if (count > 0 && !samples.isEmpty()) {
            Iterator<String> words = samples(samples, table).iterator();
            differences.missing(name(table), count, words);
          }
        });
  }

  /** What of some subscribers, each of which lacks something, may be missing in a table. */
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

  private void missing(SwitchEntry entry) {
    differences.missing(name(entry.table()), entry);
  }

  private boolean isSeen(PolicyValueEntry entry) {
    return seenPolicyValues.get(entry.policySlot() * RateBins.BINS + entry.bin());
  }

  @Override
  public boolean rewrite(CorrectionSink<SwitchEntry> corrections) {
    if (!othersRewritten) {
      rewriteOthers(corrections);
      othersRewritten = true;
      return false;
    }
    return byScan ? rewriteByScan(corrections) : rewriteByIndex(corrections);
  }

  private void rewriteOthers(CorrectionSink<SwitchEntry> corrections) {
    for (SwitchEntry entry : missingBase) {
      rewritten++;
      corrections.write(Op.INSERT, entry, OwnerIds.NONE);
    }
    for (QueueAqmEntry entry : queues.missing(state())) {
      rewritten++;
      corrections.write(Op.INSERT, entry, queues.owner(state(), entry));
    }
    state()
        .allPolicies()
        .forEach(
            policy -> {
              for (SwitchEntry entry : values(policy)) {
                if (touchedPolicies.get(policy.slot()) || !isSeen((PolicyValueEntry) entry)) {
                  rewritten++;
                  corrections.write(Op.INSERT, entry, OwnerIds.policy(policy.slot()));
                }
              }
            });
    // Declared or changed since the comparison.
    touchedSubscribers.stream().filter(state()::isUsed).forEach(missing::set);
    seenOfSubscriber = new byte[0];
  }

  private boolean isMissing(int index) {
    return touchedSubscribers.get(index)
        || index >= seenOfSubscriber.length
        || seenOfSubscriber[index] != state().prefixesOf(index) + (state().isTagged(index) ? 2 : 0);
  }

  /** Few are missing: looks each up. */
  private boolean rewriteByIndex(CorrectionSink<SwitchEntry> corrections) {
    for (int i = 0; i < OWNERS_PER_STEP; i++) {
      nextIndex = missing.nextSetBit(nextIndex);
      if (nextIndex < 0) {
        missing = new BitSet();
        return true;
      }
      if (state().isUsed(nextIndex)) {
        state()
            .subscriber(state().idOf(nextIndex))
            .ifPresent(subscriber -> rewrite(subscriber, corrections));
      }
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
          corrections.write(Op.INSERT, entry, OwnerIds.subscriber(subscriber.index()));
        });
  }

  @Override
  public void rewriteOwner(int owner, CorrectionSink<SwitchEntry> corrections) {
    if (OwnerIds.isSubscriber(owner)) {
      String id = state().idOf(owner);
      if (id != null) {
        state().subscriber(id).ifPresent(subscriber -> rewrite(subscriber, corrections));
      }
    } else if (OwnerIds.isPolicy(owner)) {
      PolicyState policy = state().policyInSlot(OwnerIds.number(owner));
      if (policy != null) {
        for (SwitchEntry entry : values(policy)) {
          corrections.write(Op.INSERT, entry, owner);
        }
        queues
            .of(state(), policy.slot())
            .forEach(entry -> corrections.write(Op.INSERT, entry, owner));
      }
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

  private CompactSlaState state() {
    return shard.state();
  }

  private IntentStore store() {
    return shard.store();
  }
}
