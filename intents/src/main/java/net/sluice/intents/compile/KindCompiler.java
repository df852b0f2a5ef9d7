package net.sluice.intents.compile;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.schedule.Schedule;
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

  /**
   * Plans a declaration that is new as it is where it was exported; empty if it is not new, if just
   * that is declared for now, or if it cannot be.
   */
  final Optional<Plan> asElsewhere(SlaState state, Change.Put asked) {
    if (asked.elsewhere().isEmpty()
        || asked.askedAt().isEmpty()
        || find(state, asked.id()).or(() -> formerly(state, asked.id())).isPresent()) {
      return Optional.empty();
    }
    Instant now = asked.askedAt().get();
    Declaration elsewhere = asked.elsewhere().get().outAt(now);
    try {
      return elsewhere.equals(asked.declaration().outAt(now))
          ? Optional.empty()
          : Optional.of(compile(state, asked.with(elsewhere)));
    } catch (Refusal refusal) {
      return Optional.empty();
    }
  }

  /**
   * Plans that what is in force of a declaration stays, though something else is due; empty if that
   * is known.
   */
  final Optional<Plan> keep(SlaState state, Change.Put due) {
    S old = find(state, due.id()).orElseThrow();
    Declaration kept = declared(old).outAt(due.dueAt().orElseThrow());
    return kept.equals(declared(old)) ? Optional.empty() : Optional.of(keep(due.with(kept), old));
  }

  /**
   * Plans a request of which what it declares for now cannot be in force: that is out of force, and
   * in force stays what was before if it is declared still, or else comes the first of its other
   * treatments that can be. Empty if none can.
   *
   * @param asked has an {@code askedAt}
   */
  final Optional<Plan> putOut(SlaState state, Change.Put asked) {
    List<Declaration> treatments = new ArrayList<>();
    find(state, asked.id())
        .or(() -> formerly(state, asked.id()))
        .flatMap(old -> asked.declaration().treatedAs(declared(old)))
        .ifPresent(treatments::add);
    treatments.addAll(asked.declaration().treatments());
    // What is declared for now is what others may be in the way of.
    if (treatments.removeAll(List.of(asked.declaration()))) {
      treatments.add(asked.declaration());
    }
    for (Declaration each : treatments) {
      try {
        return Optional.of(compile(state, asked.with(each.outAt(asked.askedAt().orElseThrow()))));
      } catch (Refusal refusal) {
        // The next may do.
      }
    }
    return Optional.empty();
  }

  /** Of what holds at times only, another part may be in force by now. */
  final GrantsInForce inForce(SlaState state, Declaration inForce) {
    Grants grants = new Grants();
    D declaration = type.cast(inForce);
    grant(state, declaration, grants);
    noteOthers(state, declaration, find(state, inForce.id()), grants);
    return grants.inForce();
  }

  /**
   * Notes what is declared for other times than now and could not be in force, as things are: it
   * may be by its time, so that it is not refused.
   */
  final void noteOthers(SlaState state, D declaration, Optional<S> old, Grants out) {
    // What is out of force is told by its own note.
    if (!declaration.isTimed() || declaration.outSince().isPresent()) {
      return;
    }
    variants(
        declaration,
        (field, variant) -> {
          if (!variant.equals(declaration)) {
            Problems found = new Problems();
            collide(state, variant, old, found);
            found
                .all()
                .forEach(problem -> out.note("could not be in force now: " + problem.naming()));
          }
        });
  }

  /** The field that declares what is in force, with its dot; empty for what always is. */
  final String field(D declaration) {
    String[] found = new String[1];
    variants(
        declaration,
        (field, variant) -> {
          if (found[0] == null && variant.equals(declaration)) {
            found[0] = field;
          }
        });
    return found[0] == null ? "" : found[0];
  }

  /** Passes on the declaration as it may come to be in force, each with the field of that. */
  void variants(D declaration, Schedule.FieldValues<D> out) {
    out.accept("", declaration);
  }

  /** Adds what stands against what is in force of a declaration, because of what others have. */
  void collide(SlaState state, D declaration, Optional<S> old, Problems problems) {}

  /** Plans that a declaration is stored with another place in time, and nothing else of it. */
  abstract Plan keep(Change.Put kept, S old);

  /** The declaration itself. */
  abstract Declaration declared(S inForce);

  /** The declaration in force with that id. */
  abstract Optional<S> find(SlaState state, String id);

  /** The declaration that goes in the changes that this one is made with, and comes again. */
  Optional<S> formerly(SlaState state, String id) {
    return Optional.empty();
  }

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
