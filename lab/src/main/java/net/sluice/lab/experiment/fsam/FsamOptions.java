package net.sluice.lab.experiment.fsam;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.cli.Rates;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.value.InvalidValueException;

/**
 * Options of the experiment.
 *
 * @param oneCase the case to run instead of the paper's
 * @param seed the first seed
 * @param seeds number of seeds, from the first on
 * @param flows numbers of long flows in the figures
 */
record FsamOptions(Optional<Case> oneCase, long seed, int seeds, List<Integer> flows) {
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

  FsamOptions {
    flows = List.copyOf(flows);
  }

  /** The command line's values; null for options not given. */
  record Raw(
      String cir,
      String burst,
      List<String> sources,
      String marker,
      String seconds,
      String seed,
      boolean quick) {
    private boolean oneCase() {
      return cir != null || burst != null || sources != null || marker != null || seconds != null;
    }
  }

  /**
   * Reads the options.
   *
   * @throws OptionException for the first that cannot be used
   */
  static FsamOptions parse(Raw raw) {
    if (raw.quick() && raw.oneCase()) {
      throw new OptionException(
          "--quick", "given", "without an option of a case, as that runs once anyway");
    }
    long seed =
        OptionValues.wholeNumber("--seed", raw.seed(), Long.MIN_VALUE, Long.MAX_VALUE - PAPER_RUNS);
    Optional<Case> oneCase = raw.oneCase() ? Optional.of(oneCase(raw)) : Optional.empty();
    return new FsamOptions(
        oneCase,
        seed,
        raw.quick() || raw.oneCase() ? 1 : PAPER_RUNS,
        raw.quick() ? QUICK_FLOWS : PAPER_FLOWS);
  }

  private static Case oneCase(Raw raw) {
    Setup usual = Setup.MIXED;
    long cir =
        raw.cir() == null
            ? usual.committedBps()
            : OptionValues.rate("--cir", raw.cir(), MIN_RATE_BPS, LINE_BPS);
    long burst = usual.burstBits();
    if (raw.burst() != null) {
      OptionalLong bits = Rates.parse(raw.burst());
      burst = bits.isPresent() ? bits.getAsLong() : -1;
    }
    String markerName = raw.marker() == null ? MarkerKind.F_SAM.key() : raw.marker();
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
              String.valueOf(raw.burst()),
              8 * Aggregate.MIN_BURST_BYTES + " to " + 8 * Aggregate.maxBurstBytes(cir) + " bits")
          : new OptionException("--cir", raw.cir(), e.allowed());
    }
    double seconds =
        raw.seconds() == null
            ? usual.seconds()
            : OptionValues.decimal("--seconds", raw.seconds(), 1, 600);
    List<Source> sources = new ArrayList<>();
    if (raw.sources() != null) {
      raw.sources().forEach(text -> sources.add(source(text)));
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
    OptionalLong bps = Rates.parse(rate);
    if (bps.isEmpty() || bps.getAsLong() < MIN_RATE_BPS || bps.getAsLong() > LINE_BPS) {
      throw new OptionException(
          "--source", text, "RATE", rate, OptionValues.rateRange(MIN_RATE_BPS, LINE_BPS));
    }
    return Source.udp(bps.getAsLong());
  }
}
