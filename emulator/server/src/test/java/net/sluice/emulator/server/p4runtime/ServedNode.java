package net.sluice.emulator.server.p4runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.v1model.V1modelSwitch;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;

/** A switch with ports 1 to 3 in virtual time, served over P4Runtime. */
public final class ServedNode implements AutoCloseable {

  public final V1modelSwitch device;
  public final Simulation simulation = new Simulation(1);
  public final SwitchNode node;
  public final P4RuntimeServer server;

  /** The frames that left, as {@code "port hex"}. */
  public final List<String> sent = new ArrayList<>();

  public ServedNode(String program, int cpuPort) {
    this(config(program), cpuPort);
  }

  public ServedNode(ForwardingPipelineConfig config, int cpuPort) {
    device = new V1modelSwitch(Controller.DEVICE, 1, cpuPort);
    try {
      server = P4RuntimeServer.start(device, new InetSocketAddress("127.0.0.1", 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.install(config);
    node = new SwitchNode(simulation, device);
    for (int i = 1; i <= 3; i++) {
      int port = i;
      node.addPort(port, LineClock.UNLIMITED_BPS, Long.MAX_VALUE)
          .connect(
              (bytes, offset, length, tag, now) ->
                  sent.add(port + " " + HexFormat.of().formatHex(bytes, offset, offset + length)));
    }
  }

  public static ForwardingPipelineConfig config(String program) {
    return P4Text.config(program);
  }

  public Controller primary(long electionId) {
    return Controller.primary(server.port(), electionId);
  }

  /** Sends a packet into a port, now. */
  public void receive(int port, String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    simulation.execute(
        () -> node.port(port).receive(bytes, 0, bytes.length, 0, simulation.nowNanos()));
  }

  /** Lets time pass. */
  public void pass(long nanos) {
    simulation.runUntil(simulation.nowNanos() + nanos);
  }

  /** Returns when the switch has dealt with all that a controller has sent so far. */
  public static void settle(Controller controller) {
    // Messages of one stream are dealt with in order, and this one is answered.
    controller.send(StreamMessageRequest.getDefaultInstance());
    if (!controller.next().hasError()) {
      throw new IllegalStateException("another message came first");
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
