package net.sluice.embedded.fpga;

import java.util.List;
import net.sluice.emulator.ports.RealTimeFpga;
import net.sluice.emulator.ports.SchedulingDelay;

/**
 * Counts of the FPGAs from start to end, for a machine to read.
 *
 * @param fpgas the one of the down direction first, if it is there
 * @param schedulingDelay how late the machine got to what was due
 */
record FpgaReport(List<Fpga> fpgas, SchedulingDelay schedulingDelay) {
  /**
   * One FPGA. Counts are packets.
   *
   * @param name of its interface
   * @param lostBefore arrived and found the kernel's receive buffer full: the machine was too slow
   * @param refused the kernel would not send
   * @param droppedByFullQueue found their queue full
   * @param droppedWithoutBuffer found no free buffer
   * @param droppedByCodel dropped by CoDel
   * @param malformed without a queue id, with nothing behind it, or too long
   */
  record Fpga(
      String name,
      long received,
      long lostBefore,
      long sent,
      long refused,
      long droppedByFullQueue,
      long droppedWithoutBuffer,
      long droppedByCodel,
      long malformed) {}

  static FpgaReport of(RealTimeFpga real) {
    return new FpgaReport(
        real.reports().stream()
            .map(
                port ->
                    new Fpga(
                        port.name(),
                        port.inside().receivedPackets(),
                        port.outside().kernelDrops(),
                        port.inside().sentPackets(),
                        port.outside().unsentFrames(),
                        port.inside().droppedPackets(),
                        port.inside().noBufferPackets(),
                        port.inside().codelPackets(),
                        port.inside().malformedPackets()))
            .toList(),
        real.schedulingDelay());
  }
}
