package net.sluice.onos.southbound.master;

import io.grpc.Status;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.target.WriteCode;
import net.sluice.onos.southbound.call.SwitchCalls.End;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.EntityUpdateResponse;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.EntityUpdateStatus;

/** The failures that ONOS's client tells when the switch has not done what it was asked. */
final class RpcFailures {
  /** A code in front of the words, and an error space and number that say nothing behind them. */
  private static final Pattern EXPLANATION =
      Pattern.compile("(?:([A-Z_]+) )?(.*?)(?: \\(:?[^()]*:0\\))?", Pattern.DOTALL);

  private RpcFailures() {}

  /** How a read ended that failed with {@code failure}, which may be null. */
  static End end(Throwable failure) {
    Status.Code code =
        failure == null ? Status.Code.UNKNOWN : Status.fromThrowable(failure).getCode();
    return switch (code) {
      case DEADLINE_EXCEEDED -> End.CUT;
      case NOT_FOUND -> End.NOT_FOUND;
      default -> End.FAILED;
    };
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
    if (response.throwable() != null) {
      return RpcErrors.text(response.throwable());
    }
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
