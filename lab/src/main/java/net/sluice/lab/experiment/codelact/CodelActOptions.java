package net.sluice.lab.experiment.codelact;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;

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
record CodelActOptions(
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

  CodelActOptions {
    cells = List.copyOf(cells);
    otherSenders = List.copyOf(otherSenders);
    otherMixes = List.copyOf(otherMixes);
  }

  /** The command line's values; null for options not given. */
  record Raw(
      String scenario,
      String flows,
      String rate,
      String rtt,
      String senders,
      String congestion,
      String seconds,
      String seed,
      boolean quick) {
    private boolean oneCell() {
      return flows != null || rate != null || rtt != null;
    }
  }

  /**
   * Reads the options.
   *
   * @throws OptionException for the first that cannot be used
   */
  static CodelActOptions parse(Raw raw) {
    Senders senders = named("--senders", raw.senders(), Senders.values(), Senders::text);
    FlowMix mix = named("--cc", raw.congestion(), FlowMix.values(), FlowMix::text);
    boolean values = values(raw, senders, mix);
    if (raw.quick() && raw.oneCell()) {
      throw new OptionException(
          "--quick", "given", "without --flows, --rate and --rtt, as a case runs once anyway");
    }
    boolean everything = !raw.oneCell() && !raw.quick();
    List<Cell> cells =
        raw.oneCell()
            ? List.of(oneCell(raw))
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
            raw.seconds() == null ? values && raw.quick() ? QUICK_SECONDS : SECONDS : raw.seconds(),
            MIN_SECONDS,
            MAX_SECONDS),
        OptionValues.wholeNumber("--seed", raw.seed(), Long.MIN_VALUE, Long.MAX_VALUE - PAPER_RUNS),
        everything ? PAPER_RUNS : 1,
        raw.quick());
  }

  private static boolean values(Raw raw, Senders senders, FlowMix mix) {
    if (raw.scenario().equals(PAPER)) {
      return false;
    }
    if (!raw.scenario().equals(VALUES)) {
      throw new OptionException("--scenario", raw.scenario(), PAPER + ", " + VALUES);
    }
    if (raw.oneCell() || senders != Senders.BLOCKS || mix != FlowMix.CUBIC) {
      throw new OptionException(
          "--scenario",
          raw.scenario(),
          PAPER + "; " + VALUES + " has no --flows, --rate, --rtt, --senders or --cc");
    }
    return true;
  }

  private static Cell oneCell(Raw raw) {
    Cell usual = Cell.TEN_FLOWS;
    int flows =
        raw.flows() == null
            ? usual.flows()
            : (int) OptionValues.wholeNumber("--flows", raw.flows(), 1, MAX_FLOWS);
    long rateBps =
        raw.rate() == null
            ? usual.rateBps()
            : OptionValues.rate("--rate", raw.rate(), MIN_RATE_BPS, MAX_RATE_BPS);
    if (raw.rtt() == null) {
      return new Cell("case", flows, rateBps, usual.leastRttMillis(), usual.mostRttMillis());
    }
    String[] ends = raw.rtt().split("-", -1);
    if (ends.length > 2) {
      throw new OptionException("--rtt", raw.rtt(), "MIN-MAX in ms, for example 5-10, or one RTT");
    }
    double least = rtt(raw.rtt(), "MIN", ends[0]);
    double most = ends.length == 1 ? least : rtt(raw.rtt(), "MAX", ends[1]);
    if (most < least) {
      throw new OptionException("--rtt", raw.rtt(), "MAX", ends[1], "at least MIN, " + ends[0]);
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

  private static <T> T named(String option, String text, T[] all, Function<T, String> name) {
    return Arrays.stream(all)
        .filter(one -> name.apply(one).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new OptionException(
                    option, text, Arrays.stream(all).map(name).collect(Collectors.joining(", "))));
  }
}
