package net.sluice.cli;

/** A converter's refusal of a text; the message is the values allowed. */
public final class InvalidOption extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** {@code allowed} is a noun phrase. */
  public InvalidOption(String allowed) {
    super(allowed, null, false, false);
  }
}
