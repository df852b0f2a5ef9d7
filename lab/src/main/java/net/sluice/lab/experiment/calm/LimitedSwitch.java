package net.sluice.lab.experiment.calm;

import net.sluice.embedded.fpga.ModelRegisters;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.fpga.FpgaModel;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.emulator.server.p4runtime.OfflineControl;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.value.Direction;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;

/**
 * The compiled program on an emulated switch and the FPGA beside it, with what is planned for a
 * cell. No line is slower than the limits, and no agent moves the gates of the loops.
 */
final class LimitedSwitch {
  private static final long BUFFER_BYTES = 1L << 30;

  /** Loops are as many times as fast as the limit: n packets that wait need sqrt(n / 1.7). */
  private static final long LOOP_FACTOR = 40;

  private static final long MIN_LOOP_BPS = 1_000_000_000;

  /** Each pass of a packet through a loop is work for the emulator. */
  private static final long MAX_LOOP_BPS = 25_000_000_000L;

  private final SwitchPort entry;

  /**
   * A switch that holds a plan.
   *
   * @param exit where packets of the limited direction go
   */
  LimitedSwitch(Simulation simulation, CalmCell cell, LimitPlan plan, long seed, CalmExit exit) {
    V1modelSwitch device = new V1modelSwitch(1, seed);
    OfflineControl control =
        OfflineControl.load(
            device,
            ForwardingPipelineConfig.newBuilder()
                .setP4Info(LimitPlan.PROGRAM.p4Info())
                .setP4DeviceConfig(LimitPlan.PROGRAM.deviceConfig())
                .build());
    control.write(plan.updates());
    SwitchNode node = new SwitchNode(simulation, device);
    if (cell.enforcement() == Enforcement.FPGA) {
      connectFpga(simulation, node, cell.direction(), plan);
    }
    for (int pipe = 0; cell.enforcement() == Enforcement.SHAPE && pipe < Topology.PIPES; pipe++) {
      node.addPort(LimitPlan.FIRST_LOOP_PORT + pipe, loopBps(cell.limitBps()), BUFFER_BYTES);
    }
    SwitchPort access = node.addPort(LimitPlan.ACCESS_PORT, LineClock.UNLIMITED_BPS, BUFFER_BYTES);
    SwitchPort core = node.addPort(LimitPlan.CORE_PORT, LineClock.UNLIMITED_BPS, BUFFER_BYTES);
    boolean down = cell.direction() == Direction.DOWN;
    entry = down ? core : access;
    (down ? access : core)
        .connect(
            (frame, offset, length, tag, now) -> {
              exit.sent(tag, length, FlowTag.ageNanos(tag, now));
              exit.receive(frame, offset, length, tag, now);
            });
  }

  private static void connectFpga(
      Simulation simulation, SwitchNode node, Direction direction, LimitPlan plan) {
    SwitchPort sidecar =
        node.addPort(LimitPlan.SIDECAR_PORT, LineClock.UNLIMITED_BPS, BUFFER_BYTES);
    FpgaModel fpga = new FpgaModel(simulation, sidecar);
    sidecar.connect(fpga);
    if (!ModelRegisters.driverOf(fpga, direction)
        .write(plan.settings())
        .toCompletableFuture()
        .join()
        .isEmpty()) {
      throw new IllegalStateException("the FPGA takes not all settings of " + plan);
    }
  }

  private static long loopBps(long limitBps) {
    return Math.min(MAX_LOOP_BPS, Math.max(MIN_LOOP_BPS, LOOP_FACTOR * limitBps));
  }

  /** The rate of all loops of a switch with such limits, bit/s, while a packet waits in each. */
  static long loopsBps(long limitBps) {
    return Topology.PIPES * loopBps(limitBps);
  }

  /** Where packets come in. Their tags say when they were sent. */
  FrameReceiver entry() {
    return entry;
  }
}
