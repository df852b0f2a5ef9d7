package net.sluice.intents.plan;

import java.util.Objects;
import java.util.Optional;
import net.sluice.intents.model.Declaration;

/** The state of a declaration for which a change of it is made, and in no other is accepted. */
public sealed interface Precondition {
  /** Any declaration or none in force. */
  Precondition NONE = new None();

  /** Nothing is in force. */
  Precondition ABSENT = new Absent();

  /** Whether it holds. */
  boolean holds(Optional<? extends Declaration> inForce);

  /** Whether it holds where it says at which switch the declaration is. */
  default boolean holdsAt(Optional<String> switchName) {
    return true;
  }

  /** See {@link Precondition#NONE}. */
  record None() implements Precondition {
    @Override
    public boolean holds(Optional<? extends Declaration> inForce) {
      return true;
    }
  }

  /** See {@link Precondition#ABSENT}. */
  record Absent() implements Precondition {
    @Override
    public boolean holds(Optional<? extends Declaration> inForce) {
      return inForce.isEmpty();
    }
  }

  /**
   * A declaration is in force.
   *
   * @param declaration that one
   * @param switchName the switch at which it is; empty for the only one, and for what is at all
   */
  record InForce(Declaration declaration, Optional<String> switchName) implements Precondition {
    public InForce {
      Objects.requireNonNull(declaration, "declaration");
      Objects.requireNonNull(switchName, "switchName");
    }

    @Override
    public boolean holds(Optional<? extends Declaration> inForce) {
      return inForce.isPresent() && inForce.get().asDeclared().equals(declaration.asDeclared());
    }

    @Override
    public boolean holdsAt(Optional<String> name) {
      return switchName.isEmpty() || name.isEmpty() || switchName.equals(name);
    }
  }
}
