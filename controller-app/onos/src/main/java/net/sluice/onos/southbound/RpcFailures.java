package net.sluice.onos.southbound;

import io.grpc.Status;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.core.target.WriteCode;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.EntityUpdateResponse;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.EntityUpdateStatus;

/** The failures that ONOS's client tells when the switch has not done what it was asked. */
final class RpcFailures {
  /** A code in front of the words, and an error space and number that say nothing behind them. */
  private static final Pattern EXPLANATION =
      Pattern.compile("(?:([A-Z_]+) )?(.*?)(?: \\(:?[^()]*:0\\))?", Pattern.DOTALL);

  private RpcFailures() {}

  /** True if the call took too long. */
  static boolean isTimeout(Throwable failure) {
    return failure != null
        && Status.fromThrowable(failure).getCode() == Status.Code.DEADLINE_EXCEEDED;
  }

  /** True if the call says that something it names is not there. */
  static boolean isNotFound(Throwable failure) {
    return failure != null && Status.fromThrowable(failure).getCode() == Status.Code.NOT_FOUND;
  }

  /** True if the call was refused for want of primacy. */
  static boolean isDenied(Throwable failure) {
    return Status.fromThrowable(failure).getCode() == Status.Code.PERMISSION_DENIED;
  }

  /** The result of one update that was answered by itself. */
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
