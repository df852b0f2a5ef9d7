package net.sluice.lab.experiment.calm;

/** The ways to a subscriber that a cell's traffic takes, one after another. */
enum CalmColumn {
  /** The program with its defaults. */
  NOW(""),
  /** The program without what keeps delay low: packets wait as long as there is room. */
  BEFORE(".before"),
  /** FlowQueue-CoDel (RFC 8290) before a line of the limit's rate. */
  REFERENCE(".reference"),
  /** One queue with CoDel (RFC 8289) before such a line. */
  ONE_QUEUE(".codel");

  private final String suffix;

  CalmColumn(String suffix) {
    this.suffix = suffix;
  }

  /** Whether it is the program on a switch. */
  boolean switched() {
    return this == NOW || this == BEFORE;
  }

  /** Last part of the names of its rows. */
  String suffix() {
    return suffix;
  }
}
