package net.sluice.cli;

/** What a converter says of a text that is no value of its type. The message is what is allowed. */
public final class InvalidOption extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** {@code allowed} is a noun phrase. */
  public InvalidOption(String allowed) {
    super(allowed, null, false, false);
  }
}
