package net.sluice.lab.experiment.calm;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.value.Direction;
import net.sluice.lab.experiment.calm.CalmCell.Bulk;

/**
 * A cell and how it runs.
 *
 * @param key first part of its rows' names
 * @param cell limit and traffic
 * @param columns what it runs through
 * @param warmUpSeconds virtual seconds before those that are measured
 * @param seconds virtual seconds that are measured
 */
record CalmPlan(
    String key, CalmCell cell, Set<CalmColumn> columns, double warmUpSeconds, double seconds) {
  /** The limiters that are looked at. */
  static final List<Enforcement> ENFORCEMENTS =
      List.of(Enforcement.SHAPE, Enforcement.FPGA, Enforcement.POLICE);

  private static final long MEGA = 1_000_000;
  private static final long L4S_BPS = 50 * MEGA;
  private static final double L4S_RTT_MILLIS = 10;
  private static final int UP_MBPS = 20;
  private static final double UP_RTT_MILLIS = 40;
  private static final double WARM_UP_SECONDS = 5;
  private static final double SECONDS = 10;

  /** From this round-trip time on TCP takes long to settle, and runs are as many times as long. */
  private static final double LONG_RTT_MILLIS = 100;

  private static final double LONGER = 2;

  /**
   * From this limit on few cells run without AQM, too: the loops are full of packets then, which is
   * several times the work.
   */
  private static final long SAMPLED_BPS = 100 * MEGA;

  private static final int SAMPLED_FLOWS = 4;
  private static final double SAMPLED_RTT_MILLIS = 10;

  /** From this limit on runs are shorter. */
  private static final long FAST_BPS = 500 * MEGA;

  private static final double FAST_WARM_UP_SECONDS = 2;
  private static final double FAST_SECONDS = 3;

  /** Work of a pass through a loop, beside that of a packet, with TCP. */
  private static final double WORK_OF_PASS = 0.1;

  private static final double PACKET_BITS = 1_514 * 8.0;

  CalmPlan {
    columns = EnumSet.copyOf(columns);
  }

  private static CalmPlan of(String key, CalmCell cell) {
    Set<CalmColumn> columns = EnumSet.allOf(CalmColumn.class);
    if (cell.enforcement() == Enforcement.POLICE) {
      columns = EnumSet.of(CalmColumn.NOW, CalmColumn.REFERENCE);
    }
    if (cell.limitBps() >= FAST_BPS) {
      return new CalmPlan(key, cell, columns, FAST_WARM_UP_SECONDS, FAST_SECONDS);
    }
    double times =
        cell.rttMillis() >= LONG_RTT_MILLIS && cell.limitBps() < SAMPLED_BPS ? LONGER : 1;
    return new CalmPlan(key, cell, columns, times * WARM_UP_SECONDS, times * SECONDS);
  }

  /** A case alone. */
  static CalmPlan oneCase(CalmCell cell) {
    return of("case", cell);
  }

  /** All cells. */
  static List<CalmPlan> full() {
    return cells(
        List.of(5, 20, 100, 1_000), List.of(1, 4, 16), List.of(10, 40, 100), List.of(false, true));
  }

  /** One in eighteen, and all floods and scalable senders. */
  static List<CalmPlan> quick() {
    return cells(List.of(20, 100), List.of(4), List.of(40), List.of(false));
  }

  private static List<CalmPlan> cells(
      List<Integer> limitsMbps, List<Integer> flows, List<Integer> rtts, List<Boolean> ecns) {
    List<CalmPlan> plans = new ArrayList<>();
    for (Enforcement enforcement : ENFORCEMENTS) {
      for (int mbps : limitsMbps) {
        for (Bulk bulk : List.of(Bulk.CUBIC, Bulk.BBR)) {
          for (int count : flows) {
            for (int rtt : rtts) {
              for (boolean ecn : ecns) {
                add(plans, cell(enforcement, mbps, bulk, count, rtt, ecn));
              }
            }
          }
        }
      }
    }
    add(plans, l4s(Bulk.PRAGUE, 1, false));
    add(plans, l4s(Bulk.PRAGUE_AND_CUBIC, 2, false));
    add(plans, l4s(Bulk.PRAGUE_AND_CUBIC, 2, true));
    for (Enforcement enforcement : List.of(Enforcement.SHAPE, Enforcement.FPGA)) {
      for (int mbps : List.of(20, 100)) {
        add(plans, cell(enforcement, mbps, Bulk.FLOOD, 1, 0, false));
      }
      for (Bulk bulk : List.of(Bulk.CUBIC, Bulk.BBR)) {
        for (int count : flows) {
          add(
              plans,
              new CalmCell(
                  enforcement, Direction.UP, UP_MBPS * MEGA, bulk, count, UP_RTT_MILLIS, false));
        }
      }
    }
    return plans;
  }

  private static CalmCell cell(
      Enforcement enforcement, int mbps, Bulk bulk, int flows, double rttMillis, boolean ecn) {
    return new CalmCell(enforcement, Direction.DOWN, mbps * MEGA, bulk, flows, rttMillis, ecn);
  }

  private static CalmCell l4s(Bulk bulk, int flows, boolean ecn) {
    return new CalmCell(
        Enforcement.SHAPE, Direction.DOWN, L4S_BPS, bulk, flows, L4S_RTT_MILLIS, ecn);
  }

  private static void add(List<CalmPlan> plans, CalmCell cell) {
    CalmPlan plan = of(cell.key(), cell);
    if (cell.limitBps() >= SAMPLED_BPS && cell.bulk() != Bulk.FLOOD && !sampled(cell)) {
      plan.columns.remove(CalmColumn.BEFORE);
    }
    plans.add(plan);
  }

  private static boolean sampled(CalmCell cell) {
    return cell.flows() == SAMPLED_FLOWS && !cell.ecn() && cell.rttMillis() <= SAMPLED_RTT_MILLIS;
  }

  CalmResult run(CalmColumn column, long seed) {
    return CalmRun.run(cell, column, warmUpSeconds, seconds, seed);
  }

  /** Work of a run, in packets. */
  double work(CalmColumn column) {
    double packets = (warmUpSeconds + seconds) * cell.limitBps() / PACKET_BITS;
    if (!column.switched() || cell.enforcement() != Enforcement.SHAPE) {
      return packets;
    }
    double passes =
        (warmUpSeconds + seconds) * LimitedSwitch.loopsBps(cell.limitBps()) / PACKET_BITS;
    return packets + WORK_OF_PASS * passes * (column == CalmColumn.BEFORE ? 3 : 1);
  }
}
