package net.sluice.core.session;

import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.IdentityWord;
import net.sluice.intents.plan.FpgaSetting.QueueDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.NumberRange;
import net.sluice.intents.plan.SwitchEntry.PolicyValueKey;
import net.sluice.intents.plan.SwitchEntry.SubscriberPrefixEntry;
import net.sluice.intents.plan.SwitchEntry.VlanKey;

/**
 * A number for what a write writes to: equal for the same key of the same table or register. Two
 * keys with the same number only wait for each other without need.
 *
 * @param <E> {@code SwitchEntry} or {@code FpgaSetting}
 */
@FunctionalInterface
public interface EntityKeys<E> {
  /** Keeps apart what is equal but for a small number. */
  long STEP = 0x9e3779b97f4a7c15L;

  /** The number of the key of {@code entity}. */
  long of(E entity);

  /** Keys of a switch. */
  static long ofSwitch(SwitchEntry entry) {
    if (entry instanceof SubscriberPrefixEntry e) {
      // Whatever the table's number: who moves has the old entry until the new one is there.
      return number(e.prefix());
    }
    return LongMultiset.mix(number(entry.key().match()) + entry.table().ordinal() * STEP)
        | 1L << 63;
  }

  /** Not a hash code: those of records are often equal, and an enum's is new in every process. */
  private static long number(Object match) {
    if (match instanceof VlanKey key) {
      return (long) key.ingressPort() << 32 | key.vlans().sVlan() << 16 | key.vlans().cVlan();
    } else if (match instanceof PolicyValueKey key) {
      return (long) key.policySlot() << 32 | key.bin();
    } else if (match instanceof NumberRange range) {
      return LongMultiset.mix(range.low()) + range.high();
    } else if (match instanceof IpPrefix prefix) {
      return number(prefix);
    }
    return match instanceof Enum<?> value ? value.ordinal() : match.hashCode();
  }

  private static long number(IpPrefix prefix) {
    return LongMultiset.mix(prefix.hi() + prefix.family().ordinal() * STEP)
        + LongMultiset.mix(prefix.lo() ^ (long) prefix.length() << 40);
  }

  /** Keys of an FPGA. */
  static long ofFpga(FpgaSetting setting) {
    if (setting instanceof RateWord s) {
      return (long) s.level().code() << 32 | s.index();
    } else if (setting instanceof BucketSize s) {
      return 8L << 32 | s.level().code();
    } else if (setting instanceof IdentityWord s) {
      return 10L << 32 | s.half();
    }
    return 9L << 32 | ((QueueDepth) setting).queueClass();
  }
}
