package net.sluice.intents.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import net.sluice.intents.limit.LimitedSubscriber;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.SwitchEntry;

/** The writes between what the switch holds of a subscriber and what it should hold. */
final class EntryDiff {
  private final SubscriberEntries entries;

  EntryDiff(SubscriberEntries entries) {
    this.entries = entries;
  }

  /** A subscriber with everything its entries depend on. */
  record Side(LimitedSubscriber subscriber, PolicySlots slots) {
    int index() {
      return subscriber.state().index();
    }

    int owner() {
      return OwnerIds.subscriber(index());
    }
  }

  /** A class of its own: each put has one, and a lambda that captures costs it more. */
  private record Inserts(PlanBuilder plan, int owner) implements Consumer<SwitchEntry> {
    @Override
    public void accept(SwitchEntry entry) {
      plan.add(Op.INSERT, entry, owner);
    }
  }

  void insert(PlanBuilder plan, Side after) {
    entries.emit(after.subscriber, after.slots, new Inserts(plan, after.owner()));
  }

  /** Deletes in reverse: the classification goes before the tags. */
  void delete(PlanBuilder plan, Side before) {
    List<SwitchEntry> gone = list(before);
    for (int i = gone.size() - 1; i >= 0; i--) {
      plan.add(Op.DELETE, gone.get(i), before.owner());
    }
  }

  void replace(PlanBuilder plan, Side before, Side after) {
    if (before.index() == after.index()) {
      plan.diff(list(before), list(after), after.owner());
    } else {
      plan.move(before.index(), list(before), after.index(), list(after));
    }
  }

  private List<SwitchEntry> list(Side side) {
    List<SwitchEntry> list = new ArrayList<>();
    entries.emit(side.subscriber, side.slots, list::add);
    return list;
  }
}
