package net.sluice.rest.answer;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import net.sluice.core.ChangeNeeds;
import net.sluice.core.InstallSummary;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.SwitchStatus;
import net.sluice.core.TargetDrift;
import net.sluice.core.traffic.DropStatus;
import net.sluice.core.traffic.NextHopStatus;
import net.sluice.core.traffic.PortStatus;
import net.sluice.core.traffic.QueueCounters;
import net.sluice.core.traffic.QueueStatus;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.core.traffic.SubscriberCounters.Shaped;
import net.sluice.core.traffic.WireStatus;
import net.sluice.intents.plan.TableUse;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.DropReason;
import net.sluice.pipeconf.WaitRange;

/**
 * The numbers of status, drift, ports, managed queues and drops, and of what waits under limits of
 * subscribers that are asked for, as metrics of Prometheus.
 */
public final class Metrics {
  private static final double MILLIS_PER_SECOND = 1000;

  private final List<Supplier<MetricSnapshot>> all = new ArrayList<>();

  private Metrics() {}

  /**
   * How the targets are, what changes need, how the targets differed, how the switches are, their
   * managed queues, what they have dropped, the unknown traffic of their wires, their next hops,
   * and the counters of some subscribers by their ids.
   */
  public static List<MetricSnapshot> of(
      InstallSummary summary,
      Map<String, Optional<ChangeNeeds.Lack>> needs,
      List<TargetDrift> drifts,
      List<SwitchStatus> switches,
      List<QueueStatus> queues,
      List<DropStatus> drops,
      List<WireStatus> wires,
      List<NextHopStatus> hops,
      Map<String, SubscriberCounters> subscribers) {
    Metrics metrics = new Metrics();
    metrics.addTargets(summary);
    metrics.addNeeds(needs);
    metrics.addDrifts(drifts);
    metrics.addSwitches(switches);
    metrics.addPorts(switches);
    metrics.addQueues(queues);
    metrics.addDrops(drops);
    metrics.addWires(wires);
    metrics.addNextHops(hops);
    metrics.addLimits(subscribers);
    return metrics.all.stream().map(Supplier::get).toList();
  }

  /** One metric. */
  private interface Metric {
    /** Adds a value; labels are pairs of name and value. */
    void add(double value, String... labels);
  }

  private Metric gauge(String name, String help) {
    GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(help);
    all.add(gauge::build);
    return (value, labels) ->
        gauge.dataPoint(
            GaugeDataPointSnapshot.builder().value(value).labels(Labels.of(labels)).build());
  }

  /** {@code name}: without {@code _total}, with which every counter's name ends. */
  private Metric counter(String name, String help) {
    CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
    all.add(counter::build);
    return (value, labels) ->
        counter.dataPoint(
            CounterDataPointSnapshot.builder().value(value).labels(Labels.of(labels)).build());
  }

  private void addTargets(InstallSummary summary) {
    gauge("sluice_all_installed", "1 if every target holds everything declared.")
        .add(summary.isAllInstalled() ? 1 : 0);
    gauge("sluice_store_writable", "1 if changes can be kept.")
        .add(summary.store().isWritable() ? 1 : 0);
    Metric session =
        gauge("sluice_target_session", "1 for the state that the session with a target is in.");
    Metric declarations =
        gauge("sluice_target_declarations", "Declarations, by how far a target has got with them.");
    Metric writes =
        gauge("sluice_target_writes", "Writes that wait to be sent, or are sent and unanswered.");
    for (InstallSummary.PerTarget each : summary.targets()) {
      String target = each.target();
      for (SessionState state : SessionState.values()) {
        session.add(each.session() == state ? 1 : 0, "target", target, "state", state.name());
      }
      declarations.add(each.installed(), "target", target, "state", "INSTALLED");
      declarations.add(each.pending(), "target", target, "state", "PENDING");
      declarations.add(each.failed(), "target", target, "state", "FAILED");
      writes.add(each.queuedWrites(), "target", target, "state", "queued");
      writes.add(each.inFlightWrites(), "target", target, "state", "in_flight");
    }
  }

  private void addNeeds(Map<String, Optional<ChangeNeeds.Lack>> needs) {
    gauge("sluice_changes_taken", "1 if nothing is missing without which changes are refused.")
        .add(needs.values().stream().allMatch(Optional::isEmpty) ? 1 : 0);
    Metric need =
        gauge("sluice_change_need", "1 if something that changes need is there, 0 if not.");
    needs.forEach((name, lack) -> need.add(lack.isEmpty() ? 1 : 0, "need", name));
  }

