package net.sluice.intents.plan.form;

/**
 * A field of an entry.
 *
 * @param <E> the entry
 */
public abstract sealed class FormField<E> permits NumberField, PrefixField, RangeField {
  private final int index;
  private final String name;
  private final Part part;

  FormField(int index, String name, Part part) {
    this.index = index;
    this.name = name;
    this.part = part;
  }

  /** Its place among the fields of the entry, from 0. */
  public final int index() {
    return index;
  }

  /** Its name in plans and messages; {@code in.least} is {@code least} of the object {@code in}. */
  public final String name() {
    return name;
  }

  /** The part of the entry that it belongs to. */
  final Part part() {
    return part;
  }

  /** The object that it is told in; empty for the entry itself. */
  final String object() {
    return name.substring(0, Math.max(0, name.indexOf('.')));
  }

  /** Its name within {@link #object}. */
  final String ownName() {
    return name.substring(name.indexOf('.') + 1);
  }

  /** True if both entries have the same value. */
  abstract boolean isSame(E one, E other);

  /** False if the entry has no value that people would be told. */
  abstract boolean isTold(E entry);

  /** Tells its value. */
  abstract void tell(E entry, FieldSink sink);
}
