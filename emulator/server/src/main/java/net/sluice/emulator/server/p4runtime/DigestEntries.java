package net.sluice.emulator.server.p4runtime;

import java.util.List;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/** Configurations of digests (section 9.8). */
record DigestEntries(Binding binding) implements EntityKind {

  @Override
  public int p4Id(Entity entity) {
    return entity.getDigestEntry().getDigestId();
  }

  @Override
  public void write(Update.Type type, Entity entity, UndoLog undo) throws RpcException {
    binding
        .digest(entity.getDigestEntry().getDigestId())
        .write(type, entity.getDigestEntry(), undo);
  }

  /** Asks for the configuration of a digest, or of all. */
  @Override
  public Query read(Entity filter) throws RpcException {
    int id = filter.getDigestEntry().getDigestId();
    List<Entity> found =
        id == 0
            ? binding.digests().values().stream().flatMap(digest -> digest.read().stream()).toList()
            : binding.digest(id).read();
    return answer -> answer.addAll(found);
  }
}
