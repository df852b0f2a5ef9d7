package net.sluice.pipeconf.table;

import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.intents.value.Ranges;

/**
 * Subscriber indices as a program with several instances of the marker divides them: instances are
 * numbered from 0, and cells within an instance too.
 *
 * @param name the index's name in error messages
 */
record InstanceCells(MarkerLayout markers, String name) {
  /**
   * The number of an index's instance.
   *
   * @throws InvalidValueException if no instance has it
   */
  int instance(long index) {
    return markers.instanceOf(Ranges.require(name, (int) index, 1, markers.capacity()));
  }

  /** The cell of an index within its instance. */
  int cell(long index) {
    return markers.cellOf((int) index);
  }

  /**
   * The cell of an index within an instance.
   *
   * @throws InvalidValueException if the index is of another one
   */
  int cell(int instance, long index) {
    int first = markers.firstIndex(instance);
    int last = first + markers.subscribersPerInstance() - 1;
    if (index < first || index > last) {
      throw new InvalidValueException(
          name, index, first + " to " + last + " in the table of instance " + instance);
    }
    return cell(index);
  }

  /** The index of a cell of an instance that were read from a switch. */
  int index(long instance, long cell) {
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
