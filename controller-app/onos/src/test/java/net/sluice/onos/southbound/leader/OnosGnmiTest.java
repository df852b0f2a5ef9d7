package net.sluice.onos.southbound.leader;

import static net.sluice.onos.testing.TestSwitch.DEVICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.PortSummary;
import net.sluice.core.ports.GnmiConnection;
import net.sluice.core.ports.GnmiPorts;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.time.Backoff;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.gnmi.GnmiCalls;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.GnmiValues;
import net.sluice.gnmi.wire.CapabilityResponse;
import net.sluice.gnmi.wire.Encoding;
import net.sluice.gnmi.wire.GetResponse;
import net.sluice.gnmi.wire.Notification;
import net.sluice.gnmi.wire.SubscribeRequest;
import net.sluice.gnmi.wire.SubscribeResponse;
import net.sluice.gnmi.wire.Update;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.value.Direction;
import net.sluice.onos.SwitchConfig;
import net.sluice.pipeconf.profile.TargetProfiles;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.InvalidFieldException;
import org.onosproject.net.config.NetworkConfigServiceAdapter;
import org.onosproject.net.config.basics.BasicDeviceConfig;
import org.onosproject.store.service.StorageException;

/** The session with a gNMI server in ONOS: where the server is, and ONOS's version of gRPC. */
class OnosGnmiTest {
  private final ObjectMapper mapper = new ObjectMapper();
  private volatile BasicDeviceConfig basic = basic("grpc://10.0.0.1:50001?device_id=1");
  private volatile SwitchConfig ours;
  private volatile Optional<String> obstacle = Optional.empty();

  private final NetworkConfigServiceAdapter netcfg =
      new NetworkConfigServiceAdapter() {
        @Override
        public <S, C extends Config<S>> C getConfig(S subject, Class<C> type) {
          assertThat(subject).isEqualTo(DEVICE);
          return type.cast(type == SwitchConfig.class ? ours : basic);
        }
      };

  private <C extends Config<DeviceId>> C init(C config, String key, ObjectNode node) {
    config.init(DEVICE, key, node, mapper, changed -> {});
    return config;
  }

  private BasicDeviceConfig basic(String address) {
    ObjectNode node = mapper.createObjectNode().put("driver", "sluice-v1model");
    return init(new BasicDeviceConfig(), "basic", node.put("managementAddress", address));
  }

  private SwitchConfig ours(String gnmi) {
    return init(new SwitchConfig(), SwitchConfig.KEY, mapper.createObjectNode().put("gnmi", gnmi));
  }

  private OnosGnmi gnmi(String profile) {
    return new OnosGnmi(DEVICE, TargetProfiles.loadSwitch(profile), netcfg, () -> obstacle);
  }

  private String refusal(String profile) {
    Throwable refusal = catchThrowable(gnmi(profile)::open);
    assertThat(refusal).isInstanceOf(NotReadyException.class);
    return refusal.getMessage();
  }

  @Test
  void theServerIsAtTheManagementAddressUnlessConfiguredElsewhere() throws NotReadyException {
    // Stratum serves gNMI wherever it serves P4Runtime; the emulated switch at a port of its own.
    assertThat(gnmi("stratum-bmv2").address()).hasToString("10.0.0.1:50001");
    assertThat(gnmi("emulator").address()).hasToString("10.0.0.1:9339");
    basic = basic("grpc://[2001:db8::1]:9559?device_id=1");
    assertThat(gnmi("emulator").address()).hasToString("[2001:db8::1]:9339");
    ours = ours("switch.example:1234");
    assertThat(gnmi("emulator").address()).hasToString("switch.example:1234");
    assertThat(gnmi("bmv2").address()).hasToString("switch.example:1234");
  }

