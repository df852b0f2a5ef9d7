package net.sluice.pipeconf.table;

import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.pipeconf.p4info.ParamDescriptor;
import p4.v1.P4RuntimeOuterClass.Action;

/** How an action names a subscriber's index. */
interface IndexParams {
  /** Adds the parameters. */
  void add(int index, Action.Builder into);

  /** The index that the parameters name. */
  int read(Action action);

  /** As it is. */
  static IndexParams whole(ParamDescriptor param) {
    ActionParam index = new ActionParam(param, "subscriber index");
    return new IndexParams() {
      @Override
      public void add(int value, Action.Builder into) {
        into.addParams(index.of(value));
      }

      @Override
      public int read(Action action) {
        return index.readInt(action);
      }
    };
  }

  /**
   * As a cell, where the table is that of an instance.
   *
   * @param instance number of the instance, from 0
   */
  static IndexParams ofInstance(int instance, ParamDescriptor param, MarkerLayout markers) {
    ActionParam cell = new ActionParam(param, "subscriber index");
    return new IndexParams() {
      @Override
      public void add(int value, Action.Builder into) {
        int first = markers.firstIndex(instance);
        int last = first + markers.subscribersPerInstance() - 1;
        if (value < first || value > last) {
          throw new InvalidValueException(
              "subscriber index",
              value,
              first + " to " + last + " in the table of instance " + instance);
        }
        into.addParams(cell.of(markers.cellOf(value)));
      }

      @Override
      public int read(Action action) {
        return InstanceCells.index(markers, instance, cell.read(action));
      }
    };
  }

  /** As the instance's number, from 1, and the cell. */
  static IndexParams divided(
      ParamDescriptor instanceParam, ParamDescriptor cellParam, MarkerLayout markers) {
    ActionParam instance = new ActionParam(instanceParam, "instance");
    ActionParam cell = new ActionParam(cellParam, "subscriber index");
    return new IndexParams() {
      @Override
      public void add(int value, Action.Builder into) {
        into.addParams(instance.of(InstanceCells.instance(markers, value) + 1));
        into.addParams(cell.of(markers.cellOf(value)));
      }

      @Override
      public int read(Action action) {
        return InstanceCells.index(markers, instance.read(action) - 1, cell.read(action));
      }
    };
  }
}
