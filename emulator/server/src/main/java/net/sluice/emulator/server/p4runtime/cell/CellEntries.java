package net.sluice.emulator.server.p4runtime.cell;

import net.sluice.emulator.server.p4runtime.entity.EntityKind;
import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.entity.ReadAnswer;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.Update;

/** Cells of the program's counters, meters or registers: one, all of an array, or all there are. */
abstract class CellEntries<T extends CellEntries.Cells> implements EntityKind {

  /** An array of cells. */
  interface Cells {
    String name();

    int size();

    /** A cell as it is read, by an index in the array. */
    Entity cell(int index);

    /** Adds all cells to an answer. */
    default void addAll(ReadAnswer answer) throws RpcException {
      answer.addCells(0, size(), this::cell);
    }
  }

  private final String what;
  private final Parts<T> arrays;

  /**
   * @param what {@code "counter"}, {@code "meter"} or {@code "register"}
   */
  CellEntries(String what, Parts<T> arrays) {
    this.what = what;
    this.arrays = arrays;
  }

  /** The index that an entity has, or null if it means all cells of its array. */
  abstract Index index(Entity entity);

  /**
   * Writes the cells from one to before another.
   *
   * @param name of the array, for messages: {@code "counter 'c'"}
   * @throws RpcException if the update is refused; nothing has been written then
   */
  abstract void write(T array, String name, int from, int to, Entity entity, UndoLog undo)
      throws RpcException;

  /** Refuses what a read cannot ask for. */
  void checkRead(Entity filter) throws RpcException {}

  @Override
  public final void write(Update.Type type, Entity entity, UndoLog undo) throws RpcException {
    T array = arrays.get(p4Id(entity));
    String name = what + " '" + array.name() + "'";
    if (type != Update.Type.MODIFY) {
      throw RpcException.invalid(
          "a cell of %s can only be modified, not the target of %s", name, type);
    }
    Index index = index(entity);
    int from = index == null ? 0 : Indices.check(index.getIndex(), array.size(), name);
    write(array, name, from, index == null ? array.size() : from + 1, entity, undo);
  }

  @Override
  public final Query read(Entity filter) throws RpcException {
    checkRead(filter);
    Index index = index(filter);
    if (p4Id(filter) == 0) {
      if (index != null) {
        throw RpcException.invalid(
            "%s_id is 0, which means every %s; no index can go with it", what, what);
      }
      return answer -> {
        for (T array : arrays.all()) {
          array.addAll(answer);
        }
      };
    }
    T array = arrays.get(p4Id(filter));
    if (index == null) {
      return array::addAll;
    }
    int at = Indices.check(index.getIndex(), array.size(), what + " '" + array.name() + "'");
    return answer -> answer.addCells(at, at + 1, array::cell);
  }
}
