package net.sluice.core;

import java.util.List;
import java.util.Optional;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.traffic.PortStatus;

/**
 * The switch's ports as far as they are known.
 *
 * @param session what the session that tells of them does
 * @param detail why it is not ready, or what it could not get; for people
 * @param ports those of the topology, in its order
 */
public record PortSummary(SessionState session, Optional<String> detail, List<PortStatus> ports) {
  public PortSummary {
    ports = List.copyOf(ports);
  }

  /** The port with that number. */
  public Optional<PortStatus> port(int number) {
    return ports.stream().filter(port -> port.port() == number).findFirst();
  }
}
