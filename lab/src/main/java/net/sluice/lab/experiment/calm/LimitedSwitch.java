package net.sluice.lab.experiment.calm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.host.IpAddress;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.emulator.server.p4runtime.OfflineControl;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.intents.limit.delay.WaitSettings;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.policy.LimitAqm;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.forwarding.EgressPortEntry;
import net.sluice.intents.plan.entry.limit.LoopPortEntry;
import net.sluice.intents.plan.entry.limit.PolicyDelayEntry;
import net.sluice.intents.plan.entry.limit.PolicyFlowsEntry;
import net.sluice.intents.plan.entry.limit.RateWord;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.plan.entry.limit.SubscriberMeterEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;

/**
 * The compiled program on an emulated switch, with limited subscribers at one access port. No line
 * is slower than the limits, and no agent moves the gates of the loops.
 */
final class LimitedSwitch {
  /** Entries of a policy that keeps delay low by the defaults. */
  static final List<SwitchEntry> CALM = policy(LimitDelay.UNSAID, true);

  /** Entries of a policy under which packets wait as long as there is room. */
  static final List<SwitchEntry> AS_THEY_COME =
      policy(new LimitDelay(Optional.of(LimitAqm.NONE), OptionalInt.empty()), false);

  private static final int ACCESS_PORT = 1;
  private static final int CORE_PORT = 2;
  private static final int FIRST_LOOP_PORT = 64;
  private static final int PIPES = 4;
  private static final int POLICY = 1;
  private static final Attachment NOWHERE = new Attachment(0, 0);

  /** Of all limits together. */
  private static final long WAITING_BYTES = 15_000_000;

  private static final long BUFFER_BYTES = 1L << 30;

  /** Loops are as many times as fast as the limit: n packets that wait need sqrt(n / 1.7). */
  private static final long LOOP_FACTOR = 40;

  private static final long MIN_LOOP_BPS = 1_000_000_000;

  /** Each pass of a packet through a loop is work for the emulator. */
  private static final long MAX_LOOP_BPS = 25_000_000_000L;

  private static final SwitchPipeline PROGRAM = V1ModelPipeline.load();
  private static final long SWITCH_MAC = 0x02_5a_00_00_00_00L;

  private final OfflineControl control;
  private final SwitchPort core;
  private final long limitBps;
  private final int rttMillis;

  /**
   * A switch without subscribers.
   *
   * @param limitBps of each subscriber, bit/s
   * @param rttMillis round-trip time that their policy names, ms
   * @param policy how its limits keep delay low
   * @param mac of the subscribers' line
   */
  LimitedSwitch(
      Simulation simulation,
      long limitBps,
      int rttMillis,
      List<SwitchEntry> policy,
      long mac,
      long seed,
      CalmExit exit) {
    this.limitBps = limitBps;
    this.rttMillis = rttMillis;
    V1modelSwitch device = new V1modelSwitch(1, seed);
    control =
        OfflineControl.load(
            device,
            ForwardingPipelineConfig.newBuilder()
                .setP4Info(PROGRAM.p4Info())
                .setP4DeviceConfig(PROGRAM.deviceConfig())
                .build());
    SwitchNode node = new SwitchNode(simulation, device);
    insert(
        new PortRoleEntry(ACCESS_PORT, PortRole.ACCESS, Direction.UP),
        new PortRoleEntry(CORE_PORT, PortRole.CORE, Direction.DOWN),
        new EgressPortEntry(ACCESS_PORT, SWITCH_MAC, mac, false));
    insert(policy.toArray(SwitchEntry[]::new));
    for (int pipe = 0; pipe < PIPES; pipe++) {
      insert(new LoopPortEntry(pipe, FIRST_LOOP_PORT + pipe, WAITING_BYTES));
      node.addPort(FIRST_LOOP_PORT + pipe, loopBps(limitBps), BUFFER_BYTES);
    }
    core = node.addPort(CORE_PORT, LineClock.UNLIMITED_BPS, BUFFER_BYTES);
    node.addPort(ACCESS_PORT, LineClock.UNLIMITED_BPS, BUFFER_BYTES)
        .connect(
            (frame, offset, length, tag, now) -> {
              exit.sent(tag, length, FlowTag.ageNanos(tag, now));
              exit.receive(frame, offset, length, tag, now);
            });
  }

  private static List<SwitchEntry> policy(LimitDelay delay, boolean lightFirst) {
    List<SwitchEntry> entries = new ArrayList<>();
    entries.add(new PolicyDelayEntry(POLICY, WaitSettings.ofPolicy(delay)));
    if (lightFirst) {
      entries.add(new PolicyFlowsEntry(POLICY, 0));
    }
    return entries;
  }

  private static long loopBps(long limitBps) {
    return Math.min(MAX_LOOP_BPS, Math.max(MIN_LOOP_BPS, LOOP_FACTOR * limitBps));
  }

  /** The rate of all loops of a switch with such limits, bit/s, while a packet waits in each. */
  static long loopsBps(long limitBps) {
    return PIPES * loopBps(limitBps);
  }

  /** Where packets come in. Their tags say when they were sent. */
  FrameReceiver entry() {
    return core;
  }

  /** Adds a subscriber. */
  void add(int subscriber, IpAddress address, Enforcement enforcement) {
    insert(
        new SubscriberPrefixEntry(
            IpPrefix.parse(address + "/32"),
            new SubscriberData(subscriber, POLICY, ACCESS_PORT, 0, false, false)),
        switch (enforcement) {
          case SHAPE ->
              new SubscriberLimitEntry(subscriber, Direction.DOWN, NOWHERE, RateWord.of(limitBps));
          case POLICE ->
              new SubscriberMeterEntry(
                  subscriber,
                  Direction.DOWN,
                  NOWHERE,
                  Optional.of(
                      MeterProfile.meter(
                          limitBps, MeterProfile.flowBurstBytes(limitBps, rttMillis))));
          case FPGA -> throw new IllegalArgumentException("a switch is no FPGA");
        });
  }

  private void insert(SwitchEntry... entries) {
    control.write(
        Arrays.stream(entries).map(entry -> PROGRAM.entries().update(Op.INSERT, entry)).toList());
  }
}
