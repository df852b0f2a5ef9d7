package net.sluice.emulator.server.p4runtime;

import java.math.BigInteger;
import net.sluice.emulator.v1model.runtime.RegisterArray;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.RegisterEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/** Cells of registers (section 9.7). */
final class RegisterEntries implements EntityKind {

  private final Binding binding;

  RegisterEntries(Binding binding) {
    this.binding = binding;
  }

  @Override
  public int p4Id(Entity entity) {
    return entity.getRegisterEntry().getRegisterId();
  }

  /** Writes a cell, or all cells of a register. */
  @Override
  public void write(Update.Type type, Entity entity, UndoLog undo) throws RpcException {
    RegisterEntry entry = entity.getRegisterEntry();
    RegisterBinding register = binding.register(entry.getRegisterId());
    if (type != Update.Type.MODIFY) {
      throw RpcException.invalid(
          "a cell of register '%s' can only be modified, not the target of %s",
          register.name(), type);
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

  /** Asks for a cell, all cells of a register, or all cells. */
  @Override
  public Query read(Entity entity) throws RpcException {
    RegisterEntry filter = entity.getRegisterEntry();
    if (filter.getRegisterId() == 0) {
      if (filter.hasIndex()) {
        throw RpcException.invalid(
            "register_id is 0, which means every register; no index can go with it");
      }
      return answer -> {
        for (RegisterBinding register : binding.registers().values()) {
          answer.addCells(0, register.size(), i -> cell(register, i));
        }
      };
    }
    RegisterBinding register = binding.register(filter.getRegisterId());
    if (!filter.hasIndex()) {
      return answer -> answer.addCells(0, register.size(), i -> cell(register, i));
    }
    int index = register.index(filter.getIndex().getIndex());
    return answer -> answer.addCells(index, index + 1, i -> cell(register, i));
  }

  private static Entity cell(RegisterBinding register, int i) {
    return Entity.newBuilder().setRegisterEntry(register.read(i)).build();
  }
}
