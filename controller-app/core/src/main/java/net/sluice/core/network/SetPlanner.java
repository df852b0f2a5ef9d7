package net.sluice.core.network;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import net.sluice.core.Outcome;
import net.sluice.core.change.SetSteps;
import net.sluice.core.change.TariffMisfits;
import net.sluice.core.shard.SwitchShard;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.TariffUse;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.LikeFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.Precondition;
import net.sluice.intents.plan.StateDelta;
import net.sluice.intents.state.Leaving;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;

/**
 * Plans changes that come into force together. What they replace or delete is taken out first, at
 * all switches; then what they put is put in, each by the rules of a single change. So each meets
 * what is in force after all of them and nothing that goes, and the order in which they were given
 * does not matter. A subscriber that is put again gets its index, its queue and its contract again;
 * the writes are the difference between before and after, see {@link
 * net.sluice.intents.plan.MergedWrites}.
 *
 * <p>More than 500 lines, because the phases say how changes of all kinds go together.
 */
final class SetPlanner {
  /** The order of the steps. */
  private enum Phase {
    LIMITS_GO,
    SUBSCRIBERS_GO,
    TARIFFS_GO,
    ALIKE_GO,
    POLICIES_GO,
    POLICIES_COME,
    ALIKE_COME,
    TARIFFS_COME,
    TARIFF_POLICIES_GO,
    SHARED_LIMITS_COME,
    SUBSCRIBERS_COME,
    LIMITS_COME,
    TARIFF_LIMITS_COME,
    TARIFF_USERS_COME,
    TREATMENTS_COME
  }

  private final Network network;
  private final Function<SwitchShard, SetSteps> steps;
  private final ChangeSets.Routed set;
  private final boolean endsAtOnce;
  private final boolean yields;
  private final Instant now;

  /** All puts, also those that go nowhere. */
  private final Map<Name, Integer> asked = new HashMap<>();

  private final Map<Name, Integer> puts = new HashMap<>();
  private final Map<Name, Integer> deletions = new HashMap<>();

  /** Subscribers that go on at the switch which they leave, with their limits. */
  private final Set<String> leavers = new HashSet<>();

  private final Set<String> ended = new HashSet<>();
  private final List<Step> inOrder = new ArrayList<>();
  private final List<Result> results = new ArrayList<>();

  /** Limits that tariffs have made, which went with their subscribers for a while. */
  private final Set<Place> wentWith = new HashSet<>();

  /** Policies that tariffs have no more; they go when these have come. */
  private final Set<String> wasOfTariff = new HashSet<>();

  /** The subscribers that have a tariff which is put, and those that cannot, by its number. */
  private final Map<Integer, Integer> under = new HashMap<>();

  private final Map<Integer, TariffMisfits> misfits = new TreeMap<>();

  /** Puts that wait for nothing: something that they need is refused. */
  private final Set<Name> skipped = new HashSet<>();

  /** Subscribers that go and come with their tariff. */
  private final Set<Place> users = new HashSet<>();

  /** The puts that came to be, see {@link SetSteps#step}. */
  private final Map<Place, Change> made = new HashMap<>();

  private final Map<Integer, List<Problem>> refused;

  private record Place(SwitchShard at, Name name) {}

  private record Name(Kind kind, String id) {
    static Name of(Change change) {
      return new Name(change.kind(), change.id());
    }
  }

  /**
   * A step.
   *
   * @param isNew whether it comes after those of its phase that put what was there
   */
  private record Step(Phase phase, SwitchShard at, Change change, int cause, boolean isNew) {}

  /**
   * A change at one switch that the steps come to; of those that belong to another one, told no.
   */
  private record Result(SwitchShard at, Change change, int cause, boolean isTold) {}

  /**
   * The result of planning a set.
   *
   * @param accepted an outcome for each change; empty if one is refused
   * @param refused what stands against them, by their number
   * @param leaves whether one leaves a switch that goes on with it meanwhile
   */
  record PlanResult(List<Outcome> accepted, Map<Integer, List<Problem>> refused, boolean leaves) {
    boolean isAccepted() {
      return refused.isEmpty();
    }
  }

