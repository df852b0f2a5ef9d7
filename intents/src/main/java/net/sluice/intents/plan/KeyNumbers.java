package net.sluice.intents.plan;

import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.SwitchEntry.NumberRange;
import net.sluice.intents.plan.SwitchEntry.PolicyValueKey;
import net.sluice.intents.plan.SwitchEntry.SubscriberPrefixEntry;
import net.sluice.intents.plan.SwitchEntry.TrafficClassKey;
import net.sluice.intents.plan.SwitchEntry.VlanKey;

/** Numbers of the keys of a switch, see {@link Entity#keyNumber}. */
final class KeyNumbers {
  /** Keeps apart what is equal but for a small number. */
  private static final long STEP = 0x9e3779b97f4a7c15L;

  private KeyNumbers() {}

  static long of(SwitchEntry entry) {
    if (entry instanceof SubscriberPrefixEntry e) {
      // Whatever the table's number: who moves has the old entry until the new one is there.
      return number(e.prefix());
    }
    return mix(number(entry.key().match()) + entry.table().ordinal() * STEP) | 1L << 63;
  }

  /** Not a hash code: those of records are often equal, and an enum's is new in every process. */
  private static long number(Object match) {
    if (match instanceof VlanKey key) {
      return (long) key.ingressPort() << 32 | key.vlans().sVlan() << 16 | key.vlans().cVlan();
    } else if (match instanceof PolicyValueKey key) {
      return (long) key.policySlot() << 32 | key.bin();
    } else if (match instanceof TrafficClassKey key) {
      return (long) key.policySlot() << 32 | key.dscp();
    } else if (match instanceof NumberRange range) {
      return mix(range.low()) + range.high();
    } else if (match instanceof IpPrefix prefix) {
      return number(prefix);
    }
    return match instanceof Enum<?> value ? value.ordinal() : match.hashCode();
  }

  private static long number(IpPrefix prefix) {
    return mix(prefix.hi() + prefix.family().ordinal() * STEP)
        + mix(prefix.lo() ^ (long) prefix.length() << 40);
  }

  /** SplitMix64's finaliser. */
  private static long mix(long z) {
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
