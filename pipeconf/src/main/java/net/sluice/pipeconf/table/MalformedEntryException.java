package net.sluice.pipeconf.table;

/** An entry that cannot be read; does not leave the package and carries no stack trace. */
final class MalformedEntryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedEntryException(String reason) {
    super(reason, null, false, false);
  }
}