  private void addDrifts(List<TargetDrift> drifts) {
    Metric at =
        gauge(
            "sluice_drift_compared_timestamp_seconds",
            "When a target was last compared with what is declared, Unix time.");
    Metric took = gauge("sluice_drift_compare_seconds", "How long the last comparison took.");
    Metric read = gauge("sluice_drift_read", "Entries that the last comparison has read.");
    Metric revision =
        gauge(
            "sluice_drift_revision",
            "How far the store had got at the last comparison, and had by what the target keeps.");
    Metric entries =
        gauge(
            "sluice_drift_entries",
            "Entries that the last comparison found to differ; 0 once they are repaired.");
    Metric found =
        counter(
            "sluice_drift_found",
            "Entries that comparisons found to differ, but those of a target that was filled.");
    Metric repairs =
        gauge("sluice_drift_repairs", "Writes that the last comparison led to, and their answers.");
    for (TargetDrift drift : drifts) {
      String target = drift.target();
      TargetDrift.Comparison compared = drift.compared();
      compared
          .at()
          .ifPresent(time -> at.add(time.toEpochMilli() / MILLIS_PER_SECOND, "target", target));
      took.add(compared.took().toMillis() / MILLIS_PER_SECOND, "target", target);
      read.add(compared.read(), "target", target);
      revision.add(compared.revision(), "target", target, "of", "store");
      compared
          .revisionKept()
          .ifPresent(kept -> revision.add(kept, "target", target, "of", "target"));
      for (TargetDrift.TableDrift each : compared.tables()) {
        for (TargetDrift.Difference difference : TargetDrift.Difference.values()) {
          entries.add(
              drift.isOver() ? 0 : each.count(difference),
              "target",
              target,
              "table",
              each.table(),
              "difference",
              text(difference));
        }
      }
      for (TargetDrift.Difference difference : TargetDrift.Difference.values()) {
        found.add(
            drift.foundSoFar().getOrDefault(difference, 0L),
            "target",
            target,
            "difference",
            text(difference));
      }
      repairs.add(drift.repairs(), "target", target, "state", "written");
      repairs.add(drift.repaired(), "target", target, "state", "done");
      repairs.add(drift.failed(), "target", target, "state", "failed");
    }
  }

  private static String text(TargetDrift.Difference difference) {
    return difference.name().toLowerCase(Locale.ROOT);
  }

  /** The name of a switch before other labels; the only one is not named. */
  private static String[] labels(Optional<String> switchName, String... others) {
    return switchName
        .map(
            name -> {
              String[] all = new String[others.length + 2];
              all[0] = "switch";
              all[1] = name;
              System.arraycopy(others, 0, all, 2, others.length);
              return all;
            })
        .orElse(others);
  }

  private static Optional<String> name(SwitchStatus of, List<SwitchStatus> all) {
    return all.size() == 1 ? Optional.empty() : Optional.of(of.name());
  }

  private void addSwitches(List<SwitchStatus> switches) {
    Metric used = gauge("sluice_table_entries", "Entries in use, by resource of the switch.");
    Metric size = gauge("sluice_table_size", "Entries there is room for.");
    Metric leaving =
        gauge("sluice_leaving", "Subscribers that a switch serves until another one does.");
    Metric conflicts =
        gauge("sluice_conflicts", "Declarations that are stored for a switch and not in force.");
    for (SwitchStatus each : switches) {
      Optional<String> name = name(each, switches);
      for (TableUse table : each.tables()) {
        String[] labels = labels(name, "resource", table.resource());
        used.add(table.used(), labels);
        size.add(table.size(), labels);
      }
      leaving.add(each.leaving(), labels(name));
      conflicts.add(each.conflicts(), labels(name));
    }
  }

  private void addPorts(List<SwitchStatus> switches) {
    Metric up = gauge("sluice_port_up", "1 if a port carries traffic, 0 if not.");
    Metric rate = gauge("sluice_port_rate_bps", "Rate of a port, bit/s.");
    Metric inOctets = counter("sluice_port_in_octets", "Bytes that came in.");
    Metric outOctets = counter("sluice_port_out_octets", "Bytes that went out.");
    Metric inDiscards =
        counter("sluice_port_in_discards", "Frames that came in and were not forwarded.");
    Metric outDiscards =
        counter("sluice_port_out_discards", "Frames that were to go out and did not.");
    Metric inErrors = counter("sluice_port_in_errors", "Frames that came in broken.");
    Metric outErrors = counter("sluice_port_out_errors", "Frames that could not be sent.");
    for (SwitchStatus each : switches) {
      for (PortStatus port : each.ports().map(known -> known.ports()).orElse(List.of())) {
        String[] labels = labels(name(each, switches), "port", Integer.toString(port.port()));
        port.up().ifPresent(is -> up.add(is ? 1 : 0, labels));
        rate.add(port.rateBps(), labels);
        port.traffic()
            .ifPresent(
                traffic -> {
                  inOctets.add(traffic.inOctets(), labels);
                  outOctets.add(traffic.outOctets(), labels);
                  inDiscards.add(traffic.inDiscards(), labels);
                  outDiscards.add(traffic.outDiscards(), labels);
                  inErrors.add(traffic.inErrors(), labels);
                  outErrors.add(traffic.outErrors(), labels);
                });
      }
    }
  }

  private void addDrops(List<DropStatus> drops) {
    Metric packets = counter("sluice_dropped_packets", "Packets dropped, by reason.");
    Metric bytes = counter("sluice_dropped_bytes", "Bytes of packets dropped, by reason.");
    for (DropStatus each : drops) {
      String[] labels = labels(each.switchName(), "reason", DropWriter.text(each.reason()));
      packets.add(each.packets(), labels);
      bytes.add(each.bytes(), labels);
    }
  }

