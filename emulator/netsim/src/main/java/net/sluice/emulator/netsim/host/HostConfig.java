package net.sluice.emulator.netsim.host;

import java.util.List;
import net.sluice.emulator.netsim.traffic.FlowTag;

/**
 * The configuration of a {@link Host}.
 *
 * @param name for messages
 * @param mac the host's MAC address, 48 bits
 * @param nextHopMac MAC address that every frame goes to, 48 bits
 * @param addresses at least one; the first of a family is what the host sends from
 * @param flowId the flow in the {@link FlowTag} of every frame, 0..{@link FlowTag#MAX_FLOWS} - 1
 */
public record HostConfig(
    String name, long mac, long nextHopMac, List<IpAddress> addresses, int flowId) {

  private static final long MAX_MAC = 0xFFFF_FFFF_FFFFL;

  /** Checks the values. */
  public HostConfig {
    check(name, "mac", mac, MAX_MAC);
    check(name, "nextHopMac", nextHopMac, MAX_MAC);
    check(name, "flowId", flowId, FlowTag.MAX_FLOWS - 1);
    addresses = List.copyOf(addresses);
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("addresses of host " + name + ": must be at least one");
    }
  }

  private static void check(String name, String field, long value, long max) {
    if (value < 0 || value > max) {
      throw new IllegalArgumentException(
          "%s %s of host %s: must be 0..%s".formatted(field, value, name, max));
    }
  }
}
