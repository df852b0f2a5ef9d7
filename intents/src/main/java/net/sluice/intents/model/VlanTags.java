package net.sluice.intents.model;

import net.sluice.intents.value.Ranges;

/**
 * The VLAN tags of a subscriber's line: a service tag, and behind it optionally a customer tag.
 *
 * @param sVlan service VLAN, 1..4094
 * @param cVlan customer VLAN, 1..4094, or {@link #NONE} for a line with a single tag
 */
public record VlanTags(int sVlan, int cVlan) {
  /** Stands for an absent customer VLAN; VLAN id 0 is never a subscriber's. */
  public static final int NONE = 0;

  /** Lowest usable VLAN id. */
  public static final int MIN = 1;

  /** Highest usable VLAN id; 4095 is reserved by IEEE 802.1Q. */
  public static final int MAX = 4094;

  public VlanTags {
    Ranges.require("sVlan", sVlan, MIN, MAX);
    if (cVlan != NONE) {
      Ranges.require("cVlan", cVlan, MIN, MAX);
    }
  }

  /** One service tag. */
  public static VlanTags single(int sVlan) {
    return new VlanTags(sVlan, NONE);
  }

  /** A service tag and a customer tag. */
  public static VlanTags pair(int sVlan, int cVlan) {
    Ranges.require("cVlan", cVlan, MIN, MAX);
    return new VlanTags(sVlan, cVlan);
  }

  /** True if there is a customer tag. */
  public boolean isPair() {
    return cVlan != NONE;
  }

  @Override
  public String toString() {
    return isPair() ? sVlan + "." + cVlan : Integer.toString(sVlan);
  }
}
