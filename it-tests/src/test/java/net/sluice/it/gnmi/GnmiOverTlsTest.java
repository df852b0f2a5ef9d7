package net.sluice.it.gnmi;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.TlsServerCredentials;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.PortSummary;
import net.sluice.core.Servers;
import net.sluice.core.Servers.Tls;
import net.sluice.core.testing.TestNetwork;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.server.gnmi.GnmiClock;
import net.sluice.emulator.server.gnmi.GnmiServer;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.endpoints.Endpoints;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.testing.Patience;
import net.sluice.testing.SelfSigned;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controller's gNMI client against the emulated switch's gNMI server, over TLS. */
class GnmiOverTlsTest {
  private static final int PORTS = 5;

  @TempDir private Path folder;
  private GnmiServer server;

  @BeforeEach
  void certificates() throws Exception {
    for (String name : List.of("switch", "controller", "other")) {
      SelfSigned.write(folder, name);
    }
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Serves five ports; with {@code mutual} only to the holder of the controller's certificate. */
  private void serve(boolean mutual) throws Exception {
    Simulation simulation = new Simulation(1);
    SwitchNode node = new SwitchNode(simulation, new V1modelSwitch(1, 1));
    for (int port = 1; port <= PORTS; port++) {
      node.addPort(port, 1_000_000_000, 100_000);
    }
    TlsServerCredentials.Builder credentials =
        TlsServerCredentials.newBuilder().keyManager(file("switch.pem"), file("switch.key"));
    if (mutual) {
      credentials
          .trustManager(file("controller.pem"))
          .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
    }
    server =
        GnmiServer.start(
            simulation,
            node,
            Map.of(),
            GnmiClock.wall(simulation),
            () -> {},
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            credentials.build());
  }

  private java.io.File file(String name) {
    return folder.resolve(name).toFile();
  }

  private Optional<Tls> trusting(String authority, Optional<String> own) {
    return Optional.of(
        new Tls(
            folder.resolve(authority + ".pem"),
            own.map(
                name ->
                    new Tls.Identity(
                        folder.resolve(name + ".pem"), folder.resolve(name + ".key")))));
  }

  /** What a controller knows of the ports as soon as it is as asked for; else fails. */
  private PortSummary ports(Optional<Tls> tls, Predicate<PortSummary> condition) throws Exception {
    ControllerConfig config =
        TestNetwork.config(folder.resolve("store"))
            .servers(
                new Servers(
                    new Servers.SwitchEndpoint("127.0.0.1", 1, 1, 1),
                    Optional.of(new Servers.GnmiEndpoint("127.0.0.1", server.port(), false, tls)),
                    Optional.of(new Servers.FpgaEndpoint.Agent("127.0.0.1", 1)),
                    Optional.of(new Servers.FpgaEndpoint.Agent("127.0.0.1", 1))))
            .build();
    try (Controller controller =
        Endpoints.open(config, V1ModelPipeline.load(), Clock.systemUTC())) {
      return Patience.await(
          "the ports", () -> controller.switches().get(0).ports().orElseThrow(), condition);
    }
  }

  private void assertServed(Optional<Tls> tls) throws Exception {
    PortSummary ports =
        ports(
            tls,
            now ->
                now.session() == SessionState.READY
                    && now.ports().stream().allMatch(each -> each.up().orElse(false)));
    assertThat(ports.ports()).hasSize(PORTS);
  }

  /** Why there is no session. */
  private String refusal(Optional<Tls> tls) throws Exception {
    PortSummary ports =
        ports(tls, now -> now.detail().filter(why -> !why.equals("not yet connected")).isPresent());
    assertThat(ports.session()).isEqualTo(SessionState.CONNECTING);
    return ports.detail().get();
  }

  @Test
  void portsAreToldByAServerThatTheAuthorityVouchesFor() throws Exception {
    serve(false);
    assertServed(trusting("switch", Optional.empty()));
    assertThat(refusal(trusting("other", Optional.empty())))
        .contains("no given authority vouches for the other end's certificate");
    assertThat(refusal(trusting("none", Optional.empty())))
        .contains("the files for TLS cannot be used: ", "none.pem");
    assertThat(refusal(Optional.empty())).isNotBlank();
  }

  @Test
  void aServerThatWantsACertificateGetsTheControllers() throws Exception {
    serve(true);
    assertServed(trusting("switch", Optional.of("controller")));
    assertThat(refusal(trusting("switch", Optional.of("other")))).isNotBlank();
    assertThat(refusal(trusting("switch", Optional.empty()))).isNotBlank();
  }
}
