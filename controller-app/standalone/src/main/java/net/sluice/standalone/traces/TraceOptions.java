package net.sluice.standalone.traces;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import net.sluice.cli.InvalidOption;
import net.sluice.cli.OptionException;
import net.sluice.cli.Range;
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

  /**
   * How requests are traced.
   *
   * @param endpoint the URL that traces are posted to
   * @param percent of the requests whose callers do not say whether they are traced
   */
  public record Settings(URI endpoint, int percent) {}

  /** A URL of http or https. */
  static final class Endpoint implements ITypeConverter<URI> {
    @Override
    public URI convert(String text) {
      try {
        URI url = new URI(text);
        boolean isHttp = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
        if (isHttp
            && url.getHost() != null
            && url.getRawUserInfo() == null
            && url.getRawQuery() == null
            && url.getRawFragment() == null) {
          return url;
        }
      } catch (URISyntaxException e) {
        // Refused as all that is no URL.
      }
      throw new InvalidOption(
          "a URL of http or https without user, query and fragment, such as"
              + " http://127.0.0.1:4318/v1/traces");
    }
  }

  /**
   * The settings that the options give; empty if requests are not traced.
   *
   * @throws OptionException if they do not fit together
   */
  public Optional<Settings> settings() {
    if (endpoint == null && percent != null) {
      throw new OptionException(
          "--trace-percent", percent.toString(), "nothing without --otlp-traces");
    }
    return Optional.ofNullable(endpoint)
        .map(url -> new Settings(url, percent == null ? ALL : percent));
  }
}
