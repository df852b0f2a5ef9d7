package net.sluice.intents.compile;

import net.sluice.intents.model.PortQueue;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.plan.entry.queue.QueueRioEntry;
import net.sluice.intents.plan.entry.queue.QueueRioEntry.RedCurve;

/** RIO in the switch's numbers. */
public final class RioTuning {
  private static final double PROBABILITY_UNIT = 0x1p24;
  private static final int MAX_SLOPE = 16_777_215;

  /** ns-2's mean packet, by whose time on the line it counts how long a queue has been empty. */
  private static final int MEAN_PACKET_BITS = 8 * 500;

  private static final double MICROS = 1e6;
  private static final int MAX_IDLE_SHIFT = 40;

  private RioTuning() {}

  /**
   * The entry of a queue.
   *
   * @param rateBps of its port
   */
  public static QueueRioEntry entry(PortQueue queue, Aqm.Rio rio, long rateBps) {
    return new QueueRioEntry(
        queue.port(),
        queue.queue(),
        rio.inDscp(),
        rio.limitPackets(),
        rio.weightShift(),
        idleShift(rio.weightShift(), rateBps),
        curve(rio.in()),
        curve(rio.out()));
  }

  /**
   * Each packet that could have been sent takes its weight off the average of an empty queue, which
   * halves after ln 2 over the weight of them; 2^shift us come nearest.
   */
  private static int idleShift(int weightShift, long rateBps) {
    double halfLifeMicros = Math.log(2) * (1 << weightShift) * MEAN_PACKET_BITS / rateBps * MICROS;
    long shift = Math.round(Math.log(halfLifeMicros) / Math.log(2));
    return (int) Math.max(0, Math.min(MAX_IDLE_SHIFT, shift));
  }

  private static RedCurve curve(Aqm.RioCurve curve) {
    int packets = curve.maxPackets() - curve.minPackets();
    long slope = Math.round(curve.maxProbability() / packets * PROBABILITY_UNIT);
    return new RedCurve(
        (long) curve.minPackets() << 16,
        (long) curve.maxPackets() << 16,
        (int) Math.min(MAX_SLOPE, slope));
  }
}
