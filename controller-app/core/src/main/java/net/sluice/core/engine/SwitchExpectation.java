package net.sluice.core.engine;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import net.sluice.core.session.CorrectionSink;
import net.sluice.core.session.OwnerIds;
import net.sluice.core.session.ReconcileSource;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.IntentStore;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.compile.PolicyState;
import net.sluice.intents.compile.SubscriberState;
import net.sluice.intents.marker.RateBins;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.EncapsulationEntry;
import net.sluice.intents.plan.SwitchEntry.PolicyValueEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberPrefixEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberVlanEntry;
import net.sluice.intents.profile.Topology;

/**
 * What the switch should hold, asked entry by entry: nothing is generated but the entries of the
 * one subscriber or policy in question, by the same code that compiles changes. What has been seen
 * takes a byte per subscriber and a bit per policy value while reading.
 */
final class SwitchExpectation implements ReconcileSource<SwitchEntry> {
  private static final int OWNERS_PER_STEP = 2_000;
  private static final int SCAN_SHARE = 8;

  private final ShardState shard;
  private final Compiler compiler;
  private final Topology topology;
  private final Map<SwitchEntry.Key, SwitchEntry> base = new HashMap<>();

  private byte[] seenOfSubscriber = new byte[0];
  private final BitSet touchedSubscribers = new BitSet();
  private final BitSet seenPolicyValues = new BitSet();
  private final BitSet touchedPolicies = new BitSet();
  private final Set<SwitchEntry.Key> seenBase = new HashSet<>();
  private long read;
  private long wrong;
  private long unknown;
  private long rewritten;

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
    compiler.baseEntries().forEach(entry -> base.put(entry.key(), entry));
  }

  @Override
  public void exclusively(Runnable action) {
    shard.exclusively(action);
  }

  @Override
  public ExpectedEntries<SwitchEntry> expected() {
    return new ExpectedSwitchEntries(shard, compiler);
  }

  @Override
  public void begin() {
    seenOfSubscriber = new byte[state().indexEnd()];
    touchedSubscribers.clear();
    seenPolicyValues.clear();
    touchedPolicies.clear();
    seenBase.clear();
    read = 0;
    wrong = 0;
    unknown = 0;
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
      unknown++;
      corrections.write(Op.DELETE, actual, OwnerIds.NONE, retires(actual));
      return false;
    }
    if (!expected.equals(actual)) {
      wrong++;
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

  // ---------------------------------------------------------------- rewriting

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
    for (SwitchEntry entry : (Iterable<SwitchEntry>) compiler.baseEntries()::iterator) {
      if (!seenBase.contains(entry.key())) {
        rewritten++;
        corrections.write(Op.INSERT, entry, OwnerIds.NONE);
      }
    }
    state()
        .allPolicies()
        .forEach(
            policy -> {
              for (SwitchEntry entry : values(policy)) {
                int bit = policy.slot() * RateBins.BINS + ((PolicyValueEntry) entry).bin();
                if (touchedPolicies.get(policy.slot()) || !seenPolicyValues.get(bit)) {
                  rewritten++;
                  corrections.write(Op.INSERT, entry, OwnerIds.policy(policy.slot()));
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
    seenOfSubscriber = new byte[0];
  }

  private boolean isMissing(int index) {
    int expected = state().prefixesOf(index) + (state().isTagged(index) ? 2 : 0);
    return touchedSubscribers.get(index)
        || index >= seenOfSubscriber.length
        || seenOfSubscriber[index] != expected;
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
      }
    }
  }

  @Override
  public Findings findings() {
    return new Findings(read, wrong, unknown, rewritten);
  }

  private CompactSlaState state() {
    return shard.state();
  }

  private IntentStore store() {
    return shard.store();
  }
}
