package net.sluice.intents.compile;

import java.util.OptionalInt;
import java.util.stream.IntStream;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.profile.Topology;

/** The switch ports of BNG ports, as a topology connects them: each subscriber asks for its own. */
final class BngPorts {
  private final OptionalInt[] switchPorts;

  BngPorts(Topology topology) {
    switchPorts =
        IntStream.rangeClosed(0, Attachment.MAX_PORT)
            .mapToObj(topology::switchPort)
            .toArray(OptionalInt[]::new);
  }

  /** As {@link Topology#switchPort}. */
  OptionalInt switchPort(Attachment at) {
    return switchPorts[at.port()];
  }
}
