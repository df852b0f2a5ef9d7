package net.sluice.intents.plan;

import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;

/** One change of the declarations. */
public sealed interface Change {
  /** Kind of what is changed. */
  Kind kind();

  /** Identifier of what is changed. */
  String id();

  /** Creates a declaration, or replaces it as a whole. */
  record Put(Declaration declaration) implements Change {
    @Override
    public Kind kind() {
      return declaration.kind();
    }

    @Override
    public String id() {
      return declaration.id();
    }
  }

  /** Deletes a declaration. */
  record Delete(Kind kind, String id) implements Change {}
}
