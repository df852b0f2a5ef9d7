package net.sluice.emulator.v1model.runtime;

/**
 * A program has come to where bmv2 ends the whole switch: an {@code assert} or {@code assume} does
 * not hold, a number is divided by zero. Whoever gave the packet to the switch gets to know; the
 * packet is lost.
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
