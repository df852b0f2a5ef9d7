package net.sluice.emulator.server.p4runtime.packet;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import net.sluice.emulator.server.p4runtime.LoadedSwitch;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.switching.CloneSession;
import net.sluice.emulator.switching.Replicas;
import net.sluice.emulator.switching.ReplicationEngine;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.MulticastGroupEntry;
import p4.v1.P4RuntimeOuterClass.PacketReplicationEngineEntry;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.Update.Type;
import p4.v1.P4RuntimeOuterClass.WriteRequest.Atomicity;

/** Multicast groups and clone sessions over P4Runtime: written, read back, refused. */
class ReplicationEntriesTest {

  private final LoadedSwitch device = new LoadedSwitch("copies");
  private final ReplicationEngine engine = device.binding.program().state().replication();

  private static String group(int id, String replicas) {
    return ("packet_replication_engine_entry { multicast_group_entry { multicast_group_id: %s"
            + " %s } }")
        .formatted(id, replicas);
  }

  private static String session(int id, String rest) {
    return "packet_replication_engine_entry { clone_session_entry { session_id: %s %s } }"
        .formatted(id, rest);
  }

  private static String replica(int port, int instance) {
    return "replicas { egress_port: " + port + " instance: " + instance + " } ";
  }

  private String refused(Type type, String entity) {
    String answer = device.write(type, entity);
    assertThat(answer).isNotEqualTo("done");
    return answer;
  }

  private static String text(Replicas replicas) {
    if (replicas == null) {
      return "none";
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < replicas.size(); i++) {
      text.append(replicas.port(i)).append(':').append(replicas.instance(i)).append(' ');
    }
    return text.toString().strip();
  }

  @Test
  void groupsAreInsertedModifiedDeletedAndRead() {
    String one = group(1, replica(4, 65535) + replica(3, 0) + replica(3, 7));
    String last = group(65535, "");
    assertThat(device.write(Type.INSERT, one)).isEqualTo("done");
    assertThat(device.write(Type.INSERT, last)).isEqualTo("done");
    assertThat(text(engine.group(1))).isEqualTo("4:65535 3:0 3:7");
    assertThat(text(engine.group(65535))).isEmpty();
    assertThat(text(engine.group(2))).isEqualTo("none");
    assertThat(device.read(group(0, ""))).containsExactly(device.entity(one), device.entity(last));
    assertThat(device.read(group(1, replica(9, 9)))).containsExactly(device.entity(one));
    assertThat(device.read(group(2, ""))).isEmpty();
    assertThat(device.read(session(0, ""))).isEmpty();
    String other = group(1, replica(511, 1));
    assertThat(device.write(Type.MODIFY, other)).isEqualTo("done");
    assertThat(text(engine.group(1))).isEqualTo("511:1");
    assertThat(device.read(group(1, ""))).containsExactly(device.entity(other));
    assertThat(device.write(Type.DELETE, group(1, replica(700, 0)))).isEqualTo("done");
    assertThat(text(engine.group(1))).isEqualTo("none");
    assertThat(device.read(group(0, ""))).containsExactly(device.entity(last));
  }

  @Test
  void sessionsAreInsertedModifiedDeletedAndRead() {
    String one = session(7, replica(4, 0) + "class_of_service: 7 packet_length_bytes: 64");
    assertThat(device.write(Type.INSERT, one)).isEqualTo("done");
    CloneSession session = engine.session(7);
    assertThat(text(session.replicas())).isEqualTo("4:0");
    assertThat(session.classOfService()).isEqualTo(7);
    assertThat(session.limit(63)).isEqualTo(63);
    assertThat(session.limit(65)).isEqualTo(64);
    String two = session(32767, "");
    assertThat(device.write(Type.INSERT, two)).isEqualTo("done");
    assertThat(engine.session(32767).limit(9000)).isEqualTo(9000);
    assertThat(device.read(session(0, ""))).containsExactly(device.entity(one), device.entity(two));
    assertThat(device.write(Type.MODIFY, session(7, replica(5, 1)))).isEqualTo("done");
    assertThat(text(engine.session(7).replicas())).isEqualTo("5:1");
    assertThat(device.write(Type.DELETE, session(7, ""))).isEqualTo("done");
    assertThat(engine.session(7)).isNull();
    assertThat(device.read(session(7, ""))).isEmpty();
    // Without a kind, everything is read.
    assertThat(device.write(Type.INSERT, group(3, ""))).isEqualTo("done");
    assertThat(device.read("packet_replication_engine_entry { }")).hasSize(2);
  }

