package net.sluice.intents.plan.form;

import java.util.function.Function;
import net.sluice.intents.model.IpPrefix;

/**
 * A field with a prefix; always part of the match.
 *
 * @param <E> the entry
 */
public final class PrefixField<E> extends FormField<E> {
  private final Function<E, IpPrefix> value;

  PrefixField(int index, String name, Function<E, IpPrefix> value) {
    super(index, name, Part.KEY);
    this.value = value;
  }

  /** The value of an entry. */
  public IpPrefix prefix(E entry) {
    return value.apply(entry);
  }

  @Override
  boolean isSame(E one, E other) {
    return value.apply(one).equals(value.apply(other));
  }

  @Override
  boolean isTold(E entry) {
    return true;
  }

  @Override
  void tell(E entry, FieldSink sink) {
    sink.text(ownName(), prefix(entry).toString());
  }
}
