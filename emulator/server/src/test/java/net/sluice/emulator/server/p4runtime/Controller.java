package net.sluice.emulator.server.p4runtime;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Status;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.sluice.testing.Patience;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Error;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.Role;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** A controller on a connection of its own. */
final class Controller implements AutoCloseable {

  static final long DEVICE = 5;

  final ManagedChannel channel;
  final P4RuntimeGrpc.P4RuntimeBlockingStub stub;
  private final BlockingQueue<StreamMessageResponse> messages = new ArrayBlockingQueue<>(1000);
  private final CompletableFuture<Throwable> streamEnd = new CompletableFuture<>();
  private final StreamObserver<StreamMessageRequest> stream;
  private Uint128 electionId = Uint128.getDefaultInstance();
  private String role = "";

  Controller(int port) {
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .usePlaintext()
            .maxInboundMetadataSize(1 << 20)
            .build();
    stub = P4RuntimeGrpc.newBlockingStub(channel);
    stream =
        P4RuntimeGrpc.newStub(channel)
            .streamChannel(
                new StreamObserver<StreamMessageResponse>() {
                  @Override
                  public void onNext(StreamMessageResponse message) {
                    messages.add(message);
                  }

                  @Override
                  public void onError(Throwable t) {
                    streamEnd.complete(t);
                  }

                  @Override
                  public void onCompleted() {
                    streamEnd.complete(null);
                  }
                });
  }

  /** A controller that has become primary with this election id. */
  static Controller primary(int port, long electionId) {
    return new Controller(port).becomePrimary(electionId);
  }

  /** Claims and takes the answer. */
  Controller becomePrimary(long id) {
    claim(id);
    next();
    return this;
  }

  /** Takes part in a role, from before its first claim on. */
  Controller in(String roleName) {
    role = roleName;
    return this;
  }

  /** Takes an election id without claiming it. */
  Controller as(long id) {
    electionId = id(id);
    return this;
  }

  /** A second stream on this controller's connection that has sent its claim. */
  StreamObserver<StreamMessageRequest> anotherStream(long id) {
    return anotherStream(id, new CompletableFuture<>());
  }

  /** The same, telling how it ends. */
  StreamObserver<StreamMessageRequest> anotherStream(long id, CompletableFuture<Throwable> end) {
    CompletableFuture<Void> answered = new CompletableFuture<>();
    StreamObserver<StreamMessageRequest> other =
        P4RuntimeGrpc.newStub(channel)
            .streamChannel(
                new StreamObserver<StreamMessageResponse>() {
                  @Override
                  public void onNext(StreamMessageResponse message) {
                    answered.complete(null);
                  }

                  @Override
                  public void onError(Throwable t) {
                    end.complete(t);
                    answered.complete(null);
                  }

                  @Override
                  public void onCompleted() {
                    end.complete(null);
                  }
                });
    other.onNext(StreamMessageRequest.newBuilder().setArbitration(claimOf(id(id))).build());
    answered.orTimeout(Patience.SECONDS, TimeUnit.SECONDS).join();
    return other;
  }

  void send(StreamMessageRequest message) {
    stream.onNext(message);
  }

  void send(MasterArbitrationUpdate claim) {
    send(StreamMessageRequest.newBuilder().setArbitration(claim).build());
  }

  void claim(long id) {
    claim(id(id));
  }

  void claim(Uint128 id) {
    electionId = id;
    send(claimOf(id));
  }

  /** A claim for this controller's role; null for no election id. */
  MasterArbitrationUpdate claimOf(Uint128 id) {
    MasterArbitrationUpdate.Builder claim =
        MasterArbitrationUpdate.newBuilder().setDeviceId(DEVICE);
    if (id != null) {
      claim.setElectionId(id);
    }
    if (!role.isEmpty()) {
      claim.setRole(Role.newBuilder().setName(role));
    }
    return claim.build();
  }

  static Uint128 id(long low) {
    return Uint128.newBuilder().setLow(low).build();
  }

  /** The next message on the stream. */
  StreamMessageResponse next() {
    try {
      StreamMessageResponse message = messages.poll(Patience.SECONDS, TimeUnit.SECONDS);
      if (message == null) {
        throw new IllegalStateException("nothing arrived on the stream");
      }
      return message;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The next arbitration news as {@code "code highest-election-id"}. */
  String news() {
    MasterArbitrationUpdate update = next().getArbitration();
    return com.google.rpc.Code.forNumber(update.getStatus().getCode())
        + " "
        + (update.hasElectionId() ? String.valueOf(update.getElectionId().getLow()) : "none");
  }

  boolean heardNothingMore() {
    return messages.isEmpty();
  }

  /** How the server ended the stream. */
  io.grpc.Status streamStatus() throws Exception {
    return io.grpc.Status.fromThrowable(streamEnd.get(Patience.SECONDS, TimeUnit.SECONDS));
  }

  void setPipeline(
      SetForwardingPipelineConfigRequest.Action action, ForwardingPipelineConfig config) {
    SetForwardingPipelineConfigRequest.Builder request =
        SetForwardingPipelineConfigRequest.newBuilder()
            .setDeviceId(DEVICE)
            .setRole(role)
            .setElectionId(electionId)
            .setAction(action);
    if (config != null) {
      request.setConfig(config);
    }
    stub.setForwardingPipelineConfig(request.build());
  }

  WriteRequest.Builder writeRequest(Update... updates) {
    return WriteRequest.newBuilder()
        .setDeviceId(DEVICE)
        .setRole(role)
        .setElectionId(electionId)
        .addAllUpdates(List.of(updates));
  }

  void write(Update... updates) {
    stub.write(writeRequest(updates).build());
  }

  /**
   * The error of a write that consists of one update, as {@code "CODE message"}; {@code "OK"} if
   * there is none.
   */
  String writeError(Update update) {
    try {
      write(update);
      return "OK";
    } catch (StatusRuntimeException e) {
      return text(details(e).get(0));
    }
  }

  static String text(Error error) {
    String code = com.google.rpc.Code.forNumber(error.getCanonicalCode()).name();
    return error.getMessage().isEmpty() ? code : code + " " + error.getMessage();
  }

  /** The details of a failed batch. */
  static List<Error> details(StatusRuntimeException e) {
    Status status = StatusProto.fromThrowable(e);
    List<Error> errors = new ArrayList<>();
    try {
      for (com.google.protobuf.Any detail : status.getDetailsList()) {
        errors.add(detail.unpack(Error.class));
      }
    } catch (InvalidProtocolBufferException broken) {
      throw new IllegalStateException(broken);
    }
    if (errors.isEmpty()) {
      throw e;
    }
    return errors;
  }

  List<Entity> read(Entity... entities) {
    List<Entity> all = new ArrayList<>();
    stub.read(
            ReadRequest.newBuilder()
                .setDeviceId(DEVICE)
                .setRole(role)
                .addAllEntities(List.of(entities))
                .build())
        .forEachRemaining(r -> all.addAll(r.getEntitiesList()));
    return all;
  }

  List<TableEntry> readEntries(TableEntry filter) {
    List<TableEntry> entries = new ArrayList<>();
    read(Entity.newBuilder().setTableEntry(filter).build())
        .forEach(e -> entries.add(e.getTableEntry()));
    return entries;
  }

  /** Ends the stream and the connection, as a controller that crashes. */
  @Override
  public void close() {
    channel.shutdownNow();
  }
}
