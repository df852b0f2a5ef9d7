package net.sluice.lab.experiment.codelact;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.server.p4runtime.OfflineControl;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.intents.compile.AqmTuning;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.marker.csaqm.tables.ValueCode;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.forwarding.EgressPortEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.queue.QueueAqmEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CounterCodec.QueueEvent;
import net.sluice.pipeconf.CounterCodec.Reading.OfDrops;
import net.sluice.pipeconf.CounterCodec.Reading.OfQueue;
import net.sluice.pipeconf.DropReason;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import p4.v1.P4RuntimeOuterClass.CloneSessionEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.PacketReplicationEngineEntry;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.Update;

/** The emulated switch with Sluice's program, a managed queue, and subscribers behind it. */
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

  /** R_max of the marker, above all rates here. */
  private static final double MAX_RATE_BPS = 1e9;

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
    usePorts(mac);
    subscriber(1, 0, address);
  }

  /**
   * Forwards what is for subscribers, from the core to the access port, which drops by value what
   * is too much for its rate if it is told to.
   *
   * @param mac of all of them
   * @param policies of each address
   * @param valueBps rate that the access port drops by value for, bit/s; empty if it does not
   */
  void forwardTo(long mac, Map<IpAddress, BuiltInFunction> policies, OptionalLong valueBps) {
    usePorts(mac);
    RateBins bins =
        new RateBins(
            MAX_RATE_BPS, PROGRAM.profile().rateUnitBps(), PROGRAM.profile().rateKeyBits());
    bins.entries().forEach(this::insert);
    RandomRates.BITS_16.entries().forEach(this::insert);
    for (BuiltInFunction function : BuiltInFunction.values()) {
      for (int bin = 0; bin < RateBins.BINS; bin++) {
        int code = ValueCode.encode(function.valueAt(bins.upperBps(bin)));
        insert(new PolicyValueEntry(slot(function), bin, code));
      }
    }
    int index = 0;
    for (Map.Entry<IpAddress, BuiltInFunction> policy : policies.entrySet()) {
      index++;
      subscriber(index, slot(policy.getValue()), policy.getKey());
    }
    valueBps.ifPresent(bps -> insert(AqmTuning.forPort(ACCESS_PORT, bps)));
  }

  /**
   * Forwards what is for an address, from the core to the access port, which drops at random with a
   * probability that it steers by the delay of its queue.
   *
   * @param rateBps rate of the access port, bit/s
   */
  void forwardDroppingAtRandom(IpAddress address, long mac, long rateBps) {
    usePorts(mac);
    PieEntries.marker(1, PROGRAM.profile().rateKeyBits()).forEach(this::insert);
    insert(PieEntries.port(ACCESS_PORT, rateBps, TARGET_MICROS));
    subscriber(1, 1, address);
  }

  /** 0 is for packets without a policy. */
  private static int slot(BuiltInFunction function) {
    return 1 + function.ordinal();
  }

  private void usePorts(long mac) {
    insert(
        new PortRoleEntry(ACCESS_PORT, PortRole.ACCESS, Direction.UP),
        new PortRoleEntry(CORE_PORT, PortRole.CORE, Direction.DOWN),
        new EgressPortEntry(ACCESS_PORT, SWITCH_MAC, mac, false));
  }

  private void subscriber(int index, int policySlot, IpAddress address) {
    insert(
        new SubscriberPrefixEntry(
            IpPrefix.parse(address + "/32"),
            new SubscriberData(index, policySlot, ACCESS_PORT, 0, false, false)));
  }

  /** Has an algorithm manage the queue towards the subscribers. */
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

  /** Packets worth less than their port's threshold, dropped since the program was loaded. */
  long belowThreshold() {
    return control.read(List.of(PROGRAM.counters().readDrops())).stream()
        .map(entity -> PROGRAM.counters().decode(entity.getCounterEntry()))
        .filter(OfDrops.class::isInstance)
        .map(OfDrops.class::cast)
        .filter(drops -> drops.reason() == DropReason.BELOW_THRESHOLD)
        .mapToLong(OfDrops::packets)
        .sum();
  }

  private void insert(SwitchEntry... entries) {
    control.write(
        List.of(entries).stream()
            .map(entry -> PROGRAM.entries().update(Op.INSERT, entry))
            .toList());
  }
}
