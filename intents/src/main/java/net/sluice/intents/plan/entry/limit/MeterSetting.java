package net.sluice.intents.plan.entry.limit;

import java.util.Optional;
import java.util.function.Function;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.FieldValues;
import net.sluice.intents.plan.form.NumberField;

/**
 * The rate and burst of a meter of a switch: as RFC 2698 has it, with both rates and both bursts
 * equal, so that a packet is either within them or dropped.
 *
 * @param rateBps bytes of frames, without preamble and checksum, in bit/s; a multiple of 8
 * @param burstBytes what a bucket that has filled up lets through at once
 */
public record MeterSetting(long rateBps, long burstBytes) {
  /** Stands for the rate and the burst of an entry without a meter. */
  private static final long NONE = -Long.MAX_VALUE;

  /** The fields of a meter in an entry. */
  public record Fields<E>(NumberField<E> rateBps, NumberField<E> burstBytes) {
    static <E> Fields<E> of(EntryFields<E> fields, Function<E, Optional<MeterSetting>> meter) {
      return new Fields<>(
          fields.optional(
              "rateBps",
              NONE,
              e -> meter.apply(e).isPresent() ? meter.apply(e).get().rateBps : NONE),
          fields.optional(
              "burstBytes",
              NONE,
              e -> meter.apply(e).isPresent() ? meter.apply(e).get().burstBytes : NONE));
    }

    Optional<MeterSetting> from(FieldValues<E> values) {
      long rate = values.number(rateBps);
      return rate == NONE
          ? Optional.empty()
          : Optional.of(new MeterSetting(rate, values.number(burstBytes)));
    }
  }
}
