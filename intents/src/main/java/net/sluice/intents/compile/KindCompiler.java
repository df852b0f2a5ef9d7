package net.sluice.intents.compile;

import java.util.List;
import java.util.Optional;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.GrantsInForce;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.Precondition;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.validate.Refusal;

/**
 * Compiles the declarations of one kind.
 *
 * @param <D> the declaration
 * @param <S> the declaration in force, with what is allocated to it
 */
abstract class KindCompiler<D extends Declaration, S> {
  private final Kind kind;
  private final Class<D> type;

  KindCompiler(Kind kind, Class<D> type) {
    this.kind = kind;
    this.type = type;
  }

  final Plan compile(SlaState state, Change change) throws Refusal {
    Optional<S> old = find(state, change.id());
    if (!(change.precondition() instanceof Precondition.None)
        && !change.precondition().holds(old.map(this::declared))) {
      throw new Refusal(List.of(Problem.overtaken(kind, change.id())));
    }
    Problems problems = new Problems();
    if (change instanceof Change.Put put) {
      D declaration = type.cast(put.declaration());
      admit(state, declaration, old, problems);
      return put(state, put, declaration, old, problems);
    }
    if (old.isEmpty()) {
      problems.add(Problem.notFound(kind, change.id()));
    }
    problems.refuseIfAny();
    return delete(state, change, old.get());
  }

  /** Of what holds at times only, another part may be in force by now. */
  final GrantsInForce inForce(SlaState state, Declaration inForce) {
    Grants grants = new Grants();
    grant(state, type.cast(inForce), grants);
    return grants.inForce();
  }

  /** The declaration itself. */
  abstract Declaration declared(S inForce);

  /** The declaration in force with that id. */
  abstract Optional<S> find(SlaState state, String id);

  /** Adds what stands against the declaration, apart from a want of queues. */
  abstract void admit(SlaState state, D declaration, Optional<S> old, Problems problems);

  /**
   * Adds what stands against a declaration that is stored with what is allocated to it, by the
   * rules of {@link #admit} and of allocation.
   *
   * @param state what is stored; of subscribers those before this one
   */
  abstract void readmit(SlaState state, S stored, Problems problems);

  /** Adds what the declaration is granted once it is in force, and what people should know. */
  abstract void grant(SlaState state, D declaration, Grants out);

  /**
   * Plans a put.
   *
   * @param problems those found by {@link #admit}; if there are any, the put is refused
   */
  abstract Plan put(
      SlaState state, Change.Put put, D declaration, Optional<S> old, Problems problems)
      throws Refusal;

  /** Plans a deletion, or refuses it. */
  abstract Plan delete(SlaState state, Change delete, S old) throws Refusal;
}
