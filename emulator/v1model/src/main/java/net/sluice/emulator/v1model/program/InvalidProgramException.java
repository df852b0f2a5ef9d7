package net.sluice.emulator.v1model.program;

/**
 * A compiled program is malformed: a member is missing, has the wrong type, or is a dangling
 * reference.
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
