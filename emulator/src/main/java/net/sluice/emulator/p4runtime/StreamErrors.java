package net.sluice.emulator.p4runtime;

import com.google.rpc.Code;
import p4.v1.P4RuntimeOuterClass.DigestListAckError;
import p4.v1.P4RuntimeOuterClass.PacketOutError;
import p4.v1.P4RuntimeOuterClass.StreamError;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.StreamOtherError;

/** Answers to stream messages that the switch has no use for. */
final class StreamErrors {

  private StreamErrors() {}

  /** Says that a message is not supported, and which. */
  static StreamMessageResponse unsupported(StreamMessageRequest message) {
    StreamError.Builder error =
        StreamError.newBuilder()
            .setCanonicalCode(Code.UNIMPLEMENTED_VALUE)
            .setMessage(message.getUpdateCase() + " messages are not supported");
    switch (message.getUpdateCase()) {
      case PACKET:
        error.setPacketOut(PacketOutError.newBuilder().setPacketOut(message.getPacket()));
        break;
      case DIGEST_ACK:
        error.setDigestListAck(
            DigestListAckError.newBuilder().setDigestListAck(message.getDigestAck()));
        break;
      default:
        error.setOther(StreamOtherError.newBuilder().setOther(message.getOther()));
    }
    return StreamMessageResponse.newBuilder().setError(error).build();
  }
}
