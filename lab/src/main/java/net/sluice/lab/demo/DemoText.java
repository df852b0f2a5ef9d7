package net.sluice.lab.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.lab.report.TextTable;
import net.sluice.lab.report.Verdict;
import net.sluice.lab.support.Figures;

/** A {@link DemoReport} in words, for the terminal and for the page. */
final class DemoText {
  private static final List<String> HEADS =
      List.of(
          "group",
          "switch",
          "policy",
          "subscribers",
          "offered",
          "limit asked",
          "limit granted",
          "predicted share",
          "delivered",
          "off by",
          "known to",
          "worst subscriber",
          "loss",
          "queue delay mean",
          "queue delay p99",
          "");

  /** Shares that differ by less than this part are called equal. */
  private static final double EQUAL = 0.02;

  private static final Set<String> BUILT_IN =
      Arrays.stream(BuiltInFunction.values())
          .map(BuiltInFunction::text)
          .collect(Collectors.toUnmodifiableSet());

  private DemoText() {}

  /** Heads of the table of groups. */
  static List<String> heads(DemoReport report) {
    return shown(report, HEADS);
  }

  /** Of one switch alone, which one it is need not be told. */
  private static List<String> shown(DemoReport report, List<String> cells) {
    List<String> shown = new ArrayList<>(cells);
    if (!report.isOfSeveralSwitches()) {
      shown.remove(1);
    }
    return shown;
  }

  /** One line of the table per group. */
  static List<List<String>> lines(DemoReport report) {
    List<List<String>> lines = new ArrayList<>();
    for (DemoReport.Group group : report.groups()) {
      lines.add(
          shown(
              report,
              List.of(
                  group.name(),
                  group.switchId(),
                  group.policy(),
                  Integer.toString(group.subscribers()),
                  Figures.rate(group.offeredBps()),
                  group.limitBps() == null ? "-" : Figures.rate(group.limitBps()),
                  group.grantedLimitBps() == null ? "-" : Figures.rate(group.grantedLimitBps()),
                  Figures.rate(group.predictedBps()),
                  Figures.rate(group.deliveredBps()),
                  // Of a share of less than a bit per second there is nothing to be off by.
                  group.predictedBps() < 1
                      ? "-"
                      : Figures.percent(group.deliveredBps() / group.predictedBps() - 1),
                  group.uncertainty() == null ? "-" : "+-" + Figures.percent(group.uncertainty()),
                  group.worst() + " " + Figures.rate(group.deliveredBpsMin()),
                  Figures.percent(group.loss()),
                  micros(group.queueDelayMicrosMean()),
                  micros(group.queueDelayMicrosP99()),
                  judged(group))));
    }
    return lines;
  }

  private static String judged(DemoReport.Group group) {
    if (group.ok() && group.notJudged() != null) {
      return "not judged";
    }
    return (group.ok() ? Verdict.KEPT : Verdict.MISSED).word();
  }

  /** The table and the verdict as plain text. */
  static String text(DemoReport report) {
    TextTable table = new TextTable(heads(report).toArray(new String[0]));
    lines(report).forEach(line -> table.line(line.toArray(new String[0])));
    StringBuilder text = new StringBuilder(table.text()).append('\n');
    notes(report).forEach(note -> text.append(note).append('\n'));
    if (report.household() != null) {
      text.append('\n').append(report.household().text()).append('\n');
    }
    report.reasons().forEach(reason -> text.append("- ").append(reason).append('\n'));
    return text.append(verdict(report)).append('\n').toString();
  }

  /** Whether all groups got what was predicted, and a household waits as little as it should. */
  static String verdict(DemoReport report) {
    if (!report.ok()) {
      return "not ok: see the reasons above.";
    }
    List<String> open =
        report.groups().stream()
            .filter(group -> group.notJudged() != null)
            .map(DemoReport.Group::name)
            .toList();
    return "ok: every group"
        + (open.isEmpty() ? "" : " that could be judged")
        + " got its predicted share within 5 %, and nobody below its share lost packets."
        + (report.household() == null ? "" : " " + report.household().verdict())
        + (open.isEmpty() ? "" : " Not judged: " + String.join(", ", open) + ".");
  }

