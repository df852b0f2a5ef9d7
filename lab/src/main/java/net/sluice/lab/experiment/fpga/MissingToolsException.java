package net.sluice.lab.experiment.fpga;

/** The core cannot be built on this machine; the message says what is missing. */
final class MissingToolsException extends Exception {
  private static final long serialVersionUID = 1L;

  MissingToolsException(String reason) {
    super("the simulated core cannot be built: " + reason);
  }
}
