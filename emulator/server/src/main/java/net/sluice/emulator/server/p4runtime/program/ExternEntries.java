package net.sluice.emulator.server.p4runtime.program;

import com.google.rpc.Code;
import net.sluice.emulator.server.p4runtime.entity.EntityKind;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ExternEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Entries of externs (section 9.9): v1model has none that P4Runtime does not know by an entity of
 * its own.
 */
final class ExternEntries implements EntityKind {

  @Override
  public int p4Id(Entity entity) {
    return entity.getExternEntry().getExternId();
  }

  @Override
  public void write(Update.Type type, Entity entity, UndoLog undo) throws RpcException {
    throw refusal(entity.getExternEntry());
  }

  /** All externs (extern_type_id 0) are none. */
  @Override
  public Query read(Entity filter) throws RpcException {
    if (filter.getExternEntry().getExternTypeId() == 0) {
      return answer -> {};
    }
    throw refusal(filter.getExternEntry());
  }

  private static RpcException refusal(ExternEntry entry) {
    return new RpcException(
        Code.UNIMPLEMENTED,
        "there is no extern of type "
            + Integer.toUnsignedString(entry.getExternTypeId())
            + " (extern_id "
            + Integer.toUnsignedString(entry.getExternId())
            + "): v1model has no externs with entries of their own");
  }
}
