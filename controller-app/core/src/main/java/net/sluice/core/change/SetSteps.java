package net.sluice.core.change;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.status.PortNotes;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.GrantsInForce;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.state.Leaving;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Refusal;

/**
 * A switch's steps by which changes are planned together, each by one step or more, and the plans
 * that these come to. They are applied to a state: that in force, or one that supposes them.
 */
public class SetSteps {
  private final Compiler compiler;
  private final CompactSlaState state;
  private final PortNotes portNotes;
  private final SetShare share = new SetShare();

  SetSteps(Compiler compiler, CompactSlaState state, PortNotes portNotes) {
    this.compiler = compiler;
    this.state = state;
    this.portNotes = portNotes;
  }

  /** A look at the state, or a step. */
  interface Use<T> {
    T get() throws Refusal;
  }

  /** Has the memory held meanwhile; it is, unless another one overrides this. */
  <T> T held(Use<T> use) throws Refusal {
    return use.get();
  }

  private <T> T look(Use<T> look) {
    try {
      return held(look);
    } catch (Refusal refusal) {
      throw new IllegalStateException("a look is not refused", refusal);
    }
  }

  /** A plan is applied; its declaration has that number then. */
  void applied(Plan plan, int number) {}

  /** The changes come to that plan, among others. */
  void accepted(Plan plan, int number, int cause, boolean isTold) {}

  SetShare share() {
    return share;
  }

  /** Has the state looked at that the steps lead to so far. */
  public void lookAt(Consumer<CompactSlaState> look) {
    look(
        () -> {
          look.accept(state);
          return null;
        });
  }

  /** The declaration in force here by now. */
  public Optional<? extends Declaration> declaration(Kind kind, String id) {
    return look(
        () ->
            !state.isInForce(kind, id)
                ? Optional.empty()
                : switch (kind) {
                  case POLICY -> state.policy(id).map(PolicyState::policy);
                  case SUBSCRIBER -> state.subscriber(id).map(SubscriberState::subscriber);
                  case RATE_LIMIT -> state.rateLimit(id);
                  case TARIFF -> state.tariff(id);
                });
  }

  /** The rate limit of its own that a subscriber has here by now, in force or leaving. */
  public Optional<RateLimit> ownLimit(String subscriberId) {
    return look(() -> state.rateLimitOf(new Scope.OfSubscriber(subscriberId)));
  }

  /** Why a subscriber leaves by now; empty if it does not. */
  public Optional<Leaving> leaving(String subscriberId) {
    return look(() -> state.leaving(subscriberId));
  }

  /** Has a subscriber leave, or wait for another switch, see {@link CompactSlaState#leave}. */
  public void leave(String subscriberId, Leaving leaving) {
    look(
        () -> {
          state.leave(subscriberId, leaving);
          return null;
        });
  }

  /**
   * Plans a step.
   *
   * @param cause the number of the change that it is for
   * @return the change that comes to be: of a request something may be out of force
   * @throws Refusal if the state that the steps before it lead to does not admit it
   */
  public Change step(Change change, int cause) throws Refusal {
    return held(() -> apply(compiler.compile(state, TariffSteps.resolved(state, change)), cause));
  }

  /** The change by which a subscriber gets the limit that its tariff makes by now, if any does. */
  public Optional<Change> tariffLimit(String subscriberId, Instant now) {
    return look(
        () ->
            state
                .subscriber(subscriberId)
                .flatMap(of -> TariffSteps.limitOf(state, of.subscriber(), now)));
  }

  /**
   * Plans the step by which a subscriber gets the limit that its tariff makes.
   *
   * @throws Refusal with fields of the subscriber
   */
  public Change stepTariffLimit(String subscriberId, Change limit, int cause) throws Refusal {
    try {
      return step(limit, cause);
    } catch (Refusal refusal) {
      Optional<SubscriberState> of = look(() -> state.subscriber(subscriberId));
      throw limit instanceof Change.Put && of.isPresent()
          ? TariffSteps.ofSubscriber(of.get().subscriber(), refusal)
          : refusal;
    }
  }

  /** The subscribers that have a tariff here, with what it gives them by now. */
  public List<Change.Put> under(String tariffId, Instant now) {
    return look(
        () ->
            state
                .indicesUnder(tariffId)
                .mapToObj(state::at)
                .filter(each -> each.leaving().isEmpty())
                .map(each -> new Change.Put(each.subscriber()).at(now))
                .toList());
  }

  /** The same of a request that is not always the same, see {@link Compiler#yielding}. */
  public Change stepYielding(Change.Put asked, int cause) throws Refusal {
    return held(
        () ->
            apply(
                compiler.yielding(state, (Change.Put) TariffSteps.resolved(state, asked)), cause));
  }

  /**
   * Brings what a request declares for now into force, if that can be.
   *
   * @return the request with what is in force
   */
  public Change.Put stepForNow(Change.Put asked, int cause) {
    Instant now = asked.askedAt().orElseThrow();
    Change.Put due = Change.Put.due(asked.declaration().at(now), now);
    return look(
        () -> {
          Optional<Plan> plan = coming(compiler, state, due).plan();
          return plan.isEmpty()
              ? asked
              : asked.with(((Change.Put) apply(plan.get(), cause)).declaration());
        });
  }

  /** The plan of a change that is due. */
  static Compiler.Coming coming(Compiler compiler, CompactSlaState state, Change.Put due) {
    try {
      return compiler.coming(state, due);
    } catch (Refusal refusal) {
      throw new IllegalStateException("what is due has no precondition", refusal);
    }
  }

  private Change apply(Plan plan, int cause) {
    int number = state.apply(plan);
    applied(plan, number);
    share.add(plan, number, cause);
    return plan.delta().change();
  }

  /** All steps are planned. */
  public void end() {
    share.end(
        (table, deletes) -> look(() -> compiler.isFullWith(state, table, deletes)),
        state.givenBack());
  }

  /**
   * One of the changes that the steps come to.
   *
   * @param cause its number
   * @param isTold whether it has an event and, if it is a deletion, is followed to its end
   * @param writes whether all that is written for the cause is written for this
   * @return the plan of it at this switch
   */
  public Plan accept(Change change, int cause, boolean isTold, boolean writes) {
    Plan planned =
        look(
            () ->
                share.plan(
                    state,
                    change,
                    cause,
                    change instanceof Change.Put put
                        ? inForce(put)
                        : new GrantsInForce(List.of(), List.of())));
    Plan plan = writes ? planned : planned.withoutWrites();
    accepted(plan, share.number(change), cause, isTold);
    return plan;
  }

  /** The grants of a declaration, with the notes that an answer to its put has. */
  private GrantsInForce inForce(Change.Put put) {
    Declaration declaration = put.declaration();
    GrantsInForce grants = compiler.inForce(state, declaration);
    List<String> notes = new ArrayList<>(grants.notes());
    portNotes.of(declaration).ifPresent(notes::add);
    if (declaration.outSince().isPresent() && put.askedAt().isPresent()) {
      notes.add(compiler.outText(state, declaration, put.askedAt().get()));
    }
    return new GrantsInForce(grants.grants(), notes);
  }
}
