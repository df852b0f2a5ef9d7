package net.sluice.intents.plan.entry.subscriber;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.value.Direction;

/** Packets of {@code direction} of subscriber {@code index} have the policy in that slot. */
public record DirectionPolicyEntry(int index, Direction direction, int policySlot)
    implements SwitchEntry {
  private static final EntryFields<DirectionPolicyEntry> FIELDS =
      new EntryFields<>(DirectionPolicyEntry.class);
  public static final NumberField<DirectionPolicyEntry> INDEX =
      FIELDS.key("subscriberIndex", DirectionPolicyEntry::index);
  public static final ChoiceField<DirectionPolicyEntry, Direction> DIRECTION =
      FIELDS.keyDirection(e -> e.direction.ordinal());
  public static final NumberField<DirectionPolicyEntry> POLICY_SLOT =
      FIELDS.number("policySlot", DirectionPolicyEntry::policySlot);
  public static final EntryForm<DirectionPolicyEntry> FORM =
      FIELDS.form(
          v ->
              new DirectionPolicyEntry(
                  v.integer(INDEX), v.choice(DIRECTION), v.integer(POLICY_SLOT)));

  @Override
  public Table table() {
    return Table.DIRECTION_POLICY;
  }

  @Override
  public EntryForm<DirectionPolicyEntry> form() {
    return FORM;
  }

  @Override
  public int subscriberIndex() {
    return index;
  }
}
