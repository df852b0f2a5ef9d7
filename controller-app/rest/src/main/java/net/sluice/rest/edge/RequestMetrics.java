package net.sluice.rest.edge;

import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Unit;

/** How long requests took to be answered, by method, route and status. */
final class RequestMetrics {
  /** In seconds. */
  private static final double[] BOUNDS = {
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 60
  };

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Histogram requests =
      Histogram.builder()
          .name("sluice_http_requests")
          .unit(Unit.SECONDS)
          .help("How long requests took to be answered.")
          .labelNames("method", "route", "status")
          .classicOnly()
          .classicUpperBounds(BOUNDS)
          .register(registry);

  /**
   * A request was answered.
   *
   * @param route the template of its path; {@code none} if it is no path of the API
   */
  void answered(String method, String route, int status, long nanos) {
    requests.labelValues(method, route, Integer.toString(status)).observe(nanos / 1e9);
  }

  /** All of them by now. */
  MetricSnapshots snapshots() {
    return registry.scrape();
  }
}
