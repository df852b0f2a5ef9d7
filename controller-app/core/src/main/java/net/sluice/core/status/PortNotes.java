package net.sluice.core.status;

import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.core.target.PortMonitor;
import net.sluice.core.traffic.PortStatus;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.profile.Topology;

/**
 * Says so when something is declared for a port that is down: it is accepted, as the port may come
 * up any time, but not without a note.
 */
public final class PortNotes {
  private final Topology topology;
  private final Optional<PortMonitor> monitor;
  private final KindHandlers kinds;

  public PortNotes(Topology topology, Optional<PortMonitor> monitor, KindHandlers kinds) {
    this.topology = topology;
    this.monitor = monitor;
    this.kinds = kinds;
  }

  /** The note, if the declaration's port is known to be down; the memory is held. */
  public Optional<String> of(Declaration declaration) {
    if (monitor.isEmpty()) {
      return Optional.empty();
    }
    OptionalInt bngPort = kinds.of(declaration.kind()).bngPort(declaration);
    OptionalInt port = bngPort.isEmpty() ? bngPort : topology.switchPort(bngPort.getAsInt());
    if (port.isEmpty()) {
      return Optional.empty();
    }
    return monitor
        .get()
        .ports()
        .port(port.getAsInt())
        .filter(status -> status.up().isPresent() && !status.up().get())
        .map(status -> text(bngPort.getAsInt(), status));
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
