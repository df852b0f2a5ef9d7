package net.sluice.intents.plan.entry.queue;

import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/**
 * How the delay of {@code port}'s class queue {@code queue}, 0..7, is managed; times in
 * microseconds. With {@code ecn}, packets of senders that understand it are marked, not dropped.
 */
public record QueueAqmEntry(
    int port, int queue, AqmKind kind, long targetMicros, long intervalMicros, boolean ecn)
    implements SwitchEntry {
  private static final EntryFields<QueueAqmEntry> FIELDS = new EntryFields<>(QueueAqmEntry.class);
  public static final NumberField<QueueAqmEntry> PORT = FIELDS.key("port", QueueAqmEntry::port);
  public static final NumberField<QueueAqmEntry> QUEUE = FIELDS.key("queue", QueueAqmEntry::queue);
  public static final ChoiceField<QueueAqmEntry, AqmKind> KIND =
      FIELDS.choice("kind", AqmKind.values(), AqmKind::text, QueueAqmEntry::kind);
  public static final NumberField<QueueAqmEntry> TARGET_MICROS =
      FIELDS.number("targetMicros", QueueAqmEntry::targetMicros);
  public static final NumberField<QueueAqmEntry> INTERVAL_MICROS =
      FIELDS.number("intervalMicros", QueueAqmEntry::intervalMicros);
  public static final NumberField<QueueAqmEntry> ECN = FIELDS.flag("ecn", QueueAqmEntry::ecn);
  public static final EntryForm<QueueAqmEntry> FORM =
      FIELDS.form(
          v ->
              new QueueAqmEntry(
                  v.integer(PORT),
                  v.integer(QUEUE),
                  v.choice(KIND),
                  v.number(TARGET_MICROS),
                  v.number(INTERVAL_MICROS),
                  v.flag(ECN)));

  @Override
  public Table table() {
    return Table.QUEUE_AQM;
  }

  @Override
  public EntryForm<QueueAqmEntry> form() {
    return FORM;
  }
}
