package net.sluice.lab.experiment.fpga;

import java.util.List;

/** Notes on the rows of the experiment. */
final class FpgaNotes {
  static final List<String> NOTES =
      List.of(
          "A queue with a limit never runs empty: a packet that leaves is followed by another one."
              + " Its rate is that of its word, the nearest of 1.41 Mbit/s each, and is measured"
              + " from its first packet to its last, without those that waited at the start. The"
              + " gaps are between first beats of packets that leave.");

  private static final String QUICK =
      " Quick run: a tenth of the packets, and of the time under TCP.";

  private FpgaNotes() {}

  /** One paragraph: what ran, and what a quick run leaves out. */
  static String scope(FpgaOptions options) {
    return "The core of fpga-driver/rtl, simulated clock by clock at 220 MHz, with models of DDR4"
        + " memories. Seed "
        + options.seed()
        + "."
        + (options.quick() ? QUICK : "");
  }
}
