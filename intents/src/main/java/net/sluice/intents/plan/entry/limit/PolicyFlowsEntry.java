package net.sluice.intents.plan.entry.limit;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/**
 * Light flows of subscribers under policy {@code policySlot} go before heavy ones: under a shaped
 * limit, at a congested port, and at the FPGA by the queue of class {@code lightClass}; 0 if they
 * have none of their own there.
 */
public record PolicyFlowsEntry(int policySlot, int lightClass) implements SwitchEntry {
  private static final EntryFields<PolicyFlowsEntry> FIELDS =
      new EntryFields<>(PolicyFlowsEntry.class);
  public static final NumberField<PolicyFlowsEntry> POLICY_SLOT =
      FIELDS.key("policySlot", PolicyFlowsEntry::policySlot);
  public static final NumberField<PolicyFlowsEntry> LIGHT_CLASS =
      FIELDS.number("lightClass", PolicyFlowsEntry::lightClass);
  public static final EntryForm<PolicyFlowsEntry> FORM =
      FIELDS.form(v -> new PolicyFlowsEntry(v.integer(POLICY_SLOT), v.integer(LIGHT_CLASS)));

  @Override
  public Table table() {
    return Table.POLICY_FLOWS;
  }

  @Override
  public EntryForm<PolicyFlowsEntry> form() {
    return FORM;
  }
}
