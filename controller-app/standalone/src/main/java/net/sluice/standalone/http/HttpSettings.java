package net.sluice.standalone.http;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import net.sluice.core.time.Scheduler;
import net.sluice.endpoints.TlsFiles;
import net.sluice.northbound.usage.UsageSettings;
import net.sluice.northbound.webhooks.WebhookSettings;
import net.sluice.rest.host.AllowedCallers;
import net.sluice.rest.host.Callers;
import net.sluice.rest.host.Closable;
import net.sluice.rest.host.Edge;
import net.sluice.rest.traces.TraceSettings;
import net.sluice.standalone.network.WebhookOptions;

/**
 * How the API is served.
 *
 * @param address where it listens; port 0 takes a free one
 * @param health where its health is told; empty for nowhere
 * @param allowed the hosts and web pages that requests may name
 * @param tls its certificate; empty for plain HTTP
 * @param callers says who calls it
 * @param auditBytes of the log of changes that are kept
 * @param closed what no client may do
 * @param needsConditions whether declarations are changed only by requests with a condition
 * @param webhooks where clients may have events sent
 * @param traces how requests are traced; empty if they are not
 * @param usage what is measured and kept of subscribers' traffic
 * @param minFreeBytes changes are refused while less is free where something is kept; 0 for never
 */
public record HttpSettings(
    InetSocketAddress address,
    Optional<InetSocketAddress> health,
    HttpLimits limits,
    AllowedCallers allowed,
    Optional<TlsFiles> tls,
    Callers callers,
    long auditBytes,
    Set<Closable> closed,
    boolean needsConditions,
    WebhookSettings webhooks,
    Optional<TraceSettings> traces,
    UsageSettings usage,
    long minFreeBytes) {
  /** As {@code auditBytes} is by default. */
  public static final long AUDIT_BYTES = 1L << 30;

  /** As {@code minFreeBytes} is by default. */
  public static final long MIN_FREE_BYTES = 64 << 20;

  /** The settings without a say about free space. */
  public HttpSettings(
      InetSocketAddress address,
      Optional<InetSocketAddress> health,
      HttpLimits limits,
      AllowedCallers allowed,
      Optional<TlsFiles> tls,
      Callers callers,
      long auditBytes,
      Set<Closable> closed,
      boolean needsConditions,
      WebhookSettings webhooks,
      Optional<TraceSettings> traces) {
    this(
        address,
        health,
        limits,
        allowed,
        tls,
        callers,
        auditBytes,
        closed,
        needsConditions,
        webhooks,
        traces,
        UsageSettings.NONE,
        MIN_FREE_BYTES);
  }

  /** The same with usage, as far as it is to be measured, kept in a directory. */
  public HttpSettings keepingUsage(Path directory) {
    return with(new UsageSettings(Optional.of(directory), usage.every()));
  }

  /** The same with usage measured so often, whole minutes. */
  public HttpSettings measuringUsage(Duration every) {
    return with(new UsageSettings(usage.directory(), every));
  }

  private HttpSettings with(UsageSettings measured) {
    return new HttpSettings(
        address,
        health,
        limits,
        allowed,
        tls,
        callers,
        auditBytes,
        closed,
        needsConditions,
        webhooks,
        traces,
        measured,
        minFreeBytes);
  }

  /** The requests that clients may make. */
  public Edge edge(Scheduler scheduler) {
    return new Edge(
        callers,
        () -> allowed,
        limits.request(),
        () -> closed,
        () -> needsConditions,
        () -> traces,
        scheduler);
  }

  /** The API on an address, as it is without any options. */
  public static HttpSettings on(InetSocketAddress address) {
    return on(address, HttpLimits.DEFAULT);
  }

  /** The same with other limits. */
  static HttpSettings on(InetSocketAddress address, HttpLimits limits) {
    return new HttpSettings(
        address,
        Optional.empty(),
        limits,
        AllowedCallers.of(address),
        Optional.empty(),
        Callers.ANYBODY,
        AUDIT_BYTES,
        Set.of(),
        false,
        WebhookOptions.byDefault(),
        Optional.empty());
  }
}
