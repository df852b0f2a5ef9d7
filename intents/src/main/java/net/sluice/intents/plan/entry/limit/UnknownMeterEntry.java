package net.sluice.intents.plan.entry.limit;

import java.util.Optional;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/**
 * The meter of what enters a wire by {@code port} and belongs to no subscriber; empty only if
 * somebody has taken it off.
 */
public record UnknownMeterEntry(int port, Optional<MeterSetting> meter) implements SwitchEntry {
  private static final EntryFields<UnknownMeterEntry> FIELDS =
      new EntryFields<>(UnknownMeterEntry.class);
  public static final NumberField<UnknownMeterEntry> PORT =
      FIELDS.key("port", UnknownMeterEntry::port);
  public static final MeterSetting.Fields<UnknownMeterEntry> METER =
      MeterSetting.Fields.of(FIELDS, UnknownMeterEntry::meter);
  public static final EntryForm<UnknownMeterEntry> FORM =
      FIELDS.form(v -> new UnknownMeterEntry(v.integer(PORT), METER.from(v)));

  @Override
  public Table table() {
    return Table.UNKNOWN_METER;
  }

  @Override
  public EntryForm<UnknownMeterEntry> form() {
    return FORM;
  }
}
