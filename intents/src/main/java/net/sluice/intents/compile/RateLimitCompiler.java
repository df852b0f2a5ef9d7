package net.sluice.intents.compile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.sluice.intents.limit.AppliedLimits;
import net.sluice.intents.limit.LimitPlanner;
import net.sluice.intents.limit.LimitView;
import net.sluice.intents.limit.LimitedSubscriber;
import net.sluice.intents.limit.Limiters;
import net.sluice.intents.marker.Markers;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.validate.Refusal;

/** Compiles rate limits: what limiters make of them, and the subscribers that are under them. */
final class RateLimitCompiler extends KindCompiler<RateLimit, RateLimit> {
  private final Topology topology;
  private final EntryDiff entryDiff;
  private final Limiters limiters;
  private final Markers markers;

  RateLimitCompiler(Topology topology, EntryDiff entryDiff, Limiters limiters, Markers markers) {
    super(Kind.RATE_LIMIT, RateLimit.class);
    this.topology = topology;
    this.entryDiff = entryDiff;
    this.limiters = limiters;
    this.markers = markers;
  }

  @Override
  RateLimit declared(RateLimit inForce) {
    return inForce;
  }

  @Override
  Optional<RateLimit> find(SlaState state, String id) {
    return state.rateLimit(id);
  }

  @Override
  void admit(SlaState state, RateLimit limit, Optional<RateLimit> old, Problems problems) {
    checkScope(state, limit, problems);
    old.ifPresent(before -> limiters.admitChange(state, before, limit, problems));
    limit.variants(
        (before, variant) -> {
          Problems found = new Problems();
          limiters.admit(state, variant, found);
          found.all().forEach(problem -> problems.add(problem.below(before)));
        });
    collide(state, limit, old, problems);
    limiters.admitSum(state, limit, problems);
  }

  @Override
  void collide(SlaState state, RateLimit limit, Optional<RateLimit> old, Problems problems) {
    Problems found = new Problems();
    markers.admit(state, limit, found);
    if (!found.isEmpty()) {
      String before = field(limit);
      found.all().forEach(problem -> problems.add(problem.below(before)));
    }
  }

  @Override
  void variants(RateLimit limit, Schedule.FieldValues<RateLimit> out) {
    limit.variants(out);
  }

  @Override
  Plan keep(Change.Put kept, RateLimit old) {
    return new PlanBuilder().build(kept, true, 0);
  }

  @Override
  void readmit(SlaState state, RateLimit stored, Problems problems) {
    admit(state, stored, Optional.of(stored), problems);
  }

  @Override
  void grant(SlaState state, RateLimit limit, Grants out) {
    Tariff.subscriberOf(limit.id())
        .flatMap(state::subscriber)
        .flatMap(of -> of.subscriber().parts().tariff())
        .ifPresent(use -> out.note("made by tariff " + use.tariffId()));
    noteIfOff(limit, out);
    limiters.grant(state, limit, out);
  }

  private static void noteIfOff(RateLimit limit, Grants out) {
    if (limit.isOff()) {
      out.note("suspended for now: limits nothing");
    }
  }

  @Override
  Plan put(
      SlaState state, Change.Put put, RateLimit limit, Optional<RateLimit> old, Problems problems)
      throws Refusal {
    return plan(state, put, old.orElse(null), limit, problems);
  }

  @Override
  Plan delete(SlaState state, Change delete, RateLimit old) throws Refusal {
    return plan(state, delete, old, null, new Problems());
  }

  private Plan plan(
      SlaState state, Change change, RateLimit old, RateLimit added, Problems problems)
      throws Refusal {
    LimitView after = LimitView.after(state, old, added);
    problems.refuseIfAny();
    PlanBuilder plan = new PlanBuilder();
    LimitPlanner planner = limiters.planner(state, plan);
    List<SubscriberState> members = members(state, planner, old, added, after, problems);
    problems.refuseIfAny();

    planner.replace(old, added);
    for (SubscriberState member : members) {
      AppliedLimits limits = AppliedLimits.of(member.subscriber(), after);
      LimitedSubscriber was = LimitedSubscriber.of(state, member);
      LimitedSubscriber is =
          new LimitedSubscriber(member.withAllotment(planner.allot(member, limits)), limits, state);
      PolicySlots slots = PolicySlots.of(state, member.subscriber());
      entryDiff.replace(plan, new EntryDiff.Side(was, slots), new EntryDiff.Side(is, slots));
      planner.replace(was, is);
      if (was.state().allotment() != is.state().allotment()) {
        plan.allot(member.index(), is.state().allotment());
      }
    }
    if (added != null) {
      noteIfOff(added, plan.grants());
    }
    planner.finish(old, added);
    if (added != null) {
      noteOthers(state, added, Optional.ofNullable(old), plan.grants());
    }
    return plan.build(change, old != null, 0);
  }

