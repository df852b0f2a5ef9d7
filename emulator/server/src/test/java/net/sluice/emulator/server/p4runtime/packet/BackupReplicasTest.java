package net.sluice.emulator.server.p4runtime.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.LoadedSwitch;
import net.sluice.emulator.server.p4runtime.ServedNode;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.switching.ReplicationEngine;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.BackupReplica;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.Update.Type;
import p4.v1.P4RuntimeOuterClass.WriteRequest.Atomicity;

/** Replicas that go elsewhere while their port is down. */
class BackupReplicasTest {

  private static final byte CLONE = 1;
  private static final byte GROUP = 16;

  /** Where the report behind the commands says to which port and with which instance it went. */
  private static final int EGRESS_PORT_AT = 18 + 8;

  private static final int INSTANCE_AT = 18 + 14;

  private static BackupReplica backup(int instance, int... port) {
    return BackupReplica.newBuilder()
        .setPort(LoadedSwitch.bytes(port))
        .setInstance(instance)
        .build();
  }

  private static Replica replica(int port, int instance, BackupReplica... backups) {
    return Replica.newBuilder()
        .setEgressPort(port)
        .setInstance(instance)
        .addAllBackupReplicas(List.of(backups))
        .build();
  }

  private static Entity group(int id, Replica... replicas) {
    Entity.Builder entity = Entity.newBuilder();
    entity
        .getPacketReplicationEngineEntryBuilder()
        .getMulticastGroupEntryBuilder()
        .setMulticastGroupId(id)
        .addAllReplicas(List.of(replicas));
    return entity.build();
  }

  private static Entity session(int id, Replica... replicas) {
    Entity.Builder entity = Entity.newBuilder();
    entity
        .getPacketReplicationEngineEntryBuilder()
        .getCloneSessionEntryBuilder()
        .setSessionId(id)
        .addAllReplicas(List.of(replicas));
    return entity.build();
  }

  private static Update insert(Entity entity) {
    return Update.newBuilder().setType(Type.INSERT).setEntity(entity).build();
  }

  /** A packet that asks for a clone at the end of ingress, or of egress, or for copies. */
  private static String packet(int ingress, int egress) {
    ByteBuffer packet = ByteBuffer.allocate(18);
    packet.put((byte) ingress).put((byte) 0).put((byte) egress).put(new byte[3]);
    // Session 1, group 7, and for the packet itself a port that does not exist.
    packet.putShort((short) 1).putShort((short) 7).putShort((short) 0).putShort((short) 400);
    return HexFormat.of().formatHex(packet.array());
  }

  /** The frames that left since, as port, the port that egress was told, and instance. */
  private static List<String> sent(ServedNode served) {
    List<String> all =
        served.sent.stream()
            .map(
                line -> {
                  byte[] bytes = HexFormat.of().parseHex(line.split(" ")[1]);
                  ByteBuffer packet = ByteBuffer.wrap(bytes);
                  return line.split(" ")[0]
                      + ":"
                      + packet.getShort(EGRESS_PORT_AT)
                      + ":"
                      + packet.getShort(INSTANCE_AT);
                })
            .toList();
    served.sent.clear();
    return all;
  }

  private static List<String> copies(ServedNode served, int ingress, int egress) {
    served.receive(1, packet(ingress, egress));
    served.pass(10_000);
    return sent(served);
  }

  private static void up(ServedNode served, int port, boolean up) {
    served.simulation.execute(() -> served.node.port(port).setLinkUp(up));
  }

  @Test
  void theFirstBackupWhosePortIsUpReplacesAReplica() {
    try (ServedNode served = new ServedNode("copies", 0);
        Controller controller = served.primary(1)) {
      Replica withBackups =
          replica(2, 20, backup(90, 0x01, 0x2c), backup(31, 3), backup(11, 1), backup(32, 3));
      controller.write(insert(group(7, replica(1, 10), withBackups)));
      controller.write(insert(session(1, withBackups)));
      assertThat(copies(served, GROUP, 0)).containsExactly("1:1:10", "2:2:20");
      up(served, 2, false);
      // Port 300 does not exist, and so is not up.
      assertThat(copies(served, GROUP, 0)).containsExactly("1:1:10", "3:3:31");
      assertThat(copies(served, CLONE, 0)).containsExactly("3:3:31");
      assertThat(copies(served, 0, CLONE)).containsExactly("3:3:31");
      up(served, 3, false);
      assertThat(copies(served, GROUP, 0)).containsExactly("1:1:10", "1:1:11");
      up(served, 2, true);
      assertThat(copies(served, GROUP, 0)).containsExactly("1:1:10", "2:2:20");
      assertThat(copies(served, CLONE, 0)).containsExactly("2:2:20");
    }
  }

