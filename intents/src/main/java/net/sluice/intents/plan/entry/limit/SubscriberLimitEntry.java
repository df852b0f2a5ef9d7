package net.sluice.intents.plan.entry.limit;

import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.value.Direction;

/**
 * Packets of {@code direction} of subscriber {@code index} are held back: to its own rate, if there
 * is one, and to those of its tree and BNG port if these have any.
 *
 * @param rateWord see {@link RateWord}; {@link RateWord#UNLIMITED} without a limit of its own
 * @param delay how delay is kept low, as far as the limit says it itself
 */
public record SubscriberLimitEntry(
    int index, Direction direction, Attachment at, int rateWord, WaitSetting delay)
    implements SwitchEntry {
  private static final EntryFields<SubscriberLimitEntry> FIELDS =
      new EntryFields<>(SubscriberLimitEntry.class);
  public static final NumberField<SubscriberLimitEntry> INDEX =
      FIELDS.key("subscriberIndex", SubscriberLimitEntry::index);
  public static final ChoiceField<SubscriberLimitEntry, Direction> DIRECTION =
      FIELDS.keyDirection(e -> e.direction.ordinal());
  public static final NumberField<SubscriberLimitEntry> PORT =
      FIELDS.number("port", e -> e.at.port());
  public static final NumberField<SubscriberLimitEntry> TREE =
      FIELDS.number("tree", e -> e.at.tree());
  public static final NumberField<SubscriberLimitEntry> RATE_WORD =
      RateWord.field(FIELDS, SubscriberLimitEntry::rateWord);
  public static final WaitSetting.Fields<SubscriberLimitEntry> DELAY =
      WaitSetting.Fields.of(FIELDS, SubscriberLimitEntry::delay);
  public static final EntryForm<SubscriberLimitEntry> FORM =
      FIELDS.form(
          v ->
              new SubscriberLimitEntry(
                  v.integer(INDEX),
                  v.choice(DIRECTION),
                  new Attachment(v.integer(PORT), v.integer(TREE)),
                  v.integer(RATE_WORD),
                  DELAY.from(v)));

  /** A limit for which the policy says how delay is kept low. */
  public SubscriberLimitEntry(int index, Direction direction, Attachment at, int rateWord) {
    this(index, direction, at, rateWord, WaitSetting.OF_POLICY);
  }

  @Override
  public Table table() {
    return Table.SUBSCRIBER_LIMIT;
  }

  @Override
  public EntryForm<SubscriberLimitEntry> form() {
    return FORM;
  }

  @Override
  public int subscriberIndex() {
    return index;
  }

  @Override
  public boolean limitsNothing() {
    return rateWord == RateWord.UNLIMITED;
  }
}
