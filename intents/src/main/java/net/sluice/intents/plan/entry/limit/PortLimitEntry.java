package net.sluice.intents.plan.entry.limit;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.value.Direction;

/** The rate of a BNG port, see {@link RateWord}. */
public record PortLimitEntry(int port, Direction direction, int rateWord) implements SwitchEntry {
  private static final EntryFields<PortLimitEntry> FIELDS = new EntryFields<>(PortLimitEntry.class);
  public static final NumberField<PortLimitEntry> PORT = FIELDS.key("port", PortLimitEntry::port);
  public static final ChoiceField<PortLimitEntry, Direction> DIRECTION =
      FIELDS.keyDirection(e -> e.direction.ordinal());
  public static final NumberField<PortLimitEntry> RATE_WORD =
      RateWord.field(FIELDS, PortLimitEntry::rateWord);
  public static final EntryForm<PortLimitEntry> FORM =
      FIELDS.form(
          v -> new PortLimitEntry(v.integer(PORT), v.choice(DIRECTION), v.integer(RATE_WORD)));

  @Override
  public Table table() {
    return Table.PORT_LIMIT;
  }

  @Override
  public EntryForm<PortLimitEntry> form() {
    return FORM;
  }
}
