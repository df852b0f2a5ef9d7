package net.sluice.emulator.v1model.runtime;

/**
 * A program reached a point where bmv2 aborts: a failed {@code assert} or {@code assume}, a
 * division by zero. It is thrown to the caller that gave the packet to the switch; the packet is
 * lost.
 */
public final class ProgramFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * @param message what failed, and where in the program
   */
  public ProgramFailure(String message) {
    super(message);
  }
}
