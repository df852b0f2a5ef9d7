package net.sluice.emulator.server.p4runtime.status;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import com.google.rpc.Status;
import java.util.Arrays;
import p4.v1.P4RuntimeOuterClass.Error;

/**
 * The status of a batch of which something failed: UNKNOWN, with one {@code p4.v1.Error} for every
 * element.
 *
 * <p>It travels in the trailers of the answer, of which gRPC clients take 8 KiB unless they are
 * told otherwise: a longer one costs them every detail. So where the details would be longer, their
 * type is given without the name of a server that nobody asks, and if that is not enough, messages
 * are cut off, the longest first, and the first of them stands in the status' own message. Of more
 * than some 280 elements not even the bare codes fit; clients that write so many take longer
 * trailers, and are given everything.
 */
public final class BatchErrors {

  /** Bytes of trailers that clients take if they are not told otherwise. */
  private static final int LIMIT_BYTES = 8192;

  /** Size of trailers with everything empty: names, the other fields, 32 bytes for each. */
  private static final int EMPTY_BYTES = 260;

  /** Longest part of a message that the status' own message repeats. */
  private static final int FIRST_LENGTH = 200;

  private static final String CUT = "...";
  private static final Any.Builder WITHOUT_SERVER =
      Any.newBuilder().setTypeUrl("/" + Error.getDescriptor().getFullName());

  private BatchErrors() {}

  /**
   * The status.
   *
   * @param errors by element; null for what succeeded
   */
  public static Status status(RpcException[] errors) {
    long failed = Arrays.stream(errors).filter(e -> e != null).count();
    String message = failed + " of " + errors.length + " failed";
    Status full = build(errors, message, true, Integer.MAX_VALUE);
    if (fits(full)) {
      return full;
    }
    Status nameless = build(errors, message, false, Integer.MAX_VALUE);
    if (fits(nameless)) {
      return nameless;
    }
    String first = message + ", the first: " + first(errors);
    if (!fits(build(errors, first, false, 0))) {
      first = message;
    }
    int longest = 0;
    for (int step = FIRST_LENGTH; step > 0; step /= 2) {
      while (fits(build(errors, first, false, longest + step))) {
        longest += step;
      }
    }
    Status shortened = build(errors, first, false, longest);
    return fits(shortened) ? shortened : full;
  }

  private static String first(RpcException[] errors) {
    for (int i = 0; i < errors.length; i++) {
      if (errors[i] != null) {
        return "element " + (i + 1) + ": " + cut(errors[i].getMessage(), FIRST_LENGTH);
      }
    }
    throw new IllegalArgumentException("nothing failed");
  }

  private static Status build(
      RpcException[] errors, String message, boolean withServer, int longest) {
    Status.Builder status = Status.newBuilder().setCode(Code.UNKNOWN_VALUE).setMessage(message);
    for (RpcException e : errors) {
      Error.Builder error = Error.newBuilder();
      if (e != null) {
        error.setCanonicalCode(e.code().getNumber()).setMessage(cut(e.getMessage(), longest));
      }
      Error built = error.build();
      status.addDetails(
          withServer ? Any.pack(built) : WITHOUT_SERVER.setValue(built.toByteString()).build());
    }
    return status.build();
  }

  /** The beginning of a message of at most so many characters; all of it if it is no longer. */
  private static String cut(String message, int longest) {
    if (message.length() <= longest) {
      return message;
    }
    if (longest <= CUT.length()) {
      return "";
    }
    int end = longest - CUT.length();
    // Not in the middle of a character of two.
    return message.substring(0, Character.isHighSurrogate(message.charAt(end - 1)) ? end - 1 : end)
        + CUT;
  }

  private static boolean fits(Status status) {
    // The details are written in base64, the message with three bytes for what is not ASCII.
    int bytes = (4 * status.getSerializedSize() + 2) / 3;
    ByteString message = status.getMessageBytes();
    for (int i = 0; i < message.size(); i++) {
      byte b = message.byteAt(i);
      bytes += b < ' ' || b > '~' || b == '%' ? 3 : 1;
    }
    return EMPTY_BYTES + bytes <= LIMIT_BYTES;
  }
}
