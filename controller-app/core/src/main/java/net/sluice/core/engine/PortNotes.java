package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.core.PortStatus;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.target.PortMonitor;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
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

  /** The plan of a change, with a note if its port is known to be down; the memory is held. */
  Plan noted(CompactSlaState state, Change change, Plan plan) {
    if (monitor.isEmpty()) {
      return plan;
    }
    OptionalInt bngPort = bngPort(state, change);
    if (bngPort.isEmpty()) {
      return plan;
    }
    OptionalInt port = topology.switchPort(bngPort.getAsInt());
    if (port.isEmpty()) {
      return plan;
    }
    Optional<PortStatus> down =
        monitor
            .get()
            .ports()
            .port(port.getAsInt())
            .filter(status -> status.up().isPresent() && !status.up().get());
    if (down.isEmpty()) {
      return plan;
    }
    List<String> notes = new ArrayList<>(plan.notes());
    notes.add(text(bngPort.getAsInt(), down.get()));
    return plan.withNotes(notes);
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

  private static OptionalInt bngPort(CompactSlaState state, Change change) {
    if (change instanceof Change.PutSubscriber put) {
      return OptionalInt.of(put.subscriber().attachment().port());
    }
    if (change instanceof Change.PutRateLimit put) {
      Scope scope = put.rateLimit().scope();
      if (scope instanceof Scope.OfPort of) {
        return OptionalInt.of(of.port());
      }
      if (scope instanceof Scope.OfTree of) {
        return OptionalInt.of(of.port());
      }
      int index = state.indexOf(((Scope.OfSubscriber) scope).subscriberId());
      return index == 0 ? OptionalInt.empty() : OptionalInt.of(state.treeIndexOf(index) >>> 6);
    }
    return OptionalInt.empty();
  }
}
