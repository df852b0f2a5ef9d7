package net.sluice.emulator.server.p4runtime;

import java.math.BigInteger;
import net.sluice.emulator.v1model.runtime.RegisterArray;
import p4.v1.P4RuntimeOuterClass.RegisterEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/** Cells of registers. */
final class RegisterEntries {

  private RegisterEntries() {}

  /** Writes a cell, or all cells of a register. */
  static void write(Binding binding, Update.Type type, RegisterEntry entry, UndoLog undo)
      throws RpcException {
    RegisterBinding register = binding.register(entry.getRegisterId());
    if (type != Update.Type.MODIFY) {
      throw RpcException.invalid(
          "a cell of register '"
              + register.name()
              + "' can only be modified, not the target of "
              + type);
    }
    if (!entry.hasData()) {
      throw RpcException.invalid(
          "data of register '" + register.name() + "' is missing; a write needs it");
    }
    RegisterArray array = register.array();
    if (entry.hasIndex()) {
      int index = register.index(entry.getIndex().getIndex());
      BigInteger value = register.value(entry.getData());
      if (undo != null) {
        BigInteger before = array.getBig(index);
        undo.add(() -> array.set(index, before));
      }
      array.set(index, value);
      return;
    }
    BigInteger value = register.value(entry.getData());
    if (undo != null) {
      RegisterArray before = array.copy();
      undo.add(() -> array.setAll(before));
    }
    array.fill(value);
  }
}
