package net.sluice.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Attributes;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerTransportFilter;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.sluice.core.target.RpcErrors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.CapabilitiesRequest;

class ChannelsTest {
  private static final long SECONDS = 60;

  private final AtomicInteger connections = new AtomicInteger();
  private Server server;

  @BeforeEach
  void start() throws Exception {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addTransportFilter(
                new ServerTransportFilter() {
                  @Override
                  public Attributes transportReady(Attributes attributes) {
                    connections.incrementAndGet();
                    return attributes;
                  }
                })
            .build()
            .start();
  }

  @AfterEach
  void stop() {
    server.shutdownNow();
  }

  /** What a call to a host ends with; the server there has no services. */
  private String call(String host, Reach reach) throws Exception {
    ManagedChannel channel = Channels.to(host, server.getPort(), reach, Optional.empty()).build();
    try {
      var unused =
          P4RuntimeGrpc.newBlockingStub(channel)
              .withDeadlineAfter(SECONDS, TimeUnit.SECONDS)
              .capabilities(CapabilitiesRequest.getDefaultInstance());
      return "answered";
    } catch (RuntimeException e) {
      return RpcErrors.text(e);
    } finally {
      assertThat(channel.shutdownNow().awaitTermination(SECONDS, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static Reach within(String allowedAddress) {
    return new Reach.Within(
        new Reach.Rule() {
          @Override
          public boolean allows(String host, InetSocketAddress connected) {
            return connected.getAddress().getHostAddress().equals(allowedAddress);
          }

          @Override
          public String allowed() {
            return allowedAddress;
          }
        });
  }

  @Test
  void whatANameLeadsToIsCheckedWhenItIsConnectedTo() throws Exception {
    assertThat(call("localhost", within("192.0.2.7")))
        .isEqualTo("localhost:" + server.getPort() + " is out of reach; allowed: 192.0.2.7");
    assertThat(call("127.0.0.1", within("192.0.2.7"))).contains(" is out of reach; ");
    // Java takes a number for an address.
    assertThat(call("2130706433", within("192.0.2.7"))).contains(" is out of reach; ");
    assertThat(connections).hasValue(0);
    assertThat(call("localhost", within("127.0.0.1"))).startsWith("UNIMPLEMENTED: ");
    assertThat(connections).hasValue(1);
  }

  @Test
  void anAddressOfEitherFamilyIsConnectedTo() throws Exception {
    assertThat(call("127.0.0.1", new Reach.Anything())).startsWith("UNIMPLEMENTED: ");
    // The server listens on IPv4, which this is a way to write in IPv6.
    assertThat(call("::ffff:127.0.0.1", new Reach.Anything())).startsWith("UNIMPLEMENTED: ");
    assertThat(call("2001:db8::7", within("192.0.2.7"))).contains("]:", " is out of reach; ");
  }

  @Test
  void aHostIsNeverASchemeOfGrpc() throws Exception {
    for (String scheme : new String[] {"unix", "dns", "ipv4", "xds"}) {
      assertThat(call(scheme, new Reach.Anything()))
          .isEqualTo("the host " + scheme + " is unknown");
    }
  }

  @Test
  void thereIsNoWayToWhatIsOutOfReach() {
    assertThatThrownBy(
            () ->
                Channels.to(
                    "localhost", 1, new Reach.Nothing("not allowed any more"), Optional.empty()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("out of reach: not allowed any more");
  }
}
