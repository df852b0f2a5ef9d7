package net.sluice.core.target;

/** There is to be no session now; the message says why, for people. */
public final class NotReadyException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Says why. */
  public NotReadyException(String message) {
    super(message);
  }
}