  /**
   * A plan of changes.
   *
   * @param steps of each switch, applied to what is in force or to what is supposed
   * @param endsAtOnce whether a switch that a subscriber leaves forgets it at once
   * @param yields whether what schedules and suspensions bring now comes after all that always is
   *     as it is declared, and is out of force if it cannot be beside that
   */
  SetPlanner(
      Network network,
      Function<SwitchShard, SetSteps> steps,
      ChangeSets.Routed set,
      boolean endsAtOnce,
      boolean yields,
      Instant now) {
    this.network = network;
    this.steps = steps;
    this.set = set;
    this.endsAtOnce = endsAtOnce;
    this.yields = yields;
    this.now = now;
    this.refused = new TreeMap<>(set.refused());
  }

  /** Plans. */
  PlanResult plan() {
    for (int i = 0; i < set.changes().size(); i++) {
      Change change = set.changes().get(i);
      if (change instanceof Change.Put) {
        asked.putIfAbsent(Name.of(change), i);
      }
      if (set.routes()[i] != null) {
        (change instanceof Change.Put ? puts : deletions).put(Name.of(change), i);
      }
    }
    for (Kind kind : List.of(Kind.SUBSCRIBER, Kind.RATE_LIMIT, Kind.TARIFF, Kind.POLICY)) {
      for (int i = 0; i < set.changes().size(); i++) {
        Change change = set.changes().get(i);
        boolean isPutToo = change instanceof Change.Delete && puts.containsKey(Name.of(change));
        if (change.kind() == kind && set.routes()[i] != null && !isPutToo) {
          lay(i, change, set.routes()[i]);
        }
      }
    }
    inOrder.sort(
        Comparator.comparing(Step::phase)
            .thenComparing(Step::isNew)
            .thenComparing(step -> step.change.id()));
    inOrder.forEach(this::take);
    misfits.forEach(
        (cause, of) ->
            refused
                .computeIfAbsent(cause, unused -> new ArrayList<>())
                .add(of.problem(set.changes().get(cause).id(), under.get(cause))));
    return new PlanResult(refused.isEmpty() ? outcomes() : List.of(), refused, !leavers.isEmpty());
  }

  private void lay(int i, Change change, Routes.Route route) {
    switch (change.kind()) {
      case POLICY -> layPolicy(i, change);
      case SUBSCRIBER -> laySubscriber(i, change, route);
      case RATE_LIMIT -> layLimit(i, change, route);
      case TARIFF -> layTariff(i, change);
    }
  }

  private void go(SwitchShard at, Kind kind, String id, int cause) {
    Phase phase = kind == Kind.RATE_LIMIT ? Phase.LIMITS_GO : Phase.SUBSCRIBERS_GO;
    inOrder.add(new Step(phase, at, new Change.Delete(kind, id), cause, false));
  }

  private void come(SwitchShard at, Change.Put put, int cause, boolean isNew) {
    Phase phase =
        switch (put.kind()) {
          case POLICY ->
              isAlike((Policy) put.declaration()) ? Phase.ALIKE_COME : Phase.POLICIES_COME;
          case TARIFF -> Phase.TARIFFS_COME;
          case SUBSCRIBER -> Phase.SUBSCRIBERS_COME;
          case RATE_LIMIT ->
              ((RateLimit) put.declaration()).scope() instanceof Scope.OfSubscriber
                  ? Phase.LIMITS_COME
                  : Phase.SHARED_LIMITS_COME;
        };
    inOrder.add(new Step(phase, at, put.under(Precondition.NONE), cause, isNew));
    if (put.kind() == Kind.SUBSCRIBER) {
      inOrder.add(new Step(Phase.TARIFF_LIMITS_COME, at, put, cause, isNew));
    }
    if (yields && put.askedAt().isPresent()) {
      inOrder.add(new Step(Phase.TREATMENTS_COME, at, put.under(Precondition.NONE), cause, isNew));
    }
  }

  // ---------------------------------------------------------------- policies

  private static boolean isAlike(Policy policy) {
    return policy.function() instanceof LikeFunction;
  }

