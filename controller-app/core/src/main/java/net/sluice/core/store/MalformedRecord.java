package net.sluice.core.store;

/** Bytes are no record; the message says why. */
final class MalformedRecord extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedRecord(String message) {
    super(message);
  }
}
