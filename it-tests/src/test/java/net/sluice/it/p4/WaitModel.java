package net.sluice.it.p4;

import java.util.List;
import net.sluice.intents.plan.entry.limit.RateWord;
import net.sluice.intents.plan.entry.limit.WaitSetting;
import net.sluice.intents.plan.entry.limit.WaitSetting.Managed;
import net.sluice.lab.support.Rfc8289Codel;

/**
 * The waits of a subscriber's packets, none of which goes before others: WF2Q+ under each of its
 * limits, a longest wait, and RFC 8289's CoDel on what a packet is going to wait. Times are in
 * {@link RateWord#UNITS_PER_NANO}ths of a nanosecond, so that each decision is known exactly.
 */
final class WaitModel {
  /** The fate of a packet. */
  enum Fate {
    LET_IN,
    SIGNALLED,
    TOO_LONG
  }

  /** A limit that subscribers may share. */
  static final class Limit {
    private final int word;
    private long finish;

    Limit(int word) {
      this.word = word;
    }

    private long waitUnits(long now) {
      return Math.max(0, finish - now);
    }

    private void goOn(long now, int bytes) {
      finish = now + waitUnits(now) + RateWord.elapsed(word, bytes);
    }
  }

  private static final int FULL_PACKETS = 8;

  /** A full packet is 1.5 KiB. */
  private static final int FULL_BYTES = 1_536;

  private final WaitSetting setting;
  private final List<Limit> limits;
  private final Rfc8289Codel codel;
  private long lastWait;

  /**
   * A subscriber whose limits are idle.
   *
   * @param limits its own, its tree's, its port's, as far as there are any; the first is the one
   *     that packets are measured by
   */
  WaitModel(WaitSetting setting, Limit... limits) {
    this.setting = setting;
    this.limits = List.of(limits);
    codel =
        new Rfc8289Codel(
            setting.targetNanos(),
            setting.intervalMicros(),
            count -> pauseMicros(setting.intervalMicros(), count),
            false);
  }

  /** interval / sqrt(count) with the programs' root, which CoDel would have without error. */
  static long pauseMicros(long intervalMicros, long count) {
    return MathUnit.root(4 * count) * intervalMicros >> 21;
  }

  /** How long the last packet has to wait, in ns. */
  double lastWaitNanos() {
    return (double) lastWait / RateWord.UNITS_PER_NANO;
  }

  /**
   * The fate of a packet that comes now.
   *
   * @param nowMicros odd, so that no time is the one that the program has for none
   * @param dropsSignalled whether CoDel drops what it signals; else that is marked, and let in
   */
  Fate arrives(long nowMicros, int bytes, boolean dropsSignalled) {
    long now = nowMicros * 1_000 * RateWord.UNITS_PER_NANO;
    long wait = limits.stream().mapToLong(limit -> limit.waitUnits(now)).max().orElseThrow();
    int pace = limits.get(0).word;
    lastWait = wait;
    long longest = setting.longestNanos() * RateWord.UNITS_PER_NANO;
    if (longest != 0
        && wait > longest
        && wait > FULL_PACKETS * RateWord.elapsed(pace, FULL_BYTES)) {
      return Fate.TOO_LONG;
    }
    boolean signal = false;
    if (setting.aqm() == Managed.CODEL) {
      boolean below = wait < (long) setting.targetNanos() * RateWord.UNITS_PER_NANO;
      boolean onePacket = wait <= RateWord.elapsed(pace, bytes);
      signal = codel.drops(nowMicros, below ? 0 : setting.targetNanos(), onePacket);
    }
    if (!signal || !dropsSignalled) {
      limits.forEach(limit -> limit.goOn(now, bytes));
    }
    return signal ? Fate.SIGNALLED : Fate.LET_IN;
  }
}
