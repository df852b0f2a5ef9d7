package net.sluice.intents.plan.entry.wire;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/** The policy of what enters a wire by {@code port} and belongs to no subscriber. */
public record UnknownPolicyEntry(int port, int policySlot) implements SwitchEntry {
  private static final EntryFields<UnknownPolicyEntry> FIELDS =
      new EntryFields<>(UnknownPolicyEntry.class);
  public static final NumberField<UnknownPolicyEntry> PORT =
      FIELDS.key("port", UnknownPolicyEntry::port);
  public static final NumberField<UnknownPolicyEntry> POLICY_SLOT =
      FIELDS.number("policySlot", UnknownPolicyEntry::policySlot);
  public static final EntryForm<UnknownPolicyEntry> FORM =
      FIELDS.form(v -> new UnknownPolicyEntry(v.integer(PORT), v.integer(POLICY_SLOT)));

  @Override
  public Table table() {
    return Table.UNKNOWN_POLICY;
  }

  @Override
  public EntryForm<UnknownPolicyEntry> form() {
    return FORM;
  }
}
