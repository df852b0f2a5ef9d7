package net.sluice.onos.southbound;

import io.grpc.Status;
import java.io.IOException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.core.target.WriteCode;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.EntityUpdateResponse;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.EntityUpdateStatus;

/** What ONOS's client says when the switch has not done what it was asked. */
final class RpcFailures {
  /** A code in front of the words, and an error space and number that say nothing behind them. */
  private static final Pattern EXPLANATION =
      Pattern.compile("(?:([A-Z_]+) )?(.*?)(?: \\(:?[^()]*:0\\))?", Pattern.DOTALL);

  private RpcFailures() {}

  /** Code and description of a failed call. */
  static String text(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    if (status.getCode() == Status.Code.UNKNOWN && status.getDescription() == null) {
      return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }
    return status.getDescription() == null
        ? status.getCode().toString()
        : status.getCode() + ": " + status.getDescription();
  }

  /** True if the call says nothing of what the switch has done. */
  static boolean isLost(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    return switch (status.getCode()) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, ABORTED, PERMISSION_DENIED, UNAUTHENTICATED ->
          true;
      // What a connection that closes just then is told as; a switch's own answer has no cause.
      case UNKNOWN -> status.getCause() instanceof IOException;
      default -> false;
    };
  }

  /** True if the call took too long. */
  static boolean isTimeout(Throwable failure) {
    return failure != null
        && Status.fromThrowable(failure).getCode() == Status.Code.DEADLINE_EXCEEDED;
  }

  /** True if the call says that something it names is not there. */
  static boolean isNotFound(Throwable failure) {
    return failure != null && Status.fromThrowable(failure).getCode() == Status.Code.NOT_FOUND;
  }

  /** What became of one update that was answered by itself. */
  static WriteCode code(EntityUpdateResponse response) {
    if (response.status() == EntityUpdateStatus.OTHER_ERROR) {
      Matcher matcher = EXPLANATION.matcher(String.valueOf(response.explanation()));
      String code = matcher.matches() && matcher.group(1) != null ? matcher.group(1) : "";
      return switch (code) {
        case "UNAVAILABLE", "ABORTED", "DEADLINE_EXCEEDED", "CANCELLED" -> WriteCode.UNAVAILABLE;
        default -> WriteCode.REFUSED;
      };
    }
    return switch (response.status()) {
      case OK -> WriteCode.OK;
      case ALREADY_EXIST -> WriteCode.ALREADY_EXISTS;
      case NOT_FOUND -> WriteCode.NOT_FOUND;
      case PENDING -> WriteCode.UNAVAILABLE;
      default -> WriteCode.REFUSED;
    };
  }

  /** The switch's words about one update: {@code CODE: words}. */
  static String words(EntityUpdateResponse response) {
    Matcher matcher = EXPLANATION.matcher(String.valueOf(response.explanation()).strip());
    String code =
        response.status() == EntityUpdateStatus.ALREADY_EXIST
            ? "ALREADY_EXISTS"
            : response.status().name();
    String words = response.explanation() == null ? "" : response.explanation();
    if (response.explanation() != null && matcher.matches()) {
      words = matcher.group(2).strip();
      if (matcher.group(1) != null) {
        code = matcher.group(1);
      }
    }
    return words.isEmpty() ? code : code.toUpperCase(Locale.ROOT) + ": " + words;
  }
}
