package net.sluice.emulator.server.p4runtime;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
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
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/**
 * A P4Runtime controller (specification 1.3) with one stream. Its first call waits until the server
 * answers; no call takes longer than {@link Patience}. A refusal is a {@link
 * StatusRuntimeException}.
 */
public class P4RuntimeClient implements AutoCloseable {
  public final ManagedChannel channel;
  private final long device;
  private final BlockingQueue<StreamMessageResponse> messages = new LinkedBlockingQueue<>();
  private final CompletableFuture<Throwable> end = new CompletableFuture<>();
  private final StreamObserver<StreamMessageRequest> stream;
  private Uint128 electionId = Uint128.getDefaultInstance();
  private String role = "";

  /** Opens the stream to a device. */
  public P4RuntimeClient(ManagedChannel channel, long device) {
    this.channel = channel;
    this.device = device;
    stream = stream(messages, end);
    // Whoever waits for a message is told of the end, too.
    end.thenRun(() -> messages.add(StreamMessageResponse.getDefaultInstance()));
  }

  /** One more stream on the connection. */
  final StreamObserver<StreamMessageRequest> stream(
      BlockingQueue<StreamMessageResponse> into, CompletableFuture<Throwable> ended) {
    return P4RuntimeGrpc.newStub(channel)
        .withWaitForReady()
        .streamChannel(
            new StreamObserver<StreamMessageResponse>() {
              @Override
              public void onNext(StreamMessageResponse message) {
                into.add(message);
              }

              @Override
              public void onError(Throwable t) {
                ended.complete(t);
              }

              @Override
              public void onCompleted() {
                ended.complete(null);
              }
            });
  }

  /** An election id. */
  public static Uint128 id(long low) {
    return Uint128.newBuilder().setLow(low).build();
  }

  /** Takes part in a role, from before its first claim on. */
  final void role(String name) {
    role = name;
  }

  /** Takes an election id without claiming it; null for none. */
  final void electionId(Uint128 id) {
    electionId = id;
  }

  /** Sends a message on the stream. */
  public final void send(StreamMessageRequest message) {
    stream.onNext(message);
  }

  /** Claims to be primary; the answer is a message that comes. */
  public final void claim(Uint128 id) {
    electionId = id;
    send(StreamMessageRequest.newBuilder().setArbitration(claimOf(id)).build());
  }

  /**
   * Claims to be primary and takes the answer.
   *
   * @throws IllegalStateException if it is not that it is
   */
  public final void requirePrimary(long id) {
    claim(id(id));
    StreamMessageResponse answer = next();
    if (!answer.hasArbitration() || answer.getArbitration().getStatus().getCode() != 0) {
      throw new IllegalStateException("not primary of device " + device + ": " + answer);
    }
  }

  /** A claim for this controller's role; null for no election id. */
  public final MasterArbitrationUpdate claimOf(Uint128 id) {
    MasterArbitrationUpdate.Builder claim =
        MasterArbitrationUpdate.newBuilder().setDeviceId(device);
    if (id != null) {
      claim.setElectionId(id);
    }
    if (!role.isEmpty()) {
      claim.setRole(Role.newBuilder().setName(role));
    }
    return claim.build();
  }

  /**
   * The next message on the stream.
   *
   * @throws IllegalStateException if none comes in time, or the switch has ended the stream
   */
  public final StreamMessageResponse next() {
    StreamMessageResponse message = next(Patience.SECONDS);
    if (message == null) {
      throw new IllegalStateException("nothing arrived on the stream");
    }
    return message;
  }

  /** The same, or null if none comes in that time. */
  public final StreamMessageResponse next(long seconds) {
    try {
      StreamMessageResponse message = messages.poll(seconds, SECONDS);
      if (message != null && message.equals(StreamMessageResponse.getDefaultInstance())) {
        messages.add(message);
        throw new IllegalStateException("the switch ended the stream", end.join());
      }
      return message;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the switch", e);
    }
  }

  /** True if no message has come that nobody took. */
  public final boolean heardNothingMore() {
    return messages.isEmpty();
  }

  /** Waits for the server to end the stream; tells how. */
  public final Status streamStatus() throws Exception {
    return Status.fromThrowable(end.get(Patience.SECONDS, SECONDS));
  }

  /** A stub for one call. */
  public final P4RuntimeGrpc.P4RuntimeBlockingStub call() {
    return P4RuntimeGrpc.newBlockingStub(channel)
        .withWaitForReady()
        .withDeadlineAfter(Patience.SECONDS, SECONDS);
  }

  /** Hands the switch a program; null for none. */
  public final void setPipeline(
      SetForwardingPipelineConfigRequest.Action action, ForwardingPipelineConfig config) {
    SetForwardingPipelineConfigRequest.Builder request =
        SetForwardingPipelineConfigRequest.newBuilder()
            .setDeviceId(device)
            .setRole(role)
            .setElectionId(electionId)
            .setAction(action);
    if (config != null) {
      request.setConfig(config);
    }
    call().setForwardingPipelineConfig(request.build());
  }

  /** A request of these updates. */
  public final WriteRequest.Builder writeRequest(List<Update> updates) {
    return WriteRequest.newBuilder()
        .setDeviceId(device)
        .setRole(role)
        .setElectionId(electionId)
        .addAllUpdates(updates);
  }

  /** Writes updates in one request. */
  public void write(List<Update> updates) {
    call().write(writeRequest(updates).build());
  }

  /** The same; tells the error of each of them. */
  public final List<Error> errors(List<Update> updates) {
    try {
      call().write(writeRequest(updates).build());
    } catch (StatusRuntimeException e) {
      List<Error> errors = details(e);
      if (errors.size() != updates.size()) {
        throw e;
      }
      return errors;
    }
    return updates.stream().map(update -> Error.getDefaultInstance()).toList();
  }

  /** The details of a batch that failed; one that failed as a whole is thrown again. */
  public static List<Error> details(StatusRuntimeException e) {
    com.google.rpc.Status status = StatusProto.fromThrowable(e);
    List<Error> errors = new ArrayList<>();
    try {
      for (Any detail : status.getDetailsList()) {
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

  /** Reads entities that match any of those given. */
  public final List<Entity> read(Iterable<Entity> wanted) {
    List<Entity> all = new ArrayList<>();
    call()
        .read(
            ReadRequest.newBuilder()
                .setDeviceId(device)
                .setRole(role)
                .addAllEntities(wanted)
                .build())
        .forEachRemaining(part -> all.addAll(part.getEntitiesList()));
    return all;
  }

  /** Ends the stream and waits until the switch has ended it too: nothing is under way any more. */
  public final void complete() {
    stream.onCompleted();
    Throwable ignored = end.orTimeout(Patience.SECONDS, SECONDS).exceptionally(e -> e).join();
  }

  /** Ends the stream and the connection, as a controller that crashes. */
  @Override
  public void close() {
    channel.shutdownNow();
  }
}
