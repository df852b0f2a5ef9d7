package net.sluice.pipeconf.table;

import com.google.protobuf.ByteString;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.queue.MirrorEntry;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.value.Ranges;
import net.sluice.pipeconf.p4info.ProgramDescriptor;
import p4.v1.P4RuntimeOuterClass.CloneSessionEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.PacketReplicationEngineEntry;
import p4.v1.P4RuntimeOuterClass.Replica;

/**
 * The clone session of the packets that the program mirrors, which is an entity of its own and no
 * table (P4Runtime 1.3, section 9.5).
 */
final class MirrorCodec {
  /** CODEL_CLONE_SESSION of the program, which P4Info does not tell. */
  private static final int SESSION = 1;

  private static final int PORT_BYTES = 4;

  /** Of the copy: Stratum on Tofino takes and tells none. */
  private final int instance;

  MirrorCodec(ProgramDescriptor program) {
    instance = program.architecture().equals("tna") ? 0 : 1;
  }

  /** The session of a {@link MirrorEntry}. */
  Entity encode(SwitchEntry entry) {
    int port = ((MirrorEntry) entry).port();
    Ranges.require("port", port, 0, Topology.MAX_PORT);
    return entity(
        CloneSessionEntry.newBuilder()
            .setSessionId(SESSION)
            .addReplicas(Replica.newBuilder().setEgressPort(port).setInstance(instance)));
  }

  static Entity encodeKey() {
    return entity(CloneSessionEntry.newBuilder().setSessionId(SESSION));
  }

  /** Asks for every session: a server answers NOT_FOUND to a question for one it has not. */
  static Entity readAll() {
    return entity(CloneSessionEntry.newBuilder());
  }

  DecodedEntry decode(Entity entity) {
    PacketReplicationEngineEntry entry = entity.getPacketReplicationEngineEntry();
    CloneSessionEntry session = entry.getCloneSessionEntry();
    if (!entry.hasCloneSessionEntry() || session.getSessionId() != SESSION) {
      return new DecodedEntry.Foreign(entity);
    }
    if (session.getReplicasCount() != 1
        || session.getReplicas(0).getInstance() != instance
        || session.getClassOfService() != 0
        || session.getPacketLengthBytes() != 0) {
      return new DecodedEntry.Malformed(
          entity, "clone session " + SESSION + " is not one whole copy to one port");
    }
    int port = port(session.getReplicas(0));
    return port < 0 || port > Topology.MAX_PORT
        ? new DecodedEntry.Malformed(
            entity, "clone session " + SESSION + " has a port beyond " + Topology.MAX_PORT)
        : new DecodedEntry.Known(new MirrorEntry(port));
  }

  /** Servers tell a port in either of two fields; -1 for one that is too large. */
  private static int port(Replica replica) {
    if (!replica.hasPort()) {
      return replica.getEgressPort();
    }
    ByteString bytes = replica.getPort();
    long port = 0;
    for (int i = 0; i < bytes.size(); i++) {
      if (port >>> 8 * (PORT_BYTES - 1) != 0) {
        return -1;
      }
      port = port << 8 | bytes.byteAt(i) & 0xff;
    }
    return port > Topology.MAX_PORT ? -1 : (int) port;
  }

  private static Entity entity(CloneSessionEntry.Builder session) {
    return Entity.newBuilder()
        .setPacketReplicationEngineEntry(
            PacketReplicationEngineEntry.newBuilder().setCloneSessionEntry(session))
        .build();
  }
}
