package net.sluice.standalone.switchd;

import java.util.List;
import net.sluice.emulator.port.Lateness;
import net.sluice.emulator.port.RealTimeSwitch;

/**
 * What a switch did from start to end, for a machine to read.
 *
 * @param ports in the order of the {@code -i} options
 * @param lateness how late the machine got to what was due
 */
record LiveReport(List<Port> ports, Lateness lateness) {
  /**
   * One port. Counts are packets.
   *
   * @param lostBefore arrived and found the kernel's receive buffer full: the machine was too slow
   * @param unusable arrived in a form that cannot be switched
   * @param refused the kernel would not send
   */
  record Port(
      int port,
      String name,
      long received,
      long lostBefore,
      long unusable,
      long sent,
      long refused,
      long droppedByIngress,
      long droppedByEgress,
      long droppedByFullQueue) {}

  static LiveReport of(RealTimeSwitch real) {
    return new LiveReport(
        real.reports().stream()
            .map(
                port ->
                    new Port(
                        port.number(),
                        port.name(),
                        port.inside().receivedPackets(),
                        port.outside().kernelDrops(),
                        port.outside().unusableFrames(),
                        port.outside().sentFrames(),
                        port.outside().unsentFrames(),
                        port.inside().ingressDrops(),
                        port.inside().egressDropPackets(),
                        port.inside().tailDropPackets()))
            .toList(),
        real.lateness());
  }
}
