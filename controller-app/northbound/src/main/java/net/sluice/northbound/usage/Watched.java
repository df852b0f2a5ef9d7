package net.sluice.northbound.usage;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import net.sluice.core.Controller;
import net.sluice.core.target.SubscriberReadings;
import net.sluice.core.time.Scheduler;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.intents.value.Direction;

/** The subscribers that somebody looks at: their counters are read every second. Thread-safe. */
final class Watched {
  /** Most subscribers at a time; of others the last sweep is told. */
  static final int MOST = 100;

  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration FOR = Duration.ofMinutes(1);

  /** A point that is older is not told any more. */
  private static final Duration FRESH = Duration.ofSeconds(10);

  private final Controller controller;
  private final Scheduler scheduler;
  private final Clock clock;
  private final LongSupplier nanos;
  private final Map<String, One> all = new LinkedHashMap<>();
  private boolean running;

  /** A subscriber. */
  private static final class One {
    private Instant until;
    private boolean asked;
    private long[] counts;
    private long readAt;
    private UsagePoint point;
  }

  Watched(Controller controller, Scheduler scheduler, Clock clock, LongSupplier nanos) {
    this.controller = controller;
    this.scheduler = scheduler;
    this.clock = clock;
    this.nanos = nanos;
  }

  /** The newest point of a subscriber, which is watched from now on if there is room. */
  synchronized Optional<UsagePoint> look(String id) {
    Instant now = clock.instant();
    One one = all.get(id);
    if (one == null) {
      if (all.size() >= MOST) {
        return Optional.empty();
      }
      one = new One();
      all.put(id, one);
    }
    one.until = now.plus(FOR);
    if (!running) {
      running = true;
      scheduler.execute(this::readAll);
    }
    return Optional.ofNullable(one.point).filter(point -> point.at().isAfter(now.minus(FRESH)));
  }

  private void readAll() {
    Map<String, One> due;
    synchronized (this) {
      Instant now = clock.instant();
      all.values().removeIf(one -> one.until.isBefore(now));
      running = !all.isEmpty();
      if (!running) {
        return;
      }
      due = new LinkedHashMap<>(all);
      due.values().removeIf(one -> one.asked);
      due.values().forEach(one -> one.asked = true);
    }
    due.forEach(
        (id, one) -> {
          var unused =
              controller
                  .counters(id)
                  .whenComplete(
                      (counters, failure) ->
                          answered(id, one, failure == null ? counters : Optional.empty()));
        });
    scheduler.schedule(EVERY, this::readAll);
  }

  private synchronized void answered(String id, One one, Optional<SubscriberCounters> counters) {
    one.asked = false;
    if (counters.isEmpty()) {
      one.counts = null;
      one.point = null;
      return;
    }
    long[] counts = new long[Measure.COLUMNS];
    SubscriberReadings.pass(
        0,
        counters.get(),
        (point, direction, index, packets, bytes) -> {
          int column = Measure.column(point, direction);
          if (column >= 0) {
            counts[column] = Measure.isWait(column) ? packets : bytes;
          }
        });
    long now = nanos.getAsLong();
    if (one.counts != null && now > one.readAt) {
      one.point =
          new UsagePoint(
              clock.instant(),
              rates(one, counts, now, Direction.DOWN),
              rates(one, counts, now, Direction.UP));
    }
    one.counts = counts;
    one.readAt = now;
  }

  private static Optional<Rates> rates(One one, long[] counts, long now, Direction direction) {
    double[] rates = new double[Measure.COUNT];
    Arrays.setAll(
        rates,
        i -> {
          int column = Measure.column(i, direction);
          long difference =
              counts[column] >= one.counts[column]
                  ? counts[column] - one.counts[column]
                  : counts[column];
          return Measure.rate(column, difference, now - one.readAt);
        });
    return Optional.of(Columns.rates(rates));
  }
}
