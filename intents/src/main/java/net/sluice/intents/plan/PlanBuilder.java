package net.sluice.intents.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.intents.plan.StateDelta.Allotment;
import net.sluice.intents.value.Direction;

/** Collects a plan; lists that stay empty cost nothing. */
public final class PlanBuilder {
  private static final int PAIRWISE_LIMIT = 16;
  private static final Comparator<Write<FpgaSetting>> BUCKETS_AROUND_RATES =
      Comparator.comparingInt(PlanBuilder::rank);

  private List<Write<SwitchEntry>> deletes = List.of();
  private List<Write<SwitchEntry>> others = List.of();
  private List<Write<FpgaSetting>> down = List.of();
  private List<Write<FpgaSetting>> up = List.of();
  private final Grants grants = new Grants();
  private List<Allotment> allotments = List.of();
  private int left;
  private int contract = -1;
  private boolean deletesLast;
  private boolean beginsAtSwitch;

  /** Adds a write to the switch that represents its declaration exactly. */
  public void add(Op op, SwitchEntry entry, int owner) {
    add(new Write<>(op, entry, owner));
  }

  /** Adds a write to the switch. */
  public void add(Write<SwitchEntry> write) {
    if (write.op() == Op.DELETE) {
      deletes = Grants.plus(deletes, write);
    } else {
      others = Grants.plus(others, write);
    }
  }

  /**
   * Sets {@code setting} if that changes it. A queue may be given back and handed out again in one
   * plan: then the two writes become one, so that the target may apply writes in any order.
   *
   * @param previous its value before
   * @param owner whose status the write counts for
   * @param grant what a declared number gets
   */
  public void set(FpgaSetting setting, int previous, int owner, Optional<Grant> grant) {
    if (setting.value() == previous) {
      return;
    }
    Write<FpgaSetting> write =
        new Write<>(Op.MODIFY, setting, owner, Optional.of(setting.withValue(previous)), grant);
    if (setting.direction() == Direction.DOWN) {
      down = merge(down, write);
    } else {
      up = merge(up, write);
    }
  }

  private static List<Write<FpgaSetting>> merge(
      List<Write<FpgaSetting>> writes, Write<FpgaSetting> write) {
    for (int i = 0; i < writes.size(); i++) {
      Write<FpgaSetting> earlier = writes.get(i);
      if (earlier.entity().sameKey(write.entity())) {
        if (earlier.previous().get().value() == write.entity().value()) {
          writes.remove(i);
          return writes;
        }
        writes.set(
            i,
            new Write<>(
                write.op(), write.entity(), write.owner(), earlier.previous(), write.grant()));
        return writes;
      }
    }
    return Grants.plus(writes, write);
  }

  /** Keeps all that is deleted until the rest is there. */
  public void deleteLast() {
    deletesLast = true;
  }

  /** The FPGAs stay as they are until the switch does without them, see {@link Plan}. */
  public void beginAtSwitch() {
    beginsAtSwitch = true;
  }

  /** The grants of the declaration. */
  public Grants grants() {
    return grants;
  }

  /** Allots something else to a subscriber. */
  public void allot(int subscriberIndex, int value) {
    allotments = Grants.plus(allotments, new Allotment(subscriberIndex, value));
  }

  /** The contract for aggregates of the subscriber that is put, see {@link StateDelta}. */
  public void contract(int number) {
    contract = number;
  }

  /**
   * Adds what takes a subscriber from one index to another: its entries are there before the old
   * ones go.
   */
  public void move(int from, List<SwitchEntry> before, int to, List<SwitchEntry> after) {
    left = from;
    diffByKey(before, OwnerIds.subscriber(from), after, OwnerIds.subscriber(to));
  }

