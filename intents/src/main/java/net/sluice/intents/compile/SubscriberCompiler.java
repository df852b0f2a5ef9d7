package net.sluice.intents.compile;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.intents.limit.AppliedLimits;
import net.sluice.intents.limit.LimitPlanner;
import net.sluice.intents.limit.LimitedSubscriber;
import net.sluice.intents.limit.Limiters;
import net.sluice.intents.marker.Markers;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.TariffUse;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.Table;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.PrefixCounts;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;

/** Compiles subscribers: admission, allocation, and the writes of just this subscriber. */
final class SubscriberCompiler extends KindCompiler<Subscriber, SubscriberState> {
  private final BngPorts bngPorts;
  private final SubscriberChecks checks;
  private final Placement placement;
  private final SubscriberEntries entries;
  private final EntryDiff entryDiff;
  private final Limiters limiters;
  private final Markers markers;
  private final ManagedQueues queues;

  SubscriberCompiler(
      Topology topology,
      SwitchProfile profile,
      SubscriberEntries entries,
      EntryDiff entryDiff,
      Limiters limiters,
      Markers markers,
      ManagedQueues queues) {
    super(Kind.SUBSCRIBER, Subscriber.class);
    this.bngPorts = new BngPorts(topology);
    this.checks = new SubscriberChecks(topology, profile);
    this.placement = new Placement(topology, profile);
    this.entries = entries;
    this.entryDiff = entryDiff;
    this.limiters = limiters;
    this.markers = markers;
    this.queues = queues;
  }

  @Override
  Subscriber declared(SubscriberState inForce) {
    return inForce.subscriber();
  }

  @Override
  Optional<SubscriberState> find(SlaState state, String id) {
    return state.subscriber(id);
  }

  @Override
  Optional<SubscriberState> formerly(SlaState state, String id) {
    return state.formerly(id);
  }

  @Override
  void admit(
      SlaState state, Subscriber subscriber, Optional<SubscriberState> old, Problems problems) {
    SubscriberState replaced = old.orElse(null);
    Subscriber before = replaced == null ? null : replaced.subscriber();
    PrefixCounts prefixes = PrefixCounts.of(subscriber.prefixes());
    PrefixCounts released = before == null ? PrefixCounts.NONE : PrefixCounts.of(before.prefixes());
    checks.policyAndPrefixes(state, subscriber, problems);
    placement.admit(state, replaced, subscriber, prefixes, released, problems);
    checks.tables(state, before, subscriber, prefixes, released, problems);
    checks.attachment(state, subscriber, problems);
    limiters.admit(state, subscriber, before, problems);
    collide(state, subscriber, old, problems);
  }

  @Override
  void collide(
      SlaState state, Subscriber subscriber, Optional<SubscriberState> old, Problems problems) {
    SubscriberState replaced = old.orElse(null);
    Problems found = subscriber.isTimed() ? new Problems() : problems;
    markers.admit(state, subscriber, replaced, found);
    queues.admit(state, subscriber, replaced == null ? null : replaced.subscriber(), found);
    if (found != problems && !found.isEmpty()) {
      String before = field(subscriber);
      found
          .all()
          .forEach(problem -> problems.add(isOfPolicy(problem) ? problem.below(before) : problem));
    }
  }

  private static boolean isOfPolicy(Problem problem) {
    return Arrays.stream(Direction.values())
        .anyMatch(direction -> problem.field().equals(Subscriber.policyField(direction)));
  }

  @Override
  void variants(Subscriber subscriber, Schedule.FieldValues<Subscriber> out) {
    subscriber.variants(out);
  }

  @Override
  Plan keep(Change.Put kept, SubscriberState old) {
    PlanBuilder plan = new PlanBuilder();
    plan.contract(old.contract());
    return plan.build(kept, true, old.index());
  }

