package net.sluice.emulator.server.gnmi;

import io.grpc.Status;

/** A request is refused. Has no stack trace: refusing is ordinary. */
final class GnmiException extends Exception {

  private static final long serialVersionUID = 1L;

  private final Status.Code code;

  GnmiException(Status.Code code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  static GnmiException invalid(String message) {
    return new GnmiException(Status.Code.INVALID_ARGUMENT, message);
  }

  /** The same, with values in the places of {@code %s}. */
  static GnmiException invalid(String format, Object... values) {
    return invalid(format.formatted(values));
  }

  static GnmiException notFound(String message) {
    return new GnmiException(Status.Code.NOT_FOUND, message);
  }

  static GnmiException unimplemented(String message) {
    return new GnmiException(Status.Code.UNIMPLEMENTED, message);
  }

  Status status() {
    return code.toStatus().withDescription(getMessage());
  }
}
