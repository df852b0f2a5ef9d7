package net.sluice.intents.plan.form;

import net.sluice.intents.model.IpPrefix;

/**
 * The values of the fields of an entry that is to be made.
 *
 * @param <E> the entry
 */
public interface FieldValues<E> {
  /** A number; {@link NumberField#none} if there is none. */
  long number(NumberField<E> field);

  /** A prefix. */
  IpPrefix prefix(PrefixField<E> field);

  /** The lower end of a range. */
  long low(RangeField<E> field);

  /** The upper end of a range. */
  long high(RangeField<E> field);

  /** A number of at most 31 bits. */
  default int integer(NumberField<E> field) {
    return (int) number(field);
  }

  /** A flag. */
  default boolean flag(NumberField<E> field) {
    return number(field) != 0;
  }

  /** One of several values. */
  default <V extends Enum<V>> V choice(ChoiceField<E, V> field) {
    return field.value(number(field));
  }
}
