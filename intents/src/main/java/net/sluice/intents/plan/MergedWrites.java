package net.sluice.intents.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import net.sluice.intents.value.Direction;

/**
 * The writes of plans that come into force together: at most one for each key, from what the target
 * holds before the first plan to what it holds after the last. An entry that one plan deletes and
 * another one inserts is modified, so that the target is never without it.
 *
 * <p>They are made in {@link #STEPS} steps, each after the answers to those before it. What limits
 * is there before packets are classified by it, and goes after the last packet was, so that packets
 * which are limited before and after are limited at any moment between.
 */
public final class MergedWrites {
  /** Number of steps. */
  public static final int STEPS = 7;

  // At the FPGAs: what limits.
  private static final int SHAPE = 0;

  // At the switch: what has to go first because its table is full.
  private static final int MAKE_ROOM = 1;

  // What limits and marks, then what classifies.
  private static final int LIMIT = 2;
  private static final int CLASSIFY = 3;

  /** The first step in which something goes that classifies; then goes what that has left. */
  public static final int RELEASE = 4;

  private static final int CLEAR = 5;

  // At the FPGAs: what limits no more.
  private static final int OPEN = 6;

  private final Map<SwitchEntry.Key, Merged<SwitchEntry>> ofSwitch = new LinkedHashMap<>();
  private final Map<Direction, Map<Long, Merged<FpgaSetting>>> ofFpgas =
      new EnumMap<>(Direction.class);

  /**
   * A write with its place among all.
   *
   * @param cause the number of the change that it is done for
   * @param step 0 to {@link #STEPS} - 1
   */
  public record Placed<E extends Entity>(Write<E> write, int cause, int step) {}

  /**
   * The writes of one key so far.
   *
   * @param first the operation of the first
   * @param held what the target holds before, if the first deletes it; else null
   */
  private record Merged<E extends Entity>(Op first, E held, Write<E> last, int cause) {}

  /** Adds a plan, compiled from the state that those before it lead to, for a change. */
  public void add(Plan plan, int cause) {
    for (Write<SwitchEntry> write : plan.writes(TargetKey.SWITCH)) {
      SwitchEntry.Key key = write.entity().key();
      // At the end: the order is that of the last writes.
      Merged<SwitchEntry> before = ofSwitch.remove(key);
      SwitchEntry held = write.op() == Op.DELETE ? write.entity() : null;
      ofSwitch.put(
          key,
          before == null
              ? new Merged<>(write.op(), held, write, cause)
              : new Merged<>(before.first, before.held, write, cause));
    }
    for (Direction direction : Direction.values()) {
      for (Write<FpgaSetting> write : plan.writes(TargetKey.fpga(direction))) {
        Map<Long, Merged<FpgaSetting>> all =
            ofFpgas.computeIfAbsent(direction, unused -> new LinkedHashMap<>());
        Merged<FpgaSetting> before = all.remove(write.entity().keyNumber());
        FpgaSetting held = before == null ? write.previous().orElseThrow() : before.held;
        all.put(write.entity().keyNumber(), new Merged<>(Op.MODIFY, held, write, cause));
      }
    }
  }

  /**
   * The writes to the switch, in order.
   *
   * @param isFull whether a table has no room for what is inserted beside that many entries that
   *     are deleted; asked once of each table
   */
  public List<Placed<SwitchEntry>> ofSwitch(BiPredicate<Table, Integer> isFull) {
    Map<Table, Integer> deletes = new EnumMap<>(Table.class);
    for (Merged<SwitchEntry> merged : ofSwitch.values()) {
      net(merged)
          .filter(write -> write.op() == Op.DELETE)
          .ifPresent(write -> deletes.merge(write.entity().table(), 1, Integer::sum));
    }
    deletes.entrySet().removeIf(each -> !isFull.test(each.getKey(), each.getValue()));
    List<Placed<SwitchEntry>> placed = new ArrayList<>();
    for (Merged<SwitchEntry> merged : ofSwitch.values()) {
      net(merged)
          .ifPresent(
              write ->
                  placed.add(new Placed<>(write, merged.cause, step(write, deletes.keySet()))));
    }
    placed.sort(Comparator.comparingInt(Placed::step));
    return placed;
  }

  private static Optional<Write<SwitchEntry>> net(Merged<SwitchEntry> merged) {
    Write<SwitchEntry> last = merged.last;
    boolean wasThere = merged.first != Op.INSERT;
    if (last.op() == Op.DELETE) {
      return wasThere ? Optional.of(last) : Optional.empty();
    } else if (!wasThere) {
      return Optional.of(as(Op.INSERT, last));
    }
    return last.entity().equals(merged.held) ? Optional.empty() : Optional.of(as(Op.MODIFY, last));
  }

  private static <E extends Entity> Write<E> as(Op op, Write<E> write) {
    return op == write.op()
        ? write
        : new Write<>(op, write.entity(), write.owner(), write.previous(), write.grant());
  }

  private static int step(Write<SwitchEntry> write, Set<Table> full) {
    SwitchEntry entry = write.entity();
    boolean classifies = entry.table().classifies();
    if (write.op() == Op.DELETE) {
      if (full.contains(entry.table())) {
        return MAKE_ROOM;
      }
      return classifies ? RELEASE : CLEAR;
    } else if (classifies) {
      return CLASSIFY;
    }
    return write.op() == Op.MODIFY && entry.limitsNothing() ? RELEASE : LIMIT;
  }

  /** The writes to the FPGA of a direction, in order. */
  public List<Placed<FpgaSetting>> ofFpga(Direction direction) {
    List<Placed<FpgaSetting>> placed = new ArrayList<>();
    for (Merged<FpgaSetting> merged : ofFpgas.getOrDefault(direction, Map.of()).values()) {
      Write<FpgaSetting> last = merged.last;
      if (last.entity().value() == merged.held.value()) {
        continue;
      }
      Write<FpgaSetting> write =
          new Write<>(
              Op.MODIFY, last.entity(), last.owner(), Optional.of(merged.held), last.grant());
      placed.add(new Placed<>(write, merged.cause, step(write)));
    }
    placed.sort(
        Comparator.<Placed<FpgaSetting>>comparingInt(Placed::step)
            .thenComparingInt(each -> PlanBuilder.rank(each.write())));
    return placed;
  }

  /** The step of an FPGA write: settings that no declaration asks for any more are opened last. */
  private static int step(Write<FpgaSetting> write) {
    int rank = PlanBuilder.rank(write);
    return rank > 0 || rank == 0 && write.owner() == OwnerIds.NONE ? OPEN : SHAPE;
  }
}
