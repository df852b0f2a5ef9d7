package net.sluice.intents.field;

/**
 * The demands of an object's fields on each other. Made once, by a constructor without parameters.
 */
public interface Rules {
  /** Tells what is wrong with the fields that are given. */
  void check(Given given);

  /** Refuses a record of sound fields that do not go together, by an exception that names one. */
  default void require(Record made) {}

  /** No rules. */
  final class None implements Rules {
    @Override
    public void check(Given given) {}
  }
}
