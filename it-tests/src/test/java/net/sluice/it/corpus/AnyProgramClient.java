package net.sluice.it.corpus;

import io.grpc.ManagedChannel;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.server.p4runtime.P4RuntimeClient;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Error;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.PacketOut;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest.Action;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Update;

/** The primary controller of a switch, for any program. */
final class AnyProgramClient extends P4RuntimeClient {
  private static final long LATEST_SECONDS = 60;

  /** So that the answer, which has a word on each, is not too large for a client. */
  private static final int BATCH = 16;

  /** What came before the answers to claims that nobody has asked for yet. */
  private final List<StreamMessageResponse> early = new ArrayList<>();

  /** Grows with each claim, because bmv2 does not answer one that is as the one before. */
  private long electionId = 1;

  /** Becomes primary as soon as the server answers, and loads the program. */
  AnyProgramClient(ManagedChannel channel, long deviceId, ForwardingPipelineConfig config) {
    super(channel, deviceId);
    requirePrimary(electionId);
    setPipeline(Action.VERIFY_AND_COMMIT, config);
  }

  /**
   * Writes, one by one as far as the switch is concerned.
   *
   * @return for each update why it was refused, empty if it was taken
   */
  List<String> refusals(List<Update> updates) {
    List<String> refused = new ArrayList<>();
    for (int from = 0; from < updates.size(); from += BATCH) {
      errors(updates.subList(from, Math.min(updates.size(), from + BATCH)))
          .forEach(error -> refused.add(refusal(error)));
    }
    return refused;
  }

  private static String refusal(Error error) {
    return error.getCanonicalCode() == 0 ? "" : error.getCanonicalCode() + " " + error.getMessage();
  }

  /** Reads entities that match the one given. */
  List<Entity> read(Entity wanted) {
    return read(List.of(wanted));
  }

  /** Sends a packet. The switch has taken it when this returns. */
  void send(PacketOut packet) {
    send(StreamMessageRequest.newBuilder().setPacket(packet).build());
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
      StreamMessageResponse message = next(LATEST_SECONDS);
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
    claim(id(electionId));
    for (StreamMessageResponse message = next(); !message.hasArbitration(); message = next()) {
      messages.add(message);
    }
    return messages;
  }

  @Override
  public void close() {
    if (!channel.isShutdown()) {
      complete();
    }
    super.close();
  }
}
