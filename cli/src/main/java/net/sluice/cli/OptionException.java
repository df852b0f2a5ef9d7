package net.sluice.cli;

/**
 * A command line option that cannot be used: names the option, the value given and what is allowed.
 * Nothing has been started when it is thrown; the command answers with exit code 2.
 */
public final class OptionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String option;
  private final String allowed;

  /**
   * @param option the option, e.g. {@code --bottleneck}
   * @param value what was given
   * @param allowed what would have been accepted, a noun phrase
   */
  public OptionException(String option, String value, String allowed) {
    super(option + " is '" + value + "'; allowed: " + allowed, null, false, false);
    this.option = option;
    this.allowed = allowed;
  }

  private OptionException(String option, String needed) {
    super(option + " is missing; needed: " + needed, null, false, false);
    this.option = option;
    this.allowed = needed;
  }

  /**
   * The refusal of a command line without an option that it needs.
   *
   * @param needed what the option would have to be, a noun phrase
   */
  public static OptionException missing(String option, String needed) {
    return new OptionException(option, needed);
  }

  /**
   * A refusal of one part of a composite value.
   *
   * @param option the option, e.g. {@code --group}
   * @param value the whole value given
   * @param part name of the refused part, e.g. {@code COUNT}
   * @param partValue the refused part
   * @param allowed what would have been accepted, a noun phrase
   */
  public OptionException(
      String option, String value, String part, String partValue, String allowed) {
    super(
        option + " is '" + value + "': " + part + " is '" + partValue + "'; allowed: " + allowed,
        null,
        false,
        false);
    this.option = option;
    this.allowed = allowed;
  }

  /** The option, e.g. {@code --bottleneck}. */
  public String option() {
    return option;
  }

  /** The values that would have been accepted, a noun phrase. */
  public String allowed() {
    return allowed;
  }
}
