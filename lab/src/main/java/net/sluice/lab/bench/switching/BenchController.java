package net.sluice.lab.bench.switching;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;
import p4.v1.P4RuntimeOuterClass.WriteResponse;

/**
 * A controller that only writes and reads, with requests made beforehand, so that the switch alone
 * is measured.
 */
final class BenchController implements AutoCloseable {
  private static final int BATCH = 1_000;
  private static final int WINDOW = 8;
  private static final int PATIENCE_SECONDS = 300;
  private static final int MAX_MESSAGE_BYTES = 64 << 20;
  private static final Uint128 ELECTION = Uint128.newBuilder().setLow(1).build();

  private final ManagedChannel channel;
  private final long device;
  private final StreamObserver<StreamMessageRequest> stream;

  /**
   * Connects and becomes primary.
   *
   * @throws IOException if that fails
   */
  BenchController(int port, long device) throws IOException {
    this.device = device;
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .usePlaintext()
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .maxInboundMetadataSize(1 << 20)
            .build();
    CompletableFuture<Void> primary = new CompletableFuture<>();
    stream =
        P4RuntimeGrpc.newStub(channel)
            .withWaitForReady()
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
                  public void onCompleted() {
                    primary.completeExceptionally(new IOException("the stream has ended"));
                  }
                });
    stream.onNext(
        StreamMessageRequest.newBuilder()
            .setArbitration(
                MasterArbitrationUpdate.newBuilder().setDeviceId(device).setElectionId(ELECTION))
            .build());
    try {
      primary.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      channel.shutdownNow();
      throw new IOException("the switch accepts no controller: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Loads Sluice's own program. */
  void loadProgram() {
    SwitchPipeline program = V1ModelPipeline.load();
    P4RuntimeGrpc.newBlockingStub(channel)
        .setForwardingPipelineConfig(
            SetForwardingPipelineConfigRequest.newBuilder()
                .setDeviceId(device)
                .setElectionId(ELECTION)
                .setAction(SetForwardingPipelineConfigRequest.Action.VERIFY_AND_COMMIT)
                .setConfig(
                    ForwardingPipelineConfig.newBuilder()
                        .setP4Info(program.p4Info())
                        .setP4DeviceConfig(program.deviceConfig()))
                .build());
  }

  /** Requests of {@value #BATCH} updates each. */
  List<WriteRequest> requests(List<Update> updates) {
    List<WriteRequest> requests = new ArrayList<>();
    for (int i = 0; i < updates.size(); i += BATCH) {
      requests.add(
          WriteRequest.newBuilder()
              .setDeviceId(device)
              .setElectionId(ELECTION)
              .addAllUpdates(updates.subList(i, Math.min(updates.size(), i + BATCH)))
              .build());
    }
    return requests;
  }

  /**
   * Writes, {@value #WINDOW} requests at a time.
   *
   * @return nanoseconds from the first request to the last answer
   * @throws IOException if an update is refused
   */
  long write(List<WriteRequest> requests) throws IOException, InterruptedException {
    P4RuntimeGrpc.P4RuntimeStub stub = P4RuntimeGrpc.newStub(channel);
    Semaphore window = new Semaphore(WINDOW);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    long start = System.nanoTime();
    for (WriteRequest request : requests) {
      window.acquire();
      stub.write(
          request,
          new StreamObserver<WriteResponse>() {
            @Override
            public void onNext(WriteResponse response) {
              // Empty.
            }

            @Override
            public void onError(Throwable refused) {
              failure.set(refused);
              window.release();
            }

            @Override
            public void onCompleted() {
              window.release();
            }
          });
    }
    window.acquire(WINDOW);
    long nanos = System.nanoTime() - start;
    if (failure.get() != null) {
      throw new IOException("a write was refused: " + Status.fromThrowable(failure.get()));
    }
    return nanos;
  }

  /**
   * Reads all entries of all tables.
   *
   * @return their number, and the time taken, nanoseconds
   * @throws IOException if that is refused
   */
  long[] readAll() throws IOException {
    ReadRequest wildcard =
        ReadRequest.newBuilder()
            .setDeviceId(device)
            .addEntities(Entity.newBuilder().setTableEntry(TableEntry.getDefaultInstance()))
            .build();
    long start = System.nanoTime();
    long entries = 0;
    try {
      Iterator<ReadResponse> responses = P4RuntimeGrpc.newBlockingStub(channel).read(wildcard);
      while (responses.hasNext()) {
        entries += responses.next().getEntitiesCount();
      }
    } catch (StatusRuntimeException e) {
      throw new IOException("a read was refused: " + e.getMessage(), e);
    }
    return new long[] {entries, System.nanoTime() - start};
  }

  @Override
  public void close() {
    stream.onCompleted();
    channel.shutdownNow();
  }
}
