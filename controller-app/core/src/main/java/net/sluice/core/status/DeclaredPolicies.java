package net.sluice.core.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import net.sluice.core.TargetStatus;
import net.sluice.core.session.TargetSession;
import net.sluice.core.state.ShardState;
import net.sluice.intents.limit.Limiters;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Policy;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.StateDelta;
import net.sluice.intents.state.PolicyState;

/** Policies in a shard. */
public final class DeclaredPolicies implements KindHandler {
  private final ShardState shard;
  private final Sessions sessions;
  private final Limiters limiters;

  DeclaredPolicies(ShardState shard, Sessions sessions, Limiters limiters) {
    this.shard = shard;
    this.sessions = sessions;
    this.limiters = limiters;
  }

  @Override
  public Optional<Policy> find(String id) {
    return shard.state().policy(id).map(PolicyState::policy);
  }

  @Override
  public int count() {
    return shard.state().policies();
  }

  @Override
  public Optional<Policy> stored(String id) {
    return shard.store().policy(id).map(PolicyState::policy);
  }

  @Override
  public void scan(String afterId, long skip, int limit, Consumer<? super Declaration> out) {
    int unused = shard.store().scanPolicies(afterId, skip, limit, p -> out.accept(p.policy()));
  }

  /** The switch, and each FPGA that holds the policy's classes for its subscribers. */
  @Override
  public List<TargetStatus> status(String id) {
    return shard
        .state()
        .policy(id)
        .map(
            policy ->
                holders(policy.policy()).stream()
                    .map(
                        each -> DeclarationStatuses.at(shard, each, OwnerIds.policy(policy.slot())))
                    .toList())
        .orElse(List.of());
  }

  private List<TargetSession<?>> holders(Policy policy) {
    List<TargetSession<?>> holders = new ArrayList<>();
    holders.add(sessions.ofSwitch());
    limiters.targets(policy).forEach(target -> sessions.of(target).ifPresent(holders::add));
    return holders;
  }

  @Override
  public Optional<String> idOf(int slot) {
    return shard.state().policyInSlot(slot).map(p -> p.policy().id());
  }

  @Override
  public int owner(int number) {
    return OwnerIds.policy(number);
  }

  @Override
  public void trackAll() {
    shard.state().allPolicies().forEach(p -> track(p.policy(), p.slot(), true));
  }

  @Override
  public void follow(StateDelta delta, int slot) {
    if (delta.change() instanceof Change.Put put) {
      track((Policy) put.declaration(), slot, false);
    } else {
      sessions.all().forEach(session -> session.board().untrack(OwnerIds.policy(slot)));
    }
  }

  private void track(Policy policy, int slot, boolean stale) {
    List<TargetSession<?>> holders = holders(policy);
    for (TargetSession<?> session : sessions.all()) {
      if (holders.contains(session)) {
        session.board().track(OwnerIds.policy(slot), stale);
      } else {
        session.board().untrack(OwnerIds.policy(slot));
      }
    }
  }
}