  private void addWires(List<WireStatus> wires) {
    Metric packets =
        counter(
            "sluice_wire_unknown_packets",
            "Packets that entered an end of a wire and belong to no subscriber.");
    Metric bytes = counter("sluice_wire_unknown_bytes", "Bytes of these.");
    Metric policed =
        counter("sluice_wire_unknown_policed_packets", "Those of them above the wire's limit.");
    for (WireStatus each : wires) {
      String[] labels = labels(each.switchName(), "port", Integer.toString(each.port()));
      each.unknown()
          .in()
          .ifPresent(
              in -> {
                packets.add(in.packets(), labels);
                bytes.add(in.bytes(), labels);
              });
      each.unknown().policed().ifPresent(count -> policed.add(count.packets(), labels));
    }
  }

  private void addNextHops(List<NextHopStatus> hops) {
    Metric answers =
        gauge(
            "sluice_next_hop_resolved",
            "Whether a next hop that is given by its IP address answers (1).");
    Metric packets =
        counter(
            "sluice_next_hop_dropped_packets",
            "Packets dropped because the next hop of their port did not answer.");
    Metric bytes = counter("sluice_next_hop_dropped_bytes", "Bytes of these.");
    for (NextHopStatus each : hops) {
      String[] labels = labels(each.switchName(), "port", Integer.toString(each.port()));
      answers.add(each.state() == NextHopStatus.State.RESOLVED ? 1 : 0, labels);
      each.droppedPackets().ifPresent(count -> packets.add(count, labels));
      each.droppedBytes().ifPresent(count -> bytes.add(count, labels));
    }
  }

  private void addQueues(List<QueueStatus> queues) {
    Metric dropped =
        counter(
            "sluice_queue_dropped_packets",
            "Packets dropped to keep the delay of a managed queue down.");
    Metric marked =
        counter("sluice_queue_marked_packets", "Packets of a managed queue marked (ECN) instead.");
    Metric cycles =
        counter(
            "sluice_queue_cycles",
            "How often the delay of a managed queue has reached its target.");
    Metric mirrored =
        counter(
            "sluice_queue_mirrored_packets", "Packets mirrored to carry state of a managed queue.");
    for (QueueStatus each : queues) {
      String port = Integer.toString(each.managed().queue().port());
      String queue = Integer.toString(each.managed().queue().queue());
      String[] labels = labels(each.switchName(), "port", port, "queue", queue);
      QueueCounters counters = each.counters();
      dropped.add(counters.droppedPackets(), labels);
      marked.add(counters.markedPackets(), labels);
      cycles.add(counters.cycles(), labels);
      mirrored.add(counters.mirroredPackets(), labels);
    }
  }

  private void addLimits(Map<String, SubscriberCounters> subscribers) {
    HistogramSnapshot.Builder waits =
        HistogramSnapshot.builder()
            .name("sluice_limit_wait_seconds")
            .help("How long packets wait under a subscriber's shaped limits, as counted.");
    all.add(waits::build);
    Metric first =
        counter(
            "sluice_limit_first_packets",
            "Packets that went before what waited: of light flows and scalable senders.");
    Metric marked =
        counter("sluice_limit_marked_packets", "Packets marked (ECN) instead of dropped.");
    Metric dropped =
        counter(
            "sluice_limit_dropped_packets",
            "Packets dropped under a subscriber's shaped limits, by reason.");
    subscribers.forEach(
        (id, counters) -> {
          for (Direction direction : Direction.values()) {
            SubscriberCounters.Traffic traffic = counters.of(direction);
            if (traffic.shaped().isEmpty()) {
              continue;
            }
            Shaped shaped = traffic.shaped().get();
            String[] labels = {"subscriber", id, "direction", direction.text()};
            waits.dataPoint(
                HistogramDataPointSnapshot.builder()
                    .classicHistogramBuckets(buckets(shaped.waits()))
                    .labels(Labels.of(labels))
                    .build());
            first.add(shaped.first().packets(), labels);
            marked.add(shaped.marked().packets(), labels);
            dropped.add(
                shaped.dropped().packets(),
                reason(labels, DropWriter.text(DropReason.LIMIT_CODEL)));
            traffic
                .overflowed()
                .ifPresent(
                    count -> dropped.add(count.packets(), reason(labels, "limit-overflowed")));
          }
        });
  }

  private static String[] reason(String[] labels, String reason) {
    return new String[] {labels[0], labels[1], labels[2], labels[3], "reason", reason};
  }

  /** The switch counts packets of ranges and adds no waits up: there is no sum. */
  private static ClassicHistogramBuckets buckets(Map<WaitRange, Count> waits) {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    waits.forEach(
        (range, count) ->
            buckets.bucket(
                range.upToMillis().isPresent()
                    ? range.upToMillis().getAsInt() / MILLIS_PER_SECOND
                    : Double.POSITIVE_INFINITY,
                count.packets()));
    return buckets.build();
  }
}