  /**
   * A policy keeps its slot; those that manage a queue otherwise do so no more, for a while, nor
   * are those like another one that are to be like that no more.
   */
  private void layPolicy(int i, Change change) {
    boolean isTold = true;
    for (SwitchShard shard : network.all()) {
      Optional<Policy> old =
          steps.apply(shard).declaration(Kind.POLICY, change.id()).map(Policy.class::cast);
      boolean wasAlike = old.isPresent() && isAlike(old.get());
      if (change instanceof Change.Put put) {
        Policy policy = (Policy) put.declaration();
        if (wasAlike && !old.get().function().equals(policy.function())) {
          Change apart = new Change.Put(old.get().withFunction(BuiltInFunction.SILVER));
          inOrder.add(new Step(Phase.ALIKE_GO, shard, apart, i, false));
        }
        if (old.isPresent() && !old.get().aqm().equals(policy.aqm())) {
          Change without = new Change.Put(old.get().withoutAqm());
          inOrder.add(new Step(Phase.POLICIES_GO, shard, without, i, false));
        }
        come(shard, put, i, old.isEmpty());
      } else {
        Phase phase =
            wasOfTariff.contains(change.id())
                ? Phase.TARIFF_POLICIES_GO
                : wasAlike ? Phase.ALIKE_GO : Phase.POLICIES_GO;
        // Together with the one that it is like, it goes first.
        inOrder.add(new Step(phase, shard, change.under(Precondition.NONE), i, !wasAlike));
      }
      results.add(new Result(shard, change, i, isTold));
      isTold = false;
    }
  }

  // ---------------------------------------------------------------- tariffs

  private void layTariff(int i, Change change) {
    boolean isTold = true;
    for (SwitchShard shard : network.all()) {
      if (change instanceof Change.Put put) {
        Optional<Tariff> old =
            steps.apply(shard).declaration(Kind.TARIFF, put.id()).map(Tariff.class::cast);
        come(shard, put, i, old.isEmpty());
        if (old.isPresent() && !old.get().hasPoliciesOf((Tariff) put.declaration())) {
          wasOfTariff.add(old.get().policyId());
          old.get().upstreamPolicyId().ifPresent(wasOfTariff::add);
          layUsers(i, shard, put.id());
        }
        under.merge(i, steps.apply(shard).under(put.id(), now).size(), Integer::sum);
        inOrder.add(new Step(Phase.TARIFF_USERS_COME, shard, put, i, false));
      } else {
        inOrder.add(new Step(Phase.TARIFFS_GO, shard, change.under(Precondition.NONE), i, true));
      }
      results.add(new Result(shard, change, i, isTold));
      isTold = false;
    }
  }

  /**
   * The subscribers under a tariff of other policies go and come again as if they were put: none
   * stands in the way of another with the policy that it had.
   */
  private void layUsers(int i, SwitchShard at, String tariffId) {
    for (Change.Put user : steps.apply(at).under(tariffId, now)) {
      Name name = Name.of(user);
      boolean isPut = puts.containsKey(name) || deletions.containsKey(name);
      if (!isPut && has(user).policyId().isEmpty()) {
        layAgain(i, at, user);
        results.add(new Result(at, user, i, false));
        users.add(new Place(at, name));
      }
    }
  }

  private static TariffUse has(Change.Put user) {
    return ((Subscriber) user.declaration()).parts().tariff().orElseThrow();
  }

  /** The other subscribers under a tariff that are not put themselves get what it gives by now. */
  private void takeUsers(Step step) {
    SetSteps at = steps.apply(step.at);
    for (Change.Put user : at.under(step.change.id(), now)) {
      if (!puts.containsKey(Name.of(user)) && !users.contains(new Place(step.at, Name.of(user)))) {
        try {
          takeUser(step, at, user);
        } catch (Refusal refusal) {
          isMisfit(step.cause, user.id(), refusal);
        }
      }
    }
  }

  private void takeUser(Step step, SetSteps at, Change.Put user) throws Refusal {
    Change after = at.step(user, step.cause);
    if (!after.equals(user)) {
      results.add(new Result(step.at, after, step.cause, false));
      made.put(new Place(step.at, Name.of(after)), after);
    }
    takeLimit(step, user.id());
  }

  private void isMisfit(int cause, String subscriberId, Refusal refusal) {
    misfits.computeIfAbsent(cause, unused -> new TariffMisfits()).add(subscriberId, refusal);
  }

  /** A subscriber gets the limit that its tariff makes; the one that it had may be gone by now. */
  private void takeLimit(Step step, String subscriberId) throws Refusal {
    SetSteps at = steps.apply(step.at);
    Optional<Change> limit = at.tariffLimit(subscriberId, now);
    if (limit.isPresent()) {
      Change change = at.stepTariffLimit(subscriberId, limit.get(), step.cause);
      results.add(new Result(step.at, change, step.cause, false));
      if (change instanceof Change.Put) {
        made.put(new Place(step.at, Name.of(change)), change);
        return;
      }
    }
    Name gone = new Name(Kind.RATE_LIMIT, Tariff.limitId(subscriberId));
    if (limit.isEmpty() && wentWith.remove(new Place(step.at, gone))) {
      results.add(new Result(step.at, new Change.Delete(gone.kind, gone.id), step.cause, false));
    }
  }

