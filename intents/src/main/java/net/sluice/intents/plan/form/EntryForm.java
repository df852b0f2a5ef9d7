package net.sluice.intents.plan.form;

import java.util.List;
import java.util.function.Function;
import net.sluice.intents.model.IpPrefix;

/**
 * The fields of an entry, and how an entry is made from their values. Immutable.
 *
 * @param <E> the entry
 */
public final class EntryForm<E> {
  /** Odd, with bits all over: keeps apart what differs in any number. */
  private static final long STEP = 0x9e3779b97f4a7c15L;

  private final long seed;
  private final List<FormField<E>> fields;
  private final FormField<E>[] match;
  private final NumberField<E>[] numbers;

  /** Null where the match is no prefix. */
  private final PrefixField<E> prefix;

  /** Null where the match is no range. */
  private final RangeField<E> range;

  private final Function<FieldValues<E>, E> maker;

  @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of a generic type
  EntryForm(Class<E> type, List<FormField<E>> fields, Function<FieldValues<E>, E> maker) {
    // Unlike a class's hash code it is the same in every process.
    this.seed = type.getSimpleName().hashCode();
    this.fields = List.copyOf(fields);
    this.match = fields.stream().filter(f -> f.part() != Part.DATA).toArray(FormField[]::new);
    List<FormField<E>> keys = fields.stream().filter(f -> f.part() == Part.KEY).toList();
    this.numbers = keys.stream().filter(NumberField.class::isInstance).toArray(NumberField[]::new);
    this.prefix = (PrefixField<E>) first(keys, PrefixField.class);
    this.range = (RangeField<E>) first(keys, RangeField.class);
    this.maker = maker;
  }

  private static Object first(List<?> keys, Class<?> type) {
    return keys.stream().filter(type::isInstance).findFirst().orElse(null);
  }

  /** All fields, by their index. */
  public List<FormField<E>> fields() {
    return fields;
  }

  /** The entry with these values. */
  public E make(FieldValues<E> values) {
    return maker.apply(values);
  }

  /** A number that is equal for entries with the same match, and the same in every process. */
  public long keyNumber(E entry) {
    long number = seed;
    for (NumberField<E> field : numbers) {
      number = number * STEP + field.number(entry);
    }
    if (prefix != null) {
      IpPrefix of = prefix.prefix(entry);
      number = ((number * STEP + of.hi()) * STEP + of.lo()) * STEP;
      number += of.length() << 1 | of.family().ordinal();
    } else if (range != null) {
      number = (number * STEP + range.low(entry)) * STEP + range.high(entry);
    }
    return mix(number);
  }

  /** True if two entries of one table have the same match. */
  public boolean isSameKey(E one, E other) {
    for (FormField<E> field : match) {
      if (!field.isSame(one, other)) {
        return false;
      }
    }
    return true;
  }

  /** Tells the fields of an entry in their order. */
  public void tell(E entry, FieldSink sink) {
    String object = "";
    for (FormField<E> field : fields) {
      if (!field.isTold(entry)) {
        continue;
      }
      if (!field.object().equals(object)) {
        end(object, sink);
        object = field.object();
        if (!object.isEmpty()) {
          sink.begin(object);
        }
      }
      field.tell(entry, sink);
    }
    end(object, sink);
  }

  private static void end(String object, FieldSink sink) {
    if (!object.isEmpty()) {
      sink.end();
    }
  }

  /** SplitMix64's finaliser. */
  private static long mix(long number) {
    long z = number;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
