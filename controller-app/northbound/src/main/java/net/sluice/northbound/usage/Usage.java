package net.sluice.northbound.usage;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What subscribers, trees, ports and policies get now and got in the past. Thread-safe. */
public interface Usage {
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
          // Nobody is known.
        }
      };

  /** Is given subscribers, in no order. */
  @FunctionalInterface
  interface Visitor {
    /** A subscriber and its newest point. */
    void visit(String subscriberId, UsagePoint latest);
  }

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
}
