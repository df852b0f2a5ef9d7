package net.sluice.intents.plan.entry.marker;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.plan.form.RangeField;

/**
 * Measured rates {@code low..high}, both included, in the filter's units, are in {@code bin}. In a
 * table that does not match ranges a bin has several entries.
 */
public record RateBinEntry(int bin, long low, long high) implements SwitchEntry {
  private static final EntryFields<RateBinEntry> FIELDS = new EntryFields<>(RateBinEntry.class);
  public static final RangeField<RateBinEntry> RATE =
      FIELDS.keyRange("rate", RateBinEntry::low, RateBinEntry::high);
  public static final NumberField<RateBinEntry> BIN = FIELDS.number("rateBin", RateBinEntry::bin);
  public static final EntryForm<RateBinEntry> FORM =
      FIELDS.form(v -> new RateBinEntry(v.integer(BIN), v.low(RATE), v.high(RATE)));

  @Override
  public Table table() {
    return Table.RATE_BIN;
  }

  @Override
  public EntryForm<RateBinEntry> form() {
    return FORM;
  }
}
