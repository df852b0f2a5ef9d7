package net.sluice.intents.plan.entry.limit;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.value.Direction;

/** Shaped packets of {@code direction} go to the sidecar on {@code port}. */
public record SidecarEntry(Direction direction, int port) implements SwitchEntry {
  private static final EntryFields<SidecarEntry> FIELDS = new EntryFields<>(SidecarEntry.class);
  public static final ChoiceField<SidecarEntry, Direction> DIRECTION =
      FIELDS.keyDirection(e -> e.direction.ordinal());
  public static final NumberField<SidecarEntry> PORT = FIELDS.number("port", SidecarEntry::port);
  public static final EntryForm<SidecarEntry> FORM =
      FIELDS.form(v -> new SidecarEntry(v.choice(DIRECTION), v.integer(PORT)));

  @Override
  public Table table() {
    return Table.SIDECAR;
  }

  @Override
  public EntryForm<SidecarEntry> form() {
    return FORM;
  }
}
