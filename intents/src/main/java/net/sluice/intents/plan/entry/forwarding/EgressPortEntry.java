package net.sluice.intents.plan.entry.forwarding;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/**
 * Addresses (48 bits) of frames leaving {@code port}; whether they keep their packet value, and
 * whether they keep their priority in a tag of VLAN 0.
 */
public record EgressPortEntry(
    int port, long sourceMac, long destinationMac, boolean keepPacketValue, boolean priorityTag)
    implements SwitchEntry {
  /** In place of the destination's address: it is that of a {@link NextHopEntry}. */
  public static final long BY_ADDRESS = 0;

  private static final EntryFields<EgressPortEntry> FIELDS =
      new EntryFields<>(EgressPortEntry.class);
  public static final NumberField<EgressPortEntry> PORT = FIELDS.key("port", EgressPortEntry::port);
  public static final NumberField<EgressPortEntry> SOURCE_MAC =
      FIELDS.number("sourceMac", EgressPortEntry::sourceMac);
  public static final NumberField<EgressPortEntry> DESTINATION_MAC =
      FIELDS.optional("destinationMac", BY_ADDRESS, EgressPortEntry::destinationMac);
  public static final NumberField<EgressPortEntry> KEEP_PACKET_VALUE =
      FIELDS.flag("keepPacketValue", EgressPortEntry::keepPacketValue);
  public static final NumberField<EgressPortEntry> PRIORITY_TAG =
      FIELDS.flag("priorityTag", EgressPortEntry::priorityTag);
  public static final EntryForm<EgressPortEntry> FORM =
      FIELDS.form(
          v ->
              new EgressPortEntry(
                  v.integer(PORT),
                  v.number(SOURCE_MAC),
                  v.number(DESTINATION_MAC),
                  v.flag(KEEP_PACKET_VALUE),
                  v.flag(PRIORITY_TAG)));

  /** A port that keeps no priorities. */
  public EgressPortEntry(int port, long sourceMac, long destinationMac, boolean keepPacketValue) {
    this(port, sourceMac, destinationMac, keepPacketValue, false);
  }

  @Override
  public Table table() {
    return Table.EGRESS_PORT;
  }

  @Override
  public EntryForm<EgressPortEntry> form() {
    return FORM;
  }
}
