package net.sluice.core.neighbour;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.forwarding.ErrorReportEntry;
import net.sluice.intents.plan.entry.forwarding.NextHopEntry;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;

/**
 * The MAC addresses of next hops that are given by their IP addresses, as they have answered. No
 * declaration says them and no store keeps them: the switch does, so that a controller that starts
 * takes them over from it, and asks. Beside them, the ports whose senders the controller tells of
 * errors, if it can. Thread-safe.
 */
public final class NextHops {
  /** The tables of its entries. */
  private static final Set<Table> TABLES = Set.of(Table.NEXT_HOP, Table.ERROR_REPORT);

  private final Set<Integer> ports;
  private final Set<Integer> withAddresses;
  private volatile boolean tellsErrors;

  /** Empty of a next hop that does not answer. */
  private final Map<Integer, OptionalLong> macs = new ConcurrentSkipListMap<>();

  /** Of which nothing is known yet. */
  public NextHops(Topology topology) {
    ports =
        topology.ports().stream()
            .filter(port -> port.line().nextHop().isPresent())
            .map(SwitchPort::number)
            .collect(Collectors.toUnmodifiableSet());
    withAddresses =
        topology.ports().stream()
            .filter(port -> port.line().any())
            .map(SwitchPort::number)
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Packets pass between the switch and the controller, which answers for those with errors. */
  public void tellErrors() {
    tellsErrors = true;
  }

  /** The address of the next hop of a port; empty if it is not known, or does not answer. */
  public OptionalLong mac(int port) {
    return macs.getOrDefault(port, OptionalLong.empty());
  }

  /** The next hop of a port has that address, or does not answer. */
  public void set(int port, OptionalLong mac) {
    macs.put(port, mac);
  }

  /** The entries that the switch should hold in these tables. */
  public Stream<SwitchEntry> entries() {
    return Stream.concat(
        macs.entrySet().stream()
            .filter(each -> each.getValue().isPresent())
            .map(each -> new NextHopEntry(each.getKey(), each.getValue().getAsLong())),
        withAddresses.stream().filter(port -> tellsErrors).sorted().map(ErrorReportEntry::new));
  }

  /** Whether an entry is in one of these tables. */
  public static boolean has(SwitchEntry entry) {
    return TABLES.contains(entry.table());
  }

  /** The entry in place of one of these tables that the switch holds; empty for none. */
  public Optional<SwitchEntry> expected(SwitchEntry held) {
    if (held instanceof ErrorReportEntry report) {
      return tellsErrors && withAddresses.contains(report.port())
          ? Optional.of(report)
          : Optional.empty();
    }
    return held instanceof NextHopEntry hop ? expected(hop) : Optional.empty();
  }

  /** Believes what the switch holds until it is known better. */
  private Optional<SwitchEntry> expected(NextHopEntry held) {
    if (!ports.contains(held.port())) {
      return Optional.empty();
    }
    OptionalLong mac = macs.computeIfAbsent(held.port(), unknown -> OptionalLong.of(held.mac()));
    return mac.isPresent()
        ? Optional.of(new NextHopEntry(held.port(), mac.getAsLong()))
        : Optional.empty();
  }
}
