package net.sluice.emulator.v1model.program;

/**
 * A compiled program uses a construct that this switch does not execute; nothing of it is ever
 * skipped silently.
 */
public final class UnsupportedProgramException extends ProgramException {

  private static final long serialVersionUID = 1L;

  private final String construct;
  private final String place;

  /**
   * @param construct what is not supported, for instance {@code primitive 'resubmit'}
   * @param place where in the program it stands
   */
  public UnsupportedProgramException(String construct, String place) {
    super("unsupported program: " + construct + " at " + place);
    this.construct = construct;
    this.place = place;
  }

  /** What is not supported. */
  public String construct() {
    return construct;
  }

  /** Where it stands in the program. */
  public String place() {
    return place;
  }
}
