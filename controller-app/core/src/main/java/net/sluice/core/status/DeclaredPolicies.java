package net.sluice.core.status;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import net.sluice.core.TargetStatus;
import net.sluice.core.session.StatusBoard;
import net.sluice.core.state.ShardState;
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

  DeclaredPolicies(ShardState shard, Sessions sessions) {
    this.shard = shard;
    this.sessions = sessions;
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

  @Override
  public List<TargetStatus> status(String id) {
    return shard
        .state()
        .policy(id)
        .map(p -> List.of(Statuses.at(shard, sessions.ofSwitch(), OwnerIds.policy(p.slot()))))
        .orElse(List.of());
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
    StatusBoard board = sessions.ofSwitch().board();
    shard.state().allPolicies().forEach(p -> board.track(OwnerIds.policy(p.slot()), true));
  }

  @Override
  public void follow(StateDelta delta, int slot) {
    StatusBoard board = sessions.ofSwitch().board();
    if (delta.change() instanceof Change.Put) {
      board.track(owner(slot), false);
    } else {
      board.untrack(OwnerIds.policy(slot));
    }
  }
}
