package net.sluice.it.corpus;

import com.google.protobuf.MessageOrBuilder;
import java.util.List;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;

/** What a switch has told its controller, such that that of two switches can be compared. */
final class Messages {

  private Messages() {}

  /** Packets and digests without the time they were sent at, in an order of their own. */
  static List<String> of(List<StreamMessageResponse> messages) {
    return messages.stream().map(Messages::timeless).sorted().toList();
  }

  private static String timeless(StreamMessageResponse message) {
    StreamMessageResponse.Builder timeless = message.toBuilder();
    if (message.hasDigest()) {
      timeless.getDigestBuilder().clearTimestamp();
    }
    return line(timeless.build());
  }

  /** A message in one line. */
  static String line(MessageOrBuilder message) {
    return message.toString().replaceAll("\\s+", " ").trim();
  }
}
