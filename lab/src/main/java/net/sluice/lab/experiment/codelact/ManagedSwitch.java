package net.sluice.lab.experiment.codelact;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.server.p4runtime.OfflineControl;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.intents.model.AqmKind;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.PortRole;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.EgressPortEntry;
import net.sluice.intents.plan.SwitchEntry.PortRoleEntry;
import net.sluice.intents.plan.SwitchEntry.QueueAqmEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberData;
import net.sluice.intents.plan.SwitchEntry.SubscriberPrefixEntry;
import net.sluice.pipeconf.CounterCodec.QueueEvent;
import net.sluice.pipeconf.CounterCodec.Reading.OfQueue;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import p4.v1.P4RuntimeOuterClass.CloneSessionEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.PacketReplicationEngineEntry;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.Update;

/** The emulated switch with Sluice's program, a managed queue, and one subscriber behind it. */
final class ManagedSwitch {
  static final int ACCESS_PORT = 1;
  static final int CORE_PORT = 2;

  /** A Tofino's recirculation port. */
  static final int MIRROR_PORT = 68;

  /** RFC 8289's and the paper's. */
  static final long TARGET_MICROS = 5_000;

  static final long INTERVAL_MICROS = 100_000;

  /** CODEL_CLONE_SESSION of the program. */
  private static final int CLONE_SESSION = 1;

  private static final SwitchPipeline PROGRAM = V1ModelPipeline.load();
  private static final long SWITCH_MAC = 0x02_5a_00_00_00_00L;

  private final V1modelSwitch device;
  private final OfflineControl control;

  ManagedSwitch(long seed) {
    device = new V1modelSwitch(1, seed);
    control =
        OfflineControl.load(
            device,
            ForwardingPipelineConfig.newBuilder()
                .setP4Info(PROGRAM.p4Info())
                .setP4DeviceConfig(PROGRAM.deviceConfig())
                .build());
  }

  V1modelSwitch device() {
    return device;
  }

  /** Forwards what is for an address, from the core to the access port. */
  void forwardTo(IpAddress address, long mac) {
    insert(
        new PortRoleEntry(ACCESS_PORT, PortRole.ACCESS, Direction.UP),
        new PortRoleEntry(CORE_PORT, PortRole.CORE, Direction.DOWN),
        new EgressPortEntry(ACCESS_PORT, SWITCH_MAC, mac, false),
        new SubscriberPrefixEntry(
            IpPrefix.parse(address + "/32"),
            new SubscriberData(1, 0, ACCESS_PORT, 0, false, false)));
  }

  /** Has an algorithm manage the queue towards the subscriber. */
  void manage(AqmKind kind, boolean ecn) {
    insert(new QueueAqmEntry(ACCESS_PORT, 0, kind, TARGET_MICROS, INTERVAL_MICROS, ecn));
    control.write(
        List.of(
            Update.newBuilder()
                .setType(Update.Type.INSERT)
                .setEntity(
                    Entity.newBuilder()
                        .setPacketReplicationEngineEntry(
                            PacketReplicationEngineEntry.newBuilder()
                                .setCloneSessionEntry(
                                    CloneSessionEntry.newBuilder()
                                        .setSessionId(CLONE_SESSION)
                                        .addReplicas(
                                            Replica.newBuilder()
                                                .setEgressPort(MIRROR_PORT)
                                                .setInstance(1)))))
                .build()));
  }

  /** How often things happened to the queue since the program was loaded. */
  Map<QueueEvent, Long> events() {
    Map<QueueEvent, Long> events = new EnumMap<>(QueueEvent.class);
    for (Entity entity : control.read(PROGRAM.counters().readQueue(ACCESS_PORT, 0))) {
      OfQueue cell = (OfQueue) PROGRAM.counters().decode(entity.getCounterEntry());
      events.put(cell.event(), cell.packets());
    }
    return events;
  }

  private void insert(SwitchEntry... entries) {
    control.write(
        List.of(entries).stream()
            .map(entry -> PROGRAM.entries().update(Op.INSERT, entry))
            .toList());
  }
}
