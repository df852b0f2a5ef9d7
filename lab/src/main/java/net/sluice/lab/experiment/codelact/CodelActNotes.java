package net.sluice.lab.experiment.codelact;

import java.util.List;
import java.util.Locale;

/** What the rows of the experiment mean. */
final class CodelActNotes {
  private CodelActNotes() {}

  static List<String> of(CodelActOptions options) {
    return List.of(
        String.format(
            Locale.ROOT,
            "Each figure is the mean of %d run%s of %s virtual seconds from the first packet on."
                + " Delays are the times in the bottleneck's queue of all packets that left it.",
            options.seeds(),
            options.seeds() == 1 ? "" : "s",
            net.sluice.lab.support.Figures.number(options.seconds())),
        "placeholder");
  }
}
