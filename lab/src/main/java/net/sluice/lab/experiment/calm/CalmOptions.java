package net.sluice.lab.experiment.calm;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.value.Direction;
import net.sluice.lab.experiment.ExperimentKind;
import net.sluice.lab.experiment.GivenSettings;
import net.sluice.lab.experiment.Setting;
import net.sluice.lab.experiment.calm.CalmCell.Bulk;

/**
 * Options of the experiment.
 *
 * @param plans the cells to run
 * @param quick whether only some of the cells run
 * @param seed of everything random
 */
public record CalmOptions(List<CalmPlan> plans, boolean quick, long seed) {
  private static final String[] ONE_CASE = {
    "--limit", "--enforcement", "--bulk", "--flows", "--rtt", "--ecn", "--up"
  };

  /** The experiment as the command line has it. */
  public static final ExperimentKind KIND =
      new ExperimentKind(
          CalmExperiment.NAME,
          List.of(
              "The delay under limits: a call and a game beside heavy flows of the same subscriber, beside"
                  + " FlowQueue-CoDel (RFC 8290), CoDel (RFC 8289) and a limit without AQM.",
              "With any of the next seven options one case alone; what is not given of them is 20M, shape, cubic, 4, 40.",
              ExperimentKind.TIME),
          List.of(
              Setting.of("--limit", "RATE", "The subscriber's limit in the case."),
              Setting.of(
                  "--enforcement", "HOW", "What enforces the case's limit: shape, fpga or police."),
              Setting.of(
                  "--bulk",
                  "HOW",
                  "The case's heavy flows: cubic, bbr, prague (RFC 9331), prague-and-cubic by turns, or"
                      + " flood: datagrams at 2.5 times the limit."),
              Setting.of("--flows", "N", "Heavy flows of the case."),
              Setting.of("--rtt", "MILLIS", "Their round-trip time without queues, ms."),
              Setting.of("--ecn", "", "The case's Cubic and BBR flows use ECN."),
              Setting.of("--up", "", "The case's limit and flows are upstream."),
              Setting.seed("Seed of everything random."),
              Setting.quick(
                  "Limits of 20 and 100 Mbit/s, four flows, 40 ms, no ECN, and the cells of scalable senders and"
                      + " floods.")),
          given -> {
            CalmOptions options = of(given);
            return progress -> new CalmExperiment(options);
          });

  private static final String LIMIT = "20M";
  private static final String RTT = "40";
  private static final long MIN_LIMIT_BPS = 1_000_000;
  private static final long MAX_LIMIT_BPS = 1_000_000_000;
  private static final int MAX_FLOWS = 200;
  private static final double MIN_RTT_MILLIS = 0.1;
  private static final double MAX_RTT_MILLIS = 1_000;

  public CalmOptions {
    plans = List.copyOf(plans);
  }

  /**
   * Reads the options.
   *
   * @throws OptionException for the first that cannot be used
   */
  static CalmOptions of(GivenSettings given) {
    long seed = given.seed(0);
    if (!given.any(ONE_CASE)) {
      return new CalmOptions(
          given.quick() ? CalmPlan.quick() : CalmPlan.full(), given.quick(), seed);
    }
    if (given.quick()) {
      throw new OptionException(
          "--quick", "given", "without " + String.join(", ", ONE_CASE) + ", as a case runs once");
    }
    CalmCell cell =
        new CalmCell(
            enforcement(given),
            given.any("--up") ? Direction.UP : Direction.DOWN,
            OptionValues.rate(
                "--limit", given.text("--limit", LIMIT), MIN_LIMIT_BPS, MAX_LIMIT_BPS),
            bulk(given),
            (int) OptionValues.wholeNumber("--flows", given.text("--flows", "4"), 1, MAX_FLOWS),
            OptionValues.decimal("--rtt", given.text("--rtt", RTT), MIN_RTT_MILLIS, MAX_RTT_MILLIS),
            given.any("--ecn"));
    return new CalmOptions(List.of(CalmPlan.oneCase(cell)), false, seed);
  }

  private static Enforcement enforcement(GivenSettings given) {
    String text = given.text("--enforcement", Enforcement.SHAPE.text());
    return CalmPlan.ENFORCEMENTS.stream()
        .filter(each -> each.text().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new OptionException(
                    "--enforcement",
                    text,
                    CalmPlan.ENFORCEMENTS.stream()
                        .map(Enforcement::text)
                        .collect(Collectors.joining(", "))));
  }

  private static Bulk bulk(GivenSettings given) {
    return given.any("--bulk") ? given.named("--bulk", Bulk.values(), Bulk::text) : Bulk.CUBIC;
  }

  /** One paragraph: what ran, and what a quick run leaves out. */
  String scope() {
    return String.format(
        Locale.ROOT,
        "The compiled program on the emulated switch in virtual time, without an agent at the gates. Seed %d.%s",
        seed,
        quick ? " Quick run: the first two limits, four flows, one round-trip time, no ECN." : "");
  }
}
