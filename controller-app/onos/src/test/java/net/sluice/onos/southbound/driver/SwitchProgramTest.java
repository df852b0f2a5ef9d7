package net.sluice.onos.southbound.driver;

import static net.sluice.onos.testing.TestSwitch.DEVICE;
import static net.sluice.onos.testing.TestSwitch.PIPECONF;
import static net.sluice.pipeconf.testing.SampleEntries.ALICE;
import static net.sluice.pipeconf.testing.SampleEntries.v4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.testing.SessionNews;
import net.sluice.intents.plan.Op;
import net.sluice.onos.southbound.leader.ForwardedCalls;
import net.sluice.onos.southbound.leader.OnosSwitchTarget;
import net.sluice.onos.southbound.master.CallServer;
import net.sluice.onos.testing.TestMessages;
import net.sluice.onos.testing.TestSwitch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onlab.osgi.ServiceNotFoundException;
import org.onosproject.cluster.NodeId;
import org.onosproject.grpc.api.GrpcChannelController;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.config.basics.BasicDeviceConfig;
import org.onosproject.net.driver.DriverData;
import org.onosproject.net.driver.DriverHandler;
import org.onosproject.p4runtime.api.P4RuntimeController;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig.Cookie;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigResponse;

/** ONOS's watchdog asks for the program to be loaded: when that is done, and what it ends. */
class SwitchProgramTest {
  private static final String ADDRESS = "grpc://10.0.0.1:9559?device_id=7";
  private static final long OTHER_COOKIE = PIPECONF.fingerprint() + 1;
  private static final String ENDED =
      "down: ONOS loads pipeconf net.sluice.v1model, which empties the switch: it runs another"
          + " program";
  private static final Duration RECONNECT = Duration.ofSeconds(1);

  private final TestSwitch network = new TestSwitch();
  private final DriverHandler handler = mock(DriverHandler.class);
  private final GrpcChannelController channels = mock(GrpcChannelController.class);
  private final BasicDeviceConfig config = mock(BasicDeviceConfig.class);
  private final SwitchProgram program = new SwitchProgram();

  /** What the switch answers; it does not answer while that is null. */
  private Status refusal;

  private ForwardingPipelineConfig running = config(PIPECONF.fingerprint());
  private boolean stalled;
  private final Queue<StreamObserver<?>> unanswered = new ArrayDeque<>();

  /** Loads that the switch has been sent and has not answered. */
  private final Queue<CompletableFuture<Boolean>> loads = new ArrayDeque<>();

  private int loaded;
  private Server server;
  private ManagedChannel channel;

  @BeforeEach
  void connect() throws IOException {
    String name = InProcessServerBuilder.generateName();
    server =
        InProcessServerBuilder.forName(name)
            .directExecutor()
            .addService(
                ServerServiceDefinition.builder("p4.v1.P4Runtime")
                    .addMethod(CookieCall.METHOD, ServerCalls.asyncUnaryCall(this::answer))
                    .build())
            .build()
            .start();
    channel = InProcessChannelBuilder.forName(name).directExecutor().build();
    DriverData data = mock(DriverData.class);
    when(data.deviceId()).thenReturn(DEVICE);
    when(handler.data()).thenReturn(data);
    program.setHandler(handler);
    program.setData(data);
    NetworkConfigService netcfg = mock(NetworkConfigService.class);
    when(netcfg.getConfig(DEVICE, BasicDeviceConfig.class)).thenReturn(config);
    when(config.managementAddress()).thenReturn(ADDRESS);
    when(channels.get(URI.create(ADDRESS))).thenReturn(Optional.of(channel));
    P4RuntimeController controller = mock(P4RuntimeController.class);
    when(controller.get(DEVICE)).thenReturn(network.client);
    when(handler.get(NetworkConfigService.class)).thenReturn(netcfg);
    when(handler.get(GrpcChannelController.class)).thenReturn(channels);
    when(handler.get(P4RuntimeController.class)).thenReturn(controller);
    when(handler.get(ProgramLoads.class)).thenReturn(network.leases);
    network.client.loads =
        pipeconf -> {
          loaded++;
          CompletableFuture<Boolean> answer = new CompletableFuture<>();
          loads.add(answer);
          return answer;
        };
  }

  @AfterEach
  void disconnect() {
    channel.shutdownNow();
    server.shutdownNow();
  }

  private static ForwardingPipelineConfig config(long cookie) {
    return ForwardingPipelineConfig.newBuilder()
        .setCookie(Cookie.newBuilder().setCookie(cookie))
        .build();
  }

