package net.sluice.intents.plan;

import java.util.List;
import net.sluice.intents.model.Direction;

/**
 * What a change does: writes per target, what is granted, and how the store's allocations change.
 *
 * <p>Within each list the order is one in which the target can apply the writes: deletes first, so
 * that a full table never overflows on the way, but last where a subscriber moves to another pipe,
 * whose tables are others, so that it is never without entries; and bucket sizes that grow first,
 * those that shrink last, so that no rate is without the bucket it needs. To limit without a gap,
 * send the FPGA's writes before the switch's.
 *
 * @param switchWrites for the switch
 * @param downWrites for the FPGA of the down direction
 * @param upWrites for the FPGA of the up direction
 * @param grants what the declaration gets, one per declared number the targets represent
 * @param notes for people: what differs from what was asked, and what else changes
 * @param delta how to apply the change to the store
 */
public record Plan(
    List<SwitchWrite> switchWrites,
    List<FpgaWrite> downWrites,
    List<FpgaWrite> upWrites,
    List<Grant> grants,
    List<String> notes,
    StateDelta delta) {
  public Plan {
    switchWrites = List.copyOf(switchWrites);
    downWrites = List.copyOf(downWrites);
    upWrites = List.copyOf(upWrites);
    grants = List.copyOf(grants);
    notes = List.copyOf(notes);
  }

  /** The writes for the FPGA of {@code direction}. */
  public List<FpgaWrite> fpgaWrites(Direction direction) {
    return direction == Direction.DOWN ? downWrites : upWrites;
  }

  /** The same with other notes. */
  public Plan withNotes(List<String> newNotes) {
    return new Plan(switchWrites, downWrites, upWrites, grants, newNotes, delta);
  }

  /** The same without its writes, for whoever only tells of it. */
  public Plan withoutWrites() {
    return new Plan(List.of(), List.of(), List.of(), grants, notes, delta);
  }

  /** True if no target has to change. */
  public boolean writesNothing() {
    return switchWrites.isEmpty() && downWrites.isEmpty() && upWrites.isEmpty();
  }
}
