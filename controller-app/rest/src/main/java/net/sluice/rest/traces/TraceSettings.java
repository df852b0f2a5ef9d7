package net.sluice.rest.traces;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/**
 * How requests are traced.
 *
 * @param endpoint the URL that traces are posted to
 * @param percent of the requests whose callers do not say whether they are traced, 0 to 100
 */
public record TraceSettings(URI endpoint, int percent) {
  /** The URLs that are taken, for people. */
  public static final String ALLOWED =
      "a URL of http or https without user, query and fragment, such as"
          + " http://127.0.0.1:4318/v1/traces";

  /** The URL in a text; empty if it is none that traces are posted to. */
  public static Optional<URI> endpoint(String text) {
    try {
      URI url = new URI(text);
      boolean isHttp = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
      return isHttp
              && url.getHost() != null
              && url.getRawUserInfo() == null
              && url.getRawQuery() == null
              && url.getRawFragment() == null
          ? Optional.of(url)
          : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }
}
