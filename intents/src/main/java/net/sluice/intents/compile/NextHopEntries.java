package net.sluice.intents.compile;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.forwarding.ErrorReportEntry;
import net.sluice.intents.plan.entry.forwarding.NextHopEntry;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;

/**
 * The entries of a switch that follow from no declaration but from what its neighbours say: next
 * hops that are given by their IP addresses, and the ports at which the controller sends errors.
 */
public final class NextHopEntries {
  private final Set<Integer> ports;
  private final List<SwitchEntry> reports;

  /** Those of a switch that is cabled so. */
  public NextHopEntries(Topology topology) {
    ports =
        topology.ports().stream()
            .filter(port -> port.line().nextHop().isPresent())
            .map(SwitchPort::number)
            .collect(Collectors.toUnmodifiableSet());
    reports =
        topology.ports().stream()
            .filter(port -> port.line().any())
            .map(SwitchPort::number)
            .sorted()
            .<SwitchEntry>map(ErrorReportEntry::new)
            .toList();
  }

  /** A next hop's MAC address, as the switch holds it. */
  public record Held(int port, long mac) {}

  /** Whether an entry is one of these. */
  public static boolean has(SwitchEntry entry) {
    return entry instanceof NextHopEntry || entry instanceof ErrorReportEntry;
  }

  /** The entry of the next hop of a port. */
  public static SwitchEntry of(int port, long mac) {
    return new NextHopEntry(port, mac);
  }

  /** The next hop of this switch that an entry is for; empty if it is for none. */
  public Optional<Held> held(SwitchEntry entry) {
    return entry instanceof NextHopEntry hop && ports.contains(hop.port())
        ? Optional.of(new Held(hop.port(), hop.mac()))
        : Optional.empty();
  }

  /** The ports at which senders get ICMP errors, where the controller can send them. */
  public List<SwitchEntry> reports() {
    return reports;
  }
}
