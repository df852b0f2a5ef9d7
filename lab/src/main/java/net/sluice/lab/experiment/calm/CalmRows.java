package net.sluice.lab.experiment.calm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.lab.experiment.calm.CalmCell.Bulk;
import net.sluice.lab.report.Row;

/** The rows of a cell. */
final class CalmRows {
  /** Light flows' waits are bounded from this limit on. */
  private static final long LIGHT_FROM_BPS = 20_000_000;

  private static final double LIGHT_MILLIS = 10;
  private static final double LIGHT_OVER_REFERENCE = 1.2;
  private static final double BULK_OVER_CODEL = 1.25;
  private static final double UTILIZATION = 0.95;
  private static final double EXCESS = 0.005;
  private static final double JAIN = 0.95;
  private static final double L4S_MILLIS = 2;
  private static final double L4S_RATIO = 2;
  private static final double BITS_PER_BYTE = 8;
  private static final String MILLIS = "ms";
  private static final String RATIO = "1";
  private static final String PACKETS = "packets";

  private final CalmPlan plan;
  private final CalmCell cell;
  private final Map<CalmColumn, CalmResult> results;
  private final List<Row> rows = new ArrayList<>();

  private CalmRows(CalmPlan plan, Map<CalmColumn, CalmResult> results) {
    this.plan = plan;
    this.cell = plan.cell();
    this.results = results;
  }

  /**
   * The rows.
   *
   * @param results of every column of the plan
   */
  static List<Row> of(CalmPlan plan, Map<CalmColumn, CalmResult> results) {
    CalmRows rows = new CalmRows(plan, results);
    rows.now(results.get(CalmColumn.NOW));
    for (CalmColumn column : List.of(CalmColumn.REFERENCE, CalmColumn.BEFORE)) {
      if (results.containsKey(column)) {
        rows.beside(column, results.get(column));
      }
    }
    return rows.rows;
  }

  private boolean shaped() {
    return cell.enforcement() != Enforcement.POLICE;
  }

  private String name(String quantity) {
    return plan.key() + "." + quantity;
  }

  private void now(CalmResult now) {
    CalmResult reference = results.get(CalmColumn.REFERENCE);
    double light = reference.lightP99Millis();
    String p99 = name("light.p99Millis");
    if (shaped() && cell.limitBps() >= LIGHT_FROM_BPS) {
      rows.add(Row.atMost(p99, MILLIS, light, now.lightP99Millis(), LIGHT_MILLIS));
      rows.add(
          Row.atMost(
              name("light.overReference"),
              MILLIS,
              light,
              now.lightP99Millis(),
              LIGHT_OVER_REFERENCE * light));
    } else {
      rows.add(Row.plain(p99, MILLIS, light, now.lightP99Millis()));
    }
    rows.add(Row.plain(name("light.lost"), RATIO, reference.lightLost(), now.lightLost()));
    bulk(now);
    rows.add(
        Row.atLeast(
            name("utilization"), RATIO, utilization(reference), utilization(now), UTILIZATION));
    rows.add(Row.atMost(name("excess"), RATIO, null, excess(now), EXCESS));
    if (cell.mixed()) {
      mixed(now, reference);
    } else if (cell.flows() > 1 && cell.bulk() != Bulk.FLOOD) {
      rows.add(Row.atLeast(name("jain"), RATIO, reference.jain(), now.jain(), JAIN));
    }
    if (cell.scalable(0)) {
      rows.add(
          Row.atMost(
              name("l4s.p99Millis"),
              MILLIS,
              reference.p99Millis(scalable(true)),
              now.p99Millis(scalable(true)),
              L4S_MILLIS));
    }
    if (cell.bulk() == Bulk.FLOOD) {
      rows.add(Row.atMost(name("neighbour.lost"), PACKETS, null, now.neighbourLost(), 0));
      rows.add(Row.plain(name("neighbour.p99Millis"), MILLIS, null, now.neighbourP99Millis()));
    }
  }

  private void bulk(CalmResult now) {
    String name = name("bulk.meanMillis");
    if (!results.containsKey(CalmColumn.ONE_QUEUE)) {
      rows.add(Row.plain(name, MILLIS, null, now.bulkMeanMillis()));
      return;
    }
    double codel = results.get(CalmColumn.ONE_QUEUE).bulkMeanMillis();
    rows.add(Row.atMost(name, MILLIS, codel, now.bulkMeanMillis(), BULK_OVER_CODEL * codel));
  }

  /** Scalable and other senders share the limit. */
  private void mixed(CalmResult now, CalmResult reference) {
    rows.add(Row.atMost(name("l4s.rateRatio"), RATIO, ratio(reference), ratio(now), L4S_RATIO));
  }

  /** The larger over the smaller of the mean rates of the flows of either kind. */
  private double ratio(CalmResult result) {
    double scalable = result.bps(scalable(true)) / scalable(true).count();
    double others = result.bps(scalable(false)) / scalable(false).count();
    return Math.max(scalable / others, others / scalable);
  }

  private IntStream scalable(boolean are) {
    return IntStream.range(0, cell.flows()).filter(flow -> cell.scalable(flow) == are);
  }

  private void beside(CalmColumn column, CalmResult result) {
    String suffix = column.suffix();
    rows.add(Row.plain(name("light.p99Millis") + suffix, MILLIS, null, result.lightP99Millis()));
    rows.add(Row.plain(name("light.lost") + suffix, RATIO, null, result.lightLost()));
    rows.add(Row.plain(name("bulk.meanMillis") + suffix, MILLIS, null, result.bulkMeanMillis()));
    rows.add(Row.plain(name("utilization") + suffix, RATIO, null, utilization(result)));
    rows.add(Row.plain(name("jain") + suffix, RATIO, null, result.jain()));
    if (cell.scalable(0)) {
      rows.add(
          Row.plain(
              name("l4s.p99Millis") + suffix, MILLIS, null, result.p99Millis(scalable(true))));
    }
    if (cell.bulk() == Bulk.FLOOD && column.switched()) {
      rows.add(Row.plain(name("neighbour.lost") + suffix, PACKETS, null, result.neighbourLost()));
    }
  }

  private double utilization(CalmResult result) {
    return result.rateBps() / cell.limitBps();
  }

  /** By how much more left than the limit lets through: a meter its burst beside its rate. */
  private double excess(CalmResult result) {
    double burst =
        shaped()
            ? 0
            : MeterProfile.flowBurstBytes(cell.limitBps(), cell.policyRttMillis())
                * BITS_PER_BYTE
                / plan.seconds();
    return (result.rateBps() - burst) / cell.limitBps() - 1;
  }
}
