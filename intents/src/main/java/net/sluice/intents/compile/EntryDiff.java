package net.sluice.intents.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.RateGrant;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;

/** The writes between what the targets hold of a subscriber and what they should hold. */
final class EntryDiff {
  private static final Direction[] DIRECTIONS = Direction.values();

  private final SubscriberEntries entries;
  private final FpgaProfile fpga;

  EntryDiff(SubscriberEntries entries, FpgaProfile fpga) {
    this.entries = entries;
    this.fpga = fpga;
  }

  /** A subscriber with everything its entries depend on. */
  record Side(SubscriberState state, int policySlot, AppliedLimits shaping) {
    int owner() {
      return OwnerIds.subscriber(state.index());
    }
  }

  static int policySlot(SlaState state, Subscriber subscriber) {
    return state
        .policy(subscriber.policyId())
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "subscriber "
                        + subscriber.id()
                        + " has policy "
                        + subscriber.policyId()
                        + ", which the store does not hold"))
        .slot();
  }

  void insert(SlaState state, PlanBuilder plan, Side after) {
    emit(after, entry -> plan.add(Op.INSERT, entry, after.owner()));
    customerWords(state, plan, null, after);
  }

  /** Deletes in reverse: the classification goes before the tags. */
  void delete(SlaState state, PlanBuilder plan, Side before) {
    List<SwitchEntry> gone = list(before);
    for (int i = gone.size() - 1; i >= 0; i--) {
      plan.add(Op.DELETE, gone.get(i), before.owner());
    }
    customerWords(state, plan, before, null);
  }

  void replace(SlaState state, PlanBuilder plan, Side before, Side after) {
    if (before.state.index() == after.state.index()) {
      plan.diff(list(before), list(after), after.owner());
    } else {
      plan.move(before.state.index(), list(before), after.state.index(), list(after));
    }
    customerWords(state, plan, before, after);
  }

  private void emit(Side side, Consumer<SwitchEntry> out) {
    entries.emit(
        side.state.subscriber(),
        side.state.index(),
        side.policySlot,
        side.state.queueId(),
        side.shaping,
        out);
  }

  private List<SwitchEntry> list(Side side) {
    List<SwitchEntry> list = new ArrayList<>();
    emit(side, list::add);
    return list;
  }

  /** A queue that is left is opened again, so that a free queue always has the largest word. */
  private void customerWords(SlaState state, PlanBuilder plan, Side before, Side after) {
    int oldQueue = before == null ? QueueId.NONE : before.state.queueId();
    int newQueue = after == null ? QueueId.NONE : after.state.queueId();
    if (oldQueue == QueueId.NONE && newQueue == QueueId.NONE) {
      return;
    }
    for (Direction direction : DIRECTIONS) {
      int oldWord =
          oldQueue == QueueId.NONE
              ? fpga.maxRateWord()
              : word(fpga, before.shaping.own(), direction);
      if (oldQueue != QueueId.NONE && oldQueue != newQueue) {
        plan.set(
            customerWord(direction, oldQueue, fpga.maxRateWord()),
            oldWord,
            OwnerIds.NONE,
            Optional.empty());
        oldWord = fpga.maxRateWord();
      }
      if (newQueue != QueueId.NONE) {
        int newWord = word(fpga, after.shaping.own(), direction);
        if (newWord != oldWord) {
          plan.set(
              customerWord(direction, newQueue, newWord),
              oldWord,
              owner(state, after.shaping.own()),
              rateGrant(fpga, after.shaping.own(), direction));
        }
      }
    }
  }

  private static RateWord customerWord(Direction direction, int queueId, int word) {
    return new RateWord(direction, FpgaLevel.CUSTOMER, QueueId.customerIndex(queueId), word);
  }

  /** The owner of what is written for a limit; {@link OwnerIds#NONE} without one. */
  static int owner(SlaState state, Optional<RateLimit> limit) {
    return limit.isEmpty() ? OwnerIds.NONE : OwnerIds.limit(state.limitNumber(limit.get().id()));
  }

  /**
   * The rate word of a bucket under {@code limit}: the largest if that direction is not limited.
   */
  static int word(FpgaProfile fpga, Optional<RateLimit> limit, Direction direction) {
    if (limit.isPresent()) {
      OptionalLong rateBps = limit.get().rateBps(direction);
      if (rateBps.isPresent()) {
        return fpga.grant(rateBps.getAsLong()).word();
      }
    }
    return fpga.maxRateWord();
  }

  /** What {@code limit} gets in a direction; empty if it does not limit it. */
  static Optional<Grant> rateGrant(
      FpgaProfile fpga, Optional<RateLimit> limit, Direction direction) {
    if (limit.isEmpty() || limit.get().rateBps(direction).isEmpty()) {
      return Optional.empty();
    }
    RateGrant rate = fpga.grant(limit.get().rateBps(direction).getAsLong());
    return Optional.of(
        new Grant(
            direction.text() + "Bps",
            Optional.of(direction),
            rate.requestedBps(),
            rate.grantedBps(),
            "bit/s",
            rate.note()));
  }
}
