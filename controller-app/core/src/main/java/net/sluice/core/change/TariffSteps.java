package net.sluice.core.change;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import net.sluice.core.declaration.TariffProgress;
import net.sluice.core.state.CompactSlaState;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.LimitValues;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.TariffUse;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;

/**
 * The steps of a change that a tariff has a part in: a subscriber under one with the limit that it
 * makes, or a tariff with all subscribers under it. Each step is a change of one declaration, as if
 * a client had asked for it; all are applied, or none.
 */
final class TariffSteps {
  /** Subscribers of a tariff between one progress and the next. */
  private static final int TOLD_EVERY = 50;

  private final Compiler compiler;
  private final CompactSlaState state;
  private final Instant now;
  private final UnaryOperator<Plan> noting;
  private final Consumer<TariffProgress> progress;
  private final List<Step> steps = new ArrayList<>();

  /**
   * A step that is applied.
   *
   * @param number the one by which the status of its declaration is kept
   * @param told whether it is what was asked for
   */
  record Step(Plan plan, int number, boolean told) {}

  /**
   * No steps yet.
   *
   * @param noting adds the notes of an answer to a plan that is not applied yet
   * @param progress is told how far the change of a tariff is, now and then
   */
  TariffSteps(
      Compiler compiler,
      CompactSlaState state,
      Instant now,
      UnaryOperator<Plan> noting,
      Consumer<TariffProgress> progress) {
    this.compiler = compiler;
    this.state = state;
    this.now = now;
    this.noting = noting;
    this.progress = progress;
  }

  /** Whether a tariff has a part in a change. */
  static boolean concern(CompactSlaState state, Change change) {
    return switch (change.kind()) {
      case TARIFF -> change instanceof Change.Put && state.subscribersUnder(change.id()) > 0;
      case SUBSCRIBER ->
          tariff(change).isPresent() || state.rateLimit(Tariff.limitId(change.id())).isPresent();
      default -> false;
    };
  }

  private static Optional<String> tariff(Change change) {
    return change instanceof Change.Put put && put.declaration() instanceof Subscriber subscriber
        ? subscriber.parts().tariff().map(TariffUse::tariffId)
        : Optional.empty();
  }

  /** The same put of a subscriber, with what its tariff gives it by now; any other as it is. */
  static Change resolved(CompactSlaState state, Change change) {
    Optional<Tariff> tariff = tariff(change).flatMap(state::tariff);
    if (tariff.isEmpty()) {
      return change;
    }
    Change.Put put = (Change.Put) change;
    // What is due was stored with it.
    return put.dueAt().isPresent() ? put : under(put, tariff.get());
  }

  private static Change.Put under(Change.Put put, Tariff tariff) {
    Subscriber under = ((Subscriber) put.declaration()).under(tariff);
    Change.Put resolved =
        put.with(under)
            .elsewhere(
                put.elsewhere()
                    .map(Subscriber.class::cast)
                    .map(is -> is.withParts(is.parts().withTerms(under.parts().terms()))));
    return put.askedAt().isPresent() ? resolved.at(put.askedAt().get()) : resolved;
  }

  /**
   * The change by which a subscriber gets the limit that its tariff makes, and no other that one
   * has made; empty if that is so.
   */
  static Optional<Change> limitOf(CompactSlaState state, Subscriber subscriber, Instant now) {
    Optional<RateLimit> has = state.rateLimit(Tariff.limitId(subscriber.id()));
    Optional<RateLimit> wanted =
        subscriber
            .parts()
            .tariff()
            .flatMap(use -> state.tariff(use.tariffId()))
            .flatMap(tariff -> tariff.limitOf(subscriber));
    if (wanted.isEmpty()) {
      return has.map(limit -> new Change.Delete(Kind.RATE_LIMIT, limit.id()));
    }
    return has.map(RateLimit::asDeclared).equals(wanted)
        ? Optional.empty()
        : Optional.of(new Change.Put(wanted.get()).at(now));
  }

  /** The steps that were applied, in their order. */
  List<Step> all() {
    return steps;
  }

  /**
   * Plans and applies a change, and what belongs to it.
   *
   * @return the plan that the answer tells
   * @throws Refusal if one of the steps cannot be; nothing is applied
   */
  Plan make(Change change) throws Refusal {
    if (change instanceof Change.Delete) {
      together(
          () -> {
            step(new Change.Delete(Kind.RATE_LIMIT, Tariff.limitId(change.id())), false);
            step(change, true);
          });
    } else if (change.kind() == Kind.TARIFF) {
      together(() -> putTariff((Change.Put) change));
      return told();
    } else {
      putSubscriber((Change.Put) resolved(state, change), true);
    }
    return whole();
  }

  private interface Steps {
    void take() throws Refusal;
  }

  private void together(Steps these) throws Refusal {
    int before = steps.size();
    CompactSlaState.Attempt attempt = state.attempt();
    boolean isDone = false;
    try {
      these.take();
      isDone = true;
    } finally {
      if (isDone) {
        attempt.stays();
      } else {
        attempt.undo();
        steps.subList(before, steps.size()).clear();
      }
    }
  }

  private void step(Change change, boolean told) throws Refusal {
    Plan planned = compiler.compile(state, change);
    Plan plan = told ? noting.apply(planned) : planned;
    steps.add(new Step(plan, state.apply(plan), told));
  }

  // ---------------------------------------------------------------- subscribers

