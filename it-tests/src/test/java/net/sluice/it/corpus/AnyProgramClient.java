package net.sluice.it.corpus;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.Error;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest.Action;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** The primary controller of a switch, for any program. */
final class AnyProgramClient implements AutoCloseable {

  private static final long TIMEOUT_SECONDS = 60;
  private static final Uint128 ELECTION_ID = Uint128.newBuilder().setLow(1).build();

  private final ManagedChannel channel;
  private final long deviceId;
  private final P4RuntimeGrpc.P4RuntimeBlockingStub stub;
  private final StreamObserver<StreamMessageRequest> stream;

  /** Becomes primary as soon as the server answers, and loads the program. */
  AnyProgramClient(ManagedChannel channel, long deviceId, ForwardingPipelineConfig config) {
    this.channel = channel;
    this.deviceId = deviceId;
    stub = P4RuntimeGrpc.newBlockingStub(channel).withWaitForReady();
    CompletableFuture<StreamMessageResponse> first = new CompletableFuture<>();
    stream =
        P4RuntimeGrpc.newStub(channel)
            .withWaitForReady()
            .streamChannel(
                new StreamObserver<>() {
                  @Override
                  public void onNext(StreamMessageResponse message) {
                    first.complete(message);
                  }

                  @Override
                  public void onError(Throwable error) {
                    first.completeExceptionally(error);
                  }

                  @Override
                  public void onCompleted() {
                    first.completeExceptionally(new IllegalStateException("stream closed"));
                  }
                });
    stream.onNext(
        StreamMessageRequest.newBuilder()
            .setArbitration(
                MasterArbitrationUpdate.newBuilder()
                    .setDeviceId(deviceId)
                    .setElectionId(ELECTION_ID))
            .build());
    try {
      first.get(TIMEOUT_SECONDS, SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("not primary of device " + deviceId, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the switch", e);
    }
    limited()
        .setForwardingPipelineConfig(
            SetForwardingPipelineConfigRequest.newBuilder()
                .setDeviceId(deviceId)
                .setElectionId(ELECTION_ID)
                .setAction(Action.VERIFY_AND_COMMIT)
                .setConfig(config)
                .build());
  }

  /** Writes, one by one as far as the switch is concerned; answers which were taken. */
  List<Boolean> write(List<Update> updates) {
    List<Boolean> taken = new ArrayList<>();
    updates.forEach(u -> taken.add(true));
    try {
      limited()
          .write(
              WriteRequest.newBuilder()
                  .setDeviceId(deviceId)
                  .setElectionId(ELECTION_ID)
                  .addAllUpdates(updates)
                  .build());
    } catch (StatusRuntimeException e) {
      com.google.rpc.Status status = StatusProto.fromThrowable(e);
      if (status == null || status.getDetailsCount() != updates.size()) {
        throw e;
      }
      for (int i = 0; i < updates.size(); i++) {
        taken.set(i, isOk(status.getDetails(i)));
      }
    }
    return taken;
  }

  private static boolean isOk(Any detail) {
    try {
      return detail.unpack(Error.class).getCanonicalCode() == 0;
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    if (!channel.isShutdown()) {
      stream.onCompleted();
    }
    channel.shutdownNow();
  }

  private P4RuntimeGrpc.P4RuntimeBlockingStub limited() {
    return stub.withDeadlineAfter(TIMEOUT_SECONDS, SECONDS);
  }
}