  // ---------------------------------------------------------------- checks

  private void checkScope(SlaState state, RateLimit limit, Problems problems) {
    int port = -1;
    if (limit.scope() instanceof Scope.OfSubscriber of) {
      if (state.subscriber(of.subscriberId()).isEmpty()) {
        problems.add(
            Code.INVALID,
            "scope.subscriber",
            of.subscriberId(),
            "the id of an existing subscriber",
            "There is no subscriber " + of.subscriberId() + ".");
      }
    } else if (limit.scope() instanceof Scope.OfTree of) {
      port = of.port();
    } else if (limit.scope() instanceof Scope.OfPort of) {
      port = of.port();
    }
    if (port >= 0 && topology.switchPort(port).isEmpty()) {
      problems.add(
          Code.INVALID,
          "scope.port",
          port,
          topology.connectedBngPorts(),
          String.format(
              Locale.ROOT,
              "BNG port %d is not connected to the switch; connected: %s.",
              port,
              topology.connectedBngPorts()));
    }
    Optional<RateLimit> other = state.rateLimitOf(limit.scope());
    if (other.isPresent() && !other.get().id().equals(limit.id())) {
      problems.add(
          Code.CONFLICT,
          "scope",
          limit.scope(),
          "a scope without another rate limit",
          String.format(
              Locale.ROOT, "Rate limit %s already limits %s.", other.get().id(), limit.scope()));
    }
  }

  // ---------------------------------------------------------------- subscribers

  /**
   * The subscribers that the change may touch, in the order to allot in, which must not depend on
   * the store's: what is given back comes before what is handed out.
   */
  private List<SubscriberState> members(
      SlaState state,
      LimitPlanner planner,
      RateLimit old,
      RateLimit added,
      LimitView after,
      Problems problems) {
    if (old != null
        && added != null
        && onlyRatesDiffer(old, added)
        && !limiters.passes(old, added)) {
      return List.of();
    }
    List<SubscriberState> members = new ArrayList<>();
    Consumer<SubscriberState> collect =
        member -> {
          if (planner.expect(member, AppliedLimits.of(member.subscriber(), after))) {
            members.add(member);
          }
        };
    if (old != null) {
      try (Stream<SubscriberState> of = members(state, old.scope())) {
        of.forEach(collect);
      }
    }
    if (added != null && (old == null || !old.scope().equals(added.scope()))) {
      try (Stream<SubscriberState> of = members(state, added.scope())) {
        of.filter(s -> old == null || !covers(old.scope(), s.subscriber())).forEach(collect);
      }
    }
    planner.check(added, problems);
    members.sort(
        Comparator.comparing((SubscriberState s) -> !s.hasAllotment())
            .thenComparingInt(SubscriberState::index));
    return members;
  }

  /** A tree's or port's other rate changes its own bucket and no subscriber's. */
  private static boolean onlyRatesDiffer(RateLimit old, RateLimit added) {
    return old.scope().equals(added.scope())
        && old.enforcement().equals(added.enforcement())
        && !(old.scope() instanceof Scope.OfSubscriber)
        && old.downBps().isPresent() == added.downBps().isPresent()
        && old.upBps().isPresent() == added.upBps().isPresent();
  }

  private static Stream<SubscriberState> members(SlaState state, Scope scope) {
    if (scope instanceof Scope.OfSubscriber of) {
      return state.subscriber(of.subscriberId()).stream();
    } else if (scope instanceof Scope.OfTree of) {
      return state.attachedTo(of.port(), of.tree());
    }
    return state.attachedTo(((Scope.OfPort) scope).port());
  }

  private static boolean covers(Scope scope, Subscriber subscriber) {
    if (scope instanceof Scope.OfSubscriber of) {
      return of.subscriberId().equals(subscriber.id());
    } else if (scope instanceof Scope.OfTree of) {
      return of.port() == subscriber.attachment().port()
          && of.tree() == subscriber.attachment().tree();
    }
    return ((Scope.OfPort) scope).port() == subscriber.attachment().port();
  }
}
