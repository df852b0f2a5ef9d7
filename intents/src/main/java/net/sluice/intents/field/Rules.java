package net.sluice.intents.field;

/** What the fields of an object demand of each other. Made once, with a constructor without one. */
@FunctionalInterface
public interface Rules {
  /** Says what is wrong with the fields that are given. */
  void check(Given given);

  /** No rules. */
  final class None implements Rules {
    @Override
    public void check(Given given) {}
  }
}
