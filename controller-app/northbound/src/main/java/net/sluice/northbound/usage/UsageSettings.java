package net.sluice.northbound.usage;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import net.sluice.core.Controller;
import net.sluice.core.time.ThreadScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The room that a host gives to usage.
 *
 * @param directory where it is kept, nothing else; empty if it is not to be measured
 * @param every how often all counters are read: whole minutes, 1 to 60; 0 if never
 */
public record UsageSettings(Optional<Path> directory, Duration every) implements Usage.Opener {
  /** Nothing is measured. */
  public static final UsageSettings NONE = new UsageSettings(Optional.empty(), Duration.ZERO);

  private static final Logger LOG = LoggerFactory.getLogger(UsageSettings.class);

  /** A controller works without: what cannot be opened is told, and nothing is measured. */
  @Override
  public Usage open(Controller controller, Clock clock) {
    if (directory.isEmpty() || every.isZero()) {
      return Usage.NONE;
    }
    try {
      return new MeasuredUsage(
          controller,
          directory.get(),
          every,
          new ThreadScheduler("sluice-usage"),
          clock,
          System::nanoTime);
    } catch (IOException e) {
      LOG.error("usage is not measured: {} cannot be used", directory.get(), e);
      return Usage.NONE;
    }
  }
}
