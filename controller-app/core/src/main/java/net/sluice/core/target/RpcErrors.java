package net.sluice.core.target;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.concurrent.CompletionException;

/** What a call that failed means, and how it is told. */
public final class RpcErrors {
  private RpcErrors() {}

  /** Code and description of a failed gRPC call; the message of any other failure. */
  public static String text(Throwable failure) {
    if (failure instanceof CompletionException && failure.getCause() != null) {
      return text(failure.getCause());
    }
    if (failure instanceof StatusRuntimeException || failure instanceof StatusException) {
      Status status = Status.fromThrowable(failure);
      return status.getDescription() == null
          ? status.getCode().toString()
          : status.getCode() + ": " + status.getDescription();
    }
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }

  /** True if the call says nothing of what the other end has done, so that the session ends. */
  public static boolean isSessionLost(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    return switch (status.getCode()) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, ABORTED, PERMISSION_DENIED, UNAUTHENTICATED ->
          true;
      // What a connection that closes just then is told as; a switch's own answer has no cause.
      case UNKNOWN -> status.getCause() instanceof IOException;
      default -> false;
    };
  }

  /** What the canonical code of a single update means. */
  public static WriteCode writeCode(Status.Code code) {
    return switch (code) {
      case OK -> WriteCode.OK;
      case ALREADY_EXISTS -> WriteCode.ALREADY_EXISTS;
      case NOT_FOUND -> WriteCode.NOT_FOUND;
      case UNAVAILABLE, ABORTED, DEADLINE_EXCEEDED, CANCELLED -> WriteCode.UNAVAILABLE;
      default -> WriteCode.REFUSED;
    };
  }
}
