package net.sluice.intents.plan.entry.limit;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/**
 * How the shaped limits of subscribers under policy {@code policySlot} keep delay low, unless a
 * limit says otherwise.
 */
public record PolicyDelayEntry(int policySlot, WaitSetting delay) implements SwitchEntry {
  private static final EntryFields<PolicyDelayEntry> FIELDS =
      new EntryFields<>(PolicyDelayEntry.class);
  public static final NumberField<PolicyDelayEntry> POLICY_SLOT =
      FIELDS.key("policySlot", PolicyDelayEntry::policySlot);
  public static final WaitSetting.Fields<PolicyDelayEntry> DELAY =
      WaitSetting.Fields.of(FIELDS, PolicyDelayEntry::delay);
  public static final EntryForm<PolicyDelayEntry> FORM =
      FIELDS.form(v -> new PolicyDelayEntry(v.integer(POLICY_SLOT), DELAY.from(v)));

  @Override
  public Table table() {
    return Table.POLICY_DELAY;
  }

  @Override
  public EntryForm<PolicyDelayEntry> form() {
    return FORM;
  }
}
