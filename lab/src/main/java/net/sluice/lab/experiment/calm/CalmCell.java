package net.sluice.lab.experiment.calm;

import java.util.Locale;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.value.Direction;
import net.sluice.lab.support.Figures;

/**
 * One combination of limit and traffic.
 *
 * @param enforcement what enforces the limit
 * @param direction that of the limit and its traffic
 * @param limitBps the subscriber's limit, bit/s
 * @param bulk its heavy flows
 * @param flows number of these, at least 1
 * @param rttMillis round-trip time of the TCP flows without queues, ms
 * @param ecn whether Cubic and BBR use ECN (RFC 3168)
 */
record CalmCell(
    Enforcement enforcement,
    Direction direction,
    long limitBps,
    Bulk bulk,
    int flows,
    double rttMillis,
    boolean ecn) {
  /** The heavy flows. */
  enum Bulk {
    CUBIC,
    BBR,
    /** Scalable senders (RFC 9331). */
    PRAGUE,
    /** Flows with an even number are Prague's, the others Cubic's. */
    PRAGUE_AND_CUBIC,
    /** Sends at {@link CalmRun#FLOOD} times the limit and does not respond. */
    FLOOD;

    private final String text = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** As on the command line. */
    String text() {
      return text;
    }
  }

  /** First part of the names of its rows, e.g. {@code shape.20M.cubic.4.rtt40.ecn}. */
  String key() {
    return enforcement.text()
        + "."
        + Figures.shortRate(limitBps).replace("bit/s", "").replace(" ", "")
        + "."
        + bulk.text()
        + "."
        + flows
        + ".rtt"
        + Figures.number(rttMillis)
        + (ecn ? ".ecn" : "")
        + (direction == Direction.UP ? ".up" : "");
  }

  /** The cell by which runs that know no switch are the same: its limit and traffic alone. */
  CalmCell traffic() {
    return new CalmCell(Enforcement.SHAPE, Direction.DOWN, limitBps, bulk, flows, rttMillis, ecn);
  }

  /** The round-trip time that the subscriber's policy names: the next whole one, at least 1 ms. */
  int policyRttMillis() {
    return (int) Math.max(1, Math.ceil(rttMillis));
  }

  /** Whether a heavy flow takes the low-latency way. */
  boolean scalable(int flow) {
    return bulk == Bulk.PRAGUE || bulk == Bulk.PRAGUE_AND_CUBIC && flow % 2 == 0;
  }

  /** Whether it has heavy flows of both kinds. */
  boolean mixed() {
    return bulk == Bulk.PRAGUE_AND_CUBIC && flows > 1;
  }
}
