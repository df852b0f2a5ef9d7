package net.sluice.onos.southbound.master;

import java.util.Optional;
import java.util.function.Consumer;
import net.sluice.core.target.NotReadyException;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.p4runtime.api.P4RuntimeClient;

/** Whether this instance can drive one switch at the moment, and by which connection of ONOS's. */
public interface Readiness {
  /**
   * A switch that can be driven.
   *
   * @param client ONOS's client for it
   * @param p4DeviceId its P4Runtime device id
   * @param pipeconf the pipeconf it is bound to
   */
  record Ready(P4RuntimeClient client, long p4DeviceId, PiPipeconf pipeconf) {}

  /** The switch's id in ONOS. */
  DeviceId deviceId();

  /** The pipeconf that the switch has to be bound to. */
  PiPipeconfId pipeconf();

  /**
   * The switch, if this instance is its master, it is connected, and it is bound to its pipeconf.
   *
   * @throws NotReadyException if not, with the reason
   */
  Ready ready() throws NotReadyException;

  /** Why the switch cannot be driven at the moment; empty if it can. */
  default Optional<String> obstacle() {
    try {
      Ready unused = ready();
      return Optional.empty();
    } catch (NotReadyException e) {
      return Optional.of(e.getMessage());
    }
  }

  /**
   * Tells from now on when the session with the switch ends, with the reason. An election id that
   * ONOS exchanges while this instance stays primary ends nothing.
   *
   * @return ends the telling
   */
  Runnable listen(Consumer<String> lost);
}
