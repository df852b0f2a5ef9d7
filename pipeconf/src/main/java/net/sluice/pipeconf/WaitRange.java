package net.sluice.pipeconf;

import java.util.OptionalInt;
import net.sluice.pipeconf.CounterCodec.Point;

/** The ranges by which a switch counts how long packets wait; each begins where the last ends. */
public enum WaitRange {
  /** Up to 1 ms, most often not at all. */
  UP_TO_1_MILLI(Point.WAITED_UP_TO_1_MILLI, 1),
  /** Up to 5 ms. */
  UP_TO_5_MILLIS(Point.WAITED_UP_TO_5_MILLIS, 5),
  /** Up to 20 ms. */
  UP_TO_20_MILLIS(Point.WAITED_UP_TO_20_MILLIS, 20),
  /** Up to 100 ms. */
  UP_TO_100_MILLIS(Point.WAITED_UP_TO_100_MILLIS, 100),
  /** More than that. */
  LONGER(Point.WAITED_LONGER);

  private final Point point;
  private final OptionalInt upToMillis;

  WaitRange(Point point, int upToMillis) {
    this.point = point;
    this.upToMillis = OptionalInt.of(upToMillis);
  }

  WaitRange(Point point) {
    this.point = point;
    this.upToMillis = OptionalInt.empty();
  }

  /** Where its packets are counted. */
  public Point point() {
    return point;
  }

  /** The longest wait of the range, in ms; empty if it has no end. */
  public OptionalInt upToMillis() {
    return upToMillis;
  }
}
