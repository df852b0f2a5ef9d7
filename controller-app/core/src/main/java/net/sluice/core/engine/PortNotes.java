package net.sluice.core.engine;

import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.core.PortStatus;
import net.sluice.core.target.PortMonitor;
import net.sluice.intents.profile.Topology;

/**
 * Says so when something is declared for a port that is down: it is accepted, as the port may come
 * up any time, but not without a note.
 */
final class PortNotes {
  private final Topology topology;
  private final Optional<PortMonitor> monitor;

  PortNotes(Topology topology, Optional<PortMonitor> monitor) {
    this.topology = topology;
    this.monitor = monitor;
  }

  /** The note of a declaration for a BNG port, if that port is known to be down. */
  Optional<String> of(int bngPort) {
    OptionalInt port = topology.switchPort(bngPort);
    if (monitor.isEmpty() || port.isEmpty()) {
      return Optional.empty();
    }
    return monitor
        .get()
        .ports()
        .port(port.getAsInt())
        .filter(status -> status.up().isPresent() && !status.up().get())
        .map(status -> text(bngPort, status));
  }

  private static String text(int bngPort, PortStatus status) {
    return "BNG port "
        + bngPort
        + " is down: switch port "
        + status.port()
        + status.name().map(name -> " (" + name + ")").orElse("")
        + (status.enabled().orElse(true) ? " has no link" : " is disabled")
        + "; nothing passes until it is up";
  }
}
