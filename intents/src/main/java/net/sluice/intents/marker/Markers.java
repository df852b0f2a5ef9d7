package net.sluice.intents.marker;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.Grants;
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
 * The markers of a switch, beside each other. Its loops allocate nothing: they run for each put.
 *
 * @param all at most one of them allots contracts; in the order in which a policy is installed
 */
public record Markers(List<Marker> all) {
  public Markers {
    all = List.copyOf(all);
  }

  /** Empty ledgers of those that keep one. */
  public List<Ledger> newLedgers() {
    return all.stream().flatMap(marker -> marker.newLedger().stream()).toList();
  }

  /** As {@link Marker#baseEntries}. */
  public Stream<SwitchEntry> baseEntries() {
    return all.stream().flatMap(Marker::baseEntries);
  }

  /** As {@link Marker#baseNotes}. */
  public List<String> baseNotes() {
    return all.stream().flatMap(marker -> marker.baseNotes().stream()).toList();
  }

  // ---------------------------------------------------------------- policies

  /** As {@link Marker#admit(SlaState, PolicyState, Problems)}. */
  public void admit(SlaState state, PolicyState policy, Problems problems) {
    all.forEach(marker -> marker.admit(state, policy, problems));
  }

  /** As {@link Marker#grant(PolicyState, Grants)}. */
  public void grant(PolicyState policy, Grants out) {
    all.forEach(marker -> marker.grant(policy, out));
  }

  /** As {@link Marker#replace}. What a policy is used by comes after its values and goes before. */
  public void replace(PolicyState before, PolicyState after, PlanBuilder plan) {
    for (int i = 0; i < all.size(); i++) {
      Marker marker = all.get(after == null ? all.size() - 1 - i : i);
      marker.replace(before, after, plan);
    }
  }

  /** As {@link Marker#expected(PolicyState)}. */
  public Stream<Expected<SwitchEntry>> expected(PolicyState policy) {
    return all.stream().flatMap(marker -> marker.expected(policy));
  }

  /** As {@link Marker#expected(SlaState, SwitchEntry)}. */
  public Optional<Expected<SwitchEntry>> expected(SlaState state, SwitchEntry actual) {
    return all.stream().flatMap(marker -> marker.expected(state, actual).stream()).findFirst();
  }

  // ---------------------------------------------------------------- subscribers

  /** As {@link Marker#admit(SlaState, Subscriber, SubscriberState, Problems)}. */
  public void admit(SlaState state, Subscriber put, SubscriberState before, Problems problems) {
    for (int i = 0; i < all.size(); i++) {
      Marker marker = all.get(i);
      marker.admit(state, put, before, problems);
    }
  }

  /** As {@link Marker#readmit}. */
  public void readmit(SlaState state, SubscriberState stored, Problems problems) {
    all.forEach(marker -> marker.readmit(state, stored, problems));
  }

  /** As {@link Marker#admit(SlaState, RateLimit, Problems)}. */
  public void admit(SlaState state, RateLimit limit, Problems problems) {
    all.forEach(marker -> marker.admit(state, limit, problems));
  }

  /** As {@link Marker#contract}. */
  public int contract(SlaState state, Subscriber put, SubscriberState before) {
    int contract = SubscriberState.NONE;
    for (int i = 0; i < all.size(); i++) {
      Marker marker = all.get(i);
      contract = Math.max(contract, marker.contract(state, put, before));
    }
    return contract;
  }

  /** As {@link Marker#grant(SlaState, Subscriber, Grants)}. */
  public void grant(SlaState state, Subscriber subscriber, Grants out) {
    for (int i = 0; i < all.size(); i++) {
      Marker marker = all.get(i);
      marker.grant(state, subscriber, out);
    }
  }

  /** As {@link Marker#entries(SubscriberState, Consumer)}. */
  public void entries(SubscriberState subscriber, Consumer<? super SwitchEntry> out) {
    for (int i = 0; i < all.size(); i++) {
      Marker marker = all.get(i);
      marker.entries(subscriber, out);
    }
  }

  /** As {@link Marker#entries(SlaState, int)}. */
  public int entries(SlaState state, int subscriberIndex) {
    int entries = 0;
    for (int i = 0; i < all.size(); i++) {
      Marker marker = all.get(i);
      entries += marker.entries(state, subscriberIndex);
    }
    return entries;
  }

  /** As {@link Marker#entries(SlaState, Table)}. */
  public long entries(SlaState state, Table table) {
    long entries = 0;
    for (int i = 0; i < all.size(); i++) {
      Marker marker = all.get(i);
      entries += marker.entries(state, table);
    }
    return entries;
  }

  /** As {@link Marker#resources}. */
  public List<TableResource> resources() {
    return all.stream().flatMap(marker -> marker.resources().stream()).toList();
  }

  /** As {@link Marker#subscriber}. */
  public int subscriber(SlaState state, SwitchEntry actual) {
    return all.stream().mapToInt(marker -> marker.subscriber(state, actual)).max().orElse(0);
  }
}
