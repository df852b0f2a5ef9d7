package net.sluice.core;

import java.util.Optional;
import net.sluice.core.store.StoredRecord;
import net.sluice.intents.plan.Change;

/**
 * A declaration in force, as it is stored.
 *
 * @param record of the store
 * @param switchName the switch it is for; empty for the only one, and of a policy
 * @param isTimed whether it does not always hold as it is declared
 */
public record Exported(StoredRecord record, Optional<String> switchName, boolean isTimed) {
  /**
   * The change that puts it again.
   *
   * @throws net.sluice.core.store.StoreException if the record is corrupt or of another format
   */
  public Change.Put put() {
    return new Change.Put(record.declaration(), switchName);
  }
}
