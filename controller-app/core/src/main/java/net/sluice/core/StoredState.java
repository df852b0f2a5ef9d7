package net.sluice.core;

import java.util.List;
import java.util.Objects;
import net.sluice.intents.validate.Misfits;

/**
 * What a store holds, seen with a topology and profiles, and with no target.
 *
 * @param identity the store's, as targets keep it
 * @param misfits what of it they do not admit, and how much is stored
 * @param tableUse how full all of it makes the switch; means nothing if there are misfits
 */
public record StoredState(long identity, Misfits misfits, List<TableUse> tableUse) {
  public StoredState {
    Objects.requireNonNull(misfits, "misfits");
    tableUse = List.copyOf(tableUse);
  }
}
