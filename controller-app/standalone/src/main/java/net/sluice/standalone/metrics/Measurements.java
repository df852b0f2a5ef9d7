package net.sluice.standalone.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import net.sluice.core.Controller;
import net.sluice.core.ControllerEvent;
import net.sluice.endpoints.Measures;

/** The process's measurements of itself: commits, writes, sessions and Java. */
public final class Measurements implements Measures, AutoCloseable {
  /** Bounds of the histograms. */
  private static final Duration[] BOUNDS = {
    Duration.ofMillis(1),
    Duration.ofMillis(2),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(20),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(200),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(2),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofSeconds(60)
  };

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final Timer commits =
      histogram("sluice.commit", "How long a commit took to be durable.").register(registry);

  public Measurements() {
    collections.bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }

  private static Timer.Builder histogram(String name, String help) {
    return Timer.builder(name).description(help).serviceLevelObjectives(BOUNDS);
  }

  @Override
  public void committed(long nanos) {
    commits.record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void written(String target, int updates, boolean answered, long nanos) {
    String outcome = answered ? "answered" : "lost";
    histogram("sluice.target.batch", "How long a batch of writes took to be answered or lost.")
        .tags("target", target, "outcome", outcome)
        .register(registry)
        .record(nanos, TimeUnit.NANOSECONDS);
    Counter.builder("sluice.target.updates")
        .description("Writes in these batches.")
        .tags("target", target, "outcome", outcome)
        .register(registry)
        .increment(updates);
  }

  /** Counts what a controller tells, until that is closed. */
  public void follow(Controller controller) {
    var unused =
        controller.listen(
            event -> {
              if (event instanceof ControllerEvent.SessionChanged changed) {
                Counter.builder("sluice.target.session.changes")
                    .description("How often the session with a target came into a state.")
                    .tags("target", changed.target(), "state", changed.state().name())
                    .register(registry)
                    .increment();
              }
            });
  }

  /** All of them by now. */
  public MetricSnapshots snapshots() {
    return registry.getPrometheusRegistry().scrape();
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
