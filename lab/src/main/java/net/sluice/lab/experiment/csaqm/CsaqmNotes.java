package net.sluice.lab.experiment.csaqm;

import java.util.List;

/** Notes on the CSAQM rows. */
final class CsaqmNotes {
  static final List<String> NOTES =
      List.of(
          "Rates are goodput (UDP payload of 1500-byte frames) of one subscriber; the line carries"
              + " 24 bytes more per frame (preamble, FCS, gap). Bounds are 5 % of the paper's"
              + " number, or of the water-filling prediction where the paper has none.",
          "Fitted: the paper gives shares, not curves. The Gold curve is drawn through its pairs of"
              + " rates, 21.8 and 6.4 Mbit/s, 488 and 400 kbit/s, and the line of (d) is the sum of"
              + " its rates. Independent of that remain: a Gold subscriber below its share loses"
              + " nothing, and one that sends more than the others gets no more than they; and that"
              + " many subscribers get what water-filling over the curves predicts.",
          "(b) The paper gives no numbers for 35,000 subscribers. Its two operating points, 3.4 : 1"
              + " at 21.8 Mbit/s and 1.22 : 1 at 488 kbit/s, rule out a constant ratio; on the"
              + " curve between them the shares are held against the prediction.",
          "(c) The paper's shares add up to 81.4 of the 86.1 Gbit/s of goodput that 90 Gbit/s"
              + " carry. A bottleneck that is used fully leaves Silver 429 instead of 400 kbit/s,"
              + " and Gold all it is sent: 7 % above the paper for Silver. (d) is the same on"
              + " a line of 85.1 Gbit/s, which the paper's rates fill.",
          "(e) One CUBIC flow to each of ten more Gold subscribers; round-trip time without queues"
              + " 0.2 ms, which the paper does not tell. They get more of Gold's share than in the"
              + " paper and lose more: the buffer here is eight times the target delay, so that"
              + " values alone decide what is dropped, not a small buffer. (f) With ECN nothing is"
              + " lost, but a mark reduces the window as a loss does; 95 % of Gold's share are not"
              + " reached. (g) A marker whose random number takes off nine bins at least forgives 9"
              + " % above the share, which a flow with ECN makes its 95 % of; a flood gets what the"
              + " other Gold ones get.");

  private CsaqmNotes() {}
}
