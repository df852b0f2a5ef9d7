package net.sluice.emulator.v1model.program;

/**
 * A compiled program uses a construct that this switch does not execute; none is skipped silently.
 */
public final class UnsupportedProgramException extends ProgramException {

  private static final long serialVersionUID = 1L;

  private final String construct;
  private final String place;

  /**
   * @param construct what is not supported, for instance {@code primitive 'resubmit'}
   * @param place its position in the program
   */
  public UnsupportedProgramException(String construct, String place) {
    super("unsupported program: " + construct + " at " + place);
    this.construct = construct;
    this.place = place;
  }

  /** The unsupported construct. */
  public String construct() {
    return construct;
  }

  /** Its position in the program. */
  public String place() {
    return place;
  }
}
