package net.sluice.intents.plan.entry.limit;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/**
 * Packets with codepoint {@code dscp} of subscribers under policy {@code policySlot} go to class
 * {@code queueClass}, 0..7, of the FPGA's queues, others to class 0.
 */
public record TrafficClassEntry(int policySlot, int dscp, int queueClass) implements SwitchEntry {
  private static final EntryFields<TrafficClassEntry> FIELDS =
      new EntryFields<>(TrafficClassEntry.class);
  public static final NumberField<TrafficClassEntry> POLICY_SLOT =
      FIELDS.key("policySlot", TrafficClassEntry::policySlot);
  public static final NumberField<TrafficClassEntry> DSCP =
      FIELDS.key("dscp", TrafficClassEntry::dscp);
  public static final NumberField<TrafficClassEntry> QUEUE_CLASS =
      FIELDS.number("queueClass", TrafficClassEntry::queueClass);
  public static final EntryForm<TrafficClassEntry> FORM =
      FIELDS.form(
          v ->
              new TrafficClassEntry(
                  v.integer(POLICY_SLOT), v.integer(DSCP), v.integer(QUEUE_CLASS)));

  @Override
  public Table table() {
    return Table.TRAFFIC_CLASS;
  }

  @Override
  public EntryForm<TrafficClassEntry> form() {
    return FORM;
  }
}
