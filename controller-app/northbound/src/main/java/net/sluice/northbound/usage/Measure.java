package net.sluice.northbound.usage;

import java.util.Arrays;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.WaitRange;

/**
 * The rates of one direction that are kept; of both directions they are columns, those of the way
 * down first.
 */
enum Measure {
  OFFERED(Point.IN),
  GOT(Point.OUT),
  POLICED(Point.POLICED),
  OVERFLOWED(Point.OVERFLOWED),
  SUSPENDED(Point.SUSPENDED),
  DROPPED(Point.LIMIT_DROPPED),
  /** The rate that it was entitled to where something limited it; not counted, but judged. */
  ENTITLED(null),
  /** The cause of that, and how much of the time was short of that rate: {@link KeptTime#code}. */
  JUDGED(null),
  WAITED_1(WaitRange.UP_TO_1_MILLI.point()),
  WAITED_5(WaitRange.UP_TO_5_MILLIS.point()),
  WAITED_20(WaitRange.UP_TO_20_MILLIS.point()),
  WAITED_100(WaitRange.UP_TO_100_MILLIS.point()),
  WAITED_LONGER(WaitRange.LONGER.point());

  /** Number of them. */
  static final int COUNT = values().length;

  /** Number of columns. */
  static final int COLUMNS = 2 * COUNT;

  /** The first of those that are of a range of waits. */
  static final int FIRST_WAIT = WAITED_1.ordinal();

  private static final int[] OF_POINT = ofPoints();

  private final Point point;

  Measure(Point point) {
    this.point = point;
  }

  private static int[] ofPoints() {
    int[] measures = new int[Point.values().length];
    Arrays.fill(measures, -1);
    for (Measure measure : values()) {
      if (measure.point != null) {
        measures[measure.point.ordinal()] = measure.ordinal();
      }
    }
    return measures;
  }

  /** The column in which something is kept, or -1 if it is not. */
  static int column(Point point, Direction direction) {
    int measure = OF_POINT[point.ordinal()];
    return measure < 0 ? -1 : column(measure, direction);
  }

  /** The column of a measure by its place. */
  static int column(int measure, Direction direction) {
    return direction == Direction.DOWN ? measure : COUNT + measure;
  }

  /** Whether a column is of what was judged, of which there are no sums. */
  static boolean isJudged(int column) {
    return column % COUNT == ENTITLED.ordinal() || column % COUNT == JUDGED.ordinal();
  }

  /** Whether a column is of waits: packets in 1,000 seconds; of others it is bits a second. */
  static boolean isWait(int column) {
    return column % COUNT >= FIRST_WAIT;
  }

  /** The rate of a column. */
  static long rate(int column, long difference, long nanos) {
    double perSecond = difference * 1e9 / nanos;
    return Math.round(isWait(column) ? perSecond * 1_000 : perSecond * Byte.SIZE);
  }
}
