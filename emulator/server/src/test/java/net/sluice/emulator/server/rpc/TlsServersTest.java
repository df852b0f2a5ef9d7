package net.sluice.emulator.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.server.gnmi.GnmiClock;
import net.sluice.emulator.server.gnmi.GnmiServer;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.server.p4runtime.variant.ServerVariant;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.gnmi.wire.CapabilityRequest;
import net.sluice.gnmi.wire.gNMIGrpc;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.CapabilitiesRequest;

/** P4Runtime and gNMI over TLS: who is served, and who is not. */
class TlsServersTest {

  private final TestAuthority authority = new TestAuthority("authority");
  private final TestAuthority other = new TestAuthority("another authority");
  private final V1modelSwitch device = new V1modelSwitch(5, 1);

  private static byte[] bytes(String pem) {
    return pem.getBytes(StandardCharsets.US_ASCII);
  }

  private static ByteArrayInputStream in(String pem) {
    return new ByteArrayInputStream(bytes(pem));
  }

  private ServerTls server() throws PemException {
    KeyPair keys = TestAuthority.newKeys("EC", 256);
    return new ServerTls(bytes(authority.certify("server", keys)))
        .key(bytes(TestAuthority.pem(keys)));
  }

  /** A client that knows the server's authority. */
  private TlsChannelCredentials.Builder client() throws IOException {
    return TlsChannelCredentials.newBuilder().trustManager(in(authority.certificate));
  }

  /** The same with a certificate. */
  private ChannelCredentials clientOf(TestAuthority certifying) throws IOException {
    KeyPair keys = TestAuthority.newKeys("EC", 256);
    return client()
        .keyManager(in(certifying.certify("client", keys)), in(TestAuthority.pem(keys)))
        .build();
  }

  private static void call(int port, ChannelCredentials credentials, Consumer<ManagedChannel> use)
      throws Exception {
    ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", port, credentials).build();
    try {
      use.accept(channel);
    } finally {
      channel.shutdownNow();
      channel.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS);
    }
  }

  private static void capabilities(ManagedChannel channel) {
    assertThat(
            P4RuntimeGrpc.newBlockingStub(channel)
                .withDeadlineAfter(Patience.SECONDS, TimeUnit.SECONDS)
                .capabilities(CapabilitiesRequest.getDefaultInstance())
                .getP4RuntimeApiVersion())
        .isNotEmpty();
  }

  private static void gnmiCapabilities(ManagedChannel channel) {
    assertThat(
            gNMIGrpc
                .newBlockingStub(channel)
                .withDeadlineAfter(Patience.SECONDS, TimeUnit.SECONDS)
                .capabilities(CapabilityRequest.getDefaultInstance())
                .getSupportedModelsCount())
        .isPositive();
  }

  private static void refused(int port, ChannelCredentials credentials) {
    assertThatThrownBy(() -> call(port, credentials, TlsServersTest::capabilities))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
  }

  private P4RuntimeServer serve(ServerTls tls) throws IOException, PemException {
    return P4RuntimeServer.start(
        device,
        new InetSocketAddress("127.0.0.1", 0),
        tls.credentials(),
        List.of(),
        ServerVariant.specified());
  }

  @Test
  void overTlsClientsThatKnowTheServersAuthorityAreServed() throws Exception {
    try (P4RuntimeServer server = serve(server())) {
      call(server.port(), client().build(), TlsServersTest::capabilities);
      // Who has a certificate is not asked for it.
      call(server.port(), clientOf(other), TlsServersTest::capabilities);
      refused(server.port(), InsecureChannelCredentials.create());
      refused(
          server.port(),
          TlsChannelCredentials.newBuilder().trustManager(in(other.certificate)).build());
      call(server.port(), client().build(), TlsServersTest::capabilities);
    }
  }

  @Test
  void clientsWithoutTheRightCertificateAreRefusedAndOthersUnharmed() throws Exception {
    try (P4RuntimeServer server = serve(server().onlyClientsOf(bytes(authority.certificate)))) {
      ChannelCredentials right = clientOf(authority);
      call(
          server.port(),
          right,
          channel -> {
            capabilities(channel);
            try {
              refused(server.port(), client().build());
              refused(server.port(), clientOf(other));
              refused(server.port(), InsecureChannelCredentials.create());
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
            capabilities(channel);
          });
      call(server.port(), clientOf(authority), TlsServersTest::capabilities);
    }
  }

  @Test
  void gnmiIsServedTheSameWay() throws Exception {
    Simulation simulation = new Simulation(1);
    SwitchNode node = new SwitchNode(simulation, device);
    try (GnmiServer server =
        GnmiServer.start(
            simulation,
            node,
            Map.of(),
            GnmiClock.virtual(simulation, 0),
            () -> {},
            new InetSocketAddress("127.0.0.1", 0),
            server().onlyClientsOf(bytes(authority.certificate)).credentials())) {
      call(server.port(), clientOf(authority), TlsServersTest::gnmiCapabilities);
      for (ChannelCredentials wrong :
          new ChannelCredentials[] {
            client().build(), clientOf(other), InsecureChannelCredentials.create()
          }) {
        assertThatThrownBy(() -> call(server.port(), wrong, TlsServersTest::gnmiCapabilities))
            .isInstanceOf(StatusRuntimeException.class)
            .hasMessageStartingWith("UNAVAILABLE");
      }
      call(server.port(), clientOf(authority), TlsServersTest::gnmiCapabilities);
    }
  }
}
