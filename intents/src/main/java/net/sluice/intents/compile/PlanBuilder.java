package net.sluice.intents.compile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.intents.model.Direction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaWrite;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.StateDelta;
import net.sluice.intents.plan.StateDelta.QueueAssignment;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchWrite;

/** Collects a plan; lists that stay empty cost nothing. */
final class PlanBuilder {
  private static final int PAIRWISE_LIMIT = 16;
  private static final Comparator<FpgaWrite> BUCKETS_AROUND_RATES =
      Comparator.comparingInt(PlanBuilder::rank);

  private List<SwitchWrite> deletes = List.of();
  private List<SwitchWrite> others = List.of();
  private List<FpgaWrite> down = List.of();
  private List<FpgaWrite> up = List.of();
  private final Grants grants = new Grants();
  private List<QueueAssignment> queues = List.of();
  private int left;

  void add(SwitchWrite write) {
    if (write.op() == Op.DELETE) {
      deletes = Grants.plus(deletes, write);
    } else {
      others = Grants.plus(others, write);
    }
  }

  /**
   * Sets {@code setting} if that changes it. A queue may be given back and handed out again in one
   * plan: then the two writes become one, so that the target may apply writes in any order.
   */
  void set(FpgaSetting setting, int previous, Optional<Grant> grant) {
    if (setting.value() == previous) {
      return;
    }
    if (setting.direction() == Direction.DOWN) {
      down = merge(down, new FpgaWrite(setting, previous, grant));
    } else {
      up = merge(up, new FpgaWrite(setting, previous, grant));
    }
  }

  private static List<FpgaWrite> merge(List<FpgaWrite> writes, FpgaWrite write) {
    for (int i = 0; i < writes.size(); i++) {
      FpgaWrite earlier = writes.get(i);
      if (earlier.setting().sameKey(write.setting())) {
        if (earlier.previous() == write.setting().value()) {
          writes.remove(i);
          return writes;
        }
        writes.set(i, new FpgaWrite(write.setting(), earlier.previous(), write.grant()));
        return writes;
      }
    }
    return Grants.plus(writes, write);
  }

  /** What the declaration is granted. */
  Grants grants() {
    return grants;
  }

  void assign(int subscriberIndex, int queueId) {
    queues = Grants.plus(queues, new QueueAssignment(subscriberIndex, queueId));
  }

  /**
   * Adds what takes a subscriber from index {@code from}, all of whose entries are others than its
   * new ones: these are there before the old ones go.
   */
  void move(int from, List<SwitchEntry> before, List<SwitchEntry> after) {
    left = from;
    after.forEach(entry -> add(new SwitchWrite(Op.INSERT, entry)));
    for (int i = before.size() - 1; i >= 0; i--) {
      add(new SwitchWrite(Op.DELETE, before.get(i)));
    }
  }

  /** Adds what turns {@code before} into {@code after}; each list has each key at most once. */
  void diff(List<SwitchEntry> before, List<SwitchEntry> after) {
    if (before.size() + after.size() > PAIRWISE_LIMIT) {
      diffByKey(before, after);
      return;
    }
    for (int i = before.size() - 1; i >= 0; i--) {
      SwitchEntry old = before.get(i);
      if (find(after, old) == null) {
        add(new SwitchWrite(Op.DELETE, old));
      }
    }
    for (SwitchEntry entry : after) {
      change(find(before, entry), entry);
    }
  }

  private void diffByKey(List<SwitchEntry> before, List<SwitchEntry> after) {
    Map<SwitchEntry.Key, SwitchEntry> old = new LinkedHashMap<>();
    before.forEach(entry -> old.put(entry.key(), entry));
    for (SwitchEntry entry : after) {
      change(old.remove(entry.key()), entry);
    }
    List<SwitchEntry> gone = new ArrayList<>(old.values());
    for (int i = gone.size() - 1; i >= 0; i--) {
      add(new SwitchWrite(Op.DELETE, gone.get(i)));
    }
  }

  private void change(SwitchEntry was, SwitchEntry entry) {
    if (was == null) {
      add(new SwitchWrite(Op.INSERT, entry));
    } else if (!was.equals(entry)) {
      add(new SwitchWrite(Op.MODIFY, entry));
    }
  }

  private static SwitchEntry find(List<SwitchEntry> entries, SwitchEntry key) {
    for (SwitchEntry entry : entries) {
      if (entry.sameKey(key)) {
        return entry;
      }
    }
    return null;
  }

  Plan build(Change change, boolean replaces, int number) {
    List<SwitchWrite> first = left == 0 ? deletes : others;
    List<SwitchWrite> last = left == 0 ? others : deletes;
    List<SwitchWrite> writes = first.isEmpty() ? last : first;
    if (!first.isEmpty()) {
      writes.addAll(last);
    }
    sortBuckets(down);
    sortBuckets(up);
    StateDelta delta = new StateDelta(change, replaces, number, left, queues);
    return new Plan(writes, down, up, grants.grants(), grants.notes(), delta);
  }

  /** A larger bucket must be there before the rates that need it, a smaller one after they went. */
  private static void sortBuckets(List<FpgaWrite> writes) {
    if (writes.size() > 1) {
      writes.sort(BUCKETS_AROUND_RATES);
    }
  }

  private static int rank(FpgaWrite write) {
    if (!(write.setting() instanceof FpgaSetting.BucketSize size)) {
      return 0;
    }
    return size.bytes() > write.previous() ? -1 : 1;
  }
}
