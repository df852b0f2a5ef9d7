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

  /** The declaration that has to be in force for this to be accepted; empty for whatever is. */
  Optional<Declaration> replaced();

  /**
   * Creates a declaration, or replaces it as a whole.
   *
   * @param declaration what is declared
   * @param switchName the switch it is for; empty for the only one, and for what says itself where
   *     it belongs: a policy is for all switches, a subscriber's rate limit for that subscriber's
   * @param replaced what has to be declared for this to be accepted; empty for whatever is
   */
  record Put(Declaration declaration, Optional<String> switchName, Optional<Declaration> replaced)
      implements Change {
    public Put {
      Objects.requireNonNull(declaration, "declaration");
      Objects.requireNonNull(switchName, "switchName");
      Objects.requireNonNull(replaced, "replaced");
    }

    /** A declaration that replaces whatever there is. */
    public Put(Declaration declaration, Optional<String> switchName) {
      this(declaration, switchName, Optional.empty());
    }

    /** A declaration that does not say which switch it is for. */
    public Put(Declaration declaration) {
      this(declaration, Optional.empty());
    }

    /** The same with what is in force at a moment. */
    public Put at(Instant moment) {
      return declaration.isTimed() ? new Put(declaration.at(moment), switchName, replaced) : this;
    }

    @Override
    public Kind kind() {
      return declaration.kind();
    }

    @Override
    public String id() {
      return declaration.id();
    }
  }

  /**
   * Deletes a declaration.
   *
   * @param replaced as of {@link Put}
   */
  record Delete(Kind kind, String id, Optional<Declaration> replaced) implements Change {
    /** Deletes whatever there is. */
    public Delete(Kind kind, String id) {
      this(kind, id, Optional.empty());
    }
  }
}
