package net.sluice.emulator.ports;

/** A port cannot be opened; the message names it and says why, in one line. */
public final class PortException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * @param port the port, for instance {@code interface 'veth1'}
   * @param problem why it cannot be opened
   */
  PortException(String port, String problem) {
    super("cannot open " + port + ": " + problem);
  }
}
