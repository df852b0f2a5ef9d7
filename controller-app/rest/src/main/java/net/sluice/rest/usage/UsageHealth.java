package net.sluice.rest.usage;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.northbound.usage.Sweeps;
import net.sluice.northbound.usage.Usage;

/** How the reading of all counters gets on, for metrics and for the status. */
public final class UsageHealth {
  private static final double MILLIS = 1_000;

  private UsageHealth() {}

  /** The metrics; none where nothing is measured. */
  public static List<MetricSnapshot> metrics(Usage usage) {
    Optional<Sweeps> measured = usage.sweeps();
    if (measured.isEmpty()) {
      return List.of();
    }
    Sweeps sweeps = measured.get();
    return List.of(
        gauge(
            "sluice_usage_age_seconds",
            "Time since all counters were last read and kept, or since that began.",
            seconds(sweeps.age(usage.now()))),
        gauge(
            "sluice_usage_sweep_seconds",
            "Time that the last reading of all counters took.",
            seconds(sweeps.took())),
        CounterSnapshot.builder()
            .name("sluice_usage_sweeps")
            .help("Readings of all counters, by whether they were kept or left out.")
            .dataPoint(point(sweeps.kept(), Labels.of("result", "kept")))
            .dataPoint(point(sweeps.missed(), Labels.of("result", "missed")))
            .build(),
        CounterSnapshot.builder()
            .name("sluice_usage_unread")
            .help("Readings of a switch's counters that have failed.")
            .dataPoint(point(sweeps.unread(), Labels.EMPTY))
            .build(),
        CounterSnapshot.builder()
            .name("sluice_usage_written_bytes")
            .help("Bytes written to keep usage.")
            .dataPoint(point(sweeps.bytes(), Labels.EMPTY))
            .build());
  }

  private static double seconds(Duration time) {
    return time.toMillis() / MILLIS;
  }

  private static GaugeSnapshot gauge(String name, String help, double value) {
    return GaugeSnapshot.builder()
        .name(name)
        .help(help)
        .dataPoint(GaugeDataPointSnapshot.builder().value(value).build())
        .build();
  }

  private static CounterDataPointSnapshot point(double value, Labels labels) {
    return CounterDataPointSnapshot.builder().value(value).labels(labels).build();
  }

  /** Notes for people on what is amiss. */
  public static List<String> notes(Usage usage) {
    List<String> notes = new ArrayList<>();
    usage
        .sweeps()
        .ifPresent(
            sweeps -> {
              if (sweeps.haveStopped(usage.now())) {
                notes.add("usage has not been kept since " + sweeps.last().orElse(sweeps.since()));
              }
              sweeps
                  .failing()
                  .forEach(
                      (name, why) ->
                          notes.add(
                              "usage of the subscribers of " + name + " is not measured: " + why));
            });
    return notes;
  }
}
