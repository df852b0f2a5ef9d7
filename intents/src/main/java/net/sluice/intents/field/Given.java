package net.sluice.intents.field;

/** The fields of an object as they were read, and what is wrong with them. */
public interface Given {
  /** True if a field is there, also one of a wrong type. */
  boolean has(String field);

  /** Its value: a text, number or flag; null if it is absent or refused. */
  Object value(String field);

  /** True if the object has no member. */
  boolean isEmpty();

  /** True if nothing is wrong so far. */
  boolean isSound();

  /** A field is absent that has to be there. */
  default void absent(String field, String allowed) {
    malformed(field, "absent", allowed);
  }

  /** A field is not of the form; the field "" is the object itself. */
  void malformed(String field, Object value, String allowed);

  /** A field has a value that is not acceptable; the field "" is the object itself. */
  void invalid(String field, Object value, String allowed);

  /** The object as a whole is not of the form; nothing is said of its fields. */
  void refuse(String value, String allowed);

  /** No other fields than these may be there. */
  void only(String... fields);
}