  private boolean isMade(RateLimit limit) {
    return Tariff.subscriberOf(limit.id()).isPresent();
  }

  // ---------------------------------------------------------------- subscribers

  private void laySubscriber(int i, Change change, Routes.Route route) {
    if (route instanceof Routes.Route.Move move) {
      layMove(i, (Change.Put) change, move);
    } else if (route instanceof Routes.Route.DeleteEverywhere delete) {
      delete.leavers().forEach(leaver -> forget(leaver, change.id(), i));
      delete.at().ifPresent(at -> go(at, Kind.SUBSCRIBER, change.id(), i));
      results.add(
          new Result(delete.at().orElseGet(() -> delete.leavers().get(0)), change, i, true));
    } else {
      SwitchShard at = ((Routes.Route.At) route).shard();
      boolean isThere = steps.apply(at).declaration(Kind.SUBSCRIBER, change.id()).isPresent();
      if (change instanceof Change.Put put) {
        if (isThere) {
          layAgain(i, at, put);
        } else {
          come(at, put, i, true);
        }
      } else {
        steps
            .apply(at)
            .ownLimit(change.id())
            .filter(this::isMade)
            .ifPresent(limit -> goUntold(at, limit, i));
        go(at, Kind.SUBSCRIBER, change.id(), i);
      }
      results.add(new Result(at, change, i, true));
    }
  }

  /** A subscriber that is there goes, with a limit of its own, and comes again. */
  private void layAgain(int i, SwitchShard at, Change.Put put) {
    Optional<RateLimit> own = steps.apply(at).ownLimit(put.id()).filter(this::isKept);
    own.ifPresent(limit -> go(at, Kind.RATE_LIMIT, limit.id(), i));
    go(at, Kind.SUBSCRIBER, put.id(), i);
    own.filter(limit -> !isMade(limit)).ifPresent(limit -> bring(at, limit, i));
    own.filter(this::isMade)
        .ifPresent(limit -> wentWith.add(new Place(at, new Name(Kind.RATE_LIMIT, limit.id()))));
    come(at, put, i, false);
  }

  /** Whether none of the changes is of a limit. */
  private boolean isKept(RateLimit limit) {
    Name name = new Name(Kind.RATE_LIMIT, limit.id());
    return !puts.containsKey(name) && !deletions.containsKey(name);
  }

  /** The own limit of a subscriber comes with it. */
  private void bring(SwitchShard to, RateLimit limit, int cause) {
    Change.Put again = new Change.Put(limit);
    come(to, again, cause, false);
    results.add(new Result(to, again, cause, false));
  }

  /** A switch forgets a subscriber, with its own limit. */
  private void forget(SwitchShard at, String id, int cause) {
    steps
        .apply(at)
        .ownLimit(id)
        .ifPresent(
            limit -> {
              go(at, Kind.RATE_LIMIT, limit.id(), cause);
              results.add(
                  new Result(at, new Change.Delete(Kind.RATE_LIMIT, limit.id()), cause, false));
            });
    go(at, Kind.SUBSCRIBER, id, cause);
    results.add(new Result(at, new Change.Delete(Kind.SUBSCRIBER, id), cause, false));
  }

  private void layMove(int i, Change.Put put, Routes.Route.Move move) {
    String id = put.id();
    for (SwitchShard leaver : move.leavers()) {
      if (leaver == move.to()) {
        forget(leaver, id, i);
      } else {
        Leaving before = steps.apply(leaver).leaving(id).orElseThrow();
        steps.apply(leaver).leave(id, before.to(move.to().name()));
      }
    }
    results.add(new Result(move.to(), put, i, true));
    come(move.to(), put, i, true);
    if (move.from().isEmpty()) {
      return;
    }
    SwitchShard from = move.from().get();
    Optional<RateLimit> own = steps.apply(from).ownLimit(id);
    if (!endsAtOnce && own.filter(limit -> isTakenAt(from, limit)).isEmpty()) {
      steps.apply(from).leave(id, new Leaving(move.to().name(), now.toEpochMilli()));
      leavers.add(id);
    } else {
      own.filter(this::isKept).ifPresent(limit -> goUntold(from, limit, i));
      go(from, Kind.SUBSCRIBER, id, i);
      results.add(new Result(from, new Change.Delete(Kind.SUBSCRIBER, id), i, false));
      ended.add(id);
    }
    own.filter(limit -> isKept(limit) && !isMade(limit))
        .ifPresent(limit -> bring(move.to(), limit, i));
  }

