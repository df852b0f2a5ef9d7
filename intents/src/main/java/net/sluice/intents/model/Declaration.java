package net.sluice.intents.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.sluice.intents.value.Ids;

/**
 * One thing that an operator declares, under an identifier that is unique within its kind. Its
 * values are those in force; what else was declared for other times is kept beside them.
 */
public sealed interface Declaration permits Policy, Subscriber, RateLimit, Tariff {
  /** Identifier, see {@link Ids}. */
  String id();

  /** Its kind. */
  Kind kind();

  /** The same with what is declared for a moment in force. */
  default Declaration at(Instant moment) {
    return this;
  }

  /**
   * The same with what is in force now as it was, though something else is declared for a moment:
   * that is out of force.
   */
  default Declaration outAt(Instant moment) {
    return this;
  }

  /**
   * The same with what is in force of another declaration of that id, if this one declares it, too;
   * and, where both declare the same for every time, with the place in time of the other one.
   */
  default Optional<? extends Declaration> treatedAs(Declaration other) {
    return Optional.empty();
  }

  /** The same with each treatment in force that it declares for some time. */
  default List<? extends Declaration> treatments() {
    return List.of(this);
  }

  /**
   * The moment since which what is declared for now is out of force, and what was in force before
   * stays; empty if it is in force.
   */
  default Optional<Instant> outSince() {
    return Optional.empty();
  }

  /** When something else of it may come into force; empty if never. */
  default Optional<Instant> changesAt() {
    return Optional.empty();
  }

  /** True if not all that was declared is always in force. */
  default boolean isTimed() {
    return false;
  }

  /** The same with the values that hold at no other time: equal for equal declarations. */
  default Declaration asDeclared() {
    return this;
  }
}
