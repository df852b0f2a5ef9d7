package net.sluice.gates.loop;

/**
 * The ranges of virtual finish times that belong to the pipes. The last pipe's is without an end.
 *
 * @param beginNanos T_beg, nanoseconds of the switch's clock
 * @param frontNanos T_0, the width of the front pipe's range
 * @param secondNanos T_1
 * @param thirdNanos T_2
 */
public record Windows(long beginNanos, long frontNanos, long secondNanos, long thirdNanos) {
  /** Pipes of a switch. */
  public static final int PIPES = 4;

  /** Boundaries between their ranges. */
  public static final int BOUNDARIES = PIPES - 1;

  /** Equal ranges. */
  public static Windows equal(long beginNanos, long widthNanos) {
    return new Windows(beginNanos, widthNanos, widthNanos, widthNanos);
  }

  /** D_i, i of 0..2: the end of the i-th pipe's range, nanoseconds of the switch's clock. */
  public long endNanos(int pipe) {
    return switch (pipe) {
      case 0 -> beginNanos + frontNanos;
      case 1 -> beginNanos + frontNanos + secondNanos;
      case 2 -> beginNanos + frontNanos + secondNanos + thirdNanos;
      default -> throw new IllegalArgumentException("pipe is " + pipe + "; allowed: 0..2");
    };
  }

  /** The pipe that a virtual finish time belongs to, 0..3. */
  public int pipe(long vftNanos) {
    int pipe = 0;
    while (pipe < BOUNDARIES && vftNanos >= endNanos(pipe)) {
      pipe++;
    }
    return pipe;
  }
}
