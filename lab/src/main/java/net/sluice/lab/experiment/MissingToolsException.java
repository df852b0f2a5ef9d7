package net.sluice.lab.experiment;

/** An experiment cannot be run on this machine; the message says what is missing. */
public final class MissingToolsException extends Exception {
  private static final long serialVersionUID = 1L;

  /** For people. */
  public MissingToolsException(String message) {
    super(message);
  }
}
