package net.sluice.intents.plan.entry.forwarding;

import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/** Tags pushed on downstream packets of subscriber {@code index}. */
public record EncapsulationEntry(int index, VlanTags vlans) implements SwitchEntry {
  private static final EntryFields<EncapsulationEntry> FIELDS =
      new EntryFields<>(EncapsulationEntry.class);
  public static final NumberField<EncapsulationEntry> INDEX =
      FIELDS.key("subscriberIndex", EncapsulationEntry::index);
  public static final NumberField<EncapsulationEntry> S_VLAN =
      FIELDS.number("sVlan", e -> e.vlans.sVlan());
  public static final NumberField<EncapsulationEntry> C_VLAN =
      FIELDS.optional("cVlan", VlanTags.NONE, e -> e.vlans.cVlan());
  public static final EntryForm<EncapsulationEntry> FORM =
      FIELDS.form(
          v ->
              new EncapsulationEntry(
                  v.integer(INDEX), new VlanTags(v.integer(S_VLAN), v.integer(C_VLAN))));

  @Override
  public Table table() {
    return Table.ENCAPSULATION;
  }

  @Override
  public EntryForm<EncapsulationEntry> form() {
    return FORM;
  }

  @Override
  public int subscriberIndex() {
    return index;
  }
}
