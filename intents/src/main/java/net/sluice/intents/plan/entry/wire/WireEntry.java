package net.sluice.intents.plan.entry.wire;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.value.Direction;

/**
 * An end of a wire: every frame that enters by {@code port} leaves by {@code partner}.
 *
 * @param direction which way these frames go
 * @param nobody the index, in place of a subscriber's, by which unknown frames are measured and
 *     counted
 */
public record WireEntry(int port, int partner, Direction direction, int nobody)
    implements SwitchEntry {
  private static final EntryFields<WireEntry> FIELDS = new EntryFields<>(WireEntry.class);
  public static final NumberField<WireEntry> PORT = FIELDS.key("port", WireEntry::port);
  public static final NumberField<WireEntry> PARTNER = FIELDS.number("partner", WireEntry::partner);
  public static final ChoiceField<WireEntry, Direction> DIRECTION =
      FIELDS.choice("direction", Direction.values(), Direction::text, WireEntry::direction);
  public static final NumberField<WireEntry> NOBODY = FIELDS.number("nobody", WireEntry::nobody);
  public static final EntryForm<WireEntry> FORM =
      FIELDS.form(
          v ->
              new WireEntry(
                  v.integer(PORT), v.integer(PARTNER), v.choice(DIRECTION), v.integer(NOBODY)));

  @Override
  public Table table() {
    return Table.WIRE;
  }

  @Override
  public EntryForm<WireEntry> form() {
    return FORM;
  }
}
