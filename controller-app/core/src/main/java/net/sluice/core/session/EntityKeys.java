package net.sluice.core.session;

import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.QueueDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberPrefixEntry;

/**
 * A number for what a write writes to: equal for the same key of the same table or register. Two
 * keys with the same number only wait for each other without need.
 *
 * @param <E> {@code SwitchEntry} or {@code FpgaSetting}
 */
@FunctionalInterface
public interface EntityKeys<E> {
  /** The number of the key of {@code entity}. */
  long of(E entity);

  /** Keys of a switch. */
  static long ofSwitch(SwitchEntry entry) {
    if (entry instanceof SubscriberPrefixEntry e) {
      IpPrefix prefix = e.prefix();
      return LongCounts.mix(prefix.hi() + prefix.family().ordinal() * 0x9e3779b97f4a7c15L)
          + LongCounts.mix(prefix.lo() ^ (long) prefix.length() << 40);
    }
    return LongCounts.mix(entry.key().hashCode()) | 1L << 63;
  }

  /** Keys of an FPGA. */
  static long ofFpga(FpgaSetting setting) {
    if (setting instanceof RateWord s) {
      return (long) s.level().code() << 32 | s.index();
    } else if (setting instanceof BucketSize s) {
      return 8L << 32 | s.level().code();
    }
    return 9L << 32 | ((QueueDepth) setting).queueClass();
  }
}
