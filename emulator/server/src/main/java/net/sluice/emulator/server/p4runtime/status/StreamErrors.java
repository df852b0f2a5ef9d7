package net.sluice.emulator.server.p4runtime.status;

import p4.v1.P4RuntimeOuterClass.DigestListAckError;
import p4.v1.P4RuntimeOuterClass.PacketOutError;
import p4.v1.P4RuntimeOuterClass.StreamError;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.StreamOtherError;

/** Answers to stream messages that are refused. */
public final class StreamErrors {

  private StreamErrors() {}

  /** Says what is wrong with a message, and which message it was. */
  public static StreamMessageResponse of(StreamMessageRequest message, RpcException refusal) {
    StreamError.Builder error =
        StreamError.newBuilder()
            .setCanonicalCode(refusal.code().getNumber())
            .setMessage(refusal.getMessage());
    switch (message.getUpdateCase()) {
      case PACKET ->
          error.setPacketOut(PacketOutError.newBuilder().setPacketOut(message.getPacket()));
      case DIGEST_ACK ->
          error.setDigestListAck(
              DigestListAckError.newBuilder().setDigestListAck(message.getDigestAck()));
      default -> {
        StreamOtherError.Builder other = StreamOtherError.newBuilder();
        if (message.hasOther()) {
          other.setOther(message.getOther());
        }
        error.setOther(other);
      }
    }
    return StreamMessageResponse.newBuilder().setError(error).build();
  }
}
