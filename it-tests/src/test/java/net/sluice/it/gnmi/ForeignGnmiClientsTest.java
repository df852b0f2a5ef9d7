package net.sluice.it.gnmi;

import static net.sluice.testing.ForeignClient.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import net.sluice.emulator.netsim.QueueScheduling;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.server.gnmi.GnmiClock;
import net.sluice.emulator.server.gnmi.GnmiServer;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.lab.support.Executables;
import net.sluice.testing.ForeignClient;
import net.sluice.testing.Patience;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that others have written, against the emulated switch; those that are installed. */
@Tag("long")
class ForeignGnmiClientsTest {

  @TempDir private Path folder;
  private final Simulation simulation = new Simulation(1);
  private final SwitchNode node = new SwitchNode(simulation, new V1modelSwitch(1, 1));
  private GnmiServer server;
  private String address;

  @BeforeEach
  void start() throws IOException {
    node.addPort(1, 1_000_000_000, 100_000);
    node.addPort(2, 100_000_000, 100_000);
    InetAddress local = InetAddress.getLoopbackAddress();
    server =
        GnmiServer.start(
            simulation,
            node,
            Map.of(1, "eth1", 2, "eth2"),
            GnmiClock.wall(simulation),
            () -> {},
            new InetSocketAddress(local, 0));
    address = local.getHostAddress() + ":" + server.port();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static Path assumeOnPath(String executable) {
    return Executables.onPath(executable)
        .orElseGet(
            () ->
                Prerequisite.CLIENTS.skip(
                    executable + " is not on PATH: gNMI is not tested with it"));
  }

  private String run(Object... command) throws Exception {
    return ForeignClient.output(folder, command);
  }

  @Test
  void gnmicReadsSetsAndSubscribes() throws Exception {
    Path gnmic = assumeOnPath("gnmic");
    Object[] to = {
      gnmic, "-a", address, "--insecure", "--skip-verify", "--timeout", Patience.SECONDS + "s"
    };
    assertThat(run(with(to, "capabilities")))
        .contains("gNMI version: 0.10.0")
        .contains("openconfig-interfaces");
    assertThat(
            run(with(to, "-e", "json_ietf", "get", "--path", "/interfaces/interface[name=eth1]")))
        .contains("openconfig-if-ethernet:SPEED_1GB");
    assertThat(
            run(
                with(
                    to,
                    "set",
                    "--update",
                    "/interfaces/interface[name=eth2]/config/enabled:::bool:::false")))
        .contains("UPDATE");
    assertThat(simulation.query(() -> node.port(2).isUp())).isFalse();
    assertThat(
            run(
                with(
                    to,
                    "-e",
                    "proto",
                    "subscribe",
                    "--mode",
                    "once",
                    "--path",
                    "/interfaces/interface[name=*]/state/oper-status")))
        .contains("UP")
        .contains("DOWN");
    ForeignClient.Result refused =
        ForeignClient.run(
            folder, with(to, "-e", "json_ietf", "get", "--path", "/interfaces/nothing"));
    assertThat(refused.exitCode()).isNotZero();
    assertThat(refused.output())
        .contains("InvalidArgument")
        .contains("'nothing' is unknown, must be one of interface");
  }

  @Test
  void gnmiCliReadsSetsAndSubscribes() throws Exception {
    Path cli = assumeOnPath("gnmi_cli");
    Object[] to = {cli, "-address", address, "-insecure", "-timeout", Patience.SECONDS + "s"};
    assertThat(run(with(to, "-capabilities"))).contains("0.10.0");
    String leaf =
        "elem: <name: 'interfaces'> elem: <name: 'interface' key: <key: 'name' value: 'eth1'>>";
    assertThat(
            run(
                with(
                    to,
                    "-get",
                    "-proto",
                    "encoding: PROTO path: <"
                        + leaf
                        + " elem: <name: 'state'> elem: <name: 'oper-status'>>")))
        .contains("\"UP\"");
    assertThat(
            run(
                with(
                    to,
                    "-set",
                    "-proto",
                    "update: <path: <"
                        + leaf
                        + " elem: <name: 'config'> elem: <name: 'enabled'>>"
                        + " val: <bool_val: false>>")))
        .contains("UPDATE");
    assertThat(simulation.query(() -> node.port(1).isUp())).isFalse();
    assertThat(
            run(
                with(
                    to,
                    "-query_type",
                    "once",
                    "-query",
                    "interfaces/interface[name=eth1]/state/oper-status")))
        .contains("DOWN");
  }

  private static final String SCRIPT =
      """
      import json, sys
      from pygnmi.client import gNMIclient
      host, port = sys.argv[1].rsplit(":", 1)
      policy = {
          "config": {"name": "p"},
          "schedulers": {"scheduler": [{
              "sequence": 1, "config": {"sequence": 1},
              "inputs": {"input": [
                  {"id": "a", "config": {"id": "a", "queue": "1", "weight": "3"}},
                  {"id": "b", "config": {"id": "b", "queue": "2", "weight": "1"}}]}}]}}
      with gNMIclient(target=(host, int(port)), insecure=True, gnmi_timeout=600) as client:
          print(client.capabilities()["gnmi_version"])
          got = client.get(path=["/interfaces/interface[name=eth1]"], encoding="json_ietf")
          print(json.dumps(got["notification"][0]["update"][0]["val"], sort_keys=True))
          done = client.set(
              replace=[("/qos/scheduler-policies/scheduler-policy[name=p]", policy)],
              update=[("/qos/interfaces/interface[interface-id=eth1]/output/scheduler-policy",
                       {"config": {"name": "p"}})],
              encoding="json_ietf")
          print([entry["op"] for entry in done["response"]])
          subscription = {
              "subscription": [{"path": "/interfaces/interface[name=eth2]/state/counters/in-octets",
                                "mode": "sample", "sample_interval": 200000000}],
              "mode": "stream", "encoding": "proto"}
          heard = []
          for message in client.subscribe2(subscribe=subscription):
              if "update" in message:
                  heard.append(message["update"]["update"][0]["val"])
              if len(heard) == 3:
                  break
          print(heard)
      """;

  @Test
  void pygnmiReadsSetsAndSubscribes() throws Exception {
    String python = ForeignClient.python("pygnmi.client");
    Path script = Files.writeString(folder.resolve("client.py"), SCRIPT);
    String said = run(python, script, address);
    assertThat(said)
        .contains("0.10.0")
        .contains("\"port-speed\": \"openconfig-if-ethernet:SPEED_1GB\"")
        .contains("['REPLACE', 'UPDATE']")
        .contains("[0, 0, 0]");
    assertThat(simulation.query(() -> node.port(1).scheduling()))
        .isEqualTo(QueueScheduling.parse("1:3,2:1"));
  }
}
