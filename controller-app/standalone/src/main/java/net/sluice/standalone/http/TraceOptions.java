package net.sluice.standalone.http;

import java.net.URI;
import java.util.Optional;
import net.sluice.cli.InvalidOption;
import net.sluice.cli.OptionException;
import net.sluice.cli.Range;
import net.sluice.rest.traces.TraceSettings;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The options that say where traces of requests are sent. */
public final class TraceOptions {
  private static final int ALL = 100;

  @Option(
      names = "--otlp-traces",
      paramLabel = "URL",
      converter = Endpoint.class,
      description =
          "Where traces of requests are sent by OTLP over HTTP, such as"
              + " http://127.0.0.1:4318/v1/traces. Default: requests are not traced")
  private URI endpoint;

  @Option(
      names = "--trace-percent",
      paramLabel = "PERCENT",
      description =
          "How many of the requests are traced whose callers do not say it (traceparent), 0 to 100."
              + " Default: 100")
  @Range(min = 0, max = ALL)
  private Integer percent;

  /** A URL of http or https. */
  static final class Endpoint implements ITypeConverter<URI> {
    @Override
    public URI convert(String text) {
      return TraceSettings.endpoint(text)
          .orElseThrow(() -> new InvalidOption(TraceSettings.ALLOWED));
    }
  }

  /**
   * The settings that the options give; empty if requests are not traced.
   *
   * @throws OptionException if they do not fit together
   */
  public Optional<TraceSettings> settings() {
    if (endpoint == null && percent != null) {
      throw new OptionException(
          "--trace-percent", percent.toString(), "nothing without --otlp-traces");
    }
    return Optional.ofNullable(endpoint)
        .map(url -> new TraceSettings(url, percent == null ? ALL : percent));
  }
}
