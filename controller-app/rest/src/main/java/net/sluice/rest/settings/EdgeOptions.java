package net.sluice.rest.settings;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import net.sluice.cli.Durations;
import net.sluice.cli.InvalidOption;
import net.sluice.cli.OptionException;
import net.sluice.cli.Range;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.northbound.webhooks.AllowedTargets;
import net.sluice.rest.host.AllowedCallers;
import net.sluice.rest.host.Closable;
import net.sluice.rest.traces.TraceSettings;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The options that say what clients of the API may do. */
public final class EdgeOptions {
  private static final int ALL = 100;
  private static final String WEBHOOK_ALLOW = "--webhook-allow";

  @Option(
      names = "--allowed-host",
      paramLabel = "NAME",
      converter = HostName.class,
      split = ",",
      description =
          "Names and addresses by which the API may be called, without port, separated by commas;"
              + " those of the loopback interface always may. Default: any, but no others if it"
              + " listens on the loopback interface")
  private List<String> hosts = List.of();

  @Option(
      names = "--allowed-origin",
      paramLabel = "ORIGIN",
      converter = Origin.class,
      split = ",",
      description =
          "Origins of web pages that may call the API, such as https://portal.example, separated"
              + " by commas. Default: none")
  private List<String> origins = List.of();

  @Option(
      names = WEBHOOK_ALLOW,
      paramLabel = "TARGET",
      converter = AllowedTarget.class,
      split = ",",
      description =
          "Where webhooks may lead: HOST, ADDRESS or ADDRESS/LENGTH, perhaps with :PORT or"
              + " :PORT-PORT, separated by commas. Default: the loopback interface")
  private List<AllowedTargets.Rule> webhooks = List.of();

  @Option(
      names = "--require-if-match",
      description =
          "Refuse changes without a condition: a request without If-Match or If-None-Match is"
              + " answered 428, and so is a line of a bulk request without ifMatch or ifNoneMatch")
  private boolean needsConditions;

  @Option(
      names = "--closed",
      paramLabel = "LIST",
      converter = ClosableText.class,
      split = ",",
      description =
          "Actions that no client may take: adopt, reconcile or switches (PUT, PATCH and DELETE"
              + " of them), separated by commas. Such a request is answered 403. Default: nothing")
  private List<Closable> closed = List.of();

  @Option(
      names = "--otlp-traces",
      paramLabel = "URL",
      converter = Endpoint.class,
      description =
          "Where traces of requests are sent by OTLP over HTTP, such as"
              + " http://127.0.0.1:4318/v1/traces. Default: requests are not traced")
  private URI traces;

  @Option(
      names = "--trace-percent",
      paramLabel = "PERCENT",
      description =
          "Percentage of requests that are traced if their callers do not say it (traceparent), 0"
              + " to 100. Default: 100")
  @Range(min = 0, max = ALL)
  private Integer tracePercent;

  @Option(
      names = "--usage-interval",
      paramLabel = "TIME",
      defaultValue = "1m",
      converter = UsageInterval.class,
      description =
          "How often the counters of all subscribers are read for what is told and kept of their"
              + " usage, in whole minutes from 1m to 1h; 0 for never. Default: ${DEFAULT-VALUE}")
  private Duration usageInterval;

  /** A time of whole minutes; 0 for none. */
  static final class UsageInterval implements ITypeConverter<Duration> {
    private static final Duration LONGEST = Duration.ofHours(1);

    @Override
    public Duration convert(String text) {
      Duration interval = Duration.ofNanos(Durations.nanos(text).orElse(-1));
      if (interval.isNegative()
          || interval.compareTo(LONGEST) > 0
          || !interval.equals(Duration.ofMinutes(interval.toMinutes()))) {
        throw new InvalidOption("a time of whole minutes from 1m to 1h; or 0 for never");
      }
      return interval;
    }
  }

  /** A host without its port, as in a URI. */
  static final class HostName implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (!AllowedCallers.isHost(text)) {
        throw new InvalidOption(AllowedCallers.HOSTS);
      }
      return text;
    }
  }

  /** Scheme, host and perhaps port. */
  static final class Origin implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (!AllowedCallers.isOrigin(text)) {
        throw new InvalidOption(AllowedCallers.ORIGINS);
      }
      return text;
    }
  }

  /** A place that webhooks may lead to. */
  public static final class AllowedTarget implements ITypeConverter<AllowedTargets.Rule> {
    @Override
    public AllowedTargets.Rule convert(String text) {
      try {
        return AllowedTargets.parse(text);
      } catch (InvalidValueException e) {
        throw new InvalidOption(e.allowed());
      }
    }
  }

  /** A part of the API by its name. */
  static final class ClosableText implements ITypeConverter<Closable> {
    @Override
    public Closable convert(String text) {
      for (Closable each : Closable.values()) {
        if (each.text().equals(text)) {
          return each;
        }
      }
      throw new InvalidOption(
          Arrays.stream(Closable.values()).map(Closable::text).collect(Collectors.joining(", "))
              + ", separated by commas");
    }
  }

  /** A URL of http or https. */
  static final class Endpoint implements ITypeConverter<URI> {
    @Override
    public URI convert(String text) {
      return TraceSettings.endpoint(text)
          .orElseThrow(() -> new InvalidOption(TraceSettings.ALLOWED));
    }
  }

  /**
   * The settings that the options give together.
   *
   * @param shown the name of an option as the host's users know it
   * @throws OptionException if they do not fit together
   */
  public EdgeSettings settings(UnaryOperator<String> shown) {
    if (traces == null && tracePercent != null) {
      throw new OptionException(
          "--trace-percent", tracePercent.toString(), "nothing without --otlp-traces");
    }
    return new EdgeSettings(
        hosts,
        origins,
        AllowedTargets.of(shown.apply(WEBHOOK_ALLOW), webhooks, List.of()),
        needsConditions,
        Set.copyOf(closed),
        Optional.ofNullable(traces)
            .map(url -> new TraceSettings(url, tracePercent == null ? ALL : tracePercent)),
        usageInterval);
  }
}
