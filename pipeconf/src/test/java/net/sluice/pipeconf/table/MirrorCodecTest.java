package net.sluice.pipeconf.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.queue.MirrorEntry;
import net.sluice.pipeconf.CompiledProgram;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.CloneSessionEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.MulticastGroupEntry;
import p4.v1.P4RuntimeOuterClass.PacketReplicationEngineEntry;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.Update;

/** The clone session of mirrored packets in P4Runtime. */
class MirrorCodecTest {
  private final EntryCodec codec = V1ModelPipeline.load().entries();

  private static Entity session(CloneSessionEntry.Builder session) {
    return Entity.newBuilder()
        .setPacketReplicationEngineEntry(
            PacketReplicationEngineEntry.newBuilder().setCloneSessionEntry(session))
        .build();
  }

  private static CloneSessionEntry.Builder one(Replica.Builder replica) {
    return CloneSessionEntry.newBuilder().setSessionId(1).addReplicas(replica.setInstance(1));
  }

  @Test
  void anEntryIsAWholeCopyToOnePort() {
    Update insert = codec.update(Op.INSERT, new MirrorEntry(68));
    assertThat(TextFormat.printer().shortDebugString(insert))
        .isEqualTo(
            "type: INSERT entity { packet_replication_engine_entry { clone_session_entry {"
                + " session_id: 1 replicas { egress_port: 68 instance: 1 } } } }");
    assertThat(codec.decode(insert.getEntity()))
        .isEqualTo(new DecodedEntry.Known(new MirrorEntry(68)));
    assertThat(codec.update(Op.DELETE, new MirrorEntry(68)).getEntity())
        .isEqualTo(session(CloneSessionEntry.newBuilder().setSessionId(1)));
    assertThat(codec.readAll(Table.MIRROR))
        .containsExactly(session(CloneSessionEntry.newBuilder()));
    assertThatThrownBy(() -> codec.update(Op.INSERT, new MirrorEntry(511)))
        .hasMessage("port is 511; allowed: 0 to 510");
  }

  /** Stratum there refuses other instances than 0. */
  @Test
  void onTofinoACopyHasNoInstance() {
    EntryCodec tofino = CompiledProgram.TNA.entries();
    Update insert = tofino.update(Op.INSERT, new MirrorEntry(68));
    assertThat(TextFormat.printer().shortDebugString(insert))
        .isEqualTo(
            "type: INSERT entity { packet_replication_engine_entry { clone_session_entry {"
                + " session_id: 1 replicas { egress_port: 68 } } } }");
    assertThat(tofino.decode(insert.getEntity()))
        .isEqualTo(new DecodedEntry.Known(new MirrorEntry(68)));
  }

  @Test
  void portsAreReadInEitherForm() {
    ByteString bytes = ByteString.copyFrom(new byte[] {0, 0, 1, (byte) 0xfe});
    assertThat(codec.decode(session(one(Replica.newBuilder().setPort(bytes)))))
        .isEqualTo(new DecodedEntry.Known(new MirrorEntry(510)));
  }

  @Test
  void othersSessionsAreLeftAlone() {
    Entity other = session(CloneSessionEntry.newBuilder().setSessionId(2));
    Entity group =
        Entity.newBuilder()
            .setPacketReplicationEngineEntry(
                PacketReplicationEngineEntry.newBuilder()
                    .setMulticastGroupEntry(
                        MulticastGroupEntry.newBuilder().setMulticastGroupId(1)))
            .build();
    assertThat(codec.decode(other)).isEqualTo(new DecodedEntry.Foreign(other));
    assertThat(codec.decode(group)).isEqualTo(new DecodedEntry.Foreign(group));
  }

  @Test
  void aSessionOfTheSameNumberThatSluiceWouldNotWrite() {
    String shape = "clone session 1 is not one whole copy to one port";
    Replica.Builder port = Replica.newBuilder().setEgressPort(3);
    assertMalformed(CloneSessionEntry.newBuilder().setSessionId(1), shape);
    assertMalformed(one(port).addReplicas(Replica.newBuilder().setEgressPort(4)), shape);
    assertMalformed(one(port).setPacketLengthBytes(64), shape);
    assertMalformed(one(port).setClassOfService(1), shape);
    assertMalformed(
        CloneSessionEntry.newBuilder().setSessionId(1).addReplicas(Replica.newBuilder()), shape);
    String range = "clone session 1 has a port beyond 510";
    assertMalformed(one(Replica.newBuilder().setEgressPort(511)), range);
    assertMalformed(one(Replica.newBuilder().setEgressPort(-1)), range);
    ByteString wide = ByteString.copyFrom(new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 3});
    assertMalformed(one(Replica.newBuilder().setPort(wide)), range);
  }

  private void assertMalformed(CloneSessionEntry.Builder session, String reason) {
    assertThat(codec.decode(session(session)))
        .isEqualTo(new DecodedEntry.Malformed(session(session), reason));
  }
}
