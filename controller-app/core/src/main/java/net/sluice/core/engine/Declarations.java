package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import net.sluice.core.session.Owners;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.IntentStore;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.EncapsulationEntry;
import net.sluice.intents.plan.SwitchEntry.PolicyValueEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberPrefixEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberVlanEntry;

/**
 * The declarations in force and the order in which they change. Two locks: one for who may change
 * them, held until a change is durable and queued at the targets; one for their state in memory,
 * held only to read or alter it, so that readers do not wait for the disk.
 */
final class Declarations {
  private final IntentStore store;
  private final Compiler compiler;
  private final ReentrantLock order = new ReentrantLock(true);
  private final ReentrantLock memory = new ReentrantLock(true);
  private CompactSlaState state;

  Declarations(IntentStore store, Compiler compiler) {
    this.store = store;
    this.compiler = compiler;
    this.state = CompactSlaState.load(store);
  }

  /** Held by whoever changes declarations, until the targets' queues have the change. */
  ReentrantLock order() {
    return order;
  }

  /** Held by whoever reads or alters the state; taken after {@link #order}. */
  ReentrantLock memory() {
    return memory;
  }

  /** Runs {@code action} while no declaration changes and nobody else reads. */
  void exclusively(Runnable action) {
    order.lock();
    memory.lock();
    try {
      action.run();
    } finally {
      memory.unlock();
      order.unlock();
    }
  }

  CompactSlaState state() {
    return state;
  }

  IntentStore store() {
    return store;
  }

  /** Makes the state what the store holds; with both locks held. */
  void reload() {
    state = CompactSlaState.load(store);
  }

  /** Whose status a write to the switch counts for. */
  static int ownerOf(SwitchEntry entry) {
    if (entry instanceof SubscriberPrefixEntry e) {
      return Owners.subscriber(e.data().index());
    } else if (entry instanceof SubscriberVlanEntry e) {
      return Owners.subscriber(e.data().index());
    } else if (entry instanceof EncapsulationEntry e) {
      return Owners.subscriber(e.index());
    } else if (entry instanceof PolicyValueEntry e) {
      return Owners.policy(e.policySlot());
    }
    return Owners.NONE;
  }

  /** Whose status a write to an FPGA counts for: the rate limit of that bucket, if any. */
  int ownerOf(FpgaSetting setting) {
    if (setting instanceof RateWord word) {
      Optional<Scope> scope = scopeOf(word);
      return scope.isEmpty() ? Owners.NONE : Owners.limit(state.limitNumber(scope.get()));
    }
    return Owners.NONE;
  }

  private Optional<Scope> scopeOf(RateWord word) {
    if (word.level() == FpgaLevel.PORT) {
      return Optional.of(new Scope.OfPort(word.index()));
    } else if (word.level() == FpgaLevel.TREE) {
      return Optional.of(new Scope.OfTree(word.index() >>> 6, word.index() & 63));
    }
    int owner = state.ownerOfQueue(word.index() << 3);
    return owner == 0 ? Optional.empty() : Optional.of(new Scope.OfSubscriber(state.idOf(owner)));
  }

  /** The settings of one direction that count for a rate limit. */
  List<FpgaSetting> settingsOf(int limitOwner, Direction direction) {
    List<FpgaSetting> settings = new ArrayList<>();
    String id = state.limitId(Owners.number(limitOwner));
    if (id == null) {
      return settings;
    }
    RateLimit limit = state.rateLimit(id).orElseThrow();
    if (limit.rateBps(direction).isEmpty()) {
      return settings;
    }
    int word = compiler.fpgaProfile().grant(limit.rateBps(direction).getAsLong()).word();
    FpgaLevel level = FpgaLevel.of(limit.scope());
    int index = bucketOf(limit.scope());
    if (index >= 0) {
      settings.add(new RateWord(direction, level, index, word));
    }
    settings.add(new BucketSize(direction, level, compiler.bucketBytes(state, level, direction)));
    return settings;
  }

  private int bucketOf(Scope scope) {
    if (scope instanceof Scope.OfPort of) {
      return of.port();
    } else if (scope instanceof Scope.OfTree of) {
      return QueueId.treeIndex(of.port(), of.tree());
    }
    int index = state.indexOf(((Scope.OfSubscriber) scope).subscriberId());
    int queueId = index == 0 ? QueueId.NONE : state.queueOf(index);
    return queueId == QueueId.NONE ? -1 : QueueId.customerIndex(queueId);
  }
}