  private void answer(
      GetForwardingPipelineConfigRequest request,
      StreamObserver<GetForwardingPipelineConfigResponse> to) {
    assertThat(request.getDeviceId()).isEqualTo(7);
    assertThat(request.getResponseType())
        .isEqualTo(GetForwardingPipelineConfigRequest.ResponseType.COOKIE_ONLY);
    if (stalled) {
      unanswered.add(to);
    } else if (refusal != null) {
      to.onError(refusal.asRuntimeException());
    } else {
      GetForwardingPipelineConfigResponse.Builder answer =
          GetForwardingPipelineConfigResponse.newBuilder();
      if (running != null) {
        answer.setConfig(running);
      }
      to.onNext(answer.build());
      to.onCompleted();
    }
  }

  /** The switch takes the program and is empty then. */
  private void answerLoad() {
    running = config(PIPECONF.fingerprint());
    network.memory.clear();
    loads.remove().complete(true);
  }

  /** Does what {@code PiPipeconfWatchdogManager} does, with its set of configured devices. */
  private final class Watchdog {
    private final Set<Object> configured = new HashSet<>();

    CompletableFuture<Boolean> probe() {
      return program
          .isPipeconfSet(PIPECONF)
          .thenCompose(
              set ->
                  set && configured.contains(DEVICE)
                      ? CompletableFuture.completedFuture(true)
                      : program.setPipeconf(PIPECONF))
          .thenApply(
              ready -> {
                if (ready) {
                  configured.add(DEVICE);
                }
                return ready;
              });
    }
  }

  private final Watchdog watchdog = new Watchdog();

