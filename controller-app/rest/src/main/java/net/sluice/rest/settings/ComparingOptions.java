package net.sluice.rest.settings;

import java.time.Duration;
import java.util.Optional;
import net.sluice.cli.Durations;
import net.sluice.cli.InvalidOption;
import net.sluice.cli.Range;
import net.sluice.core.ControllerConfig.Comparing;
import net.sluice.core.ControllerConfig.DeletionLimit;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The options that say how targets are compared with what is declared. */
public final class ComparingOptions {
  @Option(
      names = "--audit-interval",
      paramLabel = "TIME",
      defaultValue = "15m",
      converter = Interval.class,
      description =
          "Time from the end of a comparison of a target with what is declared to the next one, 10s"
              + " to 24h; 0 to compare on request only. Default: ${DEFAULT-VALUE}")
  private Duration auditInterval;

  @Option(
      names = "--deletion-limit",
      paramLabel = "PERCENT",
      defaultValue = "5",
      description =
          "Percentage of what a target holds that a comparison may delete by itself, 0 to 100; it"
              + " may always delete 100 entries. Default: ${DEFAULT-VALUE}")
  @Range(min = 0, max = 100)
  private long deletionLimitPercent;

  /** A time from one comparison to the next; 0 for none. */
  static final class Interval implements ITypeConverter<Duration> {
    private static final Duration SHORTEST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofHours(24);

    @Override
    public Duration convert(String text) {
      Duration interval = Duration.ofNanos(Durations.nanos(text).orElse(-1));
      if (!interval.isZero()
          && (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0)) {
        throw new InvalidOption(
            "a time from 10s to 24h, written like 90s, 15m or 2h; or 0 for none");
      }
      return interval;
    }
  }

  /** {@code adopts}: whether the first comparison may delete and take over all that it finds. */
  public Comparing settings(boolean adopts) {
    return new Comparing(
        Optional.of(auditInterval).filter(time -> !time.isZero()),
        new DeletionLimit((int) deletionLimitPercent, DeletionLimit.DEFAULT.entries()),
        adopts);
  }
}
