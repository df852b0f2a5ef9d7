package net.sluice.core.store;

import java.util.Collection;
import java.util.List;
import net.sluice.intents.plan.Change;

/** Makes the records that a journal has of accepted changes. A pure function. */
@FunctionalInterface
public interface ChangeRecords {
  /**
   * The records of changes that were accepted one after the other, in this order.
   *
   * @param changes one or more, of one commit
   */
  List<Journal.Item> of(List<Change> changes);

  /** The changes that batches of one commit announce, in their order. */
  static List<Change> announced(Collection<StoreBatch> batches) {
    return batches.size() == 1
        ? batches.iterator().next().announced()
        : batches.stream().flatMap(batch -> batch.announced().stream()).toList();
  }
}
