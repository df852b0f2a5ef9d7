package net.sluice.standalone.http;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.problem.ProblemDetail.FieldError;
import net.sluice.rest.problem.ProblemType;

/**
 * Whose requests are served: keeps a web page that an operator's browser has open from writing to a
 * controller that only this browser's machine reaches. Such a page cannot choose its {@code Origin}
 * (RFC 6454 section 7), nor, by a name that it makes resolve to this machine, its {@code Host}.
 */
public final class AllowedCallers {
  private static final Pattern AUTHORITY =
      Pattern.compile("(\\[[0-9a-f:.]+]|[^:\\[\\]]*)(?::\\d*)?", Pattern.CASE_INSENSITIVE);
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1]|\\[0:0:0:0:0:0:0:1]");

  private final boolean anyHost;
  private final Set<String> hosts = new TreeSet<>();
  private final Set<String> origins = new TreeSet<>();

  private AllowedCallers(boolean anyHost, List<String> hosts, List<String> origins) {
    this.anyHost = anyHost;
    hosts.forEach(host -> this.hosts.add(host.toLowerCase(Locale.ROOT)));
    origins.forEach(origin -> this.origins.add(origin.toLowerCase(Locale.ROOT)));
  }

  /** Callers of what listens on an address, with nothing else allowed. */
  public static AllowedCallers of(InetSocketAddress address) {
    return of(address, List.of(), List.of());
  }

  /**
   * Callers of what listens on an address.
   *
   * @param hosts names and addresses, without ports, by which it may be called besides those of the
   *     loopback interface; if there are none, and it listens on another interface, by any
   * @param origins of web pages, such as {@code https://portal.example}, that may call it
   */
  public static AllowedCallers of(
      InetSocketAddress address, List<String> hosts, List<String> origins) {
    boolean anyHost = hosts.isEmpty() && !address.getAddress().isLoopbackAddress();
    return new AllowedCallers(anyHost, hosts, origins);
  }

  /**
   * Why a request is not served; empty if it is.
   *
   * @param host its {@code Host}; null if it has none, as in HTTP/1.0, which no browser speaks
   * @param origin its {@code Origin}; null if it has none
   */
  Optional<ProblemDetail> refusal(String host, String origin) {
    if (host != null && !isAllowedHost(host)) {
      String allowed = list("localhost, 127.0.0.1, [::1]", hosts) + "; others with --allowed-host";
      return Optional.of(
          ProblemDetail.of(
              ProblemType.MISDIRECTED,
              "Host is " + host + "; allowed: " + allowed + ".",
              new FieldError("Host", host, allowed)));
    }
    if (origin != null && !origins.contains(origin.toLowerCase(Locale.ROOT))) {
      String allowed = list("none", origins) + "; others with --allowed-origin";
      return Optional.of(
          ProblemDetail.of(
              ProblemType.FORBIDDEN,
              "Web pages of Origin " + origin + " may not call the API; allowed: " + allowed + ".",
              new FieldError("Origin", origin, allowed)));
    }
    return Optional.empty();
  }

  private boolean isAllowedHost(String authority) {
    if (anyHost) {
      return true;
    }
    Matcher matcher = AUTHORITY.matcher(authority.toLowerCase(Locale.ROOT));
    return matcher.matches()
        && (LOOPBACK.matcher(matcher.group(1)).matches() || hosts.contains(matcher.group(1)));
  }

  private static String list(String always, Set<String> more) {
    if (more.isEmpty()) {
      return always;
    }
    String given = String.join(", ", more);
    return always.equals("none") ? given : always + ", " + given;
  }
}