  /**
   * Adds what turns {@code before} into {@code after}, both of one owner; each list has each key at
   * most once.
   */
  public void diff(List<SwitchEntry> before, List<SwitchEntry> after, int owner) {
    if (before.size() + after.size() > PAIRWISE_LIMIT) {
      diffByKey(before, owner, after, owner);
      return;
    }
    for (int i = before.size() - 1; i >= 0; i--) {
      SwitchEntry old = before.get(i);
      if (find(after, old) == null) {
        add(Op.DELETE, old, owner);
      }
    }
    for (SwitchEntry entry : after) {
      change(find(before, entry), entry, owner);
    }
  }

  private void diffByKey(
      List<SwitchEntry> before, int ownerBefore, List<SwitchEntry> after, int owner) {
    Map<SwitchEntry.Key, SwitchEntry> old = new LinkedHashMap<>();
    before.forEach(entry -> old.put(entry.key(), entry));
    for (SwitchEntry entry : after) {
      change(old.remove(entry.key()), entry, owner);
    }
    List<SwitchEntry> gone = new ArrayList<>(old.values());
    for (int i = gone.size() - 1; i >= 0; i--) {
      add(Op.DELETE, gone.get(i), ownerBefore);
    }
  }

  private void change(SwitchEntry was, SwitchEntry entry, int owner) {
    if (was == null) {
      add(Op.INSERT, entry, owner);
    } else if (!was.equals(entry)) {
      add(Op.MODIFY, entry, owner);
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

  /**
   * The plan.
   *
   * @param replaces see {@link StateDelta}
   * @param number see {@link StateDelta}
   */
  public Plan build(Change change, boolean replaces, int number) {
    boolean last = left != 0 || deletesLast;
    List<Write<SwitchEntry>> first = last ? others : deletes;
    List<Write<SwitchEntry>> second = last ? deletes : others;
    List<Write<SwitchEntry>> ofSwitch = first.isEmpty() ? second : first;
    if (!first.isEmpty()) {
      ofSwitch.addAll(second);
    }
    sortBuckets(down);
    sortBuckets(up);
    StateDelta delta = new StateDelta(change, replaces, number, left, contract, allotments);
    return new Plan(writes(ofSwitch), beginsAtSwitch, grants.grants(), grants.notes(), delta);
  }

  private Map<TargetKey<?>, List<? extends Write<?>>> writes(List<Write<SwitchEntry>> ofSwitch) {
    if (down.isEmpty() && up.isEmpty()) {
      return ofSwitch.isEmpty()
          ? Map.of()
          : Map.of(TargetKey.SWITCH, Collections.unmodifiableList(ofSwitch));
    }
    Map<TargetKey<?>, List<? extends Write<?>>> writes = new LinkedHashMap<>();
    put(writes, TargetKey.SWITCH, ofSwitch);
    put(writes, TargetKey.fpga(Direction.DOWN), down);
    put(writes, TargetKey.fpga(Direction.UP), up);
    return Collections.unmodifiableMap(writes);
  }

  private static <E extends Entity> void put(
      Map<TargetKey<?>, List<? extends Write<?>>> all, TargetKey<E> target, List<Write<E>> writes) {
    if (!writes.isEmpty()) {
      all.put(target, List.copyOf(writes));
    }
  }

  /** A larger bucket must be there before the rates that need it, a smaller one after they went. */
  private static void sortBuckets(List<Write<FpgaSetting>> writes) {
    if (writes.size() > 1) {
      writes.sort(BUCKETS_AROUND_RATES);
    }
  }

  static int rank(Write<FpgaSetting> write) {
    int before = write.previous().get().value();
    if (write.entity() instanceof FpgaSetting.BucketSize size) {
      return size.bytes() > before ? -1 : 1;
    } else if (write.entity() instanceof FpgaSetting.CustomerBurst burst) {
      // Where customers have bursts of their own, all others have the largest.
      boolean grows =
          before != FpgaSetting.CustomerBurst.OF_LEVEL
              && (burst.bytes() == FpgaSetting.CustomerBurst.OF_LEVEL || burst.bytes() > before);
      return grows ? -1 : 1;
    }
    return 0;
  }
}
