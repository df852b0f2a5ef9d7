package net.sluice.core.ports;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import net.sluice.core.traffic.PortStatus;
import net.sluice.gnmi.wire.Path;
import net.sluice.intents.profile.Topology;

/** The state of a topology's ports, as a gNMI server has told it. Used under its session's lock. */
final class PortTable {

  /** Counters that are asked for. */
  static final List<String> COUNTERS =
      List.of("in-octets", "out-octets", "in-discards", "out-discards", "in-errors", "out-errors");

  private static final double BITS_PER_BYTE = 8;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Clock clock;
  private final Map<Integer, Row> rows = new LinkedHashMap<>();
  private final List<Integer> loopPorts;
  private List<Integer> missingLoops = List.of();

  /** Two samples of a counter. */
  private static final class Sample {
    long value;
    long nanos;
    OptionalDouble perSecond = OptionalDouble.empty();

    void next(long newValue, long newNanos, boolean first) {
      if (!first && newNanos > nanos) {
        // A counter that went back has begun anew: nothing is known of the time in between.
        perSecond =
            newValue < value
                ? OptionalDouble.empty()
                : OptionalDouble.of((newValue - value) * NANOS_PER_SECOND / (newNanos - nanos));
      }
      value = newValue;
      nanos = newNanos;
    }
  }

  private static final class Row {
    final int number;
    final long declaredBps;
    Optional<String> name = Optional.empty();
    Optional<Boolean> up = Optional.empty();
    Optional<Boolean> enabled = Optional.empty();
    Optional<Instant> since = Optional.empty();
    Optional<Long> speedBps = Optional.empty();
    Optional<String> note = Optional.empty();
    final Map<String, Sample> samples = new HashMap<>();

    Row(int number, long declaredBps) {
      this.number = number;
      this.declaredBps = declaredBps;
    }
  }

  PortTable(Topology topology, Clock clock) {
    this.clock = clock;
    loopPorts = topology.loopPorts();
    topology.ports().forEach(p -> rows.put(p.number(), new Row(p.number(), p.rateBps())));
  }

  /** The interfaces have these names. */
  void named(Map<Integer, String> names) {
    for (Row row : rows.values()) {
      row.name = Optional.ofNullable(names.get(row.number));
      row.note = Optional.empty();
    }
    missingLoops = loopPorts.stream().filter(loop -> !names.containsKey(loop)).toList();
  }

  /** Names of the topology's ports that the switch has. */
  List<String> names() {
    return rows.values().stream().flatMap(row -> row.name.stream()).toList();
  }

  /** Numbers of the topology's ports that the switch has no interface for, as text. */
  List<String> unnamed() {
    return Stream.concat(
            rows.values().stream()
                .filter(row -> row.name.isEmpty())
                .map(row -> Integer.toString(row.number)),
            missingLoops.stream().map(loop -> loop + " (of loopPorts)"))
        .toList();
  }

  Optional<String> name(int number) {
    return rows.get(number).name;
  }

  /** A port could not be made what it should be. */
  void note(int number, String note) {
    rows.get(number).note = Optional.of(note);
  }

  /** A port has been made to keep to a rate. */
  void set(int number, long rateBps) {
    rows.get(number).speedBps = Optional.of(rateBps);
  }

  /**
   * A value has come.
   *
   * @throws IllegalArgumentException if it is not one the path can have
   */
  void heard(Path path, Object value, long epochNanos) {
    if (path.getElemCount() < 2) {
      return;
    }
    String name = path.getElem(1).getKeyMap().get("name");
    String leaf = path.getElem(path.getElemCount() - 1).getName();
    for (Row row : rows.values()) {
      if (row.name.isPresent() && row.name.get().equals(name)) {
        heard(row, leaf, value, epochNanos);
      }
    }
  }

  private void heard(Row row, String leaf, Object value, long epochNanos) {
    switch (leaf) {
      case "oper-status":
        Optional<Boolean> up = Optional.of("UP".equals(value));
        if (!up.equals(row.up)) {
          row.up = up;
          row.since = Optional.of(clock.instant());
        }
        break;
      case "admin-status":
        row.enabled = Optional.of("UP".equals(value));
        break;
      case "port-speed":
        // A name that says nothing leaves what was set, or what the topology says.
        GnmiPortSetting.rateBps(plain(String.valueOf(value)))
            .ifPresent(rate -> row.speedBps = Optional.of(rate));
        break;
      default:
        if (COUNTERS.contains(leaf)) {
          if (!(value instanceof Long)) {
            throw new IllegalArgumentException("value " + value + ": must be a counter");
          }
          boolean first = !row.samples.containsKey(leaf);
          row.samples
              .computeIfAbsent(leaf, l -> new Sample())
              .next((Long) value, epochNanos, first);
        }
    }
  }

  private static String plain(String identity) {
    return identity.substring(identity.indexOf(':') + 1);
  }

  /** The session is gone: names stay known, states and counters do not. */
  void forget() {
    for (Row row : rows.values()) {
      row.up = Optional.empty();
      row.enabled = Optional.empty();
      row.since = Optional.empty();
      row.speedBps = Optional.empty();
      row.samples.clear();
    }
  }

  List<PortStatus> statuses() {
    List<PortStatus> statuses = new ArrayList<>();
    for (Row row : rows.values()) {
      statuses.add(
          new PortStatus(
              row.number,
              row.name,
              row.up,
              row.enabled,
              row.since,
              row.speedBps.orElse(row.declaredBps),
              traffic(row),
              bps(row, "in-octets"),
              bps(row, "out-octets"),
              row.note));
    }
    return statuses;
  }

  private static Optional<PortStatus.Traffic> traffic(Row row) {
    if (row.samples.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new PortStatus.Traffic(
            count(row, "in-octets"),
            count(row, "out-octets"),
            count(row, "in-discards"),
            count(row, "out-discards"),
            count(row, "in-errors"),
            count(row, "out-errors")));
  }

  private static long count(Row row, String counter) {
    Sample sample = row.samples.get(counter);
    return sample == null ? 0 : sample.value;
  }

  private static OptionalDouble bps(Row row, String counter) {
    Sample sample = row.samples.get(counter);
    return sample == null || sample.perSecond.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(sample.perSecond.getAsDouble() * BITS_PER_BYTE);
  }
}