  @Test
  void whereThereIsNoServerTheStatusSaysWhy() {
    assertThat(refusal("bmv2"))
        .isEqualTo(
            "switches of profile bmv2 have no gNMI server, and the network configuration of"
                + " device:switch1 names none as sluice.gnmi");
    ours = ours("none");
    assertThat(refusal("emulator"))
        .isEqualTo("the network configuration says that device:switch1 has no gNMI server");
    ours = null;
    basic = basic("netconf:10.0.0.1");
    assertThat(refusal("emulator"))
        .isEqualTo(
            "managementAddress of device:switch1 is netconf:10.0.0.1; allowed:"
                + " grpc://HOST:PORT?device_id=N");
    basic = null;
    assertThat(refusal("emulator"))
        .isEqualTo("device:switch1 has no managementAddress in ONOS's network configuration");
    obstacle = Optional.of("instance 10.0.0.3 is master of device:switch1");
    assertThat(refusal("emulator")).isEqualTo("instance 10.0.0.3 is master of device:switch1");
  }

  @Test
  void theConfigurationIsCheckedBeforeOnosTakesIt() {
    for (String sound : List.of("none", "10.0.0.1:1", "[::1]:65535", "leaf-1.example:9339")) {
      assertThat(ours(sound).isValid()).as(sound).isTrue();
    }
    assertThat(init(new SwitchConfig(), "sluice", mapper.createObjectNode()).isValid()).isTrue();
    for (String unsound : List.of("10.0.0.1", "", ":1", "10.0.0.1:0", "[::1:1", "a b:1")) {
      assertThatThrownBy(() -> ours(unsound).isValid())
          .as(unsound)
          .isInstanceOf(InvalidFieldException.class)
          .hasMessageContaining("gnmi");
    }
    assertThatThrownBy(() -> ours("h:65536").isValid())
        .hasMessageEndingWith(
            "it is \"h:65536\"; allowed: HOST:PORT with a port of 1 to 65535, such as 192.0.2.7:9559 or"
                + " [2001:db8::7]:9559, or none");
    ObjectNode unknown = mapper.createObjectNode().put("gnmmi", "10.0.0.1:1");
    assertThatThrownBy(() -> init(new SwitchConfig(), "sluice", unknown).isValid())
        .isInstanceOf(InvalidFieldException.class)
        .hasMessageContaining("gnmmi");
  }

  @Test
  void whereThereIsNoServerThereIsNothingToConnectTo() {
    assertThat(gnmi("bmv2").hasServer()).isFalse();
    assertThat(gnmi("emulator").hasServer()).isTrue();
    ours = ours("none");
    assertThat(gnmi("emulator").hasServer()).isFalse();
    ours = ours("10.0.0.1:1");
    assertThat(gnmi("bmv2").hasServer()).isTrue();
  }

  @Test
  void whatTheSilentStorageDoesNotTellIsSaidToBeUnknown() {
    OnosGnmi silent =
        new OnosGnmi(
            DEVICE,
            TargetProfiles.loadSwitch("bmv2"),
            new NetworkConfigServiceAdapter() {
              @Override
              public <S, C extends Config<S>> C getConfig(S subject, Class<C> type) {
                throw new StorageException.Timeout();
              }
            },
            Optional::empty);
    assertThat(silent.hasServer()).isTrue();
    assertThatThrownBy(silent::open)
        .isInstanceOf(NotReadyException.class)
        .hasMessage(
            "the cluster's storage does not answer, so that the gNMI server of device:switch1 is"
                + " unknown");
  }

  // ---------------------------------------------------------------- over gRPC

  private final BlockingQueue<StreamObserver<SubscribeResponse>> subscribers =
      new LinkedBlockingQueue<>();

