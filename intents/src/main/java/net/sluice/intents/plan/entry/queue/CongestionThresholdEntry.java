package net.sluice.intents.plan.entry.queue;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/** How {@code port}'s congestion threshold value is steered; times in microseconds. */
public record CongestionThresholdEntry(
    int port,
    Gain gain,
    long targetMicros,
    long overloadMicros,
    long periodMicros,
    long idleMicros,
    long ecnDropMicros)
    implements SwitchEntry {
  private static final EntryFields<CongestionThresholdEntry> FIELDS =
      new EntryFields<>(CongestionThresholdEntry.class);
  public static final NumberField<CongestionThresholdEntry> PORT =
      FIELDS.key("port", CongestionThresholdEntry::port);
  public static final ChoiceField<CongestionThresholdEntry, Gain> GAIN =
      FIELDS.choice("gain", Gain.values(), Gain::text, CongestionThresholdEntry::gain);
  public static final NumberField<CongestionThresholdEntry> TARGET_MICROS =
      FIELDS.number("targetMicros", CongestionThresholdEntry::targetMicros);
  public static final NumberField<CongestionThresholdEntry> OVERLOAD_MICROS =
      FIELDS.number("overloadMicros", CongestionThresholdEntry::overloadMicros);
  public static final NumberField<CongestionThresholdEntry> PERIOD_MICROS =
      FIELDS.number("periodMicros", CongestionThresholdEntry::periodMicros);
  public static final NumberField<CongestionThresholdEntry> IDLE_MICROS =
      FIELDS.number("idleMicros", CongestionThresholdEntry::idleMicros);
  public static final NumberField<CongestionThresholdEntry> ECN_DROP_MICROS =
      FIELDS.number("ecnDropMicros", CongestionThresholdEntry::ecnDropMicros);
  public static final EntryForm<CongestionThresholdEntry> FORM =
      FIELDS.form(
          v ->
              new CongestionThresholdEntry(
                  v.integer(PORT),
                  v.choice(GAIN),
                  v.number(TARGET_MICROS),
                  v.number(OVERLOAD_MICROS),
                  v.number(PERIOD_MICROS),
                  v.number(IDLE_MICROS),
                  v.number(ECN_DROP_MICROS)));

  @Override
  public Table table() {
    return Table.CONGESTION_THRESHOLD;
  }

  @Override
  public EntryForm<CongestionThresholdEntry> form() {
    return FORM;
  }
}
