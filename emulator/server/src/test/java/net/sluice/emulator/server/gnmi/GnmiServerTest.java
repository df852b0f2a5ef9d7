package net.sluice.emulator.server.gnmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.TestDevice;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.GnmiValues;
import net.sluice.gnmi.wire.Encoding;
import net.sluice.gnmi.wire.GetRequest;
import net.sluice.gnmi.wire.SetRequest;
import net.sluice.gnmi.wire.SubscribeRequest;
import net.sluice.gnmi.wire.SubscribeResponse;
import net.sluice.gnmi.wire.Subscription;
import net.sluice.gnmi.wire.SubscriptionList;
import net.sluice.gnmi.wire.SubscriptionMode;
import net.sluice.gnmi.wire.gNMIGrpc;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The server over a real connection, in real time. */
class GnmiServerTest {

  private final Simulation simulation = new Simulation(1);
  private final SwitchNode node = new SwitchNode(simulation, new TestDevice());
  private final CountDownLatch set = new CountDownLatch(1);
  private GnmiServer server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws Exception {
    for (int port = 1; port <= 300; port++) {
      node.addPort(port, 1_000_000_000, 100_000);
    }
    server =
        GnmiServer.start(
            simulation,
            node,
            Map.of(1, "eth1"),
            GnmiClock.wall(simulation),
            set::countDown,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    channel =
        NettyChannelBuilder.forAddress(
                InetAddress.getLoopbackAddress().getHostAddress(), server.port())
            .usePlaintext()
            .maxInboundMessageSize(64 << 20)
            .build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.close();
  }

  private static SubscribeRequest stream(Subscription.Builder subscription) {
    return SubscribeRequest.newBuilder()
        .setSubscribe(
            SubscriptionList.newBuilder().setEncoding(Encoding.PROTO).addSubscription(subscription))
        .build();
  }

  /** Reads when told to. */
  private static final class Client
      implements ClientResponseObserver<SubscribeRequest, SubscribeResponse> {
    final BlockingQueue<SubscribeResponse> heard = new LinkedBlockingQueue<>();
    final CompletableFuture<Throwable> ended = new CompletableFuture<>();
    ClientCallStreamObserver<SubscribeRequest> call;

    @Override
    public void beforeStart(ClientCallStreamObserver<SubscribeRequest> requests) {
      call = requests;
      requests.disableAutoRequestWithInitial(0);
    }

    @Override
    public void onNext(SubscribeResponse response) {
      heard.add(response);
    }

    @Override
    public void onError(Throwable error) {
      ended.complete(error);
    }

    @Override
    public void onCompleted() {
      ended.complete(null);
    }

    SubscribeResponse next() throws InterruptedException {
      call.request(1);
      SubscribeResponse response = heard.poll(Patience.SECONDS, TimeUnit.SECONDS);
      assertThat(response).as("an answer in time").isNotNull();
      return response;
    }
  }

  @Test
  void getAndSetWorkOverTheWire() throws Exception {
    gNMIGrpc.gNMIBlockingStub stub = gNMIGrpc.newBlockingStub(channel);
    String enabled = "/interfaces/interface[name=eth1]/config/enabled";
    stub.set(SetRequest.newBuilder().addUpdate(Target.edit(enabled, GnmiValues.of(false))).build());
    assertThat(set.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(simulation.query(() -> node.port(1).isUp())).isFalse();
    GetRequest.Builder get =
        GetRequest.newBuilder().setEncoding(Encoding.PROTO).addPath(GnmiPaths.parse(enabled));
    Instant before = Instant.now();
    var notification = stub.get(get.build()).getNotification(0);
    assertThat(notification.getUpdate(0).getVal().getBoolVal()).isFalse();
    assertThat(Instant.EPOCH.plusNanos(notification.getTimestamp()))
        .isBetween(before, Instant.now());
    assertThatThrownBy(() -> stub.get(get.addPath(GnmiPaths.parse("/x")).build()))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessage("INVALID_ARGUMENT: path '/x': 'x' is unknown, must be one of interfaces, qos");
  }

  @Test
  void changesReachSeveralClientsAndOneThatGoesHarmsNobody() throws Exception {
    Client first = new Client();
    Client second = new Client();
    Context.CancellableContext gone = Context.current().withCancellation();
    SubscribeRequest request =
        stream(
            Subscription.newBuilder()
                .setMode(SubscriptionMode.ON_CHANGE)
                .setPath(GnmiPaths.parse("/interfaces/interface[name=eth1]/state/oper-status")));
    gone.run(() -> gNMIGrpc.newStub(channel).subscribe(first).onNext(request));
    gNMIGrpc.newStub(channel).subscribe(second).onNext(request);
    for (Client client : new Client[] {first, second}) {
      assertThat(client.next().getUpdate().getUpdate(0).getVal().getStringVal()).isEqualTo("UP");
      assertThat(client.next().getSyncResponse()).isTrue();
    }
    assertThat(server.subscriptions()).isEqualTo(2);
    gone.cancel(null);
    assertThat(first.ended.get(Patience.SECONDS, TimeUnit.SECONDS)).isNotNull();
    simulation.execute(() -> node.port(1).setLinkUp(false));
    assertThat(second.next().getUpdate().getUpdate(0).getVal().getStringVal()).isEqualTo("DOWN");
    Patience.await("one is left", server::subscriptions, left -> left == 1);
  }

  @Test
  void aClientThatDoesNotReadMissesSamplesInsteadOfFillingMemory() throws Exception {
    Client slow = new Client();
    // 300 ports have some hundred kilobytes of values each time; no window holds many of those.
    gNMIGrpc
        .newStub(channel)
        .subscribe(slow)
        .onNext(
            stream(
                Subscription.newBuilder()
                    .setMode(SubscriptionMode.SAMPLE)
                    .setPath(GnmiPaths.parse("/.../counters"))));
    while (!slow.next().getSyncResponse()) {
      // The first values; from behind them on it is sampled.
    }
    Client clock = new Client();
    gNMIGrpc
        .newStub(channel)
        .subscribe(clock)
        .onNext(
            stream(
                Subscription.newBuilder()
                    .setMode(SubscriptionMode.SAMPLE)
                    .setPath(
                        GnmiPaths.parse(
                            "/interfaces/interface[name=eth1]/state/counters/in-octets"))));
    // Thirty tenths of a second pass for a client that reads.
    for (int i = 0; i < 30; i++) {
      clock.next();
    }
    boolean missed = false;
    for (int i = 0; i < 200 && !missed; i++) {
      SubscribeResponse response = slow.next();
      missed =
          response.hasUpdate()
              && response.getUpdate().getUpdateCount() > 0
              && response.getUpdate().getUpdate(0).getDuplicates() > 0;
    }
    assertThat(missed).isTrue();
  }
}
