package net.sluice.intents.plan.entry.limit;

import java.util.Locale;
import java.util.function.Function;
import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.FieldValues;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.value.InvalidValueException;

/**
 * How a shaped limit keeps its subscriber's packets from waiting long.
 *
 * @param longestNanos a packet that would wait longer is dropped unless eight full packets take
 *     longer, 1 to {@link #MAX_NANOS}; 0 for as long as the switch can hold one, {@link
 *     #LONGEST_OF_POLICY} for what the policy says
 * @param aqm what decides on the wait; the others count only with {@link Managed#CODEL}
 * @param targetNanos wait to stay below, 0 to {@link #MAX_NANOS}
 * @param intervalMicros how long the wait may be above the target before the first drop
 * @param ecn whether packets of senders that understand ECN (RFC 3168) are marked instead
 * @param l4s whether packets of scalable senders (RFC 9331) go a way of their own
 */
public record WaitSetting(
    long longestNanos, Managed aqm, int targetNanos, int intervalMicros, boolean ecn, boolean l4s) {
  /** The longest wait that a switch can tell, in ns. */
  public static final int MAX_NANOS = 1 << 30;

  /** Stands for the longest wait of the policy. */
  public static final long LONGEST_OF_POLICY = 0xffff_ffffL;

  /** As the policy has it. */
  public static final WaitSetting OF_POLICY =
      new WaitSetting(LONGEST_OF_POLICY, Managed.OF_POLICY, 0, 0, false, false);

  /** The algorithm that decides on the packets that wait. */
  public enum Managed {
    /** Nothing. */
    NONE,
    /** CoDel (RFC 8289). */
    CODEL,
    /** The policy's. */
    OF_POLICY;

    private String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public WaitSetting {
    if (longestNanos != LONGEST_OF_POLICY) {
      require("longestNanos", longestNanos);
    }
    require("targetNanos", targetNanos);
    require("intervalMicros", intervalMicros);
  }

  private static void require(String field, long value) {
    if (value < 0 || value > MAX_NANOS) {
      throw new InvalidValueException(field, value, "0 to " + MAX_NANOS);
    }
  }

  @Override
  public String toString() {
    return equals(OF_POLICY)
        ? "as the policy"
        : "longest "
            + longestNanos
            + " ns, "
            + aqm
            + " "
            + targetNanos
            + " ns/"
            + intervalMicros
            + " us"
            + (ecn ? ", ecn" : "")
            + (l4s ? ", l4s" : "");
  }

  /** The fields of a setting in an entry. People are not told what the policy says. */
  public record Fields<E>(
      NumberField<E> longestNanos,
      ChoiceField<E, Managed> aqm,
      NumberField<E> targetNanos,
      NumberField<E> intervalMicros,
      NumberField<E> ecn,
      NumberField<E> l4s) {
    static <E> Fields<E> of(EntryFields<E> fields, Function<E, WaitSetting> of) {
      return new Fields<>(
          fields.number(
              "longestNanos",
              e -> of.apply(e).longestNanos,
              (e, sink) -> {
                if (of.apply(e).longestNanos != LONGEST_OF_POLICY) {
                  sink.number("longestNanos", of.apply(e).longestNanos);
                }
              }),
          fields.choice(
              "aqm",
              Managed.values(),
              e -> of.apply(e).aqm,
              (e, sink) -> {
                if (of.apply(e).aqm != Managed.OF_POLICY) {
                  sink.text("aqm", of.apply(e).aqm.text());
                }
              }),
          codel(fields, "targetNanos", of, setting -> setting.targetNanos),
          codel(fields, "intervalMicros", of, setting -> setting.intervalMicros),
          flag(fields, "ecn", of, setting -> setting.ecn),
          flag(fields, "l4s", of, setting -> setting.l4s));
    }

    private static <E> NumberField<E> codel(
        EntryFields<E> fields,
        String name,
        Function<E, WaitSetting> of,
        Function<WaitSetting, Integer> value) {
      return fields.number(
          name,
          e -> value.apply(of.apply(e)),
          (e, sink) -> {
            if (of.apply(e).aqm == Managed.CODEL) {
              sink.number(name, value.apply(of.apply(e)));
            }
          });
    }

    private static <E> NumberField<E> flag(
        EntryFields<E> fields,
        String name,
        Function<E, WaitSetting> of,
        Function<WaitSetting, Boolean> value) {
      return fields.number(
          name,
          e -> value.apply(of.apply(e)) ? 1 : 0,
          (e, sink) -> {
            if (of.apply(e).aqm == Managed.CODEL) {
              sink.flag(name, value.apply(of.apply(e)));
            }
          });
    }

    WaitSetting from(FieldValues<E> values) {
      return new WaitSetting(
          values.number(longestNanos),
          values.choice(aqm),
          values.integer(targetNanos),
          values.integer(intervalMicros),
          values.flag(ecn),
          values.flag(l4s));
    }
  }
}
