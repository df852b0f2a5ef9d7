package net.sluice.core;

/** The controller cannot do what was asked for a reason that is not the caller's. */
public class ControllerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** {@code message} is for people. */
  public ControllerException(String message) {
    super(message);
  }

  /** {@code message} is for people. */
  public ControllerException(String message, Throwable cause) {
    super(message, cause);
  }
}
