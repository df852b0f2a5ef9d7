package net.sluice.intents.limit;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.value.Direction;

/** The limiters of a switch, which share its rate limits out among them. */
public final class Limiters {
  private final LimiterChoice choice;
  private final List<Limiter> all;

  /**
   * The limiters of one switch.
   *
   * @param choice which of them enforces what, as they know it
   * @param all at most one of them allots something to subscribers
   */
  public Limiters(LimiterChoice choice, List<Limiter> all) {
    this.choice = choice;
    this.all = List.copyOf(all);
  }

  /** Each limiter. */
  public List<Limiter> all() {
    return all;
  }

  private void each(RateLimit limit, BiConsumer<Limiter, RateLimit> action) {
    for (Limiter limiter : all) {
      limiter.part(limit).ifPresent(part -> action.accept(limiter, part));
    }
  }

  /** Adds what stands against a limit by itself, with the rates that it has. */
  public void admit(SlaState state, RateLimit limit, Problems problems) {
    choice.admit(limit, problems);
    each(limit, (limiter, part) -> limiter.admit(state, part, problems));
    if (limit.gate() == Gate.CLOSED
        && all.stream().noneMatch(each -> each.hasGate() && each.part(limit).isPresent())) {
      problems.add(
          Code.INVALID,
          "gate",
          limit.gate().text(),
          Gate.OPEN.text(),
          "Rate limit "
              + limit.id()
              + " has no gate: only where an FPGA shapes can packets be held back.");
    }
  }

  /**
   * Adds what stands against a limit because it would pass from one limiter to another though it
   * does not say by what it is to be enforced: what the limiter so far has against it, else that.
   */
  public void admitChange(SlaState state, RateLimit old, RateLimit added, Problems problems) {
    Optional<Direction> changed = choice.changed(old, added);
    if (changed.isEmpty()) {
      return;
    }
    Direction direction = changed.get();
    Enforcement kept = choice.limiter(old, direction);
    Enforcement other = choice.limiter(added, direction);
    Problems found = new Problems();
    added
        .withEnforcement(Optional.of(kept))
        .variants((field, variant) -> admitRate(state, field, variant, direction, found));
    found.all().forEach(problem -> problems.add(problem.or("enforcement " + other.text())));
    if (found.all().isEmpty()) {
      problems.add(
          Code.CONFLICT,
          "enforcement",
          "absent",
          kept.text() + ", as it is, or " + other.text(),
          String.format(
              Locale.ROOT,
              "%sBps of rate limit %s is enforced by %s and would now be by %s; a limiter changes"
                  + " only where a request names it.",
              direction.text(),
              added.id(),
              kept.text(),
              other.text()));
    }
  }

  private void admitRate(
      SlaState state, String field, RateLimit limit, Direction direction, Problems problems) {
    Problems found = new Problems();
    limit
        .only(each -> each == direction)
        .ifPresent(only -> each(only, (limiter, part) -> limiter.admit(state, part, found)));
    found.all().forEach(problem -> problems.add(problem.below(field)));
  }

  /** Adds what stands against a limit because of what it adds to those of others. */
  public void admitSum(SlaState state, RateLimit limit, Problems problems) {
    Oversubscription.admit(state, limit, problems);
  }

  /**
   * Adds what stands against a subscriber where it comes to, for the limits that it has already.
   *
   * @param before the subscriber that it replaces, or null
   */
  public void admit(SlaState state, Subscriber put, Subscriber before, Problems problems) {
    Oversubscription.admit(state, put, before, problems);
  }

  /** Adds what stands against the allotment of a stored subscriber. */
  public void readmit(SlaState state, SubscriberState stored, Problems problems) {
    LimitedSubscriber limited = LimitedSubscriber.of(state, stored);
    all.forEach(limiter -> limiter.readmit(state, limited, problems));
  }

  /** True if a limit that is replaced by another of its scope has another limiter then. */
  public boolean passes(RateLimit old, RateLimit added) {
    return choice.passes(old, added, limiter -> true);
  }

  /** The rate that a limit in force is granted in a direction that it limits, bit/s. */
  public double grantedBps(RateLimit limit, Direction direction) {
    return choice
        .grantedBps(choice.limiter(limit, direction), limit, direction)
        .orElse(limit.rateBps(direction).orElseThrow());
  }

  /** Whether an FPGA enforces a limit in a direction that it limits. */
  public boolean isShapedByFpga(RateLimit limit, Direction direction) {
    return choice.limiter(limit, direction) == Enforcement.FPGA;
  }

  /** Adds what a limit in force is granted. */
  public void grant(SlaState state, RateLimit limit, Grants out) {
    choice.note(limit, out);
    each(limit, (limiter, part) -> limiter.grant(state, part, out));
    Oversubscription.note(state, limit, out);
  }

  /** The targets that hold something of a limit's own. */
  public Set<TargetKey<?>> targets(RateLimit limit) {
    Set<TargetKey<?>> targets = new LinkedHashSet<>();
    each(limit, (limiter, part) -> targets.addAll(limiter.targets(part)));
    return targets;
  }

  /** The targets beside the switch that hold something of a policy. */
  public Set<TargetKey<?>> targets(Policy policy) {
    Set<TargetKey<?>> targets = new LinkedHashSet<>();
    all.forEach(limiter -> targets.addAll(limiter.targets(policy)));
    return targets;
  }

