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
          "Bursts of 1 to 20 ms come before one limit of 90 Gbit/s on a port with 10,000 subscribers."
              + " Meters, RegMeter and SwRL are models: two buckets of one rate, 16 Mbit (RegMeter"
              + " 10), a red packet is dropped; a line of 100 Gbit/s, of which RegMeter's tokens"
              + " take 43 %, with 120 Mbit of buffer. Goodput is what arrives of what was sent."
              + " Senders do not send again what was lost, as the paper's do, so"
              + " meters lose only what is above their bucket.",
          "The same bursts of one subscriber (bursty.goodput.oneSubscriber) and four limits of 10"
              + " Gbit/s (few): packets that are closer together than a loop's round wait in one"
              + " pipe, which keeps their order and lets go in one round at most what came in one.",
          "The window by start times, delta and h (deviation, sensitivity) are measured where"
              + " packets leave by the front pipe alone, as in the paper. Without that window"
              + " Algorithm 1 sets T_0, too. In service any pipe sends what is due"
              + " (deviation.anyPipe): a packet behind the front pipe is late by its own pipe's"
              + " round only, and the window by start times has nothing to gain.",
          "updates.perSecond is by the processor time of the thread that writes, as other cases run"
              + " beside it; updates.perWallSecond is by the wall clock. capacity.limits is of the"
              + " program for v1model.");

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
