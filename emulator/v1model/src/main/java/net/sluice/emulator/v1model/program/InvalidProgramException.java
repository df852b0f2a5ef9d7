package net.sluice.emulator.v1model.program;

/**
 * A compiled program is malformed: something is missing, has the wrong type, or refers to what is
 * not there.
 */
public final class InvalidProgramException extends ProgramException {

  private static final long serialVersionUID = 1L;

  /**
   * @param place where in the program, for instance {@code actions[3] 'route'}
   * @param problem what is wrong
   */
  public InvalidProgramException(String place, String problem) {
    super("invalid program: " + place + ": " + problem);
  }
}
