package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.core.session.OwnerIds;
import net.sluice.core.state.CompactSlaState;
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
import net.sluice.intents.plan.SwitchEntry.QueueAqmEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberPrefixEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberVlanEntry;

/** Whose status what a target holds counts for; the memory is held. */
final class WriteOwners {
  private final ShardState shard;
  private final Compiler compiler;

  WriteOwners(ShardState shard, Compiler compiler) {
    this.shard = shard;
    this.compiler = compiler;
  }

  /**
   * The owner of an entry of the switch.
   *
   * @param ofQueues whose status counts how queues are managed
   */
  static int of(SwitchEntry entry, int ofQueues) {
    if (entry instanceof SubscriberPrefixEntry e) {
      return OwnerIds.subscriber(e.data().index());
    } else if (entry instanceof SubscriberVlanEntry e) {
      return OwnerIds.subscriber(e.data().index());
    } else if (entry instanceof EncapsulationEntry e) {
      return OwnerIds.subscriber(e.index());
    } else if (entry instanceof PolicyValueEntry e) {
      return OwnerIds.policy(e.policySlot());
    }
    return entry instanceof QueueAqmEntry ? ofQueues : OwnerIds.NONE;
  }

  /** The owner of a setting of an FPGA: the rate limit of that bucket, if any. */
  int of(FpgaSetting setting) {
    if (setting instanceof RateWord word) {
      Optional<Scope> scope = scopeOf(word);
      return scope.isEmpty() ? OwnerIds.NONE : OwnerIds.limit(state().limitNumber(scope.get()));
    }
    return OwnerIds.NONE;
  }

  private CompactSlaState state() {
    return shard.state();
  }

  private Optional<Scope> scopeOf(RateWord word) {
    if (word.level() == FpgaLevel.PORT) {
      return Optional.of(new Scope.OfPort(word.index()));
    } else if (word.level() == FpgaLevel.TREE) {
      return Optional.of(new Scope.OfTree(word.index() >>> 6, word.index() & 63));
    }
    int owner = state().ownerOfQueue(word.index() << 3);
    return owner == 0 ? Optional.empty() : Optional.of(new Scope.OfSubscriber(state().idOf(owner)));
  }

  /** The settings of one direction that count for a rate limit. */
  List<FpgaSetting> settingsOf(int limitOwner, Direction direction) {
    List<FpgaSetting> settings = new ArrayList<>();
    String id = state().limitId(OwnerIds.number(limitOwner));
    if (id == null) {
      return settings;
    }
    RateLimit limit = state().rateLimit(id).orElseThrow();
    if (limit.rateBps(direction).isEmpty()) {
      return settings;
    }
    int word = compiler.fpgaProfile().grant(limit.rateBps(direction).getAsLong()).word();
    FpgaLevel level = FpgaLevel.of(limit.scope());
    int index = bucketOf(limit.scope());
    if (index >= 0) {
      settings.add(new RateWord(direction, level, index, word));
    }
    settings.add(new BucketSize(direction, level, compiler.bucketBytes(state(), level, direction)));
    return settings;
  }

  private int bucketOf(Scope scope) {
    if (scope instanceof Scope.OfPort of) {
      return of.port();
    } else if (scope instanceof Scope.OfTree of) {
      return QueueId.treeIndex(of.port(), of.tree());
    }
    int index = state().indexOf(((Scope.OfSubscriber) scope).subscriberId());
    int queueId = index == 0 ? QueueId.NONE : state().queueOf(index);
    return queueId == QueueId.NONE ? -1 : QueueId.customerIndex(queueId);
  }
}