  private Server serve() throws Exception {
    return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .addService(
            ServerServiceDefinition.builder("gnmi.gNMI")
                .addMethod(
                    GnmiCalls.CAPABILITIES,
                    ServerCalls.asyncUnaryCall(
                        (request, answer) -> {
                          answer.onNext(
                              CapabilityResponse.newBuilder()
                                  .addSupportedEncodings(Encoding.PROTO)
                                  .build());
                          answer.onCompleted();
                        }))
                .addMethod(
                    GnmiCalls.GET,
                    ServerCalls.asyncUnaryCall(
                        (request, answer) -> {
                          answer.onNext(
                              GetResponse.newBuilder()
                                  .addNotification(
                                      said(
                                          GnmiPaths.print(request.getPath(0)).replace("*", "eth1"),
                                          GnmiValues.ofUnsigned(1)))
                                  .build());
                          answer.onCompleted();
                        }))
                .addMethod(GnmiCalls.SUBSCRIBE, ServerCalls.asyncBidiStreamingCall(this::subscribe))
                .build())
        .build()
        .start();
  }

  private static Notification.Builder said(String path, net.sluice.gnmi.wire.TypedValue value) {
    return Notification.newBuilder()
        .addUpdate(Update.newBuilder().setPath(GnmiPaths.parse(path)).setVal(value));
  }

  private StreamObserver<SubscribeRequest> subscribe(StreamObserver<SubscribeResponse> client) {
    return new StreamObserver<>() {
      @Override
      public void onNext(SubscribeRequest request) {
        client.onNext(
            SubscribeResponse.newBuilder()
                .setUpdate(
                    said(
                        "/interfaces/interface[name=eth1]/state/oper-status",
                        GnmiValues.of("DOWN")))
                .build());
        client.onNext(SubscribeResponse.newBuilder().setSyncResponse(true).build());
        subscribers.add(client);
      }

      @Override
      public void onError(Throwable gone) {}

      @Override
      public void onCompleted() {
        client.onCompleted();
      }
    };
  }

  private StreamObserver<SubscribeResponse> next() {
    return Patience.next(subscribers);
  }

  private static void await(GnmiPorts ports, Predicate<PortSummary> condition) {
    Patience.await("the ports", ports::ports, condition);
  }

  @Test
  void aSessionStandsOnOnosGrpcAndEndsWhenTheAddressChanges() throws Exception {
    Server server = serve();
    ours = ours("127.0.0.1:" + server.getPort());
    Topology topology =
        new Topology(
            List.of(
                new Topology.SwitchPort(
                    1, PortRole.ACCESS, Direction.UP, 1_000_000_000, 2, 3, false, true)),
            Map.of(0, 1),
            OptionalInt.empty(),
            OptionalInt.empty(),
            List.of());
    OnosGnmi access = gnmi("emulator");
    GnmiPorts ports =
        new GnmiPorts(
            access,
            topology,
            false,
            new ThreadScheduler("test-ports"),
            Clock.systemUTC(),
            new Backoff(Duration.ofMillis(1), Duration.ofMillis(10)));
    try {
      ports.start();
      await(ports, s -> s.session() == SessionState.READY);
      assertThat(ports.ports().port(1).orElseThrow().up()).hasValue(false);
      GnmiConnection standing =
          new GnmiConnection("127.0.0.1", server.getPort(), access.open().channel());
      access.check(standing);
      ours = ours("127.0.0.1:1");
      assertThatThrownBy(() -> access.check(standing))
          .isInstanceOf(NotReadyException.class)
          .hasMessage("the network configuration says 127.0.0.1:1 now");
      standing.channel().shutdownNow();
      next().onCompleted();
      await(ports, s -> s.detail().orElse("").startsWith("Capabilities: nothing listens"));
      assertThat(ports.ports().port(1).orElseThrow().up()).isEmpty();
      ours = ours("127.0.0.1:" + server.getPort());
      await(ports, s -> s.session() == SessionState.READY);
      assertThat(ports.hasSource()).isTrue();
      ours = ours("none");
      next().onCompleted();
      await(ports, s -> !ports.hasSource());
      ours = ours("127.0.0.1:" + server.getPort());
      await(ports, s -> s.session() == SessionState.READY);
      assertThat(ports.hasSource()).isTrue();
    } finally {
      ports.close();
      server.shutdownNow();
    }
  }
}
