package net.sluice.core.target;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The meaning of a call that failed, and its words. */
public final class RpcErrors {
  private RpcErrors() {}

  /** Where a connection was to lead, at the end of what Java's networking and Netty say. */
  private static final Pattern ADDRESS = Pattern.compile(": [^/ ]*/(\\S+:\\d+)$");

  /**
   * The failure of the connection, in words; of a failed gRPC call otherwise its code and
   * description, of any other failure its message.
   */
  public static String text(Throwable failure) {
    if (failure instanceof CompletionException && failure.getCause() != null) {
      return text(failure.getCause());
    }
    if (failure instanceof StatusRuntimeException || failure instanceof StatusException) {
      Status status = Status.fromThrowable(failure);
      return ofConnection(status).orElseGet(() -> codeAndDescription(status));
    }
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    if (failure.getCause() instanceof StatusRuntimeException cause) {
      Optional<String> words = ofConnection(cause.getStatus());
      int code = message.indexOf(": " + cause.getStatus().getCode());
      if (words.isPresent() && code >= 0) {
        return message.substring(0, code) + ": " + words.get();
      }
    }
    return message;
  }

  private static String codeAndDescription(Status status) {
    String description = status.getDescription();
    if (description == null && status.getCause() != null) {
      description = status.getCause().toString();
    }
    return status.getCode() + (description == null ? "" : ": " + description);
  }

  /**
   * The failure that gRPC tells in the words of the libraries below it; empty for words of a
   * server.
   */
  private static Optional<String> ofConnection(Status status) {
    Throwable cause = status.getCause();
    String description = String.valueOf(status.getDescription());
    String message = cause == null ? "" : String.valueOf(cause.getMessage());
    if (description.startsWith("Unable to resolve host ")) {
      return Optional.of(
          "the host " + description.substring("Unable to resolve host ".length()) + " is unknown");
    } else if (description.equals("http2 exception")) {
      return Optional.of("whatever listens there does not speak gRPC");
    } else if (description.startsWith("Network closed")
        || description.startsWith("Connection closed")
        || cause instanceof ClosedChannelException) {
      return Optional.of("the other end closed the connection");
    } else if (isTls(cause)) {
      return Optional.of(ofTls(cause));
    } else if (cause instanceof SocketException || cause instanceof SocketTimeoutException) {
      return Optional.of(ofSocket(message));
    } else if (cause instanceof IOException) {
      return Optional.of(
          message.contains("reset") ? "the other end broke the connection off" : message);
    }
    return Optional.empty();
  }

  /** By name: as a class it would be a package that no bundle of ONOS exports. */
  private static boolean isTls(Throwable cause) {
    for (Class<?> each = cause == null ? null : cause.getClass();
        each != null;
        each = each.getSuperclass()) {
      if (each.getName().equals("javax.net.ssl.SSLException")) {
        return true;
      }
    }
    return false;
  }

  /** The reason that is deepest in the failure says which side refused what. */
  private static String ofTls(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message = String.valueOf(root.getMessage());
    if (root instanceof CertPathBuilderException || message.contains("PKIX path")) {
      return "no given authority vouches for the other end's certificate";
    } else if (root instanceof CertificateException) {
      return "the other end's certificate does not do: " + message;
    } else if (message.toUpperCase(Locale.ROOT).contains("CERTIFICATE")
        || message.toUpperCase(Locale.ROOT).contains("UNKNOWN_CA")) {
      return "the other end refuses this one's certificate, or the lack of one: " + message;
    } else if (root.getClass().getSimpleName().equals("NotSslRecordException")
        || message.contains("WRONG_VERSION_NUMBER")) {
      return "whatever listens there does not speak TLS";
    }
    return "TLS failed: " + message;
  }

  private static String ofSocket(String message) {
    Matcher address = ADDRESS.matcher(message);
    String there = address.find() ? address.group(1) : "there";
    if (message.contains("refused")) {
      return "nothing listens " + at(there);
    } else if (message.contains("timed out")) {
      return "nothing answers " + at(there);
    } else if (message.contains("No route") || message.contains("unreachable")) {
      return "the network has no way to " + (there.equals("there") ? "it" : there);
    } else if (message.contains("reset")) {
      return "the other end broke the connection off";
    }
    return message;
  }

  private static String at(String there) {
    return there.equals("there") ? there : "at " + there;
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

  /** The meaning of the canonical code of a single update. */
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
