package net.sluice.lab.experiment.codelact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.lab.experiment.ExperimentKind;
import net.sluice.lab.experiment.GivenSettings;
import net.sluice.lab.experiment.Notes;
import net.sluice.lab.experiment.Setting;
import net.sluice.lab.support.Figures;

/**
 * Options of the experiment.
 *
 * @param values whether to run packet values and CoDel together instead of the paper's cells
 * @param cells the cells to run
 * @param senders how applications send
 * @param mix congestion control of the flows
 * @param otherSenders further ways to send, from the first seed
 * @param otherMixes further congestion controls, from the first seed
 * @param seconds virtual seconds of each run
 * @param seed the first seed
 * @param seeds number of seeds, from the first on
 * @param quick whether other senders, congestion controls and seeds are left out
 */
public record CodelActOptions(
    boolean values,
    List<Cell> cells,
    Senders senders,
    FlowMix mix,
    List<Senders> otherSenders,
    List<FlowMix> otherMixes,
    double seconds,
    long seed,
    int seeds,
    boolean quick) {
  private static final String[] ONE_CASE = {"--flows", "--rate", "--rtt"};

  /** The experiment as the command line has it. */
  public static final ExperimentKind KIND =
      new ExperimentKind(
          CodelActExperiment.NAME,
          List.of(
              "The evaluation of CoDel-ACT: the delay of a bottleneck's queue under TCP flows, beside its"
                  + " predecessor P4-CoDel, RFC 8289, a controller of PIE's kind and no AQM.",
              "With --flows, --rate or --rtt one case alone; what is not given of them is 10, 100M, 5-10.",
              "With --scenario values: Gold and Silver subscribers behind a line whose port drops by packet"
                  + " value, whose queue CoDel-ACT manages, or both.",
              ExperimentKind.TIME),
          List.of(
              Setting.of(
                      "--scenario", "NAME", "paper, or values: CoDel together with packet values.")
                  .usually("paper"),
              Setting.of("--flows", "N", "TCP flows of the case."),
              Setting.of("--rate", "RATE", "Rate of the case's bottleneck."),
              Setting.of(
                  "--rtt", "MIN-MAX", "Round-trip times of the case's flows without queues, ms."),
              Setting.of(
                      "--senders",
                      "HOW",
                      "blocks: held to 90 %% of the line as iperf3 does, all streams writing at"
                          + " the same time; blocks-apart: each at a time of its own; smooth: a"
                          + " segment at a time; unheld: as fast as TCP lets them.")
                  .usually("blocks"),
              Setting.of(
                      "--cc",
                      "HOW",
                      "Congestion control of the flows: cubic, bbr, or mix, half and half.")
                  .usually("cubic"),
              Setting.of(
                  "--seconds",
                  "S",
                  "Virtual seconds of each run. Default: 10, with --scenario values --quick"
                      + " 3."),
              Setting.seed(
                  "Seed of everything random; without a case, of the first of three runs."),
              Setting.quick(
                  "One run of each cell instead of three, with no other senders and"
                      + " congestion controls; with --scenario values 3 virtual seconds instead"
                      + " of 10.")),
          given -> {
            CodelActOptions options = of(given);
            return progress ->
                options.values() ? new ValuesExperiment(options) : new CodelActExperiment(options);
          });

  private static final String LEFT_OUT =
      " Quick run: every cell and column of the paper once. What it leaves out: two more seeds,"
          + " other senders, BBR and the mix. With seed 1 its mean delays are within 9 % of those"
          + " of three seeds, and the same bounds are kept and missed.";

  private static final String PAPER = "paper";
  private static final String VALUES = "values";
  private static final String SECONDS = "10";
  private static final String QUICK_SECONDS = "3";
  private static final int PAPER_RUNS = 3;
  private static final int MAX_FLOWS = 1_000;
  private static final long MIN_RATE_BPS = 1_000_000;

  /** The workstation's interface is no bottleneck then. */
  private static final long MAX_RATE_BPS = 5_000_000_000L;

  private static final double MIN_RTT_MILLIS = 0.1;
  private static final double MAX_RTT_MILLIS = 1_000;
  private static final double MIN_SECONDS = 0.1;
  private static final double MAX_SECONDS = 600;

  public CodelActOptions {
    cells = List.copyOf(cells);
    otherSenders = List.copyOf(otherSenders);
    otherMixes = List.copyOf(otherMixes);
  }

  /**
   * Reads the options.
   *
   * @throws OptionException for the first that cannot be used
   */
  static CodelActOptions of(GivenSettings given) {
    Senders senders = given.named("--senders", Senders.values(), Senders::text);
    FlowMix mix = given.named("--cc", FlowMix.values(), FlowMix::text);
    boolean values = values(given, senders, mix);
    if (given.quick() && given.any(ONE_CASE)) {
      throw new OptionException(
          "--quick", "given", "without --flows, --rate and --rtt, as a case runs once anyway");
    }
    boolean everything = !given.any(ONE_CASE) && !given.quick();
    List<Cell> cells =
        given.any(ONE_CASE)
            ? List.of(oneCell(given))
            : Stream.of(Cell.SLOW, Cell.FAST, Cell.RTT).flatMap(List::stream).toList();
    return new CodelActOptions(
        values,
        cells,
        senders,
        mix,
        everything
            ? Arrays.stream(Senders.values()).filter(other -> other != senders).toList()
            : List.of(),
        everything
            ? Arrays.stream(FlowMix.values()).filter(other -> other != mix).toList()
            : List.of(),
        OptionValues.decimal(
            "--seconds",
            given.text("--seconds") == null
                ? values && given.quick() ? QUICK_SECONDS : SECONDS
                : given.text("--seconds"),
            MIN_SECONDS,
            MAX_SECONDS),
        given.seed(PAPER_RUNS),
        everything ? PAPER_RUNS : 1,
        given.quick());
  }

  private static boolean values(GivenSettings given, Senders senders, FlowMix mix) {
    if (given.text("--scenario").equals(PAPER)) {
      return false;
    }
    if (!given.text("--scenario").equals(VALUES)) {
      throw new OptionException("--scenario", given.text("--scenario"), PAPER + ", " + VALUES);
    }
    if (given.any(ONE_CASE) || senders != Senders.BLOCKS || mix != FlowMix.CUBIC) {
      throw new OptionException(
          "--scenario",
          given.text("--scenario"),
          PAPER + "; " + VALUES + " has no --flows, --rate, --rtt, --senders or --cc");
    }
    return true;
  }

  private static Cell oneCell(GivenSettings given) {
    Cell usual = Cell.TEN_FLOWS;
    int flows =
        given.text("--flows") == null
            ? usual.flows()
            : (int) OptionValues.wholeNumber("--flows", given.text("--flows"), 1, MAX_FLOWS);
    long rateBps =
        given.text("--rate") == null
            ? usual.rateBps()
            : OptionValues.rate("--rate", given.text("--rate"), MIN_RATE_BPS, MAX_RATE_BPS);
    if (given.text("--rtt") == null) {
      return new Cell("case", flows, rateBps, usual.leastRttMillis(), usual.mostRttMillis());
    }
    String[] ends = given.text("--rtt").split("-", -1);
    if (ends.length > 2) {
      throw new OptionException(
          "--rtt", given.text("--rtt"), "MIN-MAX in ms, for example 5-10, or one RTT");
    }
    double least = rtt(given.text("--rtt"), "MIN", ends[0]);
    double most = ends.length == 1 ? least : rtt(given.text("--rtt"), "MAX", ends[1]);
    if (most < least) {
      throw new OptionException(
          "--rtt", given.text("--rtt"), "MAX", ends[1], "at least MIN, " + ends[0]);
    }
    return new Cell("case", flows, rateBps, least, most);
  }

  private static double rtt(String option, String part, String text) {
    try {
      return OptionValues.decimal("--rtt", text, MIN_RTT_MILLIS, MAX_RTT_MILLIS);
    } catch (OptionException e) {
      throw new OptionException(
          "--rtt", option, part, text, "a number of ms, " + MIN_RTT_MILLIS + " to 1000");
    }
  }

  /** One paragraph: how the figures were made, and what a quick run leaves out. */
  String scope() {
    return String.format(
        Locale.ROOT,
        "Senders: %s, %s. Each figure is the mean of %d run%s of %s virtual seconds from the first"
            + " packet on, first seed %d. Delays are the times in the bottleneck's queue of all"
            + " packets that left it.%s",
        senders().text(),
        mix().text(),
        seeds(),
        seeds() == 1 ? "" : "s",
        Figures.number(seconds()),
        seed(),
        quick() ? LEFT_OUT : "");
  }

  /** The notes: on what was found, too, where all of it ran. */
  List<String> notes() {
    List<String> notes = new ArrayList<>(Notes.of("codel-act"));
    if (seeds > 1 && senders == Senders.BLOCKS) {
      notes.addAll(Notes.of("codel-act-findings"));
    }
    return notes;
  }
}
