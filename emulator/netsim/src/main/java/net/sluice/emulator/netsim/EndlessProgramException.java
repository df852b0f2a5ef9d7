package net.sluice.emulator.netsim;

/** A run that was to end with its last packet does not: the program does not let packets go. */
public final class EndlessProgramException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message which packets, and what the program does to them
   */
  EndlessProgramException(String message) {
    super(message);
  }
}
