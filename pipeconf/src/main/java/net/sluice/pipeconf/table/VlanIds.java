package net.sluice.pipeconf.table;

import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.VlanTags;

/** VLAN ids read from a switch. */
final class VlanIds {
  private VlanIds() {}

  /** The tags with these ids; a customer id of {@link VlanTags#NONE} is one tag. */
  static VlanTags tags(int sVlan, int cVlan) {
    try {
      return new VlanTags(sVlan, cVlan);
    } catch (InvalidValueException e) {
      throw new MalformedEntryException(e.getMessage());
    }
  }
}
