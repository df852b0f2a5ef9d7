package net.sluice.emulator.server.p4runtime.program;

import java.util.List;
import net.sluice.emulator.server.p4runtime.entity.EntityKind;
import net.sluice.emulator.server.p4runtime.entity.Parts;
import net.sluice.emulator.server.p4runtime.entity.UndoLog;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/** Configurations of digests (section 9.8). */
record DigestEntries(Parts<DigestBinding> digests) implements EntityKind {

  @Override
  public int p4Id(Entity entity) {
    return entity.getDigestEntry().getDigestId();
  }

  @Override
  public void write(Update.Type type, Entity entity, UndoLog undo) throws RpcException {
    digests.get(entity.getDigestEntry().getDigestId()).write(type, entity.getDigestEntry(), undo);
  }

  /** Asks for the configuration of a digest, or of all. */
  @Override
  public Query read(Entity filter) throws RpcException {
    int id = filter.getDigestEntry().getDigestId();
    List<Entity> found =
        id == 0
            ? digests.all().stream().flatMap(digest -> digest.read().stream()).toList()
            : digests.get(id).read();
    return answer -> answer.addAll(found);
  }
}
