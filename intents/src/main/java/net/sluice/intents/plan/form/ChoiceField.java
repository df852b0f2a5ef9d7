package net.sluice.intents.plan.form;

import java.util.function.ToLongFunction;

/**
 * A field with one of several values; its number is the value's place among them, from 0.
 *
 * @param <E> the entry
 * @param <V> the values
 */
public final class ChoiceField<E, V extends Enum<V>> extends NumberField<E> {
  private final V[] values;

  ChoiceField(
      int index,
      String name,
      Part part,
      V[] values,
      ToLongFunction<E> ordinal,
      Telling<E> telling) {
    super(index, name, part, ordinal, NEVER_NONE, telling);
    this.values = values.clone();
  }

  /** The values' enumeration. */
  public Class<V> type() {
    return values[0].getDeclaringClass();
  }

  /** The value with a number. */
  public V value(long number) {
    return values[(int) number];
  }
}