  @Test
  void whereNoPortIsUpTheReplicaGoesToItsOwnAndIsLostThere() {
    try (ServedNode served = new ServedNode("copies", 0);
        Controller controller = served.primary(1)) {
      controller.write(insert(group(7, replica(2, 20, backup(31, 3)))));
      up(served, 2, false);
      up(served, 3, false);
      long before = served.node.port(2).counters().outDiscards();
      assertThat(copies(served, GROUP, 0)).isEmpty();
      assertThat(served.node.port(2).counters().outDiscards()).isEqualTo(before + 1);
      assertThat(served.node.port(3).counters().outDiscards()).isZero();
      up(served, 3, true);
      assertThat(copies(served, GROUP, 0)).containsExactly("3:3:31");
    }
  }

  @Test
  void backupsAreReadBackInTheirOrder() {
    LoadedSwitch device = new LoadedSwitch("copies");
    Entity group = group(9, replica(4, 1, backup(2, 5), backup(3, 5), backup(0, 0)), replica(6, 0));
    Entity written = group(9, replica(4, 1, backup(2, 0, 0, 5), backup(3, 5), backup(0, 0, 0)));
    Entity read = group(9, replica(4, 1, backup(2, 5), backup(3, 5), backup(0, 0)));
    assertThat(device.write(Type.INSERT, written)).isEqualTo("done");
    assertThat(device.read("packet_replication_engine_entry { }")).containsExactly(read);
    assertThat(device.write(Type.MODIFY, group)).isEqualTo("done");
    assertThat(device.read("packet_replication_engine_entry { }")).containsExactly(group);
    assertThat(device.write(Type.DELETE, group(9, replica(4, 1, backup(1))))).isEqualTo("done");
    assertThat(device.read("packet_replication_engine_entry { }")).isEmpty();
  }

  @Test
  void aBatchThatFailsTakesBackupsBack() throws RpcException {
    LoadedSwitch device = new LoadedSwitch("copies");
    Entity group = group(9, replica(4, 1, backup(2, 5)));
    assertThat(device.write(Type.INSERT, group)).isEqualTo("done");
    assertThat(
            device.write(
                Atomicity.ROLLBACK_ON_ERROR,
                insert(group(9)).toBuilder().setType(Type.MODIFY).build(),
                insert(group(9))))
        .isEqualTo("ALREADY_EXISTS: multicast group 9 exists already");
    assertThat(device.read("packet_replication_engine_entry { }")).containsExactly(group);
    ReplicationEngine engine = device.program().state().replication();
    assertThat(engine.group(9).port(engine.group(9).place(0, port -> port == 5))).isEqualTo(5);
  }

  @Test
  void refusalsNameReplicaBackupAndField() {
    LoadedSwitch device = new LoadedSwitch("copies");
    assertThat(
            Stream.of(
                    group(1, replica(1, 0, backup(1, 2), backup(5, 1))),
                    group(1, replica(1, 0, backup(1, 2), backup(1, 2))),
                    group(1, replica(1, 0, backup(1, 2)), replica(2, 1)),
                    group(1, replica(1, 0, backup(1, 2)), replica(3, 0, backup(1, 2))),
                    group(1, replica(1, 0, backup(1, 2, 0))),
                    group(1, replica(1, 0, backup(65_536, 2))),
                    group(1, replica(1, 0, backup(1))),
                    group(1, replica(1, 0, BackupReplica.getDefaultInstance())),
                    session(1, replica(1, 0, backup(5, 1))))
                .map(entity -> device.write(Type.INSERT, entity)))
        .containsExactly(
            "INVALID_ARGUMENT: port 1 of backup 2 of replica 1 of multicast group 1 must be another"
                + " than the replica's own",
            "INVALID_ARGUMENT: backup 2 of replica 1 of multicast group 1: port 2 with instance 1"
                + " is there already",
            "INVALID_ARGUMENT: replica 2 of multicast group 1: port 2 with instance 1 is there"
                + " already",
            "INVALID_ARGUMENT: backup 1 of replica 2 of multicast group 1: port 2 with instance 1"
                + " is there already",
            "INVALID_ARGUMENT: port 512 of backup 1 of replica 1 of multicast group 1 must be from"
                + " 0 to 511",
            "INVALID_ARGUMENT: instance 65536 of backup 1 of replica 1 of multicast group 1 must be"
                + " from 0 to 65535",
            "INVALID_ARGUMENT: port of backup 1 of replica 1 of multicast group 1 is empty; at"
                + " least one byte is needed",
            "INVALID_ARGUMENT: port of backup 1 of replica 1 of multicast group 1 is empty; at"
                + " least one byte is needed",
            "INVALID_ARGUMENT: port 1 of backup 1 of replica 1 of clone session 1 must be another"
                + " than the replica's own");
    assertThat(device.read("packet_replication_engine_entry { }")).isEmpty();
  }
}
