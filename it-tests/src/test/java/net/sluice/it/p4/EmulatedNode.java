package net.sluice.it.p4;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.v1model.V1modelSwitch;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;

/**
 * Sluice's own switch with its traffic manager behind its P4Runtime server, in virtual time: a
 * frame every {@value #SPACING_NANOS} ns, all ports without a limit.
 */
final class EmulatedNode implements SwitchUnderTest {
  private static final long DEVICE_ID = 1;
  private static final long SPACING_NANOS = 1_000_000;

  private final Simulation simulation = new Simulation(1);
  private final P4RuntimeServer server;
  private final ControlClient control;
  private final SwitchNode node;
  private List<PortFrame> out = new ArrayList<>();

  private EmulatedNode(ForwardingPipelineConfig config, int cpuPort) {
    V1modelSwitch device = new V1modelSwitch(DEVICE_ID, 1, cpuPort);
    try {
      server =
          P4RuntimeServer.start(device, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot serve the emulated switch", e);
    }
    control =
        new ControlClient(
            ManagedChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build(),
            DEVICE_ID,
            config);
    node = new SwitchNode(simulation, device);
    for (int i = 0; i <= SwitchNode.MAX_PORT; i++) {
      int port = i;
      if (cpuPort != 0 && port == cpuPort) {
        continue;
      }
      node.addPort(port, LineClock.UNLIMITED_BPS, Long.MAX_VALUE)
          .connect(
              (bytes, offset, length, tag, nowNanos) ->
                  out.add(new PortFrame(port, ByteString.copyFrom(bytes, offset, length))));
    }
  }

  /** Starts one and loads the program. */
  static EmulatedNode start(ForwardingPipelineConfig config) {
    return start(config, 0);
  }

  /** Starts one with a CPU port, or 0 for none, and loads the program. */
  static EmulatedNode start(ForwardingPipelineConfig config, int cpuPort) {
    return new EmulatedNode(config, cpuPort);
  }

  /** Lets some time pass. */
  void pass() {
    simulation.runUntil(simulation.nowNanos() + SPACING_NANOS);
  }

  @Override
  public String name() {
    return "the emulated switch";
  }

  @Override
  public ControlClient control() {
    return control;
  }

  @Override
  public List<List<PortFrame>> pass(List<PortFrame> frames) {
    List<List<PortFrame>> all = new ArrayList<>();
    for (PortFrame frame : frames) {
      out = new ArrayList<>();
      simulation.runUntil(simulation.nowNanos() + SPACING_NANOS / 2);
      byte[] bytes = frame.bytes().toByteArray();
      simulation.execute(
          () -> node.port(frame.port()).receive(bytes, 0, bytes.length, 0, simulation.nowNanos()));
      simulation.runUntil(simulation.nowNanos() + SPACING_NANOS / 2);
      all.add(out);
    }
    return all;
  }

  @Override
  public void close() {
    control.close();
    server.close();
  }
}
