package net.sluice.lab.experiment.dragonking;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.emulator.netsim.FrameReceiver;
import net.sluice.emulator.netsim.Prng;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.server.p4runtime.OfflineControl;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.gates.GateAgent;
import net.sluice.gates.LocalSwitch;
import net.sluice.gates.loop.GateLoop;
import net.sluice.gates.loop.LoopSettings;
import net.sluice.gates.loop.Windows;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.forwarding.EgressPortEntry;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.limit.LoopPortEntry;
import net.sluice.intents.plan.entry.limit.PortLimitEntry;
import net.sluice.intents.plan.entry.limit.RateWord;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CounterCodec.Reading.OfDrops;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.table.PipeStateCodec;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Update;

/** A {@link Load} through the compiled program on an emulated switch. */
final class ShapedRun {
  static final int PIPES = Windows.PIPES;

  private static final int ACCESS_PORT = 1;
  private static final int CORE_PORT = 2;
  private static final int FIRST_LOOP_PORT = 64;

  /** The paper's: 120 Mbit. */
  private static final long SHAPED_BYTES = 15_000_000;

  private static final Attachment NOWHERE = new Attachment(0, 0);
  private static final long BUFFER_BYTES = 22_000_000;
  private static final long SWITCH_MAC = 0x02_5a_00_00_00_00L;
  private static final long NEXT_MAC = 0x02_00_00_00_00_02L;
  private static final int BATCH = 10_000;

  private static final SwitchPipeline PROGRAM = V1ModelPipeline.load();

  private final Load load;
  private final OfflineControl control;
  private final List<Update> batch = new ArrayList<>();

  private ShapedRun(Load load, V1modelSwitch device) {
    this.load = load;
    control =
        OfflineControl.load(
            device,
            ForwardingPipelineConfig.newBuilder()
                .setP4Info(PROGRAM.p4Info())
                .setP4DeviceConfig(PROGRAM.deviceConfig())
                .build());
  }

  /**
   * The agent that moves the gates.
   *
   * @param untilNanos when it dies
   * @param frontAlone whether packets leave by the front pipe alone
   */
  record Agent(GateLoop loop, long untilNanos, boolean frontAlone) {
    /** An agent beside a program whose packets leave by any pipe. */
    Agent(GateLoop loop, long untilNanos) {
      this(loop, untilNanos, false);
    }
  }

  /** Told of each packet whose first bit leaves, with its virtual start time. */
  interface Sent {
    void packet(int limit, long startNanos, long nanos);
  }

  /**
   * Sends a load through the program for a while.
   *
   * @param loop what moves the gates; empty for a switch without an agent
   */
  static ShapedResult run(Load load, Optional<GateLoop> loop, long nanos, long seed) {
    return run(load, loop.map(of -> new Agent(of, nanos)), nanos, seed, (limit, start, at) -> {});
  }

  /** The same with an agent that may die. */
  static ShapedResult run(Load load, Optional<Agent> agent, long nanos, long seed, Sent sent) {
    V1modelSwitch device = new V1modelSwitch(1, seed);
    return new ShapedRun(load, device).run(device, agent, nanos, seed, sent);
  }

