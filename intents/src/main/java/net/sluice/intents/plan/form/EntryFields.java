package net.sluice.intents.plan.form;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.form.NumberField.Telling;
import net.sluice.intents.value.Direction;

/**
 * Declares the fields of an entry, in the order in which people are told them.
 *
 * @param <E> the entry
 */
public final class EntryFields<E> {
  private final Class<E> type;
  private final List<FormField<E>> fields = new ArrayList<>();

  /** No fields yet. */
  public EntryFields(Class<E> type) {
    this.type = type;
  }

  private <F extends FormField<E>> F add(F field) {
    fields.add(field);
    return field;
  }

  private NumberField<E> add(
      String name, Part part, ToLongFunction<E> value, long none, Telling<E> telling) {
    return add(new NumberField<>(fields.size(), name, part, value, none, telling));
  }

  private static <E> Telling<E> asNumber(String name, ToLongFunction<E> value) {
    String own = name.substring(name.indexOf('.') + 1);
    return (entry, sink) -> sink.number(own, value.applyAsLong(entry));
  }

  /** A number of the match. */
  public NumberField<E> key(String name, ToLongFunction<E> value) {
    return add(name, Part.KEY, value, NumberField.NEVER_NONE, asNumber(name, value));
  }

  /** A number of the match that people are told in another form. */
  public NumberField<E> key(String name, ToLongFunction<E> value, Telling<E> telling) {
    return add(name, Part.KEY, value, NumberField.NEVER_NONE, telling);
  }

  /** A number of the match that people are not told. */
  public NumberField<E> untoldKey(String name, ToLongFunction<E> value) {
    return key(name, value, (entry, sink) -> {});
  }

  /**
   * A number of the match that entries may lack.
   *
   * @param none stands for an absent number
   */
  public NumberField<E> optionalKey(String name, long none, ToLongFunction<E> value) {
    return add(name, Part.KEY, value, none, asNumber(name, value));
  }

  /**
   * The number of the table that the entry is in, where several are of its kind.
   *
   * @param none stands for the only table of its kind
   */
  public NumberField<E> place(String name, long none, ToLongFunction<E> value) {
    return add(name, Part.PLACE, value, none, asNumber(name, value));
  }

  /** A direction of the match. */
  public ChoiceField<E, Direction> keyDirection(ToLongFunction<E> ordinal) {
    return add(
        new ChoiceField<>(
            fields.size(),
            "direction",
            Part.KEY,
            Direction.values(),
            ordinal,
            (entry, sink) ->
                sink.text(
                    "direction", Direction.values()[(int) ordinal.applyAsLong(entry)].text())));
  }

  /** A prefix of the match. */
  public PrefixField<E> keyPrefix(Function<E, IpPrefix> value) {
    return add(new PrefixField<>(fields.size(), "prefix", value));
  }

  /** A range of the match, both ends included. */
  public RangeField<E> keyRange(String name, ToLongFunction<E> low, ToLongFunction<E> high) {
    return add(new RangeField<>(fields.size(), name, low, high));
  }

  /** A number of the data. */
  public NumberField<E> number(String name, ToLongFunction<E> value) {
    return number(name, value, asNumber(name, value));
  }

  /** A number of the data that people are told in another form. */
  public NumberField<E> number(String name, ToLongFunction<E> value, Telling<E> telling) {
    return add(name, Part.DATA, value, NumberField.NEVER_NONE, telling);
  }

  /**
   * A number of the data that entries may lack.
   *
   * @param none stands for an absent number
   */
  public NumberField<E> optional(String name, long none, ToLongFunction<E> value) {
    return add(name, Part.DATA, value, none, asNumber(name, value));
  }

  /** A flag of the data. */
  public NumberField<E> flag(String name, Predicate<E> value) {
    return add(
        name,
        Part.DATA,
        entry -> value.test(entry) ? 1 : 0,
        NumberField.NEVER_NONE,
        (entry, sink) -> sink.flag(name, value.test(entry)));
  }

  /** A number of the data that people are not told. */
  public NumberField<E> untold(String name, ToLongFunction<E> value) {
    return number(name, value, (entry, sink) -> {});
  }

  /** One of several values, of the data. */
  public <V extends Enum<V>> ChoiceField<E, V> choice(
      String name, V[] values, Function<V, String> text, Function<E, V> value) {
    return choice(
        name, values, value, (entry, sink) -> sink.text(name, text.apply(value.apply(entry))));
  }

  /** One of several values, of the data, that people are told in another form. */
  public <V extends Enum<V>> ChoiceField<E, V> choice(
      String name, V[] values, Function<E, V> value, Telling<E> telling) {
    return add(
        new ChoiceField<>(
            fields.size(),
            name,
            Part.DATA,
            values,
            entry -> value.apply(entry).ordinal(),
            telling));
  }

  /**
   * The form of the entry.
   *
   * @param maker makes an entry from the values of its fields
   */
  public EntryForm<E> form(Function<FieldValues<E>, E> maker) {
    return new EntryForm<>(type, fields, maker);
  }
}
