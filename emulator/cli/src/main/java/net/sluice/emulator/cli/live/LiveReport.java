package net.sluice.emulator.cli.live;

import java.util.List;
import net.sluice.emulator.netsim.PortStatistics;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.ports.RealTimeSwitch;
import net.sluice.emulator.ports.SchedulingDelay;
import net.sluice.emulator.v1model.V1modelSwitch;

/**
 * Counts of a switch from start to end, for a machine to read.
 *
 * @param ports in the order of the {@code -i} options
 * @param loops in the order of {@code --loop-ports}
 * @param cpuPort what went to and came from controllers; null if there is no such port
 * @param lost what no port is to blame for
 * @param schedulingDelay how late the machine got to what was due
 */
record LiveReport(
    List<Port> ports,
    List<Loop> loops,
    CpuPort cpuPort,
    Lost lost,
    SchedulingDelay schedulingDelay) {
  /**
   * One port. Counts are packets.
   *
   * @param lostBefore arrived and found the kernel's receive buffer full: the machine was too slow
   * @param unusable arrived in a form that cannot be switched
   * @param refused the kernel would not send
   * @param droppedByIngress the program dropped them
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

  /**
   * A port by which packets go round.
   *
   * @param wentRound times that a packet has
   * @param droppedByFullQueue packets
   */
  record Loop(int port, long wentRound, long droppedByFullQueue) {}

  /**
   * The port that controllers use. Counts are packets.
   *
   * @param packetOuts came from a controller
   * @param packetIns went to controllers
   * @param packetInsLost were meant for a controller while there was none to take them
   * @param droppedByIngress came from a controller and were dropped by the program
   * @param droppedByEgress were on their way to controllers and were dropped by the program
   */
  record CpuPort(
      int port,
      long packetOuts,
      long packetIns,
      long packetInsLost,
      long droppedByIngress,
      long droppedByEgress) {}

  /**
   * Packets that were lost in the switch itself.
   *
   * @param withoutProgram came while there was none
   * @param toUnknownPorts the program sent to ports that do not exist
   * @param toUnknownGroups the program sent to multicast groups that do not exist
   * @param turning too many were being resubmitted, recirculated or cloned at a time
   * @param byNewProgram waited while another program was loaded
   */
  record Lost(
      long withoutProgram,
      long toUnknownPorts,
      long toUnknownGroups,
      long turning,
      long byNewProgram) {}

  static LiveReport of(RealTimeSwitch real, V1modelSwitch device) {
    List<Port> ports =
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
            .toList();
    return new LiveReport(
        ports,
        real.loops().stream()
            .map(
                loop ->
                    new Loop(
                        loop.number(),
                        loop.inside().sentPackets(),
                        loop.inside().tailDropPackets()))
            .toList(),
        device.cpuPort() == 0 ? null : real.query(node -> cpuPort(node, device)),
        real.query(node -> lost(node, device)),
        real.schedulingDelay());
  }

  private static CpuPort cpuPort(SwitchNode node, V1modelSwitch device) {
    PortStatistics statistics = node.port(device.cpuPort()).statistics();
    device.lock().lock();
    try {
      return new CpuPort(
          device.cpuPort(),
          statistics.receivedPackets(),
          statistics.sentPackets() - device.lostPacketIns(),
          device.lostPacketIns(),
          statistics.ingressDrops(),
          statistics.egressDropPackets());
    } finally {
      device.lock().unlock();
    }
  }

  private static Lost lost(SwitchNode node, V1modelSwitch device) {
    return new Lost(
        device.droppedWithoutProgram(),
        node.unknownEgressPortDrops(),
        node.unknownGroupDrops(),
        node.turnaroundDrops(),
        node.replacedProgramDrops());
  }
}
