package net.sluice.it.p4;

import java.util.function.LongUnaryOperator;

/**
 * CoDel as RFC 8289, section 5, has it in pseudo-code, one dequeued packet at a time: the packet
 * that its loop takes out behind a dropped one is the next call. Names are the RFC's.
 */
final class Rfc8289Codel {
  private final long targetMicros;
  private final long intervalMicros;
  private final LongUnaryOperator step;
  private final boolean firstDropFromDueTime;

  private long firstAboveTime;
  private long dropNext;
  private long count;
  private long lastcount;
  private boolean dropping;

  /**
   * A queue without history.
   *
   * @param step interval / sqrt(count) of a count, microseconds
   * @param firstDropFromDueTime whether a cycle's second drop is timed from when the first was due,
   *     as all later ones are, instead of from the packet that was dropped
   */
  Rfc8289Codel(
      long targetMicros,
      long intervalMicros,
      LongUnaryOperator step,
      boolean firstDropFromDueTime) {
    this.targetMicros = targetMicros;
    this.intervalMicros = intervalMicros;
    this.step = step;
    this.firstDropFromDueTime = firstDropFromDueTime;
  }

  /** Whether the packet that leaves the queue at a time is dropped. */
  boolean drops(long now, long sojournMicros, boolean atMostOneMtuBehind) {
    boolean okToDrop = false;
    long due = firstAboveTime;
    if (sojournMicros < targetMicros || atMostOneMtuBehind) {
      firstAboveTime = 0;
    } else if (firstAboveTime == 0) {
      firstAboveTime = now + intervalMicros;
    } else if (now >= firstAboveTime) {
      okToDrop = true;
    }
    if (dropping) {
      if (!okToDrop) {
        dropping = false;
      } else if (now >= dropNext) {
        count++;
        dropNext += step.applyAsLong(count);
        return true;
      }
    } else if (okToDrop) {
      dropping = true;
      long delta = count - lastcount;
      count = 1;
      if (delta > 1 && now - dropNext < 16 * intervalMicros) {
        count = delta;
      }
      dropNext = (firstDropFromDueTime ? due : now) + step.applyAsLong(count);
      lastcount = count;
      return true;
    }
    return false;
  }
}
