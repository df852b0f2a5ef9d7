package net.sluice.intents.plan;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;

/** One change of the declarations. */
public sealed interface Change {
  /** Kind of what is changed. */
  Kind kind();

  /** Identifier of what is changed. */
  String id();

  /** The condition on what is in force for this to be accepted. */
  Precondition precondition();

  /** The same change under another precondition. */
  Change under(Precondition other);

  /**
   * Creates a declaration, or replaces it as a whole.
   *
   * @param declaration what is declared
   * @param switchName the switch it is for; empty for the only one, and for what says itself where
   *     it belongs: a policy is for all switches, a subscriber's rate limit for that subscriber's
   * @param precondition what has to be in force for this to be accepted
   * @param dueAt the moment for which the change was declared earlier; empty for a request. Such a
   *     change is kept out of force if it cannot be in force
   * @param askedAt the moment of a request of what is not always the same; empty for others. What
   *     it declares for then is kept out of force if it cannot be in force
   * @param elsewhere the declaration with what is in force of it where it was exported, which what
   *     was exported with it can be beside; empty if that is not known. Where there is no such
   *     declaration yet, it comes to be like that, and what it declares for now a while later
   */
  record Put(
      Declaration declaration,
      Optional<String> switchName,
      Precondition precondition,
      Optional<Instant> dueAt,
      Optional<Instant> askedAt,
      Optional<Declaration> elsewhere)
      implements Change {
    public Put {
      Objects.requireNonNull(declaration, "declaration");
      Objects.requireNonNull(switchName, "switchName");
      Objects.requireNonNull(precondition, "precondition");
      Objects.requireNonNull(dueAt, "dueAt");
      Objects.requireNonNull(askedAt, "askedAt");
      Objects.requireNonNull(elsewhere, "elsewhere");
    }

    /** A declaration that is requested. */
    public Put(Declaration declaration, Optional<String> switchName, Precondition precondition) {
      this(
          declaration,
          switchName,
          precondition,
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }

    /** A declaration of which what it declares for a moment is due. */
    public static Put due(Declaration declaration, Instant moment) {
      return new Put(
          declaration,
          Optional.empty(),
          Precondition.NONE,
          Optional.of(moment),
          Optional.empty(),
          Optional.empty());
    }

    /** A declaration that replaces whatever there is. */
    public Put(Declaration declaration, Optional<String> switchName) {
      this(declaration, switchName, Precondition.NONE);
    }

    /** A declaration that does not say which switch it is for. */
    public Put(Declaration declaration) {
      this(declaration, Optional.empty());
    }

    /** The request at a moment, with what it declares for that in force. */
    public Put at(Instant moment) {
      return declaration.isTimed()
          ? new Put(
              declaration.at(moment),
              switchName,
              precondition,
              dueAt,
              Optional.of(moment),
              elsewhere)
          : this;
    }

    /** The same with something else of the declaration in force. */
    public Put with(Declaration inForce) {
      return new Put(inForce, switchName, precondition, dueAt, askedAt, elsewhere);
    }

    /** The same with what is in force of it elsewhere. */
    public Put elsewhere(Optional<Declaration> inForce) {
      return new Put(declaration, switchName, precondition, dueAt, askedAt, inForce);
    }

    @Override
    public Kind kind() {
      return declaration.kind();
    }

    @Override
    public String id() {
      return declaration.id();
    }

    @Override
    public Put under(Precondition other) {
      return new Put(declaration, switchName, other, dueAt, askedAt, elsewhere);
    }
  }

  /**
   * Deletes a declaration.
   *
   * @param precondition as of {@link Put}
   */
  record Delete(Kind kind, String id, Precondition precondition) implements Change {
    /** Deletes whatever there is. */
    public Delete(Kind kind, String id) {
      this(kind, id, Precondition.NONE);
    }

    @Override
    public Delete under(Precondition other) {
      return new Delete(kind, id, other);
    }
  }
}
