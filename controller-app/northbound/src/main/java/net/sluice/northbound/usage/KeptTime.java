package net.sluice.northbound.usage;

import net.sluice.intents.verdict.Cause;

/** One direction of a subscriber over a time, as it is kept. */
public final class KeptTime {
  private static final int WHOLE = 255;

  private final long from;
  private final long to;
  private final long gotBps;
  private final Judge.Finding finding;
  private final double shortShare;
  private final double[] waits;

  /**
   * A time.
   *
   * @param from its begin, in seconds of the epoch
   * @param to its end
   * @param gotBps the rate that the subscriber got
   * @param finding what limited it; the rate is of the times in which something did
   * @param shortShare the part of the time in which it was short, 0 to 1
   * @param waits packets by range, in any unit
   */
  public KeptTime(
      long from, long to, long gotBps, Judge.Finding finding, double shortShare, double... waits) {
    this.from = from;
    this.to = to;
    this.gotBps = gotBps;
    this.finding = finding;
    this.shortShare = shortShare;
    this.waits = waits.clone();
  }

  /** A slot of a block. */
  static KeptTime of(Block block, int slot, int first, long from, long to) {
    double[] waits = new double[Delay.RANGES];
    for (int i = 0; i < waits.length; i++) {
      waits[i] = Compact.value(block.codes[first + Measure.FIRST_WAIT + i][slot]);
    }
    int code = block.codes[first + Measure.JUDGED.ordinal()][slot];
    return new KeptTime(
        from,
        to,
        Compact.value(block.codes[first + Measure.GOT.ordinal()][slot]),
        new Judge.Finding(
            cause(code),
            Compact.value(block.codes[first + Measure.ENTITLED.ordinal()][slot]),
            shortShare(code) > 0),
        shortShare(code),
        waits);
  }

  /** The finding of a time as a number below 2,048, which is kept exactly. */
  static short code(Cause cause, double shortShare) {
    return (short) (cause.ordinal() * (WHOLE + 1) + (int) Math.ceil(WHOLE * shortShare));
  }

  static Cause cause(int code) {
    return Cause.values()[code / (WHOLE + 1)];
  }

  static double shortShare(int code) {
    return (double) (code % (WHOLE + 1)) / WHOLE;
  }

  /** The begin of the time, in seconds of the epoch. */
  public long from() {
    return from;
  }

  /** The end of the time. */
  public long to() {
    return to;
  }

  /** The rate that it got, bit/s. */
  public long gotBps() {
    return gotBps;
  }

  /** The finding of the time. */
  public Judge.Finding finding() {
    return finding;
  }

  /** The part of the time in which it was short of what it was entitled to, 0 to 1. */
  public double shortShare() {
    return shortShare;
  }

  /** Adds its waits to those of other times, by how much it got, for {@link Delay#of}. */
  public void addWaits(double[] sums) {
    double all = 0;
    for (double each : waits) {
      all += each;
    }
    for (int i = 0; all > 0 && i < waits.length; i++) {
      sums[i] += waits[i] / all * (1 + gotBps) * (to - from);
    }
  }
}
