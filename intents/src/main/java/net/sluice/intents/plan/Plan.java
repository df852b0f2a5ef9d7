package net.sluice.intents.plan;

import java.util.List;
import java.util.Map;

/**
 * The effect of a change: writes per target, what is granted, and how the store's allocations
 * change.
 *
 * <p>The writes of a target are in an order in which it can apply them: deletes first, so that a
 * full table never overflows on the way, but last where a subscriber moves to another pipe, whose
 * tables are others, so that it is never without entries, or where a limit no longer is the
 * meters'; and bucket sizes that grow first, those that shrink last, so that no rate is without the
 * bucket it needs. To limit without a gap, send the FPGAs' writes before the switch's, or, where
 * {@code beginsAtSwitch}, after them.
 *
 * @param writes of each target that is written to, in the order of {@link TargetKey#all}
 * @param beginsAtSwitch true if a limit no longer is the FPGAs', whose writes have to wait until
 *     the switch has made its own
 * @param grants what the declaration gets, one per declared number that the targets represent
 * @param notes for people: what differs from what was asked, and what else changes
 * @param delta how to apply the change to the store
 */
public record Plan(
    Map<TargetKey<?>, List<? extends Write<?>>> writes,
    boolean beginsAtSwitch,
    List<Grant> grants,
    List<String> notes,
    StateDelta delta) {
  public Plan {
    grants = List.copyOf(grants);
    notes = List.copyOf(notes);
  }

  /** The writes to a target. */
  @SuppressWarnings("unchecked") // a PlanBuilder puts writes of E under a TargetKey<E> only
  public <E extends Entity> List<Write<E>> writes(TargetKey<E> target) {
    return (List<Write<E>>) writes.getOrDefault(target, List.of());
  }

  /** Number of writes to all targets. */
  public int size() {
    int size = 0;
    for (List<?> each : writes.values()) {
      size += each.size();
    }
    return size;
  }

  /** Entries that the plan adds to a table of the switch; negative if it takes some away. */
  public long inserts(Table table) {
    long inserts = 0;
    for (Write<SwitchEntry> write : writes(TargetKey.SWITCH)) {
      if (write.entity().table() == table) {
        inserts += write.op() == Op.INSERT ? 1 : write.op() == Op.DELETE ? -1 : 0;
      }
    }
    return inserts;
  }

  /** The same with other notes. */
  public Plan withNotes(List<String> newNotes) {
    return new Plan(writes, beginsAtSwitch, grants, newNotes, delta);
  }

  /** The same without its writes, for whoever only tells of it. */
  public Plan withoutWrites() {
    return new Plan(Map.of(), false, grants, notes, delta);
  }

  /** True if no target has to change. */
  public boolean writesNothing() {
    return writes.isEmpty();
  }
}
