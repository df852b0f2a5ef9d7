package net.sluice.lab.experiment.codelact;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import net.sluice.lab.support.Figures;

/** Notes on the rows of the experiment. */
final class CodelActNotes {
  private static final List<String> MODEL =
      List.of(
          "Network, as in figure 15: one workstation behind an interface of 10 Gbit/s, the switch"
              + " with the egress port shaped to the bottleneck's rate (24 bytes of line overhead"
              + " per frame, 22 MB of buffer), a server; each flow has a round-trip time of its own"
              + " between the two ends. CUBIC with HyStart++, SACK, an acknowledgement for two"
              + " segments, no pacing: what Linux does without fq. BBR is its version 1, which"
              + " paces every segment and takes no notice of ECN marks.",
          "Senders. The paper says that iperf3 makes parallel flows and that they are capped at 90"
              + " % of the bottleneck in total. iperf3's own cap (-P with -b, a part for each"
              + " stream) is the default here: a stream writes a block of 128 KB when its mean rate"
              + " since the start is below its part, and as all streams start together, all write"
              + " together. The paper does not say it so; --senders has three other readings, and"
              + " rows that begin with blocks-apart, smooth and unheld show every cell under them."
              + " Rows with bbr and mix are of flows with BBR and of a half and half of both.",
          "PIE-like: the program's own value-based dropper, with values that are random numbers."
              + " The port's loop steers the root of the probability of a drop, by the same target"
              + " of 5 ms. It is PI2, not RFC 8033 to the letter: drops are decided before the"
              + " queue, every millisecond, and there is no allowance for bursts.");

  private static final List<String> FINDINGS =
      List.of(
          "Why delays miss. A block of 128 KB takes 10.7 ms of a line of 100 Mbit/s, ten together"
              + " 107 ms, fifty 54 ms at 1 Gbit/s; and every stream writes the next one only when"
              + " its 90 % allow it. So the queue is built by bursts and empties between them."
              + " CoDel waits for an interval (100 ms) above the target before it drops, by design,"
              + " so that no kind of it, RFC 8289's included, has anything to do with such a queue,"
              + " and all are alike. Senders that pace themselves (smooth) leave no queue at all.",
          "Where many flows congest the line all the time (unheld, from 10 at 100 Mbit/s and 30 at"
              + " 1 Gbit/s on) CoDel-ACT holds the queue lower than P4-CoDel, about as RFC 8289"
              + " does: medians (ratio.p50) are 0.53 to 0.66 of it. Mean and 99th percentile there"
              + " are those of slow start, whose overshoot takes any CoDel seconds to drain. No"
              + " reading gives delays as short as the paper's and half the predecessor's at once.",
          "The predecessor here is P4-CoDel's table for bmv2, whose waits are 0 to 41 % too long;"
              + " the paper measured one on a Tofino's math unit, 42 to 58 % too long, which is"
              + " slower to react (sqrt.p4codel.worstError).",
          "Recirculation. The paper mirrors a packet at each start and each end of a cycle, 300 to"
              + " 620 a second; here only if it has something to carry. startsAndEnds is what the"
              + " paper's rule would make of the same queue: 18 to 282 a second, most where few"
              + " flows cross the target with every burst.",
          "PIE-like (pie.*) has means of 2 to 6 ms in every cell, as it waits for no interval, and"
              + " drops 15 to 930 packets for it; at round-trip times of 100 and 300 ms that cuts"
              + " slow start short.",
          "BBR keeps a queue of about a round trip of its own, whatever kind of CoDel works on it,"
              + " as losses of some percent are nothing to it. Beside CUBIC it has 3 to 9 % of the"
              + " line without any AQM, and about its half with one (unheld.mix.bbrShare).",
          "Goodput is held against the predecessor's without any tolerance: a miss in the sixth"
              + " digit is chance, those at round-trip times of 100 and 300 ms are slow starts that"
              + " a drop more or less has ended early.");

  private static final String QUICK =
      " Quick run: every cell and column of the paper once. What it leaves out: two more seeds,"
          + " other senders, BBR and the mix. With seed 1 its mean delays are within 9 % of those"
          + " of three seeds, and the same bounds are kept and missed.";

  private CodelActNotes() {}

  /** One paragraph: how the figures were made, and what a quick run leaves out. */
  static String scope(CodelActOptions options) {
    return String.format(
        Locale.ROOT,
        "Senders: %s, %s. Each figure is the mean of %d run%s of %s virtual seconds from the first"
            + " packet on, first seed %d. Delays are the times in the bottleneck's queue of all"
            + " packets that left it.%s",
        options.senders().text(),
        options.mix().text(),
        options.seeds(),
        options.seeds() == 1 ? "" : "s",
        Figures.number(options.seconds()),
        options.seed(),
        options.quick() ? QUICK : "");
  }

  static List<String> of(CodelActOptions options) {
    List<String> notes = new ArrayList<>(MODEL);
    if (options.seeds() > 1 && options.senders() == Senders.BLOCKS) {
      notes.addAll(FINDINGS);
    }
    return notes;
  }
}
