package net.sluice.intents.limit;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.state.Ledger;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.value.Direction;

/**
 * A way to enforce rate limits. It owns what that takes: which limits it can enforce, what it
 * allots, its part of a plan, what is granted, and what the targets should hold of it. Pure
 * functions of the state, in which it has a {@link Ledger} of its own.
 */
public interface Limiter {
  /** Of a rate limit the directions that this limiter enforces; empty if none. */
  Optional<RateLimit> part(RateLimit limit);

  /** Whether packets wait in a queue, so that a closed gate holds them back. */
  default boolean hasGate() {
    return false;
  }

  /** An empty ledger. */
  Ledger newLedger();

  /** Adds what stands against a part of a limit, apart from a want of allotments. */
  void admit(SlaState state, RateLimit part, Problems problems);

  /** Adds what stands against the allotment of a stored subscriber. */
  default void readmit(SlaState state, LimitedSubscriber stored, Problems problems) {}

  /** Begins to plan what a change means. */
  LimitPlanner planner(SlaState state, PlanBuilder plan);

  /** Adds what a part of a limit in force is granted. */
  void grant(SlaState state, RateLimit part, Grants out);

  /** The targets that hold something of a limit's own for this part of it. */
  Set<TargetKey<?>> targets(RateLimit part);

  /** The targets that hold something of a policy for each of its subscribers under a limit. */
  default Set<TargetKey<?>> targets(Policy policy) {
    return Set.of();
  }

  /** Plans what another version of a policy means for its subscribers under limits. */
  default void replace(SlaState state, PolicyState before, PolicyState after, PlanBuilder plan) {}

  /** The indices of the subscribers that this limiter limits within a tree or port. */
  IntStream limited(SlaState state, Scope scope);

  /** The indices of all subscribers that it limits. */
  IntStream limited(SlaState state);

  // ---------------------------------------------------------------- what targets should hold

  /** Completes the data that classifies a subscriber's packets by those of this limiter. */
  default SubscriberData data(SubscriberData data, LimitedSubscriber subscriber) {
    return data;
  }

  /** Emits the switch entries that a subscriber has only because of its limits. */
  default void entries(LimitedSubscriber subscriber, Consumer<? super SwitchEntry> out) {}

  /** Number of these of the subscriber with that index, told without reading the store. */
  default int entries(SlaState state, int subscriberIndex) {
    return 0;
  }

  /** Number of entries that limits of subscribers have in a table of these. */
  default long entries(SlaState state, Table table) {
    return 0;
  }

  /** Entries that there is room for in a table of these; empty if it is not this limiter's. */
  default OptionalInt capacity(Table table) {
    return OptionalInt.empty();
  }

  /** The switch entries of this limiter that depend on no declaration. */
  default Stream<SwitchEntry> baseEntries() {
    return Stream.empty();
  }

  /** The switch entries of this limiter that limits of trees and ports have. */
  default Stream<Expected<SwitchEntry>> sharedEntries(SlaState state) {
    return Stream.empty();
  }

  /** The settings of an FPGA, but for those of delay that are 0. */
  default Stream<Expected<FpgaSetting>> settings(SlaState state, Direction direction) {
    return Stream.empty();
  }

  /** The settings of an FPGA that hold a part of a limit. */
  default Stream<FpgaSetting> settingsOf(SlaState state, RateLimit part, Direction direction) {
    return Stream.empty();
  }
}
