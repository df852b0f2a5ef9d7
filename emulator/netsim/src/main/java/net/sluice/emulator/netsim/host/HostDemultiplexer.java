package net.sluice.emulator.netsim.host;

import java.util.HashMap;
import java.util.Map;
import net.sluice.emulator.netsim.FrameReceiver;

/**
 * Several hosts behind one line, as behind an access node: delivers each frame by destination IP
 * address, behind any VLAN tags. A router in front writes the same destination MAC address into all
 * of them, so hosts behind it share one. Frames without a host are counted.
 */
public final class HostDemultiplexer implements FrameReceiver {

  private static final int ETHERTYPE_AT = 12;
  private static final int IPV4_DESTINATION_AT = 16;
  private static final int IPV6_DESTINATION_AT = 24;

  private final Map<IpAddress, FrameReceiver> receivers = new HashMap<>();
  private long unknownDestination;

  /**
   * Adds a host, by all its addresses.
   *
   * @throws IllegalArgumentException when another one has one of them
   */
  public void add(Host host) {
    for (IpAddress address : host.config().addresses()) {
      add(address, host);
    }
  }

  /**
   * Adds whatever is to get an address's frames, such as the link that leads to a host.
   *
   * @throws IllegalArgumentException when the address is taken
   */
  public void add(IpAddress address, FrameReceiver receiver) {
    if (receivers.putIfAbsent(address, receiver) != null) {
      throw new IllegalArgumentException(
          "address " + address + ": another host behind the same line has it");
    }
  }

  /** Frames without a host: another destination address, or no IP. */
  public long unknownDestination() {
    return unknownDestination;
  }

  @Override
  public void receive(byte[] bytes, int offset, int length, long tag, long nowNanos) {
    IpAddress destination = destination(bytes, offset, offset + length);
    FrameReceiver receiver = destination == null ? null : receivers.get(destination);
    if (receiver == null) {
      unknownDestination++;
      return;
    }
    receiver.receive(bytes, offset, length, tag, nowNanos);
  }

  private static IpAddress destination(byte[] bytes, int offset, int end) {
    int at = offset + ETHERTYPE_AT;
    while (at + 2 <= end) {
      switch ((int) IpAddress.read(bytes, at, 2)) {
        case 0x0800:
          int at4 = at + 2 + IPV4_DESTINATION_AT;
          return at4 + 4 > end ? null : new IpAddress(false, 0, IpAddress.read(bytes, at4, 4));
        case 0x86DD:
          int at6 = at + 2 + IPV6_DESTINATION_AT;
          return at6 + 16 > end
              ? null
              : new IpAddress(
                  true, IpAddress.read(bytes, at6, 8), IpAddress.read(bytes, at6 + 8, 8));
        case Host.TPID_C:
        case Host.TPID_S:
          at += 4;
          break;
        default:
          return null;
      }
    }
    return null;
  }
}
