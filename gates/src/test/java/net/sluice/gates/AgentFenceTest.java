package net.sluice.gates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.gates.loop.GateLoop;
import net.sluice.gates.loop.LoopSettings;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Uint128;

/** Agents over P4Runtime: one of them writes. */
class AgentFenceTest {
  private static final SwitchPipeline PROGRAM = V1ModelPipeline.load();
  private static final GateLoop LOOP = GateLoop.of(LoopSettings.PAPER);

  private final V1modelSwitch device = new V1modelSwitch(1, 1);
  private P4RuntimeServer server;
  private InetSocketAddress address;

  @BeforeEach
  void serve() throws Exception {
    server =
        P4RuntimeServer.start(device, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    address = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** As a controller does, which has the default role. */
  private void load() throws Exception {
    ManagedChannel channel = NettyChannelBuilder.forAddress(address).usePlaintext().build();
    CompletableFuture<Void> primary = new CompletableFuture<>();
    Uint128 electionId = Uint128.newBuilder().setLow(1).build();
    P4RuntimeGrpc.newStub(channel)
        .streamChannel(
            new StreamObserver<StreamMessageResponse>() {
              @Override
              public void onNext(StreamMessageResponse message) {
                primary.complete(null);
              }

              @Override
              public void onError(Throwable failure) {
                primary.completeExceptionally(failure);
              }

              @Override
              public void onCompleted() {}
            })
        .onNext(
            StreamMessageRequest.newBuilder()
                .setArbitration(
                    MasterArbitrationUpdate.newBuilder().setDeviceId(1).setElectionId(electionId))
                .build());
    primary.get(10, TimeUnit.SECONDS);
    P4RuntimeGrpc.newBlockingStub(channel)
        .setForwardingPipelineConfig(
            SetForwardingPipelineConfigRequest.newBuilder()
                .setDeviceId(1)
                .setElectionId(electionId)
                .setAction(SetForwardingPipelineConfigRequest.Action.VERIFY_AND_COMMIT)
                .setConfig(PROGRAM.forwardingPipelineConfig())
                .build());
    channel.shutdownNow();
  }

  @Test
  void anAgentWithAHigherElectionIdTakesOverAndTheOtherWritesNothingMore() throws Exception {
    load();
    try (P4RuntimeSwitch first = P4RuntimeSwitch.connect(address, 1, 1)) {
      GateAgent agent = new GateAgent(first, first.running(), LOOP);
      agent.step();
      try (P4RuntimeSwitch second = P4RuntimeSwitch.connect(address, 1, 2)) {
        new GateAgent(second, second.running(), LOOP).step();
        // It has no packets to move gates for, and learns of it when it writes the next time.
        assertThatThrownBy(() -> steps(agent, 50))
            .isInstanceOf(LocalSwitch.SwitchException.class)
            .hasMessageContaining("PERMISSION_DENIED");
      }
    }
  }

  private static void steps(GateAgent agent, int count) {
    for (int step = 0; step < count; step++) {
      agent.step();
    }
  }

  @Test
  void anAgentBesideOneWithAHigherElectionIdIsTold() throws Exception {
    load();
    try (P4RuntimeSwitch first = P4RuntimeSwitch.connect(address, 1, 5)) {
      assertThat(first.running().name()).isEqualTo(PROGRAM.name());
      assertThatThrownBy(() -> P4RuntimeSwitch.connect(address, 1, 2))
          .isInstanceOf(LocalSwitch.SwitchException.class)
          .hasMessage("another agent is primary, with election id 5; this one has 2");
    }
  }

  @Test
  void anAgentFollowsOneThatIsGoneWhateverItsElectionIdWas() throws Exception {
    load();
    P4RuntimeSwitch.connect(address, 1, 5).close();
    try (P4RuntimeSwitch second = P4RuntimeSwitch.connect(address, 1, 2)) {
      new GateAgent(second, second.running(), LOOP).step();
    }
  }

  @Test
  void aSwitchWithoutTheProgramIsNoError() throws Exception {
    try (P4RuntimeSwitch first = P4RuntimeSwitch.connect(address, 1, 1)) {
      assertThatThrownBy(first::running)
          .isInstanceOf(LocalSwitch.SwitchException.class)
          .hasMessage("the switch does not run sluice-v1model or sluice-aggregate");
    }
  }
}
