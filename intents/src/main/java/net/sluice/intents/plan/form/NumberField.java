package net.sluice.intents.plan.form;

import java.util.function.ToLongFunction;

/**
 * A field with a number: a count, an index, a flag (0 or 1), or one of several values ({@link
 * ChoiceField}).
 *
 * @param <E> the entry
 */
public sealed class NumberField<E> extends FormField<E> permits ChoiceField {
  /** Of a field that each entry has. */
  static final long NEVER_NONE = Long.MIN_VALUE;

  private final ToLongFunction<E> value;
  private final long none;
  private final Telling<E> telling;

  NumberField(
      int index, String name, Part part, ToLongFunction<E> value, long none, Telling<E> telling) {
    super(index, name, part);
    this.value = value;
    this.none = none;
    this.telling = telling;
  }

  /** The way in which people are told a number of an entry. */
  @FunctionalInterface
  public interface Telling<E> {
    /** Tells it. */
    void tell(E entry, FieldSink sink);
  }

  /** The value of an entry; {@link #none} if the entry has no such field. */
  public final long number(E entry) {
    return value.applyAsLong(entry);
  }

  /** The same as a function. */
  public final ToLongFunction<E> value() {
    return value;
  }

  /** True if entries may lack the field. */
  public final boolean isOptional() {
    return none != NEVER_NONE;
  }

  /** The number that stands for an absent field; of no meaning if it is not optional. */
  public final long none() {
    return none;
  }

  @Override
  final boolean isSame(E one, E other) {
    return value.applyAsLong(one) == value.applyAsLong(other);
  }

  @Override
  final boolean isTold(E entry) {
    return !isOptional() || number(entry) != none;
  }

  @Override
  final void tell(E entry, FieldSink sink) {
    telling.tell(entry, sink);
  }
}