  private void putSubscriber(Change.Put put, boolean told) throws Refusal {
    Subscriber subscriber = (Subscriber) put.declaration();
    boolean isThere = state.indexOf(put.id()) != 0;
    if (limitOf(state, subscriber, now).filter(Change.Delete.class::isInstance).isPresent()) {
      // The answer must not show a limit that goes.
      together(() -> limitAndThen(put, told, subscriber));
      return;
    }
    try {
      together(
          () -> {
            step(put, told);
            takeLimit(subscriber);
          });
    } catch (Refusal refusal) {
      // Beside the limit that it had, it may not be what it can be beside the one that it gets.
      if (!isThere || refusal.code() == Problem.Code.PRECONDITION) {
        throw refusal;
      }
      limitFirst(put, told, subscriber, refusal);
    }
  }

  private void limitFirst(Change.Put put, boolean told, Subscriber subscriber, Refusal first)
      throws Refusal {
    try {
      together(() -> limitAndThen(put, told, subscriber));
    } catch (Refusal refusal) {
      throw first;
    }
  }

  private void limitAndThen(Change.Put put, boolean told, Subscriber subscriber) throws Refusal {
    takeLimit(subscriber);
    step(put, told);
  }

  private void takeLimit(Subscriber subscriber) throws Refusal {
    Optional<Change> limit = limitOf(state, subscriber, now);
    if (limit.isEmpty()) {
      return;
    }
    try {
      step(limit.get(), false);
    } catch (Refusal refusal) {
      throw ofSubscriber(subscriber, refusal);
    }
  }

  /**
   * The same refusal, of a limit that a tariff makes, with fields of the subscriber: an override,
   * or the tariff. What is to be said for the limit can only be said by an override.
   */
  static Refusal ofSubscriber(Subscriber subscriber, Refusal refusal) {
    TariffUse use = subscriber.parts().tariff().orElseThrow();
    return new Refusal(
        refusal.problems().stream()
            .map(
                each ->
                    overrides(use.overrides(), each.field()) || each.value().equals("absent")
                        ? each.below("overrides.")
                        : new Problem(
                            each.code(), "tariff", use.tariffId(), each.allowed(), each.detail()))
            .toList());
  }

  private static boolean overrides(LimitValues said, String field) {
    return switch (field.split("\\.", 2)[0]) {
      case "downBps" -> said.downBps().isPresent();
      case "upBps" -> said.upBps().isPresent();
      case "burstBytes" -> said.burstBytes().isPresent();
      case "enforcement" -> said.enforcement().isPresent();
      case "gate" -> said.gate().isPresent();
      case "aqm" -> said.delay().aqm().isPresent();
      case "maxDelayMillis" -> said.delay().maxDelayMillis().isPresent();
      default -> false;
    };
  }

  // ---------------------------------------------------------------- tariffs

  private void putTariff(Change.Put put) throws Refusal {
    Tariff tariff = (Tariff) put.declaration();
    step(put, true);
    TariffMisfits misfits = new TariffMisfits();
    int[] users = state.indicesUnder(tariff.id()).toArray();
    for (int i = 0; i < users.length; i++) {
      if (i % TOLD_EVERY == 0) {
        progress.accept(new TariffProgress(tariff.id(), i, users.length));
      }
      SubscriberState user = state.at(users[i]);
      // One that leaves is served as it was until it is gone.
      if (user.leaving().isPresent()) {
        continue;
      }
      try {
        change(user.subscriber(), tariff);
      } catch (Refusal refusal) {
        misfits.add(user.subscriber().id(), refusal);
      }
    }
    if (!misfits.isEmpty()) {
      throw new Refusal(List.of(misfits.problem(tariff.id(), users.length)));
    }
  }

  private void change(Subscriber user, Tariff tariff) throws Refusal {
    Subscriber under = user.under(tariff);
    if (under.otherwise().equals(user.otherwise())) {
      takeLimit(user);
    } else {
      putSubscriber(new Change.Put(under).at(now), false);
    }
  }

  // ---------------------------------------------------------------- answers

  /** The plan of what was asked for, with what all steps write. */
  private Plan whole() {
    Plan told = told();
    if (steps.size() == 1) {
      return told;
    }
    Map<TargetKey<?>, List<Write<?>>> writes = new LinkedHashMap<>();
    boolean beginsAtSwitch = false;
    for (TargetKey<?> target : TargetKey.all()) {
      for (Step step : steps) {
        List<? extends Write<?>> of = step.plan.writes().getOrDefault(target, List.of());
        if (!of.isEmpty()) {
          writes.computeIfAbsent(target, unused -> new ArrayList<>()).addAll(of);
        }
      }
    }
    for (Step step : steps) {
      beginsAtSwitch |= step.plan.beginsAtSwitch();
    }
    List<String> notes = new ArrayList<>(told.notes());
    steps.stream().filter(step -> !step.told).forEach(step -> notes.addAll(step.plan.notes()));
    return new Plan(Map.copyOf(writes), beginsAtSwitch, told.grants(), notes, told.delta());
  }

  /** A tariff's own plan: its subscribers' may be many. */
  private Plan told() {
    Plan told = steps.stream().filter(Step::told).findFirst().orElseThrow().plan();
    if (told.delta().change().kind() != Kind.TARIFF) {
      return told;
    }
    long writes = steps.stream().mapToLong(step -> step.plan.size()).sum();
    List<String> notes = new ArrayList<>(told.notes());
    notes.add(
        String.format(
            Locale.ROOT,
            "changes %d declarations of these, by %d writes to targets",
            steps.size() - 1,
            writes));
    return told.withNotes(notes);
  }
}
