package net.sluice.lab.experiment.codelact;

import java.util.List;

/**
 * One combination of flows, rate and round-trip times.
 *
 * @param key last part of its rows' names, e.g. {@code 100M.10}
 * @param flows TCP flows, at least 1
 * @param rateBps rate of the bottleneck, bit/s
 * @param leastRttMillis least round-trip time of a flow, without queues, ms
 * @param mostRttMillis greatest, at least the least
 */
record Cell(String key, int flows, long rateBps, double leastRttMillis, double mostRttMillis) {
  private static final long SLOW_BPS = 100_000_000;
  private static final long FAST_BPS = 1_000_000_000;

  /** Figure 12. */
  static final List<Cell> SLOW =
      List.of(
          new Cell("100M.1", 1, SLOW_BPS, 5, 10),
          new Cell("100M.3", 3, SLOW_BPS, 5, 10),
          new Cell("100M.10", 10, SLOW_BPS, 5, 10));

  /** Figure 13. */
  static final List<Cell> FAST =
      List.of(
          new Cell("1000M.10", 10, FAST_BPS, 3, 25),
          new Cell("1000M.30", 30, FAST_BPS, 3, 25),
          new Cell("1000M.50", 50, FAST_BPS, 3, 25));

  /** Figure 14. */
  static final List<Cell> RTT =
      List.of(
          new Cell("100M.3.rtt10", 3, SLOW_BPS, 10, 10),
          new Cell("100M.3.rtt100", 3, SLOW_BPS, 100, 100),
          new Cell("100M.3.rtt300", 3, SLOW_BPS, 300, 300));

  /** Those that run with other congestion controls, too: one of each figure. */
  static final List<Cell> FOR_ALL_MIXES = List.of(SLOW.get(2), FAST.get(1), RTT.get(1));

  /** Figures 1, 16 and 17. */
  static final Cell TEN_FLOWS = SLOW.get(2);

  /** The cell of the paper's abstract. */
  static final Cell FIFTY_FLOWS = FAST.get(2);
}
