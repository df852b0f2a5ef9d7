package net.sluice.intents.limit.police;

import java.util.Optional;
import net.sluice.intents.limit.AppliedLimits;
import net.sluice.intents.limit.LimitPlanner;
import net.sluice.intents.limit.LimitedSubscriber;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Problems;

/**
 * Sets the meters of trees and ports, and counts what subscribers need. Their own meters are among
 * their entries, which are compared as a whole.
 */
final class PolicingPlanner implements LimitPlanner {
  private final Policing policing;
  private final SlaState state;
  private final PlanBuilder plan;

  /** Entries that the subscribers expected so far need more, and of these only what comes. */
  private long more;

  private long coming;

  PolicingPlanner(Policing policing, SlaState state, PlanBuilder plan) {
    this.policing = policing;
    this.state = state;
    this.plan = plan;
  }

  @Override
  public boolean expect(SubscriberState member, AppliedLimits after) {
    int change =
        policing.entries(after) - policing.entries(LimitedSubscriber.of(state, member).limits());
    more += change;
    coming += Math.max(0, change);
    // What goes may still make room, so only what can never fit counts here.
    return coming <= policing.capacity();
  }

  @Override
  public void check(RateLimit added, Problems problems) {
    policing.checkRoom(state, more, "scope", added == null ? "" : added.scope(), problems);
  }

  @Override
  public int allot(SubscriberState member, AppliedLimits after) {
    return SubscriberState.NONE;
  }

  @Override
  public int allot(SubscriberState old, Subscriber put, AppliedLimits after, Problems problems) {
    int before = old == null ? 0 : policing.entries(LimitedSubscriber.of(state, old).limits());
    Attachment at = put.attachment();
    policing.checkRoom(
        state,
        policing.entries(after) - before,
        "attachment",
        at.port() + "/" + at.tree(),
        problems);
    return SubscriberState.NONE;
  }

  @Override
  public void replace(RateLimit old, RateLimit added) {
    RateLimit owner = added == null ? old : added;
    plan.diff(
        Policing.shared(part(old)), Policing.shared(part(added)), Policing.owner(state, owner));
  }

  private Optional<RateLimit> part(RateLimit limit) {
    return Optional.ofNullable(limit).flatMap(policing::part);
  }

  @Override
  public void replace(LimitedSubscriber before, LimitedSubscriber after) {}

  @Override
  public void finish(RateLimit old, RateLimit added) {
    part(added).ifPresent(limit -> Policing.grant(limit, plan.grants()));
  }
}
