package net.sluice.rest.settings;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.sluice.northbound.webhooks.AllowedTargets;
import net.sluice.rest.host.Closable;
import net.sluice.rest.traces.TraceSettings;

/**
 * The settings that {@link EdgeOptions} give.
 *
 * @param hosts names and addresses by which the API may be called, without ports
 * @param origins of web pages that may call it
 * @param webhooks where events may be sent
 * @param needsConditions whether declarations are changed only by requests with a condition
 * @param closed what no client may do
 * @param traces how requests are traced; empty if they are not
 * @param usageEvery how often all counters are read; 0 for never
 */
public record EdgeSettings(
    List<String> hosts,
    List<String> origins,
    AllowedTargets webhooks,
    boolean needsConditions,
    Set<Closable> closed,
    Optional<TraceSettings> traces,
    Duration usageEvery) {
  public EdgeSettings {
    hosts = List.copyOf(hosts);
    origins = List.copyOf(origins);
    closed = Set.copyOf(closed);
  }
}
