package net.sluice.northbound.usage;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.sluice.core.Controller;
import net.sluice.intents.value.Direction;

/** The traffic of subscribers, trees, ports and policies, now and in the past. Thread-safe. */
public interface Usage extends AutoCloseable {
  /** Where nothing is measured. */
  Usage NONE =
      new Usage() {
        @Override
        public Optional<UsagePoint> latest(Measured which) {
          return Optional.empty();
        }

        @Override
        public Optional<UsagePoint> at(Measured which, Instant at) {
          return Optional.empty();
        }

        @Override
        public UsageSeries points(Measured which, Instant from, Instant to, Duration step) {
          return new UsageSeries(from, to, step, List.of());
        }

        @Override
        public void walk(String switchName, Visitor visitor) {
          // No subscriber is known.
        }
      };

  /** Opens the usage of a controller. */
  @FunctionalInterface
  interface Opener {
    /** The usage, measured from now on, or {@link #NONE}. */
    Usage open(Controller controller, Clock clock);
  }

  /** The ways to order subscribers. */
  enum Order {
    /** By their rates. */
    RATE,
    /** By the rates at which limits dropped. */
    DROPS,
    /** By the wait of 95 % of their packets. */
    DELAY
  }

  /**
   * The subscribers with the most of something.
   *
   * @param at the time of the points; empty if there are none
   * @param subscribers the first has most; those that have none of it are left out
   */
  record Top(Optional<Instant> at, List<Entry> subscribers) {
    public Top {
      subscribers = List.copyOf(subscribers);
    }

    /** A subscriber with its rates. */
    public record Entry(String id, Rates rates) {}
  }

  /** Is given subscribers, in no order. */
  @FunctionalInterface
  interface Visitor {
    /** A subscriber and its newest point. */
    void visit(String subscriberId, UsagePoint latest);
  }

  /** Is given what is kept of subscribers. */
  @FunctionalInterface
  interface TimeVisitor {
    /**
     * A time of which something is known.
     *
     * @param subscriber its place among those that were asked for
     */
    void time(int subscriber, Direction direction, KeptTime time);
  }

  /**
   * A time, in whole steps of what is kept of it.
   *
   * @param from its begin
   * @param to its end; not after {@code from} if nothing can be kept of it
   */
  record Window(Instant from, Instant to) {}

  /**
   * The newest point; empty if there is none. A subscriber is watched for a minute from now on: its
   * counters are read every second.
   */
  Optional<UsagePoint> latest(Measured which);

  /** The finest point that is kept of the time that {@code at} lies in; empty in a gap. */
  Optional<UsagePoint> at(Measured which, Instant at);

  /**
   * The points from one moment to another, gaps among them.
   *
   * @param step how far they are apart; less than is kept of that time is widened to what is
   */
  UsageSeries points(Measured which, Instant from, Instant to, Duration step);

  /**
   * Passes on the subscribers of a switch of which something is known now, each with its newest
   * point.
   */
  void walk(String switchName, Visitor visitor);

  /**
   * Passes on what is kept of subscribers, of each time the finest that is; of each subscriber in
   * the order of times.
   *
   * @return the time that it is of
   */
  default Window walk(List<String> ids, Instant from, Instant to, TimeVisitor visitor) {
    return new Window(from, to);
  }

  /** Has what is measured judged from now on, before it is kept. */
  default void judgeBy(Judge judge) {
    // Where nothing is measured, nothing is judged.
  }

  /** The subscribers of all switches that have most, by the last sweep. */
  default Top top(Order by, Direction direction, int limit) {
    return new Top(Optional.empty(), List.of());
  }

  /** The time now, as points have it. */
  default Instant now() {
    return Instant.EPOCH;
  }

  /** How the reading of all counters gets on; empty if nothing is measured. */
  default Optional<Sweeps> sweeps() {
    return Optional.empty();
  }

  /** Measures nothing more. */
  @Override
  default void close() {
    // Where nothing is measured, nothing is open.
  }
}