  private ShapedResult run(
      V1modelSwitch device, Optional<Agent> agent, long nanos, long seed, Sent sent) {
    Simulation simulation = new Simulation(seed);
    SwitchNode node = new SwitchNode(simulation, device);
    insert(new PortRoleEntry(ACCESS_PORT, PortRole.ACCESS, Direction.UP));
    insert(new PortRoleEntry(CORE_PORT, PortRole.CORE, Direction.DOWN));
    for (int port : new int[] {ACCESS_PORT, CORE_PORT}) {
      insert(new EgressPortEntry(port, SWITCH_MAC, NEXT_MAC, false));
    }
    insert(new RouteEntry(IpPrefix.v4(0, 0), CORE_PORT));
    for (int pipe = 0; pipe < PIPES; pipe++) {
      insert(new LoopPortEntry(pipe, FIRST_LOOP_PORT + pipe, SHAPED_BYTES));
      node.addPort(FIRST_LOOP_PORT + pipe, Load.LINE_BPS, BUFFER_BYTES);
    }
    if (load.shared()) {
      insert(new PortLimitEntry(NOWHERE.port(), Direction.DOWN, load.rateWord()));
    }
    for (int limit = 0; limit < load.limits(); limit++) {
      int subscriber = LoadSource.subscriber(limit);
      if (LoadSource.isDown(limit)) {
        insert(
            new SubscriberPrefixEntry(
                IpPrefix.v4(LoadSource.address(limit), 32),
                new SubscriberData(subscriber, 1, ACCESS_PORT, 0, false, false)));
      }
      insert(
          new SubscriberLimitEntry(
              subscriber,
              LoadSource.isDown(limit) ? Direction.DOWN : Direction.UP,
              NOWHERE,
              load.shared() ? RateWord.UNLIMITED : load.rateWord()));
    }
    if (agent.isPresent() && agent.get().frontAlone()) {
      for (int pipe = 1; pipe < PIPES; pipe++) {
        batch.add(PipeStateCodec.of(PROGRAM.p4Info()).hold(pipe));
      }
    }
    flush();
    SwitchPort core = node.addPort(CORE_PORT, Load.LINE_BPS, BUFFER_BYTES);
    SwitchPort access = node.addPort(ACCESS_PORT, Load.LINE_BPS, BUFFER_BYTES);
    long lineNanos = load.packetBits() * 1_000_000_000L / Load.LINE_BPS;
    Departures departures = new Departures(load, lineNanos);
    FrameReceiver behind =
        (bytes, offset, length, tag, now) -> {
          departures.sent(tag, now);
          sent.packet(Departures.limit(tag), Departures.startNanos(tag), now - lineNanos);
        };
    core.connect(behind);
    access.connect(behind);
    new LoadSource(
        simulation,
        load,
        new LoadArrivals(load, 0, new Prng(seed)),
        departures,
        core,
        access,
        nanos);
    agent.ifPresent(
        of -> step(simulation, new GateAgent(local(), PROGRAM, of.loop()), of.untilNanos()));
    simulation.runUntil(nanos);
    return new ShapedResult(departures, nanos, dropped(node), pipeBytes());
  }

  private static void step(Simulation simulation, GateAgent agent, long untilNanos) {
    long next = simulation.nowNanos() + LoopSettings.PAPER.periodNanos();
    if (next < untilNanos) {
      simulation.schedule(
          next,
          (now, none) -> {
            agent.step();
            step(simulation, agent, untilNanos);
          },
          0);
    }
  }

  /** The agent's way to the switch: none at all. */
  private LocalSwitch local() {
    return new LocalSwitch() {
      @Override
      public List<Entity> read(List<Entity> wanted) {
        return control.read(wanted);
      }

      @Override
      public void write(List<Update> updates) {
        control.write(updates);
      }
    };
  }

  private long[] pipeBytes() {
    PipeStateCodec codec = PipeStateCodec.of(PROGRAM.p4Info());
    return codec.state(control.read(codec.reads())).pipeBytes();
  }

  private long dropped(SwitchNode node) {
    long dropped = node.turnaroundDrops() + node.unknownEgressPortDrops();
    for (SwitchPort port : node.ports()) {
      dropped += port.statistics().tailDropPackets();
    }
    for (Entity entity : control.read(List.of(PROGRAM.counters().readDrops()))) {
      if (PROGRAM.counters().decode(entity.getCounterEntry()) instanceof OfDrops drops) {
        dropped += drops.packets();
      }
    }
    return dropped;
  }

  private void insert(SwitchEntry entry) {
    batch.add(PROGRAM.entries().update(Op.INSERT, entry));
    if (batch.size() == BATCH) {
      flush();
    }
  }

  private void flush() {
    control.write(batch);
    batch.clear();
  }
}
