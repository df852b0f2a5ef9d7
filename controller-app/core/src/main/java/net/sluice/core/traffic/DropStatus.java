package net.sluice.core.traffic;

import java.util.Optional;
import net.sluice.pipeconf.DropReason;

/**
 * The packets that a switch has dropped for one reason since its program was loaded.
 *
 * @param switchName the switch; empty if there is only one
 * @param reason why it dropped them
 * @param packets number of packets
 * @param bytes their bytes
 */
public record DropStatus(Optional<String> switchName, DropReason reason, long packets, long bytes) {
  /** The same of a switch that is one of several. */
  public DropStatus at(String name) {
    return new DropStatus(Optional.of(name), reason, packets, bytes);
  }
}
