package net.sluice.intents.profile;

import net.sluice.intents.model.InvalidValueException;

/**
 * What one kind of switch can hold and represent.
 *
 * @param subscriberCapacity subscribers, i.e. rate filters; indices 1..subscriberCapacity are used
 * @param v4PrefixCapacity entries of the IPv4 subscriber table
 * @param v6PrefixCapacity entries of the IPv6 subscriber table
 * @param vlanCapacity entries of the VLAN subscriber table
 * @param encapCapacity entries of the encapsulation table
 * @param policySlots policies; slots 1..policySlots-1 are used, 0 means no policy
 * @param rateUnitBps one unit of a measured rate in bit/s
 * @param rateKeyBits width of a measured rate
 * @param maxSubscriberRateBps the highest rate the marker's bins resolve (R_max of paper 000)
 */
public record SwitchProfile(
    int subscriberCapacity,
    int v4PrefixCapacity,
    int v6PrefixCapacity,
    int vlanCapacity,
    int encapCapacity,
    int policySlots,
    double rateUnitBps,
    int rateKeyBits,
    double maxSubscriberRateBps) {
  public SwitchProfile {
    requirePositive("subscriberCapacity", subscriberCapacity);
    requirePositive("v4PrefixCapacity", v4PrefixCapacity);
    requirePositive("v6PrefixCapacity", v6PrefixCapacity);
    requirePositive("vlanCapacity", vlanCapacity);
    requirePositive("encapCapacity", encapCapacity);
    if (policySlots < 2) {
      throw new InvalidValueException("policySlots", policySlots, "at least 2: slot 0 is reserved");
    }
    if (!(rateUnitBps > 0)) {
      throw new InvalidValueException("rateUnitBps", rateUnitBps, "more than 0");
    }
    if (rateKeyBits < 8 || rateKeyBits > 62) {
      throw new InvalidValueException("rateKeyBits", rateKeyBits, "8 to 62");
    }
    double top = rateUnitBps * ((1L << rateKeyBits) - 1);
    if (!(maxSubscriberRateBps > 0 && maxSubscriberRateBps <= top)) {
      throw new InvalidValueException(
          "maxSubscriberRateBps",
          maxSubscriberRateBps,
          "more than 0, at most the highest measurable rate, " + top);
    }
  }

  /** The same switch with its bins laid out for another highest rate. */
  public SwitchProfile withMaxSubscriberRateBps(double rateBps) {
    return new SwitchProfile(
        subscriberCapacity,
        v4PrefixCapacity,
        v6PrefixCapacity,
        vlanCapacity,
        encapCapacity,
        policySlots,
        rateUnitBps,
        rateKeyBits,
        rateBps);
  }

  private static void requirePositive(String field, int value) {
    if (value < 1) {
      throw new InvalidValueException(field, value, "at least 1");
    }
  }
}
