package net.sluice.lab.demo.household;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import net.sluice.lab.demo.household.Household.Flow;
import net.sluice.lab.report.TextTable;
import net.sluice.lab.report.Verdict;
import net.sluice.lab.support.Figures;
import org.HdrHistogram.Histogram;

/**
 * The rates and delays of a {@link Household}, and beside them those without what keeps delay low.
 * The names of the components are those in the JSON report.
 *
 * @param limitBps the household's limit, bit/s
 * @param flows by name
 */
public record HouseholdReport(long limitBps, List<Line> flows) {
  /** Longest 99th percentile of the delay of call and game, microseconds. */
  static final double MAX_LIGHT_MICROS = 10_000;

  /** Least part of what call and game send that has to arrive. */
  static final double MIN_LIGHT_PART = 0.98;

  /**
   * A flow.
   *
   * @param load what is sent
   * @param bloat the same without what keeps delay low; null if that was not asked for
   * @param ok whether bounds, if it has any, are kept
   */
  public record Line(String name, String load, Got now, Got bloat, boolean ok) {}

  /**
   * The packets that arrived.
   *
   * @param delayMicrosMean mean time in the switch, null if no packet arrived
   * @param delayMicrosP99 99th percentile of it, null if no packet arrived
   */
  public record Got(double rateBps, Double delayMicrosMean, Double delayMicrosP99) {
    static Got of(Household run, Flow flow) {
      Histogram nanos = run.delays().get(flow);
      return nanos.getTotalCount() == 0
          ? new Got(0, null, null)
          : new Got(
              run.rateBps().get(flow), nanos.getMean() / 1e3, nanos.getValueAtPercentile(99) / 1e3);
    }
  }

  public HouseholdReport {
    flows = List.copyOf(flows);
  }

  /** Of a run, and of one without what keeps delay low. */
  public static HouseholdReport of(Household now, Optional<Household> bloat) {
    List<Line> lines = new ArrayList<>();
    for (Flow flow : Flow.values()) {
      Got got = Got.of(now, flow);
      lines.add(
          new Line(
              flow.text(),
              flow.load(),
              got,
              bloat.map(run -> Got.of(run, flow)).orElse(null),
              misses(flow, got).isEmpty()));
    }
    return new HouseholdReport(Household.LIMIT_BPS, lines);
  }

  /** Bounds that are not kept, a sentence each. */
  public List<String> reasons() {
    List<String> reasons = new ArrayList<>();
    for (Flow flow : Flow.values()) {
      reasons.addAll(misses(flow, flows.get(flow.ordinal()).now()));
    }
    return reasons;
  }

  private static List<String> misses(Flow flow, Got got) {
    List<String> misses = new ArrayList<>();
    if (flow.light() && got.rateBps() < MIN_LIGHT_PART * flow.offeredBps()) {
      misses.add(
          String.format(
              Locale.ROOT,
              "The household's %s got %s of %s sent (allowed: at least %.0f %%).",
              flow.text(),
              Figures.rate(got.rateBps()),
              Figures.rate(flow.offeredBps()),
              100 * MIN_LIGHT_PART));
    }
    if (flow.light() && got.delayMicrosP99() != null && got.delayMicrosP99() > MAX_LIGHT_MICROS) {
      misses.add(
          String.format(
              Locale.ROOT,
              "The household's %s takes %s at the 99th percentile (allowed: %s).",
              flow.text(),
              Figures.micros(got.delayMicrosP99()),
              Figures.micros(MAX_LIGHT_MICROS)));
    }
    return misses;
  }

  /** A sentence for a household that keeps its bounds. */
  public String verdict() {
    return String.format(
        Locale.ROOT,
        "The household's call and game take at most %s at the 99th percentile.",
        Figures.micros(MAX_LIGHT_MICROS));
  }

  /** One sentence before the table. */
  public String about() {
    return "A household with a limit of "
        + Figures.rate(limitBps)
        + " that the switch shapes, beside the neighbour's flood; delay is time in the switch.";
  }

  private boolean hasBloat() {
    return flows.get(0).bloat() != null;
  }

  /** Heads of the table. */
  public List<String> heads() {
    List<String> heads =
        new ArrayList<>(List.of("flow", "sent", "delivered", "delay mean", "delay p99"));
    if (hasBloat()) {
      heads.addAll(List.of("--bloat: delivered", "delay mean", "delay p99"));
    }
    heads.add("");
    return heads;
  }

  /** Lines of the table, one a flow. */
  public List<List<String>> lines() {
    List<List<String>> lines = new ArrayList<>();
    for (Line line : flows) {
      List<String> cells = new ArrayList<>(List.of(line.name(), line.load()));
      add(cells, line.now());
      if (hasBloat()) {
        add(cells, line.bloat());
      }
      boolean judged = Flow.values()[lines.size()].light();
      cells.add(judged ? (line.ok() ? Verdict.KEPT : Verdict.MISSED).word() : "");
      lines.add(cells);
    }
    return lines;
  }

  private static void add(List<String> cells, Got got) {
    cells.add(Figures.rate(got.rateBps()));
    cells.add(micros(got.delayMicrosMean()));
    cells.add(micros(got.delayMicrosP99()));
  }

  private static String micros(Double micros) {
    return micros == null ? "-" : Figures.micros(micros);
  }

  /** The table as plain text. */
  public String text() {
    TextTable table = new TextTable(heads().toArray(new String[0]));
    lines().forEach(line -> table.line(line.toArray(new String[0])));
    return about() + "\n" + table.text();
  }
}