  private void goUntold(SwitchShard from, RateLimit limit, int cause) {
    go(from, Kind.RATE_LIMIT, limit.id(), cause);
    results.add(new Result(from, new Change.Delete(Kind.RATE_LIMIT, limit.id()), cause, false));
  }

  /** Whether a limit is put at a switch, where a subscriber that leaves has it. */
  private boolean isTakenAt(SwitchShard from, RateLimit limit) {
    Integer put = puts.get(new Name(Kind.RATE_LIMIT, limit.id()));
    return put != null && set.routes()[put] instanceof Routes.Route.At at && at.shard() == from;
  }

  // ---------------------------------------------------------------- limits

  private void layLimit(int i, Change change, Routes.Route route) {
    if (route instanceof Routes.Route.MoveLimit move) {
      goFrom(move.from(), change.id(), i, false);
      come(move.to(), (Change.Put) change, i, false);
      results.add(new Result(move.to(), change, i, true));
      return;
    }
    SwitchShard at = ((Routes.Route.At) route).shard();
    if (!(change instanceof Change.Put put)) {
      goFrom(at, change.id(), i, true);
      return;
    }
    RateLimit limit = (RateLimit) put.declaration();
    Optional<RateLimit> old =
        steps.apply(at).declaration(Kind.RATE_LIMIT, change.id()).map(RateLimit.class::cast);
    if (old.isPresent() && !staysInPlace(old.get(), limit)) {
      go(at, Kind.RATE_LIMIT, change.id(), i);
    }
    come(at, put, i, old.isEmpty());
    results.add(new Result(at, change, i, true));
  }

  /** A subscriber that leaves keeps its limit there, until it is gone itself. */
  private void goFrom(SwitchShard from, String id, int cause, boolean isTold) {
    boolean isLeavers =
        steps
            .apply(from)
            .declaration(Kind.RATE_LIMIT, id)
            .map(limit -> ((RateLimit) limit).scope())
            .filter(
                scope ->
                    scope instanceof Scope.OfSubscriber of && leavers.contains(of.subscriberId()))
            .isPresent();
    if (!isLeavers) {
      go(from, Kind.RATE_LIMIT, id, cause);
      results.add(new Result(from, new Change.Delete(Kind.RATE_LIMIT, id), cause, isTold));
    }
  }

  /**
   * A limit of a tree or port need not be taken away from all its subscribers to get other rates:
   * that nothing adds up to too much is seen with the limits that come after it.
   */
  private static boolean staysInPlace(RateLimit old, RateLimit added) {
    boolean isShared = !(old.scope() instanceof Scope.OfSubscriber);
    boolean isAlways = !old.isTimed() && !added.isTimed() && !old.isOff() && !added.isOff();
    boolean isAlike =
        old.scope().equals(added.scope()) && old.enforcement().equals(added.enforcement());
    for (Direction direction : Direction.values()) {
      isAlike &= old.rateBps(direction).isPresent() == added.rateBps(direction).isPresent();
    }
    return isShared && isAlways && isAlike;
  }

  // ---------------------------------------------------------------- planning

  private void take(Step step) {
    if (step.change instanceof Change.Put put && dependsOnRefused(put.declaration())) {
      skipped.add(Name.of(put));
      return;
    }
    try {
      if (step.phase == Phase.TARIFF_USERS_COME) {
        takeUsers(step);
        return;
      } else if (step.phase == Phase.TARIFF_LIMITS_COME) {
        // Without the subscriber, it is refused.
        if (made.containsKey(new Place(step.at, Name.of(step.change)))) {
          takeLimit(step, step.change.id());
        }
        return;
      }
      Change change = planned(step);
      if (change instanceof Change.Put) {
        made.put(new Place(step.at, Name.of(change)), change);
      }
    } catch (Refusal refusal) {
      Change cause = set.changes().get(step.cause);
      if (cause.kind() == Kind.TARIFF && step.change.kind() == Kind.SUBSCRIBER) {
        isMisfit(step.cause, step.change.id(), refusal);
        return;
      }
      List<Problem> problems = refused.computeIfAbsent(step.cause, unused -> new ArrayList<>());
      refusal.problems().stream().filter(each -> !problems.contains(each)).forEach(problems::add);
    }
  }

