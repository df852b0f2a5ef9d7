package net.sluice.lab.experiment.fsam;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.cli.WrittenRates;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.lab.experiment.ExperimentKind;
import net.sluice.lab.experiment.GivenSettings;
import net.sluice.lab.experiment.Setting;

/**
 * Options of the experiment.
 *
 * @param oneCase the case to run instead of the paper's
 * @param seed the first seed
 * @param seeds number of seeds, from the first on
 * @param flows numbers of long flows in the figures
 */
public record FsamOptions(Optional<Case> oneCase, long seed, int seeds, List<Integer> flows) {
  private static final String[] ONE_CASE = {
    "--cir", "--burst", "--source", "--marker", "--seconds"
  };

  /** The experiment as the command line has it. */
  public static final ExperimentKind KIND =
      new ExperimentKind(
          FsamExperiment.NAME,
          List.of(
              "The evaluation of PAM and F-SAM: how an aggregate's flows share its committed rate, and what"
                  + " they get of a bottleneck with RIO, beside a token bucket and TSW2CM.",
              "With --cir, --burst, --source, --marker or --seconds one case alone, whose rows are case.*;"
                  + " what is not given is 500k, 100000, tcp, tcp and udp:2M, f-sam, 40.",
              ExperimentKind.TIME),
          List.of(
              Setting.of("--cir", "RATE", "Committed rate of the case."),
              Setting.of("--burst", "BITS", "Its token bucket."),
              Setting.of("--source", "tcp|udp:RATE", "A source of the case; repeatable.")
                  .repeatable(),
              Setting.of("--marker", "NAME", "Its marker: token-bucket, tsw2cm, pam or f-sam."),
              Setting.of("--seconds", "S", "Its virtual seconds."),
              Setting.seed("Seed of everything random; without a case, of the first of five runs."),
              Setting.quick("One run instead of five, of two instead of four numbers of flows.")),
          given -> {
            FsamOptions options = of(given);
            return progress -> new FsamExperiment(options);
          });

  /** A case of its own. */
  record Case(Setup setup, MarkerKind marker) {}

  /** The line that the sources send into. */
  private static final long LINE_BPS = 10_000_000;

  private static final long MIN_RATE_BPS = 1_000;
  private static final int MAX_SOURCES = 500;
  private static final int PAPER_RUNS = 5;
  private static final List<Integer> PAPER_FLOWS = List.of(10, 20, 30, 40);
  private static final List<Integer> QUICK_FLOWS = List.of(10, 40);
  private static final String SOURCE = "tcp, or udp:RATE";

  public FsamOptions {
    flows = List.copyOf(flows);
  }

  /**
   * Reads the options.
   *
   * @throws OptionException for the first that cannot be used
   */
  static FsamOptions of(GivenSettings given) {
    if (given.quick() && given.any(ONE_CASE)) {
      throw new OptionException(
          "--quick", "given", "without an option of a case, as that runs once anyway");
    }
    long seed = given.seed(PAPER_RUNS);
    Optional<Case> oneCase = given.any(ONE_CASE) ? Optional.of(oneCase(given)) : Optional.empty();
    return new FsamOptions(
        oneCase,
        seed,
        given.quick() || given.any(ONE_CASE) ? 1 : PAPER_RUNS,
        given.quick() ? QUICK_FLOWS : PAPER_FLOWS);
  }

  private static Case oneCase(GivenSettings given) {
    Setup usual = Setup.MIXED;
    long cir =
        given.text("--cir") == null
            ? usual.committedBps()
            : OptionValues.rate("--cir", given.text("--cir"), MIN_RATE_BPS, LINE_BPS);
    long burst = usual.burstBits();
    if (given.text("--burst") != null) {
      OptionalLong bits = WrittenRates.parse(given.text("--burst"));
      burst = bits.isPresent() ? bits.getAsLong() : -1;
    }
    String markerName =
        given.text("--marker") == null ? MarkerKind.F_SAM.key() : given.text("--marker");
    MarkerKind marker =
        MarkerKind.named(markerName)
            .orElseThrow(
                () ->
                    new OptionException(
                        "--marker", markerName, String.join(", ", MarkerKind.NAMES)));
    try {
      Aggregate.up(cir, Setup.bytes(burst), marker.marker());
    } catch (InvalidValueException e) {
      throw e.field().equals("burstBytes")
          ? new OptionException(
              "--burst",
              String.valueOf(given.text("--burst")),
              8 * Aggregate.MIN_BURST_BYTES + " to " + 8 * Aggregate.maxBurstBytes(cir) + " bits")
          : new OptionException("--cir", given.text("--cir"), e.allowed());
    }
    double seconds =
        given.text("--seconds") == null
            ? usual.seconds()
            : OptionValues.decimal("--seconds", given.text("--seconds"), 1, 600);
    List<Source> sources = new ArrayList<>();
    if (given.any("--source")) {
      given.all("--source").forEach(text -> sources.add(source(text)));
    }
    if (sources.size() > MAX_SOURCES) {
      throw new OptionException(
          "--source", sources.size() + " times", "at most " + MAX_SOURCES + " times");
    }
    return new Case(
        new Setup("case", sources.isEmpty() ? usual.sources() : sources, 0, cir, burst, seconds),
        marker);
  }

  private static Source source(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.equals("tcp")) {
      return Source.TCP;
    }
    if (!lower.startsWith("udp:")) {
      throw new OptionException("--source", text, SOURCE);
    }
    String rate = text.substring("udp:".length());
    OptionalLong bps = WrittenRates.parse(rate);
    if (bps.isEmpty() || bps.getAsLong() < MIN_RATE_BPS || bps.getAsLong() > LINE_BPS) {
      throw new OptionException(
          "--source", text, "RATE", rate, OptionValues.rateRange(MIN_RATE_BPS, LINE_BPS));
    }
    return Source.udp(bps.getAsLong());
  }

  /** How the figures were made. */
  String scope() {
    return String.format(
        Locale.ROOT,
        "Each figure is the mean of %d run%s, first seed %d.%s",
        seeds(),
        seeds() == 1 ? "" : "s",
        seed(),
        oneCase().isEmpty() && seeds() == 1
            ? " Quick run: what it leaves out are four more seeds, and 20 and 30 long flows."
            : "");
  }
}
