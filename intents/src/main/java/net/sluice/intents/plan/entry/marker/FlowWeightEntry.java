package net.sluice.intents.plan.entry.marker;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/**
 * Flows of an aggregate that come with a codepoint have a share of this weight, 1,024 times its
 * logarithm to base 2.
 */
public record FlowWeightEntry(int aggregate, int dscp, int weightLog) implements SwitchEntry {
  private static final EntryFields<FlowWeightEntry> FIELDS =
      new EntryFields<>(FlowWeightEntry.class);
  public static final NumberField<FlowWeightEntry> AGGREGATE =
      FIELDS.key("aggregate", FlowWeightEntry::aggregate);
  public static final NumberField<FlowWeightEntry> DSCP = FIELDS.key("dscp", FlowWeightEntry::dscp);
  public static final NumberField<FlowWeightEntry> WEIGHT_LOG =
      FIELDS.number("weightLog", FlowWeightEntry::weightLog);
  public static final EntryForm<FlowWeightEntry> FORM =
      FIELDS.form(
          v -> new FlowWeightEntry(v.integer(AGGREGATE), v.integer(DSCP), v.integer(WEIGHT_LOG)));

  @Override
  public Table table() {
    return Table.FLOW_WEIGHT;
  }

  @Override
  public EntryForm<FlowWeightEntry> form() {
    return FORM;
  }
}