  private Change planned(Step step) throws Refusal {
    SetSteps at = steps.apply(step.at);
    if (step.phase == Phase.TREATMENTS_COME) {
      Change before = made.get(new Place(step.at, Name.of(step.change)));
      // It is refused.
      return before == null ? step.change : at.stepForNow((Change.Put) before, step.cause);
    }
    return yields && step.change instanceof Change.Put put && put.askedAt().isPresent()
        ? at.stepYielding(put, step.cause)
        : at.step(step.change, step.cause);
  }

  /**
   * Whether a declaration needs one that is refused: the lack of that one is no error of its own.
   */
  private boolean dependsOnRefused(Declaration declaration) {
    if (declaration instanceof RateLimit limit && limit.scope() instanceof Scope.OfSubscriber of) {
      return isRefused(Kind.SUBSCRIBER, of.subscriberId());
    }
    return declaration instanceof Subscriber subscriber
        && (subscriber
                .parts()
                .tariff()
                .filter(use -> isRefused(Kind.TARIFF, use.tariffId()))
                .isPresent()
            || isRefused(Kind.POLICY, subscriber.policyId())
            || isRefused(Kind.POLICY, subscriber.policyId(Direction.UP)));
  }

  private boolean isRefused(Kind kind, String id) {
    Name name = new Name(kind, id);
    Integer put = asked.get(name);
    return skipped.contains(name)
        || put != null && (refused.containsKey(put) || misfits.containsKey(put));
  }

  // ---------------------------------------------------------------- outcomes

  private List<Outcome> outcomes() {
    results.stream().map(Result::at).distinct().forEach(shard -> steps.apply(shard).end());
    Map<Integer, List<Outcome.SwitchPlan>> plans = new HashMap<>();
    Map<Integer, Plan> own = new HashMap<>();
    Map<Integer, NetworkNotes> notes = new HashMap<>();
    // What belongs to another change comes after it, which has the writes of both.
    results.sort(Comparator.comparing(result -> !result.isTold));
    Set<List<Object>> written = new HashSet<>();
    for (Result result : results) {
      boolean isFirst = written.add(List.of(result.at, result.cause));
      Change change =
          result.change instanceof Change.Put
              ? made.get(new Place(result.at, Name.of(result.change)))
              : result.change;
      Plan plan = steps.apply(result.at).accept(change, result.cause, result.isTold, isFirst);
      if (result.isTold) {
        own.put(result.cause, plan);
      }
      boolean isItself = Name.of(result.change).equals(Name.of(set.changes().get(result.cause)));
      if (isFirst) {
        plans
            .computeIfAbsent(result.cause, unused -> new ArrayList<>())
            .add(new Outcome.SwitchPlan(result.at.name(), plan));
      }
      if (isItself && result.change instanceof Change.Put) {
        notes
            .computeIfAbsent(result.cause, unused -> new NetworkNotes())
            .add(result.at.name(), plan.notes());
      }
    }
    List<Outcome> outcomes = new ArrayList<>(set.changes().size());
    for (int i = 0; i < set.changes().size(); i++) {
      outcomes.add(
          outcome(
              i,
              Optional.ofNullable(own.get(i)),
              plans.getOrDefault(i, List.of()),
              notes.containsKey(i) ? notes.get(i).merged() : List.of()));
    }
    return outcomes;
  }

  /** Without a plan of its own, it is done by others or by the end of a move. */
  private Outcome outcome(
      int i, Optional<Plan> own, List<Outcome.SwitchPlan> plans, List<String> notes) {
    Change change = set.changes().get(i);
    Plan plan =
        own.orElseGet(
            () ->
                new Plan(
                    Map.of(),
                    false,
                    List.of(),
                    List.of(),
                    new StateDelta(change, true, 0, 0, SubscriberState.NONE, List.of())));
    List<String> all = new ArrayList<>(notes);
    boolean moves = false;
    if (change instanceof Change.Put
        && change.kind() == Kind.SUBSCRIBER
        && set.routes()[i] instanceof Routes.Route.Move move
        && move.from().isPresent()) {
      moves = true;
      all.add(note(change.id(), move.from().get().name(), move.to().name()));
    }
    return new Outcome.Accepted(
        plan.delta().change(),
        plan.withNotes(all),
        List.of(),
        network.isOne() ? List.of() : plans,
        moves);
  }

  private String note(String id, String from, String to) {
    return ended.contains(id)
        ? "moves from switch "
            + from
            + ", which ends at once: others of the set get what it had there"
        : MultiShardChanges.movesFrom(from, to);
  }
}
