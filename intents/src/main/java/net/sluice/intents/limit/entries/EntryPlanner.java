package net.sluice.intents.limit.entries;

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
 * Sets the limits of trees and ports, and counts what subscribers need. Their own limits are among
 * their entries, which are compared as a whole.
 */
final class EntryPlanner implements LimitPlanner {
  private final EntryLimiter limiter;
  private final SlaState state;
  private final PlanBuilder plan;

  /** Entries that the subscribers expected so far need more, and of these only what comes. */
  private long more;

  private long coming;

  EntryPlanner(EntryLimiter limiter, SlaState state, PlanBuilder plan) {
    this.limiter = limiter;
    this.state = state;
    this.plan = plan;
  }

  @Override
  public boolean expect(SubscriberState member, AppliedLimits after) {
    int change =
        limiter.entries(after) - limiter.entries(LimitedSubscriber.of(state, member).limits());
    more += change;
    coming += Math.max(0, change);
    // What goes may still make room, so only what can never fit counts here.
    return coming <= limiter.capacity();
  }

  @Override
  public void check(RateLimit added, Problems problems) {
    limiter.checkRoom(state, more, "scope", added == null ? "" : added.scope(), problems);
  }

  @Override
  public int allot(SubscriberState member, AppliedLimits after) {
    return SubscriberState.NONE;
  }

  @Override
  public int allot(SubscriberState old, Subscriber put, AppliedLimits after, Problems problems) {
    int before = old == null ? 0 : limiter.entries(LimitedSubscriber.of(state, old).limits());
    Attachment at = put.attachment();
    limiter.checkRoom(
        state,
        limiter.entries(after) - before,
        "attachment",
        at.port() + "/" + at.tree(),
        problems);
    return SubscriberState.NONE;
  }

  @Override
  public void replace(RateLimit old, RateLimit added) {
    RateLimit owner = added == null ? old : added;
    plan.diff(
        limiter.shared(part(old)), limiter.shared(part(added)), EntryLimiter.owner(state, owner));
  }

  private Optional<RateLimit> part(RateLimit limit) {
    return Optional.ofNullable(limit).flatMap(limiter::part);
  }

  @Override
  public void replace(LimitedSubscriber before, LimitedSubscriber after) {}

  @Override
  public void finish(RateLimit old, RateLimit added) {
    part(added).ifPresent(limit -> limiter.grant(state, limit, plan.grants()));
  }
}
