package net.sluice.it.onos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.intents.profile.Topology;

/** An emulated switch with a router behind its core port, which is silent until it has a MAC. */
final class RoutedSwitch implements AutoCloseable {
  /** The router is given by its IP address. */
  static final String TOPOLOGY =
      "{\"ports\": [{\"number\": 1, \"role\": \"access\", \"rateBps\": 1000000000,"
          + " \"destinationMac\": \"02:00:00:01:00:01\"}, {\"number\": 2, \"role\": \"core\","
          + " \"rateBps\": 1000000000, \"addresses\": [\"192.0.2.2/30\"],"
          + " \"nextHop\": \"192.0.2.1\"}], \"bngPorts\": {\"0\": 1},"
          + " \"routes\": [{\"prefix\": \"0.0.0.0/0\", \"port\": 2}]}";

  private static final int CORE = 2;
  private static final String BROADCAST = "ffffffffffff";
  private static final String OWN = "020000000002";
  private static final String ARP = "0806000108000604";
  private static final String REQUEST = BROADCAST + OWN + ARP + "0001";

  private final Simulation simulation = new Simulation(1);
  private final SwitchNode node;
  private final P4RuntimeServer server;

  /** Empty while it is silent. */
  private String router = "";

  RoutedSwitch() throws IOException {
    V1modelSwitch device = new V1modelSwitch(1, 1, Topology.CONTROLLER_PORT);
    node = new SwitchNode(simulation, device);
    node.addPort(1, 1_000_000_000, 1_000_000);
    node.addPort(CORE, 1_000_000_000, 1_000_000);
    node.port(CORE)
        .connect(
            (bytes, offset, length, tag, nowNanos) ->
                left(HexFormat.of().formatHex(bytes, offset, offset + length)));
    server =
        P4RuntimeServer.start(device, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  int port() {
    return server.port();
  }

  private void left(String frame) {
    if (!router.isEmpty() && frame.startsWith(REQUEST)) {
      arrive(OWN + router + ARP + "0002" + router + "c0000201" + OWN + "c0000202");
    }
  }

  private void arrive(String frame) {
    byte[] bytes = HexFormat.of().parseHex(frame);
    simulation.schedule(
        simulation.nowNanos(),
        (nowNanos, none) -> node.port(CORE).receive(bytes, 0, bytes.length, 0, nowNanos),
        0);
  }

  /** The router answers from now on. */
  void answerFrom(String mac) {
    router = mac;
  }

  /** Another router takes over, and says so unasked. */
  void moveTo(String mac) {
    router = mac;
    arrive(BROADCAST + mac + ARP + "0001" + mac + "c0000201" + "000000000000" + "c0000201");
  }

  /** Packets come for an address that no subscriber has: 10.9.9.9. */
  void forNobody() {
    for (int i = 0; i < 20; i++) {
      arrive(
          OWN + router + "0800" + "4500001c0000000040113d8bc63364010a090909" + "9c4001bb00080000");
    }
  }

  /** Has what is under way arrive. */
  void pass() {
    simulation.runUntil(simulation.nowNanos() + 1_000_000);
  }

  @Override
  public void close() {
    server.close();
  }
}
