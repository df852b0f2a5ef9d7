package net.sluice.intents.plan.form;

/** Takes the fields of an entry one after the other, as people are told them. */
public interface FieldSink {
  /** A number. */
  void number(String name, long value);

  /** True or false. */
  void flag(String name, boolean value);

  /** A word. */
  void text(String name, String value);

  /** Begins an object: what comes until {@link #end} is in it. */
  void begin(String name);

  /** Begins a list of numbers, which {@link #element} adds to until {@link #end}. */
  void beginList(String name);

  /** A number in a list. */
  void element(long value);

  /** Ends the object or list. */
  void end();
}
