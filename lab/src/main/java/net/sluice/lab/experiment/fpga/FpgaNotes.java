package net.sluice.lab.experiment.fpga;

import java.util.List;

/** Notes on the rows of the experiment. */
final class FpgaNotes {
  static final List<String> NOTES =
      List.of(
          "Latency (jitter., inUse.) is from a packet's first beat before the core, when it was due, to"
              + " its first beat behind it; jitter is the spread of 99 of 100 packets, and of all"
              + " in jitter.whole. Packets of 1,474 bytes come evenly, of all queues in use in turn,"
              + " in an order of the seed's; the paper does not tell its order. Behind the core a beat"
              + " is taken each clock (112.6 Gbit/s); jitter.behind is with a line of 100 Gbit/s"
              + " there, which 99.9 Gbit/s fill to 99.6 %, so that what once waits there waits long.",
          "Why the jitter at 99.9 Gbit/s is above the paper's: a packet that leaves costs the scheduler"
              + " 17 clocks, in which the search stands still, and one comes every 26.5 clocks. So"
              + " a round takes nearly three times as long as an empty one. At 2 Gbit/s"
              + " (jitter.round) it is what the paper computes.",
          "The external memories are models of DDR4-2400 with 64 bits behind a controller: 19.2"
              + " Gbyte/s for reads and writes together, a refresh of 350 ns every 7.8 us, 7.5 ns"
              + " to turn the bus round, 100 ns for a read; their data sheets' figures, not the paper's."
              + " throughput.oneMemory is the most that leaves when 56 to 80 Gbit/s come.",
          "A queue with a limit (gap., rateError., case.) never runs empty: a packet that leaves is"
              + " followed by another one. Its rate is that of its word, the nearest of 1.41 Mbit/s each,"
              + " and is measured from its first packet to its last, without those that waited at"
              + " the start. Gaps are between first beats of packets that leave.",
          "CoDel (codel.): three flows of TCP Cubic, 10 ms of round trip, one queue at 100 Mbit/s,"
              + " target 5 ms, interval 100 ms, behind a fifth of the time. The paper tells neither rate"
              + " nor round trip. The core runs at 10 MHz with ticks as long as at 220 MHz, so"
              + " that its limiter and CoDel compute the same. The baseline is RFC 8289's pseudocode"
              + " in the same network, with the same seed; it knows when each packet came, the core"
              + " takes fill level over rate.",
          "Table I (tableI.N., by its lines) is what Yosys made of the core for UltraScale+, not placed"
              + " nor routed, as fpga-driver/rtl/synthesis/resources.csv has it; it is not made"
              + " anew in a run. The paper's figures have its Ethernet, PCIe and DDR4 cores in them.");

  private static final String QUICK =
      " Quick run: a tenth of the packets, and of the time under TCP.";

  private FpgaNotes() {}

  /** One paragraph: what ran, and what a quick run leaves out. */
  static String scope(FpgaOptions options) {
    return "The core of fpga-driver/rtl, simulated clock by clock at 220 MHz, with models of DDR4"
        + " memories; for CoDel at 10 MHz. Seed "
        + options.seed()
        + "."
        + (options.quick() ? QUICK : "");
  }
}
