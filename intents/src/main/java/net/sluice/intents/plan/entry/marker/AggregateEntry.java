package net.sluice.intents.plan.entry.marker;

import java.util.function.ToLongFunction;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.FieldValues;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.value.Direction;

/**
 * Packets of {@code direction} of subscriber {@code index} are aggregate {@code aggregate}, whose
 * packets within its contract get codepoint {@code dscpIn} and the others {@code dscpOut}. With
 * another {@code holder}, 32 bits, than before the aggregate begins anew in the switch.
 */
public record AggregateEntry(
    int index,
    Direction direction,
    int aggregate,
    long holder,
    MarkingSetting marking,
    int dscpIn,
    int dscpOut)
    implements SwitchEntry {
  private static final EntryFields<AggregateEntry> FIELDS = new EntryFields<>(AggregateEntry.class);
  public static final NumberField<AggregateEntry> INDEX =
      FIELDS.key("subscriberIndex", AggregateEntry::index);
  public static final ChoiceField<AggregateEntry, Direction> DIRECTION =
      FIELDS.keyDirection(e -> e.direction.ordinal());
  public static final NumberField<AggregateEntry> AGGREGATE =
      FIELDS.number("aggregate", AggregateEntry::aggregate);
  public static final NumberField<AggregateEntry> HOLDER =
      FIELDS.untold("holder", AggregateEntry::holder);
  public static final ChoiceField<AggregateEntry, MarkingSetting.Marker> MARKER =
      FIELDS.choice(
          "marker",
          MarkingSetting.Marker.values(),
          MarkingSetting.Marker::text,
          e -> e.marking.marker());
  public static final NumberField<AggregateEntry> FILL = marking("fill", MarkingSetting::fill);
  public static final NumberField<AggregateEntry> BURST = marking("burst", MarkingSetting::burst);
  public static final NumberField<AggregateEntry> CIR_RATE =
      marking("cirRate", MarkingSetting::cirRate);
  public static final NumberField<AggregateEntry> CIR_LOG =
      marking("cirLog", MarkingSetting::cirLog);
  public static final NumberField<AggregateEntry> TIME_SHIFT =
      marking("timeShift", MarkingSetting::timeShift);
  public static final NumberField<AggregateEntry> WINDOW_MICROS =
      marking("windowMicros", MarkingSetting::windowMicros);
  public static final NumberField<AggregateEntry> LEAST_BITS =
      marking("leastBits", MarkingSetting::leastBits);
  public static final NumberField<AggregateEntry> MOST_BITS =
      marking("mostBits", MarkingSetting::mostBits);
  public static final NumberField<AggregateEntry> SCALE_LOG =
      marking("scaleLog", MarkingSetting::scaleLog);
  public static final NumberField<AggregateEntry> AVERAGE_SHIFT =
      marking("averageShift", MarkingSetting::averageShift);
  public static final NumberField<AggregateEntry> DSCP_IN =
      FIELDS.number("inDscp", AggregateEntry::dscpIn);
  public static final NumberField<AggregateEntry> DSCP_OUT =
      FIELDS.number("outDscp", AggregateEntry::dscpOut);
  public static final EntryForm<AggregateEntry> FORM =
      FIELDS.form(
          v ->
              new AggregateEntry(
                  v.integer(INDEX),
                  v.choice(DIRECTION),
                  v.integer(AGGREGATE),
                  v.number(HOLDER),
                  marking(v),
                  v.integer(DSCP_IN),
                  v.integer(DSCP_OUT)));

  private static NumberField<AggregateEntry> marking(
      String name, ToLongFunction<MarkingSetting> value) {
    return FIELDS.optional(
        "marking." + name, MarkingSetting.NONE, e -> value.applyAsLong(e.marking));
  }

  private static MarkingSetting marking(FieldValues<AggregateEntry> v) {
    return switch (v.choice(MARKER)) {
      case TOKEN_BUCKET -> new MarkingSetting.TokenBucket(v.number(FILL), v.number(BURST));
      case TSW2CM -> new MarkingSetting.Tsw2cm(v.integer(CIR_LOG), v.integer(TIME_SHIFT));
      case PAM ->
          new MarkingSetting.Pam(
              v.number(FILL),
              v.number(BURST),
              v.number(LEAST_BITS),
              v.number(MOST_BITS),
              v.integer(SCALE_LOG),
              v.integer(AVERAGE_SHIFT));
      case F_SAM ->
          new MarkingSetting.Fsam(
              v.number(FILL),
              v.number(BURST),
              v.number(CIR_RATE),
              v.integer(CIR_LOG),
              v.integer(TIME_SHIFT),
              v.number(WINDOW_MICROS));
    };
  }

  @Override
  public Table table() {
    return Table.AGGREGATE;
  }

  @Override
  public EntryForm<AggregateEntry> form() {
    return FORM;
  }

  @Override
  public int subscriberIndex() {
    return index;
  }
}
