package net.sluice.it.p4;

import p4.v1.P4RuntimeOuterClass.CloneSessionEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.PacketReplicationEngineEntry;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * The clone session of the packets that carry CoDel-ACT's state through egress once more. Without
 * it each congestion cycle begins with a count of 1.
 */
final class MirrorSession {
  /** CODEL_CLONE_SESSION of the program. */
  private static final int SESSION = 1;

  private MirrorSession() {}

  /**
   * The update that makes the session.
   *
   * @param port egress port whose queue the mirrored packets pass: one without a backlog. They are
   *     dropped behind it
   */
  static Update insert(int port) {
    CloneSessionEntry session =
        CloneSessionEntry.newBuilder()
            .setSessionId(SESSION)
            .addReplicas(Replica.newBuilder().setEgressPort(port).setInstance(1))
            .build();
    return Update.newBuilder()
        .setType(Update.Type.INSERT)
        .setEntity(
            Entity.newBuilder()
                .setPacketReplicationEngineEntry(
                    PacketReplicationEngineEntry.newBuilder().setCloneSessionEntry(session)))
        .build();
  }
}
