package net.sluice.intents.plan.entry.limit;

import java.util.Optional;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.value.Direction;

/** The meter of a BNG port; empty only if somebody has taken it off. */
public record PortMeterEntry(int port, Direction direction, Optional<MeterSetting> meter)
    implements SwitchEntry {
  private static final EntryFields<PortMeterEntry> FIELDS = new EntryFields<>(PortMeterEntry.class);
  public static final NumberField<PortMeterEntry> PORT = FIELDS.key("port", PortMeterEntry::port);
  public static final ChoiceField<PortMeterEntry, Direction> DIRECTION =
      FIELDS.keyDirection(e -> e.direction.ordinal());
  public static final MeterSetting.Fields<PortMeterEntry> METER =
      MeterSetting.Fields.of(FIELDS, PortMeterEntry::meter);
  public static final EntryForm<PortMeterEntry> FORM =
      FIELDS.form(v -> new PortMeterEntry(v.integer(PORT), v.choice(DIRECTION), METER.from(v)));

  @Override
  public Table table() {
    return Table.PORT_METER;
  }

  @Override
  public EntryForm<PortMeterEntry> form() {
    return FORM;
  }
}
