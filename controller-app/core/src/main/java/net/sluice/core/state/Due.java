package net.sluice.core.state;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ObjLongConsumer;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;

/**
 * The times at which something else of a declaration may come into force, and those that are out of
 * force, of one switch. Not thread-safe but for {@link #earliestMillis}.
 */
final class Due {
  /** Stands for a time that never comes. */
  static final long NEVER = Long.MAX_VALUE;

  private final SubscriberColumns columns;
  private final Map<String, Long> limits = new HashMap<>();
  private final SortedSet<Out> out = new TreeSet<>();
  private final Map<Integer, Out> outSubscribers = new HashMap<>();
  private final Map<String, Out> outLimits = new HashMap<>();

  /** No later than the earliest of all. */
  private volatile long earliestMillis = NEVER;

  /**
   * A declaration whose schedule or resumption is out of force. Those that are for longer come
   * first, so that they are tried first: what comes free is theirs.
   *
   * @param sinceMillis since when, as milliseconds of the epoch
   * @param kind of a subscriber or a rate limit
   * @param index of the subscriber
   * @param limitId of the rate limit
   */
  record Out(long sinceMillis, Kind kind, int index, String limitId) implements Comparable<Out> {
    private static final Comparator<Out> ORDER =
        Comparator.comparingLong(Out::sinceMillis)
            .thenComparing(Out::kind)
            .thenComparingInt(Out::index)
            .thenComparing(Out::limitId);

    @Override
    public int compareTo(Out other) {
      return ORDER.compare(this, other);
    }
  }

  Due(SubscriberColumns columns) {
    this.columns = columns;
  }

  /**
   * A time before which nothing is due, as milliseconds of the epoch; {@link #NEVER} if nothing
   * ever is. May be asked by any thread.
   */
  long earliestMillis() {
    return earliestMillis;
  }

  /** Number of declarations that are out of force. */
  int outOfForce() {
    return out.size();
  }

  /** The one that is for the longest time. */
  Optional<Out> firstOut() {
    return out.isEmpty() ? Optional.empty() : Optional.of(out.first());
  }

  /** Those that are out of force, in the order in which they are tried; a copy. */
  Out[] allOut() {
    return out.toArray(Out[]::new);
  }

  /** A subscriber that is not always treated alike comes, with its place in time. */
  void subscriber(int index, Declaration subscriber) {
    long due = millis(subscriber.changesAt());
    columns.timed(index, due);
    lower(due);
    if (subscriber.outSince().isPresent()) {
      Out is = new Out(millis(subscriber.outSince()), Kind.SUBSCRIBER, index, "");
      outSubscribers.put(index, is);
      out.add(is);
    }
  }

  /** One that is always treated as it is now: it leaves the switch. */
  void leaving(int index) {
    columns.timed(index, NEVER);
  }

  void removeSubscriber(int index) {
    remove(outSubscribers.remove(index));
  }

  void limit(String id, Declaration limit) {
    long due = millis(limit.changesAt());
    limits.put(id, due);
    lower(due);
    if (limit.outSince().isPresent()) {
      Out is = new Out(millis(limit.outSince()), Kind.RATE_LIMIT, 0, id);
      outLimits.put(id, is);
      out.add(is);
    }
  }

  void removeLimit(String id) {
    limits.remove(id);
    remove(outLimits.remove(id));
  }

  private void remove(Out is) {
    if (is != null) {
      out.remove(is);
    }
  }

  private static long millis(Optional<Instant> time) {
    return time.map(Instant::toEpochMilli).orElse(NEVER);
  }

  private void lower(long due) {
    if (due < earliestMillis) {
      earliestMillis = due;
    }
  }

  /**
   * Takes those that are due by a moment, or all of them; the earliest of the others is the
   * earliest from then on.
   *
   * @param subscribers is given the index and the time of each
   * @param limitIds is given the id and the time of each
   */
  void take(
      long nowMillis,
      boolean all,
      ObjLongConsumer<Integer> subscribers,
      ObjLongConsumer<String> limitIds) {
    earliestMillis = NEVER;
    columns.timed().stream()
        .filter(index -> isTaken(columns.dueMillis(index), nowMillis, all))
        .forEach(index -> subscribers.accept(index, columns.dueMillis(index)));
    limits.forEach(
        (id, due) -> {
          if (isTaken(due, nowMillis, all)) {
            limitIds.accept(id, due);
          }
        });
  }

  private boolean isTaken(long due, long nowMillis, boolean all) {
    if (due > nowMillis) {
      lower(due);
    }
    return all || due <= nowMillis;
  }
}
