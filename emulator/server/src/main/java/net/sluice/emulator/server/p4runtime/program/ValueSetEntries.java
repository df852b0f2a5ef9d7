package net.sluice.emulator.server.p4runtime.program;

import java.util.Collection;
import java.util.List;
import net.sluice.emulator.server.p4runtime.entity.EntityKind;
import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/** Parser value sets (section 9.6). */
record ValueSetEntries(Parts<ValueSetBinding> valueSets) implements EntityKind {

  @Override
  public int p4Id(Entity entity) {
    return entity.getValueSetEntry().getValueSetId();
  }

  /** Replaces the members of a set. */
  @Override
  public void write(Update.Type type, Entity entity, UndoLog undo) throws RpcException {
    ValueSetBinding set = valueSets.get(entity.getValueSetEntry().getValueSetId());
    if (type != Update.Type.MODIFY) {
      throw RpcException.invalid(
          "value set '" + set.name() + "' can only be modified, not the target of " + type);
    }
    set.write(entity.getValueSetEntry(), undo);
  }

  /** Asks for a set, or for all. */
  @Override
  public Query read(Entity filter) throws RpcException {
    int id = filter.getValueSetEntry().getValueSetId();
    Collection<ValueSetBinding> sets = id == 0 ? valueSets.all() : List.of(valueSets.get(id));
    return answer -> {
      for (ValueSetBinding set : sets) {
        answer.locked(() -> answer.add(Entity.newBuilder().setValueSetEntry(set.read()).build()));
      }
    };
  }
}
