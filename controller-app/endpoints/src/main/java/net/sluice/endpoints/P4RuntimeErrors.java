package net.sluice.endpoints;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import net.sluice.core.target.Target.WriteHandler;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import p4.v1.P4RuntimeOuterClass;

/**
 * What a P4Runtime server says when it has not done everything (specification 1.3, "Error Reporting
 * Messages"): status UNKNOWN with one {@code p4.v1.Error} per update, in order.
 */
final class P4RuntimeErrors {
  private P4RuntimeErrors() {}

  /** Code and description of a failed call. */
  static String text(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    String text = status.getCode().toString();
    if (status.getDescription() != null) {
      text += ": " + status.getDescription();
    }
    Throwable cause = status.getCause();
    return cause == null || cause.getMessage() == null ? text : text + ": " + cause.getMessage();
  }

  /** Tells the handler of {@code updates} updates what the failure says. */
  static void answer(Throwable failure, int updates, WriteHandler handler) {
    Status status = Status.fromThrowable(failure);
    com.google.rpc.Status details = StatusProto.fromThrowable(failure);
    if (details != null && details.getDetailsCount() == updates) {
      handler.done(perUpdate(details));
      return;
    }
    if (isLost(status)) {
      handler.lost(text(failure));
      return;
    }
    WriteResults results = new WriteResults(updates);
    for (int i = 0; i < updates; i++) {
      results.set(i, WriteCode.REFUSED, text(failure));
    }
    handler.done(results);
  }

  private static boolean isLost(Status status) {
    return switch (status.getCode()) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, ABORTED, PERMISSION_DENIED, UNAUTHENTICATED ->
          true;
      // What a connection that closes just then is told as; a switch's own answer has no cause.
      case UNKNOWN -> status.getCause() instanceof IOException;
      default -> false;
    };
  }

  private static WriteResults perUpdate(com.google.rpc.Status details) {
    WriteResults results = new WriteResults(details.getDetailsCount());
    for (int i = 0; i < details.getDetailsCount(); i++) {
      Any detail = details.getDetails(i);
      P4RuntimeOuterClass.Error error;
      try {
        error = detail.unpack(P4RuntimeOuterClass.Error.class);
      } catch (InvalidProtocolBufferException e) {
        results.set(i, WriteCode.REFUSED, "an error that cannot be read: " + detail.getTypeUrl());
        continue;
      }
      Status.Code code = Status.fromCodeValue(error.getCanonicalCode()).getCode();
      if (code != Status.Code.OK) {
        String words =
            error.getMessage().isEmpty() ? code.toString() : code + ": " + error.getMessage();
        results.set(i, codeOf(code), words);
      }
    }
    return results;
  }

  private static WriteCode codeOf(Status.Code code) {
    return switch (code) {
      case OK -> WriteCode.OK;
      case ALREADY_EXISTS -> WriteCode.ALREADY_EXISTS;
      case NOT_FOUND -> WriteCode.NOT_FOUND;
      case UNAVAILABLE, ABORTED, DEADLINE_EXCEEDED, CANCELLED -> WriteCode.UNAVAILABLE;
      default -> WriteCode.REFUSED;
    };
  }
}
