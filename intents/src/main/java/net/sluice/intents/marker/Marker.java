package net.sluice.intents.marker;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.state.Ledger;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.state.TableResource;
import net.sluice.intents.validate.Problems;

/**
 * A way to mark packets: by the policy of their subscriber, or by a contract of the subscriber
 * itself. It owns what that takes: which declarations it can hold, its part of a plan, what is
 * granted, and what the switch should hold of it. Pure functions of the state, in which it may have
 * a {@link Ledger} of its own.
 */
public interface Marker {
  /** An empty ledger; empty if it keeps none. */
  default Optional<Ledger> newLedger() {
    return Optional.empty();
  }

  /** The switch entries that depend on no declaration. */
  default Stream<SwitchEntry> baseEntries() {
    return Stream.empty();
  }

  /** Notes for people about its layout; empty if nothing is lost. */
  default List<String> baseNotes() {
    return List.of();
  }

  // ---------------------------------------------------------------- policies

  /** Adds what stands against a policy in its slot. */
  default void admit(SlaState state, PolicyState policy, Problems problems) {}

  /** Adds what a policy is granted. */
  default void grant(PolicyState policy, Grants out) {}

  /** The switch entries of a policy, of a marker that has few of them. */
  default List<SwitchEntry> entriesOf(PolicyState policy) {
    return List.of();
  }

  /** Plans a policy; {@code before} or {@code after} is null if it is not there. */
  default void replace(PolicyState before, PolicyState after, PlanBuilder plan) {
    plan.diff(
        before == null ? List.of() : entriesOf(before),
        after == null ? List.of() : entriesOf(after),
        OwnerIds.policy(after == null ? before.slot() : after.slot()));
  }

  /** The switch entries of a policy, with their owner. */
  default Stream<Expected<SwitchEntry>> expected(PolicyState policy) {
    int owner = OwnerIds.policy(policy.slot());
    return entriesOf(policy).stream().map(entry -> new Expected<>(entry, owner));
  }

  /** The entry of a policy with the key of {@code actual}; empty if there is none. */
  default Optional<Expected<SwitchEntry>> expected(SlaState state, SwitchEntry actual) {
    return Optional.empty();
  }

  // ---------------------------------------------------------------- subscribers

  /**
   * Adds what stands against a subscriber.
   *
   * @param before the one that it replaces, or null
   */
  default void admit(SlaState state, Subscriber put, SubscriberState before, Problems problems) {}

  /**
   * Adds what stands against a stored subscriber with what is allotted to it.
   *
   * @param state of subscribers those before this one
   */
  default void readmit(SlaState state, SubscriberState stored, Problems problems) {}

  /** Adds what stands against a rate limit under which something is marked. */
  default void admit(SlaState state, RateLimit limit, Problems problems) {}

  /**
   * The number of a subscriber's contract, see {@link SubscriberState#contract}.
   *
   * @param put a subscriber that is admitted
   * @param before the one that it replaces, or null
   */
  default int contract(SlaState state, Subscriber put, SubscriberState before) {
    return SubscriberState.NONE;
  }

  /** Adds what a subscriber is granted. */
  default void grant(SlaState state, Subscriber subscriber, Grants out) {}

  /** Emits the switch entries of a subscriber. */
  default void entries(SubscriberState subscriber, Consumer<? super SwitchEntry> out) {}

  /** Number of these of the subscriber with that index, told without reading the store. */
  default int entries(SlaState state, int subscriberIndex) {
    return 0;
  }

  /** Number of entries of subscribers in a table of these. */
  default long entries(SlaState state, Table table) {
    return 0;
  }

  /** The switch's resources of which it allots to subscribers. */
  default List<TableResource> resources() {
    return List.of();
  }

  /**
   * The index of the subscriber that should have an entry with the key of {@code actual}, where the
   * entry itself does not say; 0 if none should.
   */
  default int subscriber(SlaState state, SwitchEntry actual) {
    return 0;
  }
}
