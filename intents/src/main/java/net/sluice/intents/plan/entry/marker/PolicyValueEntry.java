package net.sluice.intents.plan.entry.marker;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/** Packet value code (16 bits) of rate bin {@code bin} under policy {@code policySlot}. */
public record PolicyValueEntry(int policySlot, int bin, int packetValue) implements SwitchEntry {
  private static final EntryFields<PolicyValueEntry> FIELDS =
      new EntryFields<>(PolicyValueEntry.class);
  public static final NumberField<PolicyValueEntry> POLICY_SLOT =
      FIELDS.key("policySlot", PolicyValueEntry::policySlot);
  public static final NumberField<PolicyValueEntry> BIN =
      FIELDS.key("rateBin", PolicyValueEntry::bin);
  public static final NumberField<PolicyValueEntry> PACKET_VALUE =
      FIELDS.number("packetValue", PolicyValueEntry::packetValue);
  public static final EntryForm<PolicyValueEntry> FORM =
      FIELDS.form(
          v ->
              new PolicyValueEntry(
                  v.integer(POLICY_SLOT), v.integer(BIN), v.integer(PACKET_VALUE)));

  @Override
  public Table table() {
    return Table.POLICY_VALUE;
  }

  @Override
  public EntryForm<PolicyValueEntry> form() {
    return FORM;
  }
}