  @Override
  void readmit(SlaState state, SubscriberState stored, Problems problems) {
    Subscriber subscriber = stored.subscriber();
    PrefixCounts prefixes = PrefixCounts.of(subscriber.prefixes());
    checks.policyAndPrefixes(state, subscriber, problems);
    placement.readmit(state, subscriber, stored.index(), prefixes, problems);
    checks.tables(state, null, subscriber, prefixes, PrefixCounts.NONE, problems);
    checks.attachment(state, subscriber, problems);
    queues.admit(state, subscriber, null, problems);
    limiters.readmit(state, stored, problems);
    markers.readmit(state, stored, problems);
  }

  @Override
  void grant(SlaState state, Subscriber subscriber, Grants out) {
    int index = placement.isTold() ? state.subscriber(subscriber.id()).orElseThrow().index() : 0;
    note(AppliedLimits.of(state, subscriber), index, out);
    noteTariff(subscriber, out);
    noteIfStopped(subscriber, out);
    noteUpstream(state, subscriber, out);
    markers.grant(state, subscriber, out);
  }

  private static void noteTariff(Subscriber subscriber, Grants out) {
    Optional<TariffUse> use = subscriber.parts().tariff();
    if (use.isPresent() && use.get().policyId().isEmpty()) {
      out.note("tariff " + use.get().tariffId() + ": policy " + subscriber.otherwise().policyId());
    }
  }

  private static void noteIfStopped(Subscriber subscriber, Grants out) {
    if (subscriber.parts().stopped()) {
      out.note("suspended for now: its packets are dropped");
    }
  }

  /** Queues are managed by the policies of those to whom their packets go. */
  private static void noteUpstream(SlaState state, Subscriber subscriber, Grants out) {
    if (subscriber.isSplit()) {
      String policyId = subscriber.policyId(Direction.UP);
      state
          .policy(policyId)
          .flatMap(policy -> policy.policy().aqm())
          .ifPresent(
              aqm ->
                  out.note(
                      String.format(
                          Locale.ROOT,
                          "%s: %s of policy %s manages no queue that this subscriber's packets"
                              + " leave by upstream",
                          Subscriber.policyField(Direction.UP),
                          ManagedQueues.field(aqm),
                          policyId)));
    }
  }

  private void note(AppliedLimits shaping, int index, Grants out) {
    if (shaping.any()) {
      out.note("limited by " + shaping.names());
    }
    if (placement.isTold()) {
      out.note("placed in " + placement.text(index));
    }
  }

  @Override
  Plan put(
      SlaState state,
      Change.Put put,
      Subscriber subscriber,
      Optional<SubscriberState> replaced,
      Problems problems)
      throws Refusal {
    SubscriberState old = replaced.orElse(null);
    AppliedLimits limits = AppliedLimits.of(state, subscriber);
    LimitedSubscriber before = old == null ? null : LimitedSubscriber.of(state, old);
    PlanBuilder plan = new PlanBuilder();
    boolean limited = limits.any() || before != null && before.limits().any();
    LimitPlanner planner = limited ? limiters.planner(state, plan) : null;
    int allotment = SubscriberState.NONE;
    if (limits.any() && bngPorts.switchPort(subscriber.attachment()).isPresent()) {
      allotment = planner.allot(old, subscriber, limits, problems);
    }
    problems.refuseIfAny();

    PrefixCounts prefixes = PrefixCounts.of(subscriber.prefixes());
    int contract = markers.contract(state, subscriber, old);
    int index = placement.index(state, old, subscriber, prefixes);
    OptionalInt fresh = placement.fresh(state, old, subscriber, prefixes);
    if (fresh.isPresent()
        && hasRoomBeside(
            state,
            new SubscriberState(subscriber, fresh.getAsInt(), allotment, contract),
            limits,
            old == null)) {
      index = fresh.getAsInt();
    }
    note(limits, index, plan.grants());
    noteTariff(subscriber, plan.grants());
    noteIfStopped(subscriber, plan.grants());
    noteUpstream(state, subscriber, plan.grants());
    if (old != null && old.index() != index) {
      plan.grants()
          .note(
              fresh.isPresent()
                  ? "gets other tags beside another port or other prefixes; its counters begin at"
                      + " zero"
                  : "moved from " + placement.text(old.index()) + "; its counters begin at zero");
    }
    markers.grant(state, subscriber, plan.grants());
    noteOthers(state, subscriber, replaced, plan.grants());
    plan.contract(contract);
    LimitedSubscriber after =
        new LimitedSubscriber(
            new SubscriberState(subscriber, index, allotment, contract), limits, state);
    if (before == null) {
      entryDiff.insert(plan, side(state, after));
    } else {
      entryDiff.replace(plan, side(state, before), side(state, after));
    }
    if (limited) {
      planner.replace(before, after);
      planner.finish(null, null);
    }
    queues.move(state, old == null ? null : old.subscriber(), subscriber, plan);
    if (allotment != (old == null ? SubscriberState.NONE : old.allotment())) {
      plan.allot(index, allotment);
    }
    return plan.build(put, old != null, index);
  }

