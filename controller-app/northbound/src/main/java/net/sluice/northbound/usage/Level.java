package net.sluice.northbound.usage;

import java.time.Duration;

/** How finely usage is kept, and for how long. */
enum Level {
  MINUTE(Duration.ofMinutes(1), Duration.ofHours(6)),
  FIVE_MINUTES(Duration.ofMinutes(5), Duration.ofDays(2)),
  HOUR(Duration.ofHours(1), Duration.ofDays(31)),
  DAY(Duration.ofDays(1), Duration.ofDays(395));

  private final Duration step;
  private final Duration kept;

  Level(Duration step, Duration kept) {
    this.step = step;
    this.kept = kept;
  }

  /** The time of a point. */
  Duration step() {
    return step;
  }

  /** How long points are kept. */
  Duration kept() {
    return kept;
  }

  long seconds() {
    return step.toSeconds();
  }
}
