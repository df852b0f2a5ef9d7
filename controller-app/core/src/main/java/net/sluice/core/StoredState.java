package net.sluice.core;

import java.util.List;
import java.util.Objects;
import net.sluice.intents.plan.TableUse;
import net.sluice.intents.validate.Incompatibilities;

/**
 * The content of a store, seen with a topology and profiles, and with no target.
 *
 * @param identity the store's, as targets keep it
 * @param revision number of the last commit for the switch, as targets keep it; 0 for none
 * @param misfits what of it they do not admit, and how much is stored
 * @param tableUse how full all of it makes the switch; means nothing if there are misfits
 * @param notes for people: what of it would not be in force, and why
 */
public record StoredState(
    long identity,
    long revision,
    Incompatibilities misfits,
    List<TableUse> tableUse,
    List<String> notes) {
  public StoredState {
    notes = List.copyOf(notes);
    Objects.requireNonNull(misfits, "misfits");
    tableUse = List.copyOf(tableUse);
  }

  /** The same with other notes. */
  public StoredState withNotes(List<String> newNotes) {
    return new StoredState(identity, revision, misfits, tableUse, newNotes);
  }
}
