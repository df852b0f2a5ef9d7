package net.sluice.emulator.v1model.program;

/**
 * A compiled P4 program cannot be loaded. The message names the place in the program and what is
 * wrong there.
 */
public abstract class ProgramException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ProgramException(String message) {
    super(message);
  }
}
