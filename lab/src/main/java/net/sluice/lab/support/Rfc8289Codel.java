package net.sluice.lab.support;

import java.util.function.LongUnaryOperator;

/**
 * CoDel as RFC 8289, section 5, has it in pseudo-code, one dequeued packet at a time: the packet
 * that its loop takes out behind a dropped one is the next call. Names are the RFC's; times are of
 * any one unit.
 */
public final class Rfc8289Codel {
  private final long target;
  private final long interval;
  private final LongUnaryOperator step;
  private final boolean firstDropFromDueTime;

  private long firstAboveTime;
  private long dropNext;
  private long count;
  private long lastcount;
  private boolean dropping;

  /** A queue without history, with exact square roots. */
  public Rfc8289Codel(long target, long interval) {
    this(target, interval, count -> Math.round(interval / Math.sqrt(count)), false);
  }

  /**
   * A queue without history.
   *
   * @param step interval / sqrt(count) of a count
   * @param firstDropFromDueTime whether a cycle's second drop is timed from when the first was due,
   *     as all later ones are, instead of from the packet that was dropped
   */
  public Rfc8289Codel(
      long target, long interval, LongUnaryOperator step, boolean firstDropFromDueTime) {
    this.target = target;
    this.interval = interval;
    this.step = step;
    this.firstDropFromDueTime = firstDropFromDueTime;
  }

  /** Whether the packet that leaves the queue at a time is dropped. */
  public boolean drops(long now, long sojourn, boolean atMostOneMtuBehind) {
    boolean okToDrop = false;
    long due = firstAboveTime;
    if (sojourn < target || atMostOneMtuBehind) {
      firstAboveTime = 0;
    } else if (firstAboveTime == 0) {
      firstAboveTime = now + interval;
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
      if (delta > 1 && now - dropNext < 16 * interval) {
        count = delta;
      }
      dropNext = (firstDropFromDueTime ? due : now) + step.applyAsLong(count);
      lastcount = count;
      return true;
    }
    return false;
  }

  /** There was no packet to take out. */
  public void empty() {
    firstAboveTime = 0;
    dropping = false;
  }
}
