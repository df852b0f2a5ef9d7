package net.sluice.pipeconf.table;

import java.util.function.Supplier;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.VlanTags;

/** VLAN ids read from a switch. */
final class VlanIds {
  private VlanIds() {}

  /** One service tag. */
  static VlanTags single(int sVlan) {
    return known(() -> VlanTags.single(sVlan));
  }

  /** A service tag and a customer tag. */
  static VlanTags pair(int sVlan, int cVlan) {
    return known(() -> VlanTags.pair(sVlan, cVlan));
  }

  private static VlanTags known(Supplier<VlanTags> tags) {
    try {
      return tags.get();
    } catch (InvalidValueException e) {
      throw new MalformedEntryException(e.getMessage());
    }
  }
}