  /**
   * Whether the tables have room for a subscriber's entries beside those that it has by now.
   *
   * @param isOut whether the state counts these no more, as where changes are planned together:
   *     there what classifies makes room first
   */
  private boolean hasRoomBeside(
      SlaState state, SubscriberState after, AppliedLimits limits, boolean isOut) {
    Map<Table, Integer> more = new EnumMap<>(Table.class);
    int weight = isOut ? 2 : 1;
    entries.emit(
        new LimitedSubscriber(after, limits, state),
        PolicySlots.of(state, after.subscriber()),
        entry -> {
          if (!isOut || !entry.table().classifies()) {
            more.merge(entry.table(), weight, Integer::sum);
          }
        });
    return more.entrySet().stream()
        .noneMatch(each -> isFullWith(state, each.getKey(), each.getValue()));
  }

  /**
   * Whether a table has no room for that many entries beside those that {@code state} has in it.
   */
  boolean isFullWith(SlaState state, Table table, int more) {
    int size = checks.capacity(table);
    if (size == SubscriberChecks.OTHER) {
      size = limiters.capacity(table).orElse(Integer.MAX_VALUE);
    }
    return size < Integer.MAX_VALUE && entries(state, table) + more > size;
  }

  /** Number of entries that a table of subscribers should hold. */
  long entries(SlaState state, Table table) {
    return state.subscriberEntries(table)
        + limiters.entries(state, table)
        + markers.entries(state, table);
  }

  @Override
  Plan delete(SlaState state, Change delete, SubscriberState old) throws Refusal {
    Optional<RateLimit> limit = state.rateLimitOf(new Scope.OfSubscriber(delete.id()));
    if (limit.isPresent()) {
      Problems problems = new Problems();
      problems.add(
          Code.CONFLICT,
          "subscriber",
          delete.id(),
          "a subscriber without a rate limit of its own",
          String.format(
              Locale.ROOT,
              "Subscriber %s has rate limit %s; delete that first.",
              delete.id(),
              limit.get().id()));
      problems.refuseIfAny();
    }
    PlanBuilder plan = new PlanBuilder();
    LimitedSubscriber before = LimitedSubscriber.of(state, old);
    entryDiff.delete(plan, side(state, before));
    if (before.limits().any()) {
      LimitPlanner planner = limiters.planner(state, plan);
      planner.replace(before, null);
      planner.finish(null, null);
    }
    queues.move(state, old.subscriber(), null, plan);
    return plan.build(delete, true, old.index());
  }

  private static EntryDiff.Side side(SlaState state, LimitedSubscriber subscriber) {
    return new EntryDiff.Side(subscriber, PolicySlots.of(state, subscriber.state().subscriber()));
  }
}
