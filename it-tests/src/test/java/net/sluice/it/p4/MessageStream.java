package net.sluice.it.p4;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Uint128;

/** A controller's stream with a switch: what it sends, and what has come, in order. */
public final class MessageStream {
  private final long deviceId;
  private final StreamObserver<StreamMessageRequest> requests;
  private final BlockingQueue<Object> arrived = new LinkedBlockingQueue<>();

  /** Opens it as soon as the server answers. */
  public MessageStream(ManagedChannel channel, long deviceId) {
    this.deviceId = deviceId;
    requests =
        P4RuntimeGrpc.newStub(channel)
            .withWaitForReady()
            .streamChannel(
                new StreamObserver<>() {
                  @Override
                  public void onNext(StreamMessageResponse message) {
                    arrived.add(message);
                  }

                  @Override
                  public void onError(Throwable error) {
                    arrived.add(new IllegalStateException("the stream ended", error));
                  }

                  @Override
                  public void onCompleted() {
                    arrived.add(new IllegalStateException("the switch closed the stream"));
                  }
                });
  }

  /** Sends a message. */
  public void send(StreamMessageRequest message) {
    requests.onNext(message);
  }

  /** Claims to be primary; the answer is a message that comes. */
  public void claim(Uint128 electionId) {
    send(
        StreamMessageRequest.newBuilder()
            .setArbitration(
                MasterArbitrationUpdate.newBuilder()
                    .setDeviceId(deviceId)
                    .setElectionId(electionId))
            .build());
  }

  /**
   * Claims to be primary, before anything else.
   *
   * @throws IllegalStateException if the answer is not that it is
   */
  public void becomePrimary(Uint128 electionId, long seconds) {
    claim(electionId);
    StreamMessageResponse answer = next(seconds);
    if (answer == null
        || !answer.hasArbitration()
        || answer.getArbitration().getStatus().getCode() != 0) {
      throw new IllegalStateException("not primary of device " + deviceId + ": " + answer);
    }
  }

  /**
   * The next message, or null if none comes in time.
   *
   * @throws IllegalStateException if the switch has ended the stream
   */
  public StreamMessageResponse next(long seconds) {
    Object next = poll(seconds);
    if (next instanceof IllegalStateException) {
      throw (IllegalStateException) next;
    }
    return (StreamMessageResponse) next;
  }

  /** Ends this side. */
  public void complete() {
    requests.onCompleted();
  }

  /** Waits until the switch has ended its side, too, for so long after each message. */
  public void awaitEnd(long seconds) {
    Object next = poll(seconds);
    while (next instanceof StreamMessageResponse) {
      next = poll(seconds);
    }
  }

  private Object poll(long seconds) {
    try {
      return arrived.poll(seconds, SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the switch", e);
    }
  }
}
