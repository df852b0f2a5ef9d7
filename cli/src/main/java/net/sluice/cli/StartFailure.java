package net.sluice.cli;

import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * A command cannot start because something it needs is not available: a port, a directory, a
 * target. The message is one line for the user; the process exits with {@link #EXIT_CODE}.
 */
public final class StartFailure extends Exception {
  private static final long serialVersionUID = 1L;

  /** Exit code of a command that could not start. */
  public static final int EXIT_CODE = 2;

  /** {@code message} says what is not available, and what to do about it if that is known. */
  public StartFailure(String message) {
    super(message);
  }

  /** As {@link #StartFailure(String)}, keeping the cause for a debugger. */
  public StartFailure(String message, Throwable cause) {
    super(message, cause);
  }

  /** No server can listen on {@code address}, where {@code what} was to be served. */
  public static StartFailure cannotServe(
      String what, InetSocketAddress address, IOException cause) {
    return new StartFailure(
        "cannot serve %s on %s: %s"
            .formatted(what, ListenAddress.text(address), ListenAddress.reason(cause)),
        cause);
  }
}
