package net.sluice.standalone.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import net.sluice.core.ControllerConfig;
import net.sluice.emulator.bmv2.Bmv2Switch;
import net.sluice.emulator.fpga.FpgaModel;
import net.sluice.emulator.p4runtime.P4RuntimeServer;
import net.sluice.emulator.sim.FrameReceiver;
import net.sluice.emulator.sim.Simulation;
import net.sluice.emulator.sim.SwitchNode;
import net.sluice.emulator.sim.SwitchPort;
import net.sluice.fpga.LocalBus;
import net.sluice.fpga.RegisterBusAgent;
import net.sluice.intents.compile.AqmTuning;
import net.sluice.intents.model.Direction;
import net.sluice.intents.plan.PortRole;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.Topology;

/**
 * A switch with a core port, a port towards all subscribers, and an FPGA beside it, in virtual
 * time. Switch and FPGA are reached as real ones are: over P4Runtime and a register agent.
 */
final class EmulatedNetwork implements AutoCloseable {
  private static final long DEVICE_ID = 1;
  private static final int CORE = 0;
  private static final int ACCESS = 1;
  private static final int SIDECAR = 2;
  private static final int BNG_PORTS = 8;

  /** No bottleneck anywhere else. */
  private static final long FAST_BPS = 10_000_000_000_000L;

  private static final long FAST_QUEUE_BYTES = 1L << 30;

  /** The bottleneck's buffer, over what its AQM aims at; and in frames, so that a few fit. */
  private static final int BUFFER_TARGETS = 8;

  private static final int BUFFER_FRAMES = 64;

  private final RunSpec spec;
  private final Simulation simulation;
  private final SwitchNode node;
  private final FpgaModel fpga;
  private final P4RuntimeServer server;
  private final RegisterBusAgent agent;
  private FrameReceiver behindFpga;

  /** Starts the network's control servers on free local ports; virtual time stands at 0. */
  EmulatedNetwork(RunSpec spec) throws IOException {
    this.spec = spec;
    simulation = new Simulation(spec.seed());
    Bmv2Switch device = new Bmv2Switch(DEVICE_ID, spec.seed());
    node = new SwitchNode(simulation, device);
    node.addPort(CORE, FAST_BPS, FAST_QUEUE_BYTES);
    node.addPort(ACCESS, spec.bottleneckBps(), bufferBytes(spec))
        .setOverheadBytes(spec.overheadBytes());
    SwitchPort sidecar = node.addPort(SIDECAR, FAST_BPS, FAST_QUEUE_BYTES);
    behindFpga = sidecar;
    fpga =
        new FpgaModel(
            simulation,
            (bytes, offset, length, tag, now) ->
                behindFpga.receive(bytes, offset, length, tag, now));
    sidecar.connect(fpga);
    InetSocketAddress anyLocalPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    server = P4RuntimeServer.start(device, anyLocalPort);
    try {
      agent = RegisterBusAgent.start(new Registers(fpga), anyLocalPort);
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  /** The registers as a memory-mapped FPGA offers them. */
  private record Registers(FpgaModel fpga) implements LocalBus {
    @Override
    public int readWord(int address) {
      return fpga.readRegister(address);
    }

    @Override
    public void writeWord(int address, int value) {
      fpga.writeRegister(address, value);
    }
  }

  /** How it is cabled: all BNG ports are the port towards the subscribers. */
  Topology topology() {
    Map<Integer, Integer> bngPorts = new HashMap<>();
    for (int port = 0; port < BNG_PORTS; port++) {
      bngPorts.put(port, ACCESS);
    }
    return new Topology(
        List.of(
            port(CORE, PortRole.CORE, Direction.DOWN, FAST_BPS),
            port(ACCESS, PortRole.ACCESS, Direction.UP, spec.bottleneckBps()),
            port(SIDECAR, PortRole.SIDECAR, Direction.DOWN, FAST_BPS)),
        bngPorts,
        OptionalInt.of(SIDECAR),
        OptionalInt.empty(),
        List.of());
  }

  private static Topology.SwitchPort port(
      int number, PortRole role, Direction direction, long rateBps) {
    long mac = 0x02_00_00_00_10_00L + 2L * number;
    return new Topology.SwitchPort(
        number, role, direction, rateBps, mac, mac + 1, false, role == PortRole.ACCESS);
  }

  /** What the FPGA can represent. */
  FpgaProfile fpgaProfile() {
    return FpgaProfile.withClock(fpga.clockHz());
  }

  /** Where the switch is controlled. */
  ControllerConfig.SwitchEndpoint switchEndpoint() {
    return new ControllerConfig.SwitchEndpoint(host(), server.port(), DEVICE_ID, 1);
  }

  /** Where the FPGA's registers are. */
  ControllerConfig.FpgaEndpoint fpgaEndpoint() {
    return new ControllerConfig.FpgaEndpoint(host(), agent.port());
  }

  private static String host() {
    return InetAddress.getLoopbackAddress().getHostAddress();
  }

  Simulation simulation() {
    return simulation;
  }

  /** Where traffic towards the subscribers enters. */
  SwitchPort core() {
    return node.port(CORE);
  }

  /** The bottleneck. */
  SwitchPort access() {
    return node.port(ACCESS);
  }

  /** Has the meter see what the FPGA lets pass before the switch gets it. */
  void measureBehindFpga(Meter meter) {
    simulation.execute(() -> behindFpga = meter.behindLimiter(node.port(SIDECAR)));
  }

  /** The longest a frame can be on its way through the bottleneck. */
  long drainNanos() {
    double bits = 8.0 * (bufferBytes(spec) + 2L * spec.packetBytes());
    return Traffic.nanos(2 * bits / spec.bottleneckBps());
  }

  /** Room for the loop to overshoot its target delay without the buffer dropping blindly. */
  static long bufferBytes(RunSpec spec) {
    long targetMicros = AqmTuning.forPort(ACCESS, spec.bottleneckBps()).targetMicros();
    long bytes = BUFFER_TARGETS * targetMicros * (spec.bottleneckBps() / 8) / 1_000_000;
    return Math.max(bytes, (long) BUFFER_FRAMES * spec.packetBytes());
  }

  @Override
  public void close() {
    agent.close();
    server.close();
  }
}
