package net.sluice.intents.plan.entry.queue;

import java.util.function.Function;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.FieldValues;
import net.sluice.intents.plan.form.NumberField;

/**
 * RIO before {@code port}'s class queue {@code queue}, 0..7.
 *
 * @param dscpIn codepoint of packets within their contract
 * @param limitPackets packets that may wait
 * @param weightShift weight of a packet in the averages, 2^-shift
 * @param idleShift an empty queue halves the averages every 2^shift us
 */
public record QueueRioEntry(
    int port,
    int queue,
    int dscpIn,
    int limitPackets,
    int weightShift,
    int idleShift,
    RedCurve in,
    RedCurve out)
    implements SwitchEntry {
  private static final EntryFields<QueueRioEntry> FIELDS = new EntryFields<>(QueueRioEntry.class);
  public static final NumberField<QueueRioEntry> PORT = FIELDS.key("port", QueueRioEntry::port);
  public static final NumberField<QueueRioEntry> QUEUE = FIELDS.key("queue", QueueRioEntry::queue);
  public static final NumberField<QueueRioEntry> DSCP_IN =
      FIELDS.number("inDscp", QueueRioEntry::dscpIn);
  public static final NumberField<QueueRioEntry> LIMIT_PACKETS =
      FIELDS.number("limitPackets", QueueRioEntry::limitPackets);
  public static final NumberField<QueueRioEntry> WEIGHT_SHIFT =
      FIELDS.number("weightShift", QueueRioEntry::weightShift);
  public static final NumberField<QueueRioEntry> IDLE_SHIFT =
      FIELDS.number("idleShift", QueueRioEntry::idleShift);
  public static final CurveFields IN = CurveFields.of("in", QueueRioEntry::in);
  public static final CurveFields OUT = CurveFields.of("out", QueueRioEntry::out);
  public static final EntryForm<QueueRioEntry> FORM =
      FIELDS.form(
          v ->
              new QueueRioEntry(
                  v.integer(PORT),
                  v.integer(QUEUE),
                  v.integer(DSCP_IN),
                  v.integer(LIMIT_PACKETS),
                  v.integer(WEIGHT_SHIFT),
                  v.integer(IDLE_SHIFT),
                  IN.from(v),
                  OUT.from(v)));

  /**
   * RED's curve: no drops below {@code least} waiting packets, all from {@code most} on.
   *
   * @param least averaged number of packets, in 2^-16
   * @param most likewise
   * @param slope growth of the drop probability by each packet between, in 2^-24
   */
  public record RedCurve(long least, long most, int slope) {}

  /** The fields of a curve. */
  public record CurveFields(
      NumberField<QueueRioEntry> least,
      NumberField<QueueRioEntry> most,
      NumberField<QueueRioEntry> slope) {
    private static CurveFields of(String name, Function<QueueRioEntry, RedCurve> curve) {
      return new CurveFields(
          FIELDS.number(name + ".least", e -> curve.apply(e).least),
          FIELDS.number(name + ".most", e -> curve.apply(e).most),
          FIELDS.number(name + ".slope", e -> curve.apply(e).slope));
    }

    private RedCurve from(FieldValues<QueueRioEntry> v) {
      return new RedCurve(v.number(least), v.number(most), v.integer(slope));
    }
  }

  @Override
  public Table table() {
    return Table.QUEUE_RIO;
  }

  @Override
  public EntryForm<QueueRioEntry> form() {
    return FORM;
  }
}
