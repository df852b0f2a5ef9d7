package net.sluice.emulator.server.p4runtime.cell;

import java.math.BigInteger;
import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.v1model.runtime.RegisterArray;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.RegisterEntry;

/** Cells of registers (section 9.7). */
public final class RegisterEntries extends CellEntries<RegisterBinding> {

  public RegisterEntries(Parts<RegisterBinding> registers) {
    super("register", registers);
  }

  @Override
  public int p4Id(Entity entity) {
    return entity.getRegisterEntry().getRegisterId();
  }

  @Override
  Index index(Entity entity) {
    return entity.getRegisterEntry().hasIndex() ? entity.getRegisterEntry().getIndex() : null;
  }

  @Override
  void write(RegisterBinding register, String name, int from, int to, Entity entity, UndoLog undo)
      throws RpcException {
    RegisterEntry entry = entity.getRegisterEntry();
    if (!entry.hasData()) {
      throw RpcException.invalid("data of " + name + " is missing; a write needs it");
    }
    BigInteger value = register.value(entry.getData());
    RegisterArray array = register.array();
    if (entry.hasIndex()) {
      if (undo != null) {
        BigInteger before = array.getBig(from);
        undo.add(() -> array.set(from, before));
      }
      array.set(from, value);
      return;
    }
    if (undo != null) {
      RegisterArray before = array.copy();
      undo.add(() -> array.setAll(before));
    }
    array.fill(value);
  }
}
