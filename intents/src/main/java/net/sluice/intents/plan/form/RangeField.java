package net.sluice.intents.plan.form;

import java.util.function.ToLongFunction;

/**
 * A field with a range of numbers, both ends included; always part of the match.
 *
 * @param <E> the entry
 */
public final class RangeField<E> extends FormField<E> {
  private final ToLongFunction<E> low;
  private final ToLongFunction<E> high;

  RangeField(int index, String name, ToLongFunction<E> low, ToLongFunction<E> high) {
    super(index, name, Part.KEY);
    this.low = low;
    this.high = high;
  }

  /** The lower end in an entry. */
  public long low(E entry) {
    return low.applyAsLong(entry);
  }

  /** The upper end in an entry. */
  public long high(E entry) {
    return high.applyAsLong(entry);
  }

  @Override
  boolean isSame(E one, E other) {
    return low(one) == low(other) && high(one) == high(other);
  }

  @Override
  boolean isTold(E entry) {
    return true;
  }

  @Override
  void tell(E entry, FieldSink sink) {
    sink.begin(ownName());
    sink.number("low", low(entry));
    sink.number("high", high(entry));
    sink.end();
  }
}
