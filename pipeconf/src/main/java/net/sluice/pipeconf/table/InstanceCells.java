package net.sluice.pipeconf.table;

import net.sluice.intents.model.Ranges;
import net.sluice.intents.profile.MarkerLayout;

/** Subscriber indices as a program with several instances of the marker divides them. */
final class InstanceCells {
  private InstanceCells() {}

  /**
   * The number of an index's instance, from 0.
   *
   * @throws net.sluice.intents.model.InvalidValueException if no instance has it
   */
  static int instance(MarkerLayout markers, int index) {
    Ranges.require("subscriber index", index, 1, markers.capacity());
    return markers.instanceOf(index);
  }

  /** The index of a cell of an instance that were read from a switch. */
  static int index(MarkerLayout markers, long instance, long cell) {
    if (instance < 0 || instance >= markers.allInstances()) {
      throw new MalformedEntryException("there is no instance " + (instance + 1));
    }
    if (cell >= markers.subscribersPerInstance()) {
      throw new MalformedEntryException(
          "an instance has no subscriber "
              + cell
              + ", only 0 to "
              + (markers.subscribersPerInstance() - 1));
    }
    return markers.firstIndex((int) instance) + (int) cell;
  }
}
