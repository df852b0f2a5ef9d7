package net.sluice.it.target;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.onos.southbound.driver.Pipeconfs;
import net.sluice.onos.southbound.leader.OnosSwitchTarget;
import net.sluice.onos.southbound.master.EpochLeases;
import net.sluice.onos.southbound.master.MasterCalls;
import net.sluice.onos.southbound.master.Readiness;
import net.sluice.onos.testing.SwitchWire;
import net.sluice.onos.testing.WireClient;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.testing.Patience;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconfId;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.WriteRequest;
import p4.v1.P4RuntimeOuterClass.WriteResponse;

/**
 * Does to a switch what ONOS does before an application may write to it: connects, becomes primary
 * and loads the pipeconf. Then carries its calls; each is given up in the end.
 */
final class OnosStandIn implements SwitchWire, AutoCloseable {
  private static final DeviceId DEVICE = DeviceId.deviceId("device:switch1");

  private final long electionId;
  private final long deviceId;
  private final SwitchPipeline program;
  private final ManagedChannel channel;
  private final P4RuntimeGrpc.P4RuntimeStub stub;

  OnosStandIn(SwitchServer server, SwitchPipeline program, long electionId) throws Exception {
    this.electionId = electionId;
    this.deviceId = server.deviceId();
    this.program = program;
    channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", server.port())
            .usePlaintext()
            .maxInboundMetadataSize(16 << 20)
            .build();
    stub = P4RuntimeGrpc.newStub(channel);
    Uint128 id = Uint128.newBuilder().setLow(electionId).build();
    CompletableFuture<StreamMessageResponse> primary = new CompletableFuture<>();
    StreamObserver<StreamMessageRequest> stream =
        stub.withWaitForReady()
            .streamChannel(
                new StreamObserver<>() {
                  @Override
                  public void onNext(StreamMessageResponse message) {
                    primary.complete(message);
                  }

                  @Override
                  public void onError(Throwable failure) {
                    primary.completeExceptionally(failure);
                  }

                  @Override
                  public void onCompleted() {
                    primary.completeExceptionally(new IllegalStateException("stream closed"));
                  }
                });
    stream.onNext(
        StreamMessageRequest.newBuilder()
            .setArbitration(
                MasterArbitrationUpdate.newBuilder()
                    .setDeviceId(server.deviceId())
                    .setElectionId(id))
            .build());
    int code =
        primary.get(Patience.SECONDS, TimeUnit.SECONDS).getArbitration().getStatus().getCode();
    if (code != 0) {
      throw new IllegalStateException("not primary: " + code);
    }
    P4RuntimeGrpc.newBlockingStub(channel)
        .withDeadlineAfter(Patience.SECONDS, TimeUnit.SECONDS)
        .setForwardingPipelineConfig(
            SetForwardingPipelineConfigRequest.newBuilder()
                .setDeviceId(server.deviceId())
                .setElectionId(id)
                .setAction(SetForwardingPipelineConfigRequest.Action.VERIFY_AND_COMMIT)
                .setConfig(program.forwardingPipelineConfig())
                .build());
  }

  /**
   * The switch as the application has it, not connected.
   *
   * @param pipeconf that of the program
   */
  OnosSwitchTarget target(PiPipeconf pipeconf) {
    WireClient client = new WireClient(DEVICE, program.p4Info(), this, electionId);
    Readiness readiness =
        new Readiness() {
          @Override
          public DeviceId deviceId() {
            return DEVICE;
          }

          @Override
          public PiPipeconfId pipeconf() {
            return pipeconf.id();
          }

          @Override
          public Ready ready() {
            return new Ready(client, deviceId, pipeconf);
          }

          @Override
          public Runnable listen(Consumer<String> lost) {
            // The end of a session shows in the answers.
            return () -> {};
          }
        };
    ThreadScheduler scheduler = new ThreadScheduler("sluice-switch");
    EpochLeases leases = new EpochLeases();
    return new OnosSwitchTarget(
        "switch",
        () -> new MasterCalls(readiness, leases, 1, scheduler),
        Pipeconfs.program(pipeconf.id()),
        scheduler);
  }

  @Override
  public CompletableFuture<Throwable> write(WriteRequest request) {
    CompletableFuture<Throwable> answer = new CompletableFuture<>();
    stub.withDeadlineAfter(Patience.SECONDS, TimeUnit.SECONDS)
        .write(
            request,
            new StreamObserver<WriteResponse>() {
              @Override
              public void onNext(WriteResponse response) {
                // The call's end tells how it went.
              }

              @Override
              public void onError(Throwable failure) {
                answer.complete(failure);
              }

              @Override
              public void onCompleted() {
                answer.complete(null);
              }
            });
    return answer;
  }

  @Override
  public CompletableFuture<Read> read(ReadRequest request) {
    CompletableFuture<Read> answer = new CompletableFuture<>();
    List<Entity> entities = new ArrayList<>();
    stub.withDeadlineAfter(Patience.SECONDS, TimeUnit.SECONDS)
        .read(
            request,
            new StreamObserver<ReadResponse>() {
              @Override
              public void onNext(ReadResponse response) {
                entities.addAll(response.getEntitiesList());
              }

              @Override
              public void onError(Throwable failure) {
                answer.complete(new Read(entities, failure));
              }

              @Override
              public void onCompleted() {
                answer.complete(new Read(entities, null));
              }
            });
    return answer;
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