  /** Explains the numbers and the effect of rate limits. */
  static List<String> notes(DemoReport report) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "Rates are per subscriber, frame bits per second. The bottleneck of "
            + Figures.rate(report.bottleneckBps())
            + " was "
            + Figures.percent(report.utilization())
            + " busy for "
            + Figures.number(report.virtualSeconds())
            + " virtual seconds, after a warm-up of "
            + Figures.number(report.warmUpSeconds())
            + "; wall time "
            + Figures.number(report.wallSeconds())
            + " s.");
    if (report.isOfSeveralSwitches()) {
      notes.add(lines(report.links()));
    }
    for (DemoReport.Group group : report.groups()) {
      if (group.notJudged() != null) {
        notes.add(group.notJudged());
      }
      if (group.subscribers() > 1
          && group.uncertaintyOfOne() != null
          && group.uncertaintyOfOne() > DemoVerdict.SHARE_TOLERANCE) {
        notes.add(
            String.format(
                Locale.ROOT,
                "%s: in this time a single subscriber's rate is known to +-%.0f %% only, so its"
                    + " worst one and the whiskers show chance as much as the switch.",
                group.name(),
                100 * group.uncertaintyOfOne()));
      }
      if (group.grantedLimitBps() != null && group.grantedLimitBps() < group.offeredBps()) {
        notes.add(
            group.name()
                + ": what exceeds the granted limit of "
                + Figures.rate(group.grantedLimitBps())
                + lost(group.limiter())
                + " by design; beyond that "
                + Figures.percent(group.lossBeyondLimit())
                + " was lost.");
      }
    }
    notes.addAll(equalShares(report.groups()));
    return notes;
  }

  private static String lost(String limiter) {
    if (Enforcement.POLICE.text().equals(limiter)) {
      return " is dropped by the switch's meters";
    }
    return Enforcement.SHAPE.text().equals(limiter)
        ? " waits in the switch, in its delay, and is lost to CoDel or where it would wait longer"
            + " than its policy allows,"
        : " is lost at the FPGA";
  }

  private static String lines(List<LinkLoad> links) {
    return "Lines, with what is predicted and was measured of their rates: "
        + links.stream()
            .map(
                link ->
                    link.switchId()
                        + " port "
                        + link.port()
                        + " ("
                        + Figures.rate(link.rateBps())
                        + ") "
                        + Figures.percent(link.predicted())
                        + " and "
                        + Figures.percent(link.utilization()))
            .collect(Collectors.joining(", "))
        + ".";
  }

  /** Groups of different policies that are predicted the same: not what policies are made for. */
  private static List<String> equalShares(List<DemoReport.Group> groups) {
    List<String> notes = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      for (DemoReport.Group other : groups.subList(i + 1, groups.size())) {
        DemoReport.Group one = groups.get(i);
        if (one.policy().equals(other.policy())
            || one.predictedBps() >= one.demandBps() * (1 - 1e-6)
            || other.predictedBps() >= other.demandBps() * (1 - 1e-6)
            || Math.abs(one.predictedBps() / other.predictedBps() - 1) > EQUAL) {
          continue;
        }
        boolean builtIn = BUILT_IN.contains(one.policy()) && BUILT_IN.contains(other.policy());
        notes.add(
            one.name()
                + " and "
                + other.name()
                + " have equal shares although their policies differ: at "
                + Figures.rate(one.predictedBps())
                + " "
                + one.policy()
                + " and "
                + other.policy()
                + " value a packet alike"
                + (builtIn ? ", as the built-in curves do up to 234 kbit/s." : "."));
      }
    }
    return notes;
  }

  private static String micros(Double micros) {
    return micros == null ? "-" : Figures.micros(micros);
  }
}
