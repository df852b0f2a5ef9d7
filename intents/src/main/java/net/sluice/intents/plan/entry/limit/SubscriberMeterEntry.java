package net.sluice.intents.plan.entry.limit;

import java.util.Optional;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.value.Direction;

/**
 * Packets of {@code direction} of subscriber {@code index} are metered: by a meter of its own if
 * there is one, and by those of its tree and BNG port if these have any.
 */
public record SubscriberMeterEntry(
    int index, Direction direction, Attachment at, Optional<MeterSetting> meter)
    implements SwitchEntry {
  private static final EntryFields<SubscriberMeterEntry> FIELDS =
      new EntryFields<>(SubscriberMeterEntry.class);
  public static final NumberField<SubscriberMeterEntry> INDEX =
      FIELDS.key("subscriberIndex", SubscriberMeterEntry::index);
  public static final ChoiceField<SubscriberMeterEntry, Direction> DIRECTION =
      FIELDS.keyDirection(e -> e.direction.ordinal());
  public static final NumberField<SubscriberMeterEntry> PORT =
      FIELDS.number("port", e -> e.at.port());
  public static final NumberField<SubscriberMeterEntry> TREE =
      FIELDS.number("tree", e -> e.at.tree());
  public static final MeterSetting.Fields<SubscriberMeterEntry> METER =
      MeterSetting.Fields.of(FIELDS, SubscriberMeterEntry::meter);
  public static final EntryForm<SubscriberMeterEntry> FORM =
      FIELDS.form(
          v ->
              new SubscriberMeterEntry(
                  v.integer(INDEX),
                  v.choice(DIRECTION),
                  new Attachment(v.integer(PORT), v.integer(TREE)),
                  METER.from(v)));

  @Override
  public Table table() {
    return Table.SUBSCRIBER_METER;
  }

  @Override
  public EntryForm<SubscriberMeterEntry> form() {
    return FORM;
  }

  @Override
  public int subscriberIndex() {
    return index;
  }

  @Override
  public boolean limitsNothing() {
    return meter.isEmpty();
  }
}