  @Test
  void refusalsNameEntryFieldAndBoundsAndChangeNothing() {
    assertThat(device.write(Type.INSERT, group(1, replica(1, 1)))).isEqualTo("done");
    assertThat(device.write(Type.INSERT, session(1, replica(1, 1)))).isEqualTo("done");
    assertThat(
            List.of(
                refused(Type.INSERT, "packet_replication_engine_entry { }"),
                refused(Type.INSERT, group(1, "")),
                refused(Type.MODIFY, group(2, "")),
                refused(Type.DELETE, group(2, "")),
                refused(Type.INSERT, group(0, "")),
                refused(Type.INSERT, group(65536, "")),
                refused(Type.MODIFY, group(1, replica(512, 0))),
                refused(Type.MODIFY, group(1, replica(1, 0) + replica(2, 65536))),
                refused(Type.MODIFY, group(1, replica(1, 3) + replica(2, 3) + replica(1, 3))),
                refused(Type.INSERT, session(1, "")),
                refused(Type.MODIFY, session(2, "")),
                refused(Type.DELETE, session(2, "")),
                refused(Type.INSERT, session(0, "")),
                refused(Type.INSERT, session(32768, "")),
                refused(Type.MODIFY, session(1, "class_of_service: 8")),
                refused(Type.MODIFY, session(1, "packet_length_bytes: -1")),
                refused(Type.MODIFY, session(1, replica(512, 0)))))
        .containsExactly(
            "INVALID_ARGUMENT: the packet_replication_engine_entry is empty; it must be a"
                + " multicast_group_entry or a clone_session_entry",
            "ALREADY_EXISTS: multicast group 1 exists already",
            "NOT_FOUND: multicast group 2 does not exist",
            "NOT_FOUND: multicast group 2 does not exist",
            "INVALID_ARGUMENT: multicast_group_id 0 must be from 1 to 65535; 0 stands for all of"
                + " them in reads",
            "INVALID_ARGUMENT: multicast_group_id 65536 must be from 1 to 65535",
            "INVALID_ARGUMENT: egress_port 512 of replica 1 of multicast group 1 must be from 0 to"
                + " 511",
            "INVALID_ARGUMENT: instance 65536 of replica 2 of multicast group 1 must be from 0 to"
                + " 65535",
            "INVALID_ARGUMENT: replica 3 of multicast group 1: port 1 with instance 3 is there"
                + " already",
            "ALREADY_EXISTS: clone session 1 exists already",
            "NOT_FOUND: clone session 2 does not exist",
            "NOT_FOUND: clone session 2 does not exist",
            "INVALID_ARGUMENT: session_id 0 must be from 1 to 32767; 0 stands for all of them in"
                + " reads",
            "INVALID_ARGUMENT: session_id 32768 must be from 1 to 32767",
            "INVALID_ARGUMENT: class_of_service 8 of clone session 1 must be from 0 to 7",
            "INVALID_ARGUMENT: packet_length_bytes -1 of clone session 1 must be at least 0",
            "INVALID_ARGUMENT: egress_port 512 of replica 1 of clone session 1 must be from 0 to"
                + " 511");
    assertThat(text(engine.group(1))).isEqualTo("1:1");
    assertThat(text(engine.session(1).replicas())).isEqualTo("1:1");
    assertThat(device.read("packet_replication_engine_entry { }")).hasSize(2);
  }

  private static Replica at(int... port) {
    return Replica.newBuilder().setPort(LoadedSwitch.bytes(port)).build();
  }

  private String insert(MulticastGroupEntry.Builder entry) {
    Entity entity =
        Entity.newBuilder()
            .setPacketReplicationEngineEntry(
                PacketReplicationEngineEntry.newBuilder()
                    .setMulticastGroupEntry(entry.setMulticastGroupId(9)))
            .build();
    return device.write(Type.INSERT, entity);
  }

  @Test
  void portsMayBeGivenAsBytesAndMetadataAreKept() {
    MulticastGroupEntry.Builder entry = MulticastGroupEntry.newBuilder();
    assertThat(insert(entry.addReplicas(at())))
        .isEqualTo(
            "INVALID_ARGUMENT: port of replica 1 of multicast group 9 is empty; at least one byte"
                + " is needed");
    assertThat(insert(entry.clearReplicas().addReplicas(at(2, 0))))
        .isEqualTo(
            "INVALID_ARGUMENT: port 512 of replica 1 of multicast group 9 must be from 0 to 511");
    entry
        .clearReplicas()
        .addReplicas(at(0, 1, 0x2c).toBuilder().setInstance(5))
        .setMetadata(ByteString.copyFromUtf8("mine"));
    assertThat(insert(entry)).isEqualTo("done");
    assertThat(text(engine.group(9))).isEqualTo("300:5");
    // Metadata come back as they were written, ports without leading zeros.
    entry.setReplicas(0, at(1, 0x2c).toBuilder().setInstance(5));
    assertThat(
            device
                .read(group(9, ""))
                .get(0)
                .getPacketReplicationEngineEntry()
                .getMulticastGroupEntry())
        .isEqualTo(entry.build());
  }

  @Test
  void aBatchThatFailsIsTakenBack() throws RpcException {
    assertThat(device.write(Type.INSERT, group(1, replica(1, 1)))).isEqualTo("done");
    assertThat(device.write(Type.INSERT, session(1, replica(1, 1)))).isEqualTo("done");
    assertThat(
            device.write(
                Atomicity.ROLLBACK_ON_ERROR,
                update(Type.DELETE, group(1, "")),
                update(Type.MODIFY, session(1, replica(2, 2))),
                update(Type.INSERT, group(2, replica(2, 2))),
                update(Type.INSERT, session(2, replica(2, 2))),
                update(Type.DELETE, session(3, ""))))
        .isEqualTo("NOT_FOUND: clone session 3 does not exist");
    assertThat(text(engine.group(1))).isEqualTo("1:1");
    assertThat(text(engine.session(1).replicas())).isEqualTo("1:1");
    assertThat(engine.group(2)).isNull();
    assertThat(engine.session(2)).isNull();
    assertThat(device.read("packet_replication_engine_entry { }"))
        .containsExactly(
            device.entity(group(1, replica(1, 1))), device.entity(session(1, replica(1, 1))));
  }

  private Update update(Type type, String entity) {
    return Update.newBuilder().setType(type).setEntity(device.entity(entity)).build();
  }
}
