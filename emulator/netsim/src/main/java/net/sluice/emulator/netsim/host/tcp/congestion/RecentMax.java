package net.sluice.emulator.netsim.host.tcp.congestion;

/**
 * The greatest of the values that came in the last so many rounds. Rounds never go back. At most
 * one value a round is kept, and only such as none since has reached.
 */
final class RecentMax {

  private final long[] rounds;
  private final double[] values;
  private int first;
  private int count;

  /**
   * Empty.
   *
   * @param length rounds that a value counts for, the one it came in included, at least 1
   */
  RecentMax(int length) {
    rounds = new long[length];
    values = new double[length];
  }

  /** A value of a round, not before the last one's. */
  void update(long round, double value) {
    while (count > 0 && rounds[first] <= round - rounds.length) {
      first = (first + 1) % rounds.length;
      count--;
    }
    while (count > 0 && values[at(count - 1)] <= value) {
      count--;
    }
    if (count > 0 && rounds[at(count - 1)] == round) {
      return;
    }
    rounds[at(count)] = round;
    values[at(count)] = value;
    count++;
  }

  /** The greatest as of the last update's round; 0 before the first. */
  double get() {
    return count == 0 ? 0 : values[first];
  }

  private int at(int i) {
    return (first + i) % rounds.length;
  }
}
