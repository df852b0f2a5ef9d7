package net.sluice.it.corpus;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.ArrayList;
import java.util.List;
import net.sluice.it.p4.MessageStream;
import net.sluice.testing.Patience;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Error;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.PacketOut;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest.Action;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** The primary controller of a switch, for any program. */
final class AnyProgramClient implements AutoCloseable {

  private static final long TIMEOUT_SECONDS = Patience.SECONDS;
  private static final long LATEST_SECONDS = 60;

  /** So that the answer, which has a word on each, is not too large for a client. */
  private static final int BATCH = 16;

  private final ManagedChannel channel;
  private final long deviceId;
  private final P4RuntimeGrpc.P4RuntimeBlockingStub stub;
  private final MessageStream stream;

  /** What came before the answers to claims that nobody has asked for yet. */
  private final List<StreamMessageResponse> early = new ArrayList<>();

  /** Grows with each claim, because bmv2 does not answer one that is as the one before. */
  private long electionId;

  /** Becomes primary as soon as the server answers, and loads the program. */
  AnyProgramClient(ManagedChannel channel, long deviceId, ForwardingPipelineConfig config) {
    this.channel = channel;
    this.deviceId = deviceId;
    stub = P4RuntimeGrpc.newBlockingStub(channel).withWaitForReady();
    stream = new MessageStream(channel, deviceId);
    electionId++;
    stream.becomePrimary(electionId(), TIMEOUT_SECONDS);
    limited()
        .setForwardingPipelineConfig(
            SetForwardingPipelineConfigRequest.newBuilder()
                .setDeviceId(deviceId)
                .setElectionId(electionId())
                .setAction(Action.VERIFY_AND_COMMIT)
                .setConfig(config)
                .build());
  }

  /**
   * Writes, one by one as far as the switch is concerned.
   *
   * @return for each update why it was refused, empty if it was taken
   */
  List<String> write(List<Update> updates) {
    List<String> refused = new ArrayList<>();
    for (int from = 0; from < updates.size(); from += BATCH) {
      refused.addAll(batch(updates.subList(from, Math.min(updates.size(), from + BATCH))));
    }
    return refused;
  }

  private List<String> batch(List<Update> updates) {
    List<String> refused = new ArrayList<>();
    updates.forEach(u -> refused.add(""));
    try {
      limited()
          .write(
              WriteRequest.newBuilder()
                  .setDeviceId(deviceId)
                  .setElectionId(electionId())
                  .addAllUpdates(updates)
                  .build());
    } catch (StatusRuntimeException e) {
      com.google.rpc.Status status = StatusProto.fromThrowable(e);
      if (status == null || status.getDetailsCount() != updates.size()) {
        throw e;
      }
      for (int i = 0; i < updates.size(); i++) {
        refused.set(i, refusal(status.getDetails(i)));
      }
    }
    return refused;
  }

  /** Reads entities that match the one given. */
  List<Entity> read(Entity wanted) {
    List<Entity> entities = new ArrayList<>();
    limited()
        .read(ReadRequest.newBuilder().setDeviceId(deviceId).addEntities(wanted).build())
        .forEachRemaining(part -> entities.addAll(part.getEntitiesList()));
    return entities;
  }

  /** Sends a packet. The switch has taken it when this returns. */
  void send(PacketOut packet) {
    stream.send(StreamMessageRequest.newBuilder().setPacket(packet).build());
    early.addAll(untilAnswered());
  }

  /**
   * What came on the stream since it was asked last, but for answers to claims.
   *
   * @param atLeast how many messages to wait for, {@value #LATEST_SECONDS} s for each
   */
  List<StreamMessageResponse> messages(int atLeast) {
    List<StreamMessageResponse> messages = new ArrayList<>(early);
    early.clear();
    messages.addAll(untilAnswered());
    while (messages.size() < atLeast) {
      StreamMessageResponse message = stream.next(LATEST_SECONDS);
      if (message == null) {
        break;
      }
      messages.add(message);
    }
    return messages;
  }

  /** A stream keeps its order: what there is comes before the answer to a claim. */
  private List<StreamMessageResponse> untilAnswered() {
    List<StreamMessageResponse> messages = new ArrayList<>();
    electionId++;
    stream.claim(electionId());
    for (StreamMessageResponse message = stream.next(TIMEOUT_SECONDS);
        message != null && !message.hasArbitration();
        message = stream.next(TIMEOUT_SECONDS)) {
      messages.add(message);
    }
    return messages;
  }

  private Uint128 electionId() {
    return Uint128.newBuilder().setLow(electionId).build();
  }

  private static String refusal(Any detail) {
    try {
      Error error = detail.unpack(Error.class);
      return error.getCanonicalCode() == 0
          ? ""
          : error.getCanonicalCode() + " " + error.getMessage();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    if (!channel.isShutdown()) {
      stream.complete();
    }
    channel.shutdownNow();
  }

  private P4RuntimeGrpc.P4RuntimeBlockingStub limited() {
    return stub.withDeadlineAfter(TIMEOUT_SECONDS, SECONDS);
  }
}
