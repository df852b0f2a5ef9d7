package net.sluice.emulator.ports.stf;

/** An STF test is malformed, or refers to something that the program does not have. */
public final class StfException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int line;

  /**
   * @param line line of the test, from 1
   * @param problem what is wrong there
   */
  public StfException(int line, String problem) {
    super("line " + line + ": " + problem);
    this.line = line;
  }

  /** Line of the test, from 1. */
  public int line() {
    return line;
  }
}
