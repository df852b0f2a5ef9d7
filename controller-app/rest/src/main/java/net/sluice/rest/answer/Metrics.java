package net.sluice.rest.answer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import net.sluice.core.InstallSummary;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.QueueCounters;
import net.sluice.core.QueueStatus;
import net.sluice.core.SwitchStatus;
import net.sluice.core.TargetDrift;
import net.sluice.intents.plan.TableUse;

/**
 * Numbers about targets as text in the exposition format of Prometheus, version 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/).
 */
public final class Metrics {
  /** Media type of that format. */
  public static final String MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final double MILLIS_PER_SECOND = 1000;

  private final StringBuilder text = new StringBuilder();

  /** How the targets are, how they differed, how full the switch is, and its managed queues. */
  public static String text(
      InstallSummary summary,
      List<TargetDrift> drifts,
      List<SwitchStatus> switches,
      List<QueueStatus> queues) {
    Metrics metrics = new Metrics();
    metrics.addTargets(summary);
    metrics.addDrifts(drifts);
    metrics.gauge("sluice_table_entries", "Entries in use, by resource of the switch.");
    metrics.addTables(switches, TableUse::used);
    metrics.gauge("sluice_table_size", "Entries there is room for.");
    metrics.addTables(switches, TableUse::size);
    metrics.addQueues(queues);
    return metrics.text.toString();
  }

  private String name = "";

  /** The only switch is not named. */
  private void addTables(List<SwitchStatus> switches, ToDoubleFunction<TableUse> number) {
    for (SwitchStatus each : switches) {
      for (TableUse table : each.tables()) {
        Map<String, String> labels =
            switches.size() == 1
                ? Map.of("resource", table.resource())
                : labels("switch", each.name(), "resource", table.resource());
        value(labels, number.applyAsDouble(table));
      }
    }
  }

  private void addTargets(InstallSummary summary) {
    gauge("sluice_all_installed", "1 if every target holds everything declared.");
    value(Map.of(), summary.isAllInstalled() ? 1 : 0);
    gauge("sluice_target_session", "1 for the state that the session with a target is in.");
    for (InstallSummary.PerTarget target : summary.targets()) {
      for (SessionState state : SessionState.values()) {
        value(
            labels("target", target.target(), "state", state.name()),
            target.session() == state ? 1 : 0);
      }
    }
    gauge("sluice_target_declarations", "Declarations, by how far a target has got with them.");
    for (InstallSummary.PerTarget target : summary.targets()) {
      value(labels("target", target.target(), "state", "INSTALLED"), target.installed());
      value(labels("target", target.target(), "state", "PENDING"), target.pending());
      value(labels("target", target.target(), "state", "FAILED"), target.failed());
    }
    gauge("sluice_target_writes", "Writes that wait to be sent, or are sent and unanswered.");
    for (InstallSummary.PerTarget target : summary.targets()) {
      value(labels("target", target.target(), "state", "queued"), target.queuedWrites());
      value(labels("target", target.target(), "state", "in_flight"), target.inFlightWrites());
    }
  }

  private void addDrifts(List<TargetDrift> drifts) {
    gauge(
        "sluice_drift_compared_timestamp_seconds",
        "When a target was last compared with what is declared, Unix time.");
    for (TargetDrift drift : drifts) {
      Optional<Double> at =
          drift.compared().at().map(time -> time.toEpochMilli() / MILLIS_PER_SECOND);
      at.ifPresent(seconds -> value(Map.of("target", drift.target()), seconds));
    }
    gauge("sluice_drift_compare_seconds", "How long the last comparison took.");
    for (TargetDrift drift : drifts) {
      double seconds = drift.compared().took().toMillis() / MILLIS_PER_SECOND;
      value(Map.of("target", drift.target()), seconds);
    }
    gauge("sluice_drift_read", "Entries that the last comparison has read.");
    for (TargetDrift drift : drifts) {
      value(Map.of("target", drift.target()), drift.compared().read());
    }
    gauge(
        "sluice_drift_revision",
        "How far the store had got at the last comparison, and had by what the target keeps.");
    for (TargetDrift drift : drifts) {
      value(labels("target", drift.target(), "of", "store"), drift.compared().revision());
      drift
          .compared()
          .revisionKept()
          .ifPresent(kept -> value(labels("target", drift.target(), "of", "target"), kept));
    }
    gauge("sluice_drift_entries", "Entries that differed at the last comparison.");
    for (TargetDrift drift : drifts) {
      for (TargetDrift.TableDrift table : drift.compared().tables()) {
        difference(drift, table, "foreign", table.foreign());
        difference(drift, table, "missing", table.missing());
        difference(drift, table, "changed", table.changed());
      }
    }
    gauge("sluice_drift_repairs", "Writes that the last comparison led to, and their answers.");
    for (TargetDrift drift : drifts) {
      value(labels("target", drift.target(), "state", "written"), drift.repairs());
      value(labels("target", drift.target(), "state", "done"), drift.repaired());
      value(labels("target", drift.target(), "state", "failed"), drift.failed());
    }
  }

  private void addQueues(List<QueueStatus> queues) {
    addQueues(
        queues,
        "sluice_queue_dropped_packets_total",
        "Packets dropped to keep the delay of a managed queue down.",
        QueueCounters::droppedPackets);
    addQueues(
        queues,
        "sluice_queue_marked_packets_total",
        "Packets of a managed queue marked (ECN) instead.",
        QueueCounters::markedPackets);
    addQueues(
        queues,
        "sluice_queue_cycles_total",
        "How often the delay of a managed queue has reached its target.",
        QueueCounters::cycles);
    addQueues(
        queues,
        "sluice_queue_mirrored_packets_total",
        "Packets mirrored to carry state of a managed queue.",
        QueueCounters::mirroredPackets);
  }

  private void addQueues(
      List<QueueStatus> queues, String metric, String help, ToLongFunction<QueueCounters> of) {
    begin(metric, help, "counter");
    for (QueueStatus queue : queues) {
      String port = Integer.toString(queue.managed().queue().port());
      String number = Integer.toString(queue.managed().queue().queue());
      Map<String, String> labels = new LinkedHashMap<>();
      queue.switchName().ifPresent(name -> labels.put("switch", name));
      labels.putAll(labels("port", port, "queue", number));
      value(labels, of.applyAsLong(queue.counters()));
    }
  }

  private void difference(
      TargetDrift drift, TargetDrift.TableDrift table, String difference, long entries) {
    Map<String, String> labels = labels("target", drift.target(), "table", table.table());
    labels.put("difference", difference);
    value(labels, entries);
  }

  private static Map<String, String> labels(
      String first, String value, String second, String other) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(first, value);
    labels.put(second, other);
    return labels;
  }

  private void gauge(String metric, String help) {
    begin(metric, help, "gauge");
  }

  private void begin(String metric, String help, String type) {
    name = metric;
    text.append("# HELP ").append(metric).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(metric).append(' ').append(type).append('\n');
  }

  /** No label has a quote, a backslash or a line's end in it. */
  private void value(Map<String, String> labels, double value) {
    text.append(name);
    String separator = "{";
    for (Map.Entry<String, String> label : labels.entrySet()) {
      text.append(separator).append(label.getKey()).append("=\"").append(label.getValue());
      text.append('"');
      separator = ",";
    }
    text.append(labels.isEmpty() ? "" : "}").append(' ');
    text.append(
        value == Math.rint(value)
            ? String.valueOf((long) value)
            : String.format(Locale.ROOT, "%.3f", value));
    text.append('\n');
  }
}
