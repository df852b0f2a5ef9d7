package net.sluice.intents.plan.entry.marker;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.plan.form.RangeField;

/** Random numbers {@code low..high}, both included, 16 bits, take {@code offset} bins off. */
public record RandomRateEntry(int offset, int low, int high) implements SwitchEntry {
  private static final EntryFields<RandomRateEntry> FIELDS =
      new EntryFields<>(RandomRateEntry.class);
  public static final RangeField<RandomRateEntry> RANDOM =
      FIELDS.keyRange("random", RandomRateEntry::low, RandomRateEntry::high);
  public static final NumberField<RandomRateEntry> OFFSET =
      FIELDS.number("offset", RandomRateEntry::offset);
  public static final EntryForm<RandomRateEntry> FORM =
      FIELDS.form(
          v -> new RandomRateEntry(v.integer(OFFSET), (int) v.low(RANDOM), (int) v.high(RANDOM)));

  @Override
  public Table table() {
    return Table.RANDOM_RATE;
  }

  @Override
  public EntryForm<RandomRateEntry> form() {
    return FORM;
  }
}