  /** Plans what another version of a policy means for its subscribers under limits. */
  public void replace(SlaState state, PolicyState before, PolicyState after, PlanBuilder plan) {
    all.forEach(limiter -> limiter.replace(state, before, after, plan));
  }

  /** The indices of the subscribers that are limited within a tree or port. */
  public IntStream limited(SlaState state, Scope scope) {
    return all.stream().flatMapToInt(limiter -> limiter.limited(state, scope)).distinct();
  }

  /** Completes what classifies a subscriber's packets. */
  public SubscriberData data(SubscriberData data, LimitedSubscriber subscriber) {
    SubscriberData completed = data;
    if (subscriber.limits().any()) {
      for (Limiter limiter : all) {
        completed = limiter.data(completed, subscriber);
      }
    }
    return completed;
  }

  /** Emits the switch entries that a subscriber has only because of its limits. */
  public void entries(LimitedSubscriber subscriber, Consumer<? super SwitchEntry> out) {
    if (subscriber.limits().any()) {
      all.forEach(limiter -> limiter.entries(subscriber, out));
    }
  }

  /** Number of these of the subscriber with that index. */
  public int entries(SlaState state, int subscriberIndex) {
    int entries = 0;
    if (state.rateLimits() > 0) {
      for (Limiter limiter : all) {
        entries += limiter.entries(state, subscriberIndex);
      }
    }
    return entries;
  }

  /** Number of entries that limits of subscribers have in a table of these. */
  public long entries(SlaState state, Table table) {
    long entries = 0;
    for (Limiter limiter : all) {
      entries += limiter.entries(state, table);
    }
    return entries;
  }

  /** Entries that limits of subscribers have room for in a table of these; empty if in no other. */
  public OptionalInt capacity(Table table) {
    return all.stream()
        .map(limiter -> limiter.capacity(table))
        .filter(OptionalInt::isPresent)
        .findAny()
        .orElse(OptionalInt.empty());
  }

  /** The switch entries of the limiters that depend on no declaration. */
  public Stream<SwitchEntry> baseEntries() {
    return all.stream().flatMap(Limiter::baseEntries);
  }

  /** The switch entries that limits of trees and ports have. */
  public Stream<Expected<SwitchEntry>> sharedEntries(SlaState state) {
    return all.stream().flatMap(limiter -> limiter.sharedEntries(state));
  }

  /** The settings of an FPGA, all of them. */
  public Stream<Expected<FpgaSetting>> settings(SlaState state, Direction direction) {
    return all.stream().flatMap(limiter -> limiter.settings(state, direction));
  }

  /** The settings of an FPGA that hold a limit. */
  public Stream<FpgaSetting> settingsOf(SlaState state, RateLimit limit, Direction direction) {
    return all.stream()
        .flatMap(
            limiter ->
                limiter.part(limit).stream()
                    .flatMap(part -> limiter.settingsOf(state, part, direction)));
  }

  /** Begins to plan what a change means. */
  public LimitPlanner planner(SlaState state, PlanBuilder plan) {
    List<LimitPlanner> planners =
        all.stream().map(limiter -> limiter.planner(state, plan)).toList();
    return new Together(choice, plan, planners);
  }

  /** Plans of all limiters. */
  private record Together(LimiterChoice choice, PlanBuilder plan, List<LimitPlanner> planners)
      implements LimitPlanner {
    @Override
    public boolean expect(SubscriberState member, AppliedLimits after) {
      boolean fits = true;
      for (LimitPlanner planner : planners) {
        fits &= planner.expect(member, after);
      }
      return fits;
    }

    @Override
    public void check(RateLimit added, Problems problems) {
      planners.forEach(planner -> planner.check(added, problems));
    }

    @Override
    public int allot(SubscriberState member, AppliedLimits after) {
      int allotment = SubscriberState.NONE;
      for (LimitPlanner planner : planners) {
        allotment = Math.max(allotment, planner.allot(member, after));
      }
      return allotment;
    }

    @Override
    public int allot(SubscriberState old, Subscriber put, AppliedLimits after, Problems problems) {
      int allotment = SubscriberState.NONE;
      for (LimitPlanner planner : planners) {
        allotment = Math.max(allotment, planner.allot(old, put, after, problems));
      }
      return allotment;
    }

    /** Keeps the limiter so far until the other one is there. */
    @Override
    public void replace(RateLimit old, RateLimit added) {
      if (old != null && added != null) {
        if (choice.passes(old, added, limiter -> limiter != Enforcement.FPGA)) {
          plan.deleteLast();
        }
        if (choice.passes(old, added, limiter -> limiter == Enforcement.FPGA)) {
          plan.beginAtSwitch();
        }
      }
      planners.forEach(planner -> planner.replace(old, added));
    }

    @Override
    public void replace(LimitedSubscriber before, LimitedSubscriber after) {
      planners.forEach(planner -> planner.replace(before, after));
    }

    @Override
    public void finish(RateLimit old, RateLimit added) {
      if (added != null) {
        choice.note(added, plan.grants());
      }
      planners.forEach(planner -> planner.finish(old, added));
    }
  }
}
