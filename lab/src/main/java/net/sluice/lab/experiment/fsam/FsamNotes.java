package net.sluice.lab.experiment.fsam;

import java.util.List;
import java.util.Locale;

/** Notes on the rows of the experiment. */
final class FsamNotes {
  static final List<String> NOTES =
      List.of(
          "Network, as in figure 1: sources behind links of 10 Mbit/s and 5 ms, an edge switch that"
              + " marks, a core switch with RIO before the bottleneck of 5 Mbit/s, sinks; 20 ms one"
              + " way. Both switches run the compiled P4 program in the emulator. TCP is Reno (RFC"
              + " 2581) with segments of a frame of 1,000 bytes, windows of up to 20 packets that"
              + " begin with one, no SACK. UDP's frames have 1,000 bytes and are late at random by up"
              + " to their interval.",
          "Chosen where the paper is silent: numbers of flows in the figures, ten background flows in"
              + " its tables, five sources of mice, 60 s for a figure, 20 s for its second table,"
              + " constants of PAM and F-SAM. docs/papers/003-fsam.md says why, and explains what"
              + " differs.");

  private FsamNotes() {}

  /** How the figures were made. */
  static String scope(FsamOptions options) {
    return String.format(
        Locale.ROOT,
        "Each figure is the mean of %d run%s, first seed %d.%s",
        options.seeds(),
        options.seeds() == 1 ? "" : "s",
        options.seed(),
        options.oneCase().isEmpty() && options.seeds() == 1
            ? " Quick run: what it leaves out are four more seeds, and 20 and 30 long flows."
            : "");
  }
}
