package net.sluice.core.store;

import java.util.List;
import net.sluice.intents.plan.Change;

/** Makes the records that a journal has of accepted changes. A pure function. */
@FunctionalInterface
public interface ChangeRecords {
  /** The records of changes that were accepted one after the other, in this order. */
  List<Journal.Item> of(List<Change> changes);
}
