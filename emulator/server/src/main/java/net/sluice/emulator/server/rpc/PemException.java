package net.sluice.emulator.server.rpc;

/** A PEM file cannot be used: says what is wrong with what is in it. */
public final class PemException extends Exception {

  private static final long serialVersionUID = 1L;

  PemException(String message) {
    super(message);
  }

  PemException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Contents that could be read and are refused by their user. */
  static PemException unusable(Exception refusal) {
    Throwable cause = refusal;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return new PemException("TLS cannot use what is in it: " + cause.getMessage(), refusal);
  }
}
