package net.sluice.core.state;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The times at which something else of a declaration may come into force, of one switch. Not
 * thread-safe but for {@link #earliestMillis}.
 */
public final class Due {
  /** Stands for a time that never comes. */
  public static final long NEVER = Long.MAX_VALUE;

  private final SubscriberColumns columns;
  private final Map<String, Long> limits = new HashMap<>();

  /** No later than the earliest of all. */
  private volatile long earliestMillis = NEVER;

  Due(SubscriberColumns columns) {
    this.columns = columns;
  }

  /**
   * A time before which nothing is due, as milliseconds of the epoch; {@link #NEVER} if nothing
   * ever is. May be asked by any thread.
   */
  public long earliestMillis() {
    return earliestMillis;
  }

  void subscriber(int index, Optional<Instant> changesAt) {
    long due = changesAt.map(Instant::toEpochMilli).orElse(NEVER);
    columns.timed(index, due);
    lower(due);
  }

  void limit(String id, Optional<Instant> changesAt) {
    long due = changesAt.map(Instant::toEpochMilli).orElse(NEVER);
    limits.put(id, due);
    lower(due);
  }

  void removeLimit(String id) {
    limits.remove(id);
  }

  private void lower(long due) {
    if (due < earliestMillis) {
      earliestMillis = due;
    }
  }

  /** Forgets the earliest; {@link #subscribers} and {@link #limits} find it again. */
  void begin() {
    earliestMillis = NEVER;
  }

  /**
   * Adds the subscribers that are due to {@code out}, by rising index.
   *
   * @param moment which are due
   * @param from the index to begin with
   * @param most the most to look at
   * @return the index to go on with, or -1 at the end
   */
  int subscribers(Moment moment, int from, int most, IntFunction<String> ids, List<String> out) {
    int looked = 0;
    int index = columns.timed().nextSetBit(from);
    for (; index >= 0 && looked < most; index = columns.timed().nextSetBit(index + 1), looked++) {
      if (take(moment, columns.dueMillis(index))) {
        out.add(ids.apply(index));
      }
    }
    return index;
  }

  /** Adds the rate limits that are due to {@code out}. */
  void limits(Moment moment, List<String> out) {
    limits.forEach(
        (id, due) -> {
          if (take(moment, due)) {
            out.add(id);
          }
        });
  }

  private boolean take(Moment moment, long due) {
    if (due > moment.nowMillis) {
      lower(due);
    }
    return moment.all || due <= moment.nowMillis;
  }

  /**
   * The time at which is looked for what is due.
   *
   * @param nowMillis milliseconds of the epoch
   * @param all whether everything is due: the time is earlier than it was
   */
  public record Moment(long nowMillis, boolean all) {}
}
