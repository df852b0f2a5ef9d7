package net.sluice.rest.host;

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
 * The hosts and web pages that requests may name. Keeps a web page that an operator's browser has
 * open from writing to a controller that only this browser's machine reaches. Such a page cannot
 * choose its {@code Origin} (RFC 6454 section 7), nor, by a name that it makes resolve to this
 * machine, its {@code Host}.
 */
public final class AllowedCallers {
  private static final Pattern AUTHORITY =
      Pattern.compile("(\\[[0-9a-f:.]+]|[^:\\[\\]]*)(?::\\d*)?", Pattern.CASE_INSENSITIVE);
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1]|\\[0:0:0:0:0:0:0:1]");

  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+]");

  /** As browsers send them (RFC 6454 section 6.2). */
  private static final Pattern ORIGIN =
      Pattern.compile("https?://(?<authority>([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?)");

  /** The names that can be allowed, for people. */
  public static final String HOSTS =
      "a name or address without port, such as sluice.example, 192.0.2.7 or [2001:db8::7]";

  /** The origins that can be allowed, for people. */
  public static final String ORIGINS =
      "SCHEME://HOST or SCHEME://HOST:PORT without a path, such as https://portal.example";

  private final boolean anyHost;

  /** Whether pages of any port of the host are its own: it does not know which are. */
  private final boolean isShared;

  private final Options options;
  private final Set<String> hosts = new TreeSet<>();
  private final Set<String> origins = new TreeSet<>();

  /** The names by which a host has hosts and origins allowed. */
  private record Options(String hosts, String origins) {}

  private AllowedCallers(
      boolean anyHost,
      boolean isShared,
      Options options,
      List<String> hosts,
      List<String> origins) {
    this.anyHost = anyHost;
    this.isShared = isShared;
    this.options = options;
    hosts.forEach(host -> this.hosts.add(host.toLowerCase(Locale.ROOT)));
    origins.forEach(origin -> this.origins.add(origin.toLowerCase(Locale.ROOT)));
  }

  /** Callers of what listens on an address, with nothing else allowed. */
  public static AllowedCallers of(InetSocketAddress address) {
    return of(address, List.of(), List.of());
  }

  /**
   * Callers of what listens on an address. The page that it serves itself may call it.
   *
   * @param hosts names and addresses, without ports, by which it may be called besides those of the
   *     loopback interface; if there are none, and it listens on another interface, by any
   * @param origins of web pages, such as {@code https://portal.example}, that may call it
   */
  public static AllowedCallers of(
      InetSocketAddress address, List<String> hosts, List<String> origins) {
    boolean anyHost = hosts.isEmpty() && !address.getAddress().isLoopbackAddress();
    Options options = new Options("--allowed-host", "--allowed-origin");
    return new AllowedCallers(anyHost, false, options, hosts, origins);
  }

  /**
   * Callers of what shares a web server whose addresses it does not know. Pages of that server may
   * call it.
   *
   * @param hosts as above; if there are none, by any
   * @param origins as above, of other pages
   */
  public static AllowedCallers ofShared(List<String> hosts, List<String> origins) {
    Options options = new Options("allowedHost", "allowedOrigin");
    return new AllowedCallers(hosts.isEmpty(), true, options, hosts, origins);
  }

  /** Whether a text is a host without its port, as in a URI. */
  public static boolean isHost(String text) {
    return HOST.matcher(text).matches();
  }

  /** Whether a text is a scheme, a host and perhaps a port. */
  public static boolean isOrigin(String text) {
    return ORIGIN.matcher(text).matches();
  }

  /**
   * Why a request is not served; empty if it is.
   *
   * @param host its {@code Host}; null if it has none, as in HTTP/1.0, which no browser speaks
   * @param origin its {@code Origin}; null if it has none
   * @param scheme {@code https} if it came over TLS, else {@code http}
   */
  public Optional<ProblemDetail> refusal(String host, String origin, String scheme) {
    if (host != null && !isAllowedHost(host)) {
      String allowed =
          list("localhost, 127.0.0.1, [::1]", hosts) + "; others with " + options.hosts();
      return Optional.of(
          ProblemDetail.of(
              ProblemType.MISDIRECTED,
              "Host is " + host + "; allowed: " + allowed + ".",
              new FieldError("Host", host, allowed)));
    }
    if (origin != null
        && !origins.contains(origin.toLowerCase(Locale.ROOT))
        && !isOwn(origin, host, scheme)) {
      String allowed = list("that of this host", origins) + "; others with " + options.origins();
      return Optional.of(
          ProblemDetail.of(
              ProblemType.FORBIDDEN,
              "Web pages of Origin " + origin + " may not call the API; allowed: " + allowed + ".",
              new FieldError("Origin", origin, allowed)));
    }
    return Optional.empty();
  }

  /**
   * Whether a page is of the server that the request names. What is at another port, which another
   * scheme is by default, is another server.
   */
  private boolean isOwn(String origin, String host, String scheme) {
    Matcher matcher = ORIGIN.matcher(origin);
    return host != null
        && matcher.matches()
        && matcher.group("authority").equalsIgnoreCase(host)
        && (isShared || origin.toLowerCase(Locale.ROOT).startsWith(scheme + ":"));
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
    return always + ", " + String.join(", ", more);
  }
}
