package net.sluice.lab.experiment.dragonking;

import java.util.List;

/** Notes on the rows of the experiment. */
final class DragonkingNotes {
  static final List<String> NOTES =
      List.of(
          "Packets come in bursts at 50 to 100 % of as many lines of 100 Gbit/s as the aggregate"
              + " needs, each packet of the next limit in turn, and after one in a thousand the"
              + " same limit's next one at once, which has to wait for its whole gap. What is"
              + " offered to a limit is on average its rate.",
          "A limit's accuracy is 1 less the part by which its rate between its first and last"
              + " packet is off. A burst is counted in whole packets by which a limit was ahead of"
              + " its rate, which is the burst of the tightest token bucket of that rate that would"
              + " have passed them. Lateness is from a packet's virtual start time, by WF2Q+ from"
              + " its arrival, to the departure of its first bit.",
          "Meters, RegMeter and SwRL are models: two buckets of one rate, 16 Mbit (RegMeter 10), a"
              + " red packet is dropped; a line of 100 Gbit/s, of which RegMeter's tokens take"
              + " 43 %, with 120 Mbit of buffer. Goodput is what arrives of the bytes that the line"
              + " carries. Senders do not send again what was lost, as the paper's do.");

  private static final String QUICK =
      " Quick run: a hundredth of the limits of 60 kbit/s, and bursts for a fifth of the time.";

  private DragonkingNotes() {}

  /** One paragraph: what ran, and what a quick run leaves out. */
  static String scope(DragonkingOptions options) {
    return "The compiled program on the emulated switch in virtual time, with its loops every 5 us."
        + " Seed "
        + options.seed()
        + "."
        + (options.quick() ? QUICK : "");
  }
}