  @Test
  void aSwitchThatRunsTheProgramKeepsItsEntriesThoughTheClusterHasNotSeenItBefore() {
    network.connect();
    assertThat(network.write(Op.INSERT, v4(1, ALICE))).containsExactly("OK");
    assertThat(watchdog.probe()).isCompletedWithValue(true);
    assertThat(watchdog.probe()).isCompletedWithValue(true);
    network.time.pass(Duration.ofSeconds(30));
    assertThat(loaded).isZero();
    assertThat(network.session).containsExactly("up");
    assertThat(network.read().entries).containsExactly(v4(1, ALICE));
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.Code.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"OK", "FAILED_PRECONDITION", "NOT_FOUND"})
  void aSwitchThatDoesNotSayWhatItRunsIsNotLoaded(Status.Code code) {
    watchdog.configured.add(DEVICE);
    refusal = code.toStatus();
    assertThat(watchdog.probe()).isCompletedWithValue(false);
    assertThat(loaded).isZero();
    refusal = null;
    assertThat(watchdog.probe()).isCompletedWithValue(true);
    assertThat(loaded).isZero();
  }

  /** The stop of the switch lasts longer than ONOS waits for an answer. */
  @Test
  void aSwitchThatStallsIsNotLoadedWhenItGoesOn() {
    watchdog.configured.add(DEVICE);
    stalled = true;
    CompletableFuture<Boolean> probe = watchdog.probe();
    assertThat(probe).isNotDone();
    unanswered.remove().onError(Status.DEADLINE_EXCEEDED.asRuntimeException());
    assertThat(probe).as("asked again before anything is loaded").isNotDone();
    stalled = false;
    unanswered.remove().onError(Status.DEADLINE_EXCEEDED.asRuntimeException());
    assertThat(probe).isCompletedWithValue(false);
    assertThat(watchdog.probe()).isCompletedWithValue(true);
    assertThat(loaded).isZero();
  }

  /** The first answer says another program, and the second does not come. */
  @Test
  void whatTheSwitchSaidBeforeItStalledDoesNotCount() {
    running = config(OTHER_COOKIE);
    assertThat(program.isPipeconfSet(PIPECONF)).isCompletedWithValue(false);
    refusal = Status.UNAVAILABLE;
    assertThat(program.setPipeconf(PIPECONF)).isCompletedWithValue(false);
    assertThat(loaded).isZero();
  }

  @Test
  void aSwitchWithoutAProgramOrWithAnotherIsLoadedOnce() {
    for (Runnable other :
        List.<Runnable>of(
            () -> refusal = Status.FAILED_PRECONDITION,
            () -> refusal = Status.NOT_FOUND,
            () -> running = null,
            () -> running = ForwardingPipelineConfig.getDefaultInstance(),
            () -> running = config(OTHER_COOKIE))) {
      loaded = 0;
      other.run();
      CompletableFuture<Boolean> probe = watchdog.probe();
      assertThat(probe).isNotDone();
      refusal = null;
      answerLoad();
      assertThat(probe).isCompletedWithValue(true);
      assertThat(watchdog.probe()).isCompletedWithValue(true);
      assertThat(loaded).isEqualTo(1);
    }
  }

  @Test
  void aLoadEndsTheSessionSoThatTheSwitchIsReadBack() {
    network.connect();
    network.write(Op.INSERT, v4(1, ALICE));
    running = config(OTHER_COOKIE);
    CompletableFuture<Boolean> probe = watchdog.probe();
    assertThat(network.session).containsExactly("up", ENDED);
    assertThat(network.write(Op.INSERT, v4(2, ALICE))).containsExactly("lost: not connected");

    network.connect();
    assertThat(network.session).as("the program is being loaded").containsExactly("up", ENDED);
    assertThat(loaded).isEqualTo(1);
    answerLoad();
    network.time.pass(TestSwitch.ANSWER);
    assertThat(probe).isCompletedWithValue(true);
    assertThat(network.session).containsExactly("up", ENDED, "up");
    assertThat(network.read().entries).isEmpty();
  }

  @Test
  void aLoadWaitsUntilWhatTheSessionHasSentIsAnswered() {
    network.connect();
    TestSwitch.Answer sent = network.send(Op.INSERT, v4(1, ALICE));
    running = config(OTHER_COOKIE);
    CompletableFuture<Boolean> probe = watchdog.probe();
    network.target.connect(new SessionNews(network.session));
    assertThat(loaded).isZero();
    network.time.pass(TestSwitch.ANSWER);
    assertThat(sent.calls).isEqualTo(1);
    assertThat(loaded).as("though another session has begun meanwhile").isEqualTo(1);
    answerLoad();
    assertThat(probe).isCompletedWithValue(true);
    network.time.pass(TestSwitch.ANSWER);
    assertThat(network.session).last().isEqualTo("up");
    assertThat(network.read().entries).isEmpty();
  }

  /** The next session can begin, and reads what the switch holds then. */
  @Test
  void aLoadThatFailsEndsTheSessionToo() {
    network.connect();
    running = config(OTHER_COOKIE);
    CompletableFuture<Boolean> probe = watchdog.probe();
    loads.remove().complete(false);
    assertThat(probe).isCompletedWithValue(false);
    assertThat(network.session).containsExactly("up", ENDED);
    network.connect();
    assertThat(network.session).containsExactly("up", ENDED, "up");
  }

  /** The leader has its session through this instance, which is master of the switch. */
  @Test
  void aLoadEndsTheSessionOfALeaderElsewhere() {
    NodeId master = NodeId.nodeId("10.0.0.2");
    TestMessages messages = new TestMessages(network.time.scheduler());
    CallServer unused =
        new CallServer(
            messages.of(master),
            (device, pipeconf) -> network.readiness,
            network.leases,
            1,
            network.time.scheduler());
    OnosSwitchTarget leaders =
        network.target(
            () ->
                new ForwardedCalls(
                    messages.of(NodeId.nodeId("10.0.0.1")), master, DEVICE, PIPECONF.id(), 1));
    List<String> session = new ArrayList<>();
    leaders.connect(new SessionNews(session));
    network.time.pass(TestSwitch.ANSWER);
    running = config(OTHER_COOKIE);
    CompletableFuture<Boolean> probe = watchdog.probe();
    answerLoad();
    assertThat(probe).isCompletedWithValue(true);
    network.time.pass(Duration.ofSeconds(5).plus(RECONNECT));
    assertThat(session).containsExactly("up", ENDED);
  }

  /** A load is of no takeover: a session of an earlier one cannot begin after it either. */
  @Test
  void aLoadKeepsTheOrderOfTakeovers() throws NotReadyException {
    assertThat(network.leases.begin(DEVICE, 2)).isNotNull();
    running = config(OTHER_COOKIE);
    CompletableFuture<Boolean> unused = watchdog.probe();
    answerLoad();
    network.connect();
    assertThat(network.session.get(0)).startsWith("down: another controller, of epoch 2");
  }

  @Test
  void withoutConnectionOrServiceOrDeviceIdNothingIsLoaded() {
    running = config(OTHER_COOKIE);
    when(channels.get(URI.create(ADDRESS))).thenReturn(Optional.empty());
    assertThat(watchdog.probe()).isCompletedWithValue(false);
    when(channels.get(URI.create(ADDRESS))).thenReturn(Optional.of(channel));
    when(handler.get(ProgramLoads.class)).thenThrow(new ServiceNotFoundException("none"));
    assertThat(watchdog.probe()).isCompletedWithValue(false);
    when(config.managementAddress()).thenReturn("grpc://10.0.0.1:9559");
    assertThat(watchdog.probe()).isCompletedWithValue(false);
    when(config.managementAddress()).thenReturn(null);
    assertThat(watchdog.probe()).isCompletedWithValue(false);
    assertThat(loaded).isZero();
  }
}
