package net.sluice.core.status;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import net.sluice.core.TargetStatus;
import net.sluice.core.state.ShardState;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.StateDelta;

/** Tariffs in a shard, of which targets hold what the subscribers under one have of it. */
public final class DeclaredTariffs implements KindHandler {
  private final ShardState shard;
  private final KindHandler subscribers;

  DeclaredTariffs(ShardState shard, KindHandler subscribers) {
    this.shard = shard;
    this.subscribers = subscribers;
  }

  @Override
  public Optional<Tariff> find(String id) {
    return shard.state().tariff(id);
  }

  @Override
  public int count() {
    return (int) shard.state().allTariffs().count();
  }

  @Override
  public Optional<Tariff> stored(String id) {
    return shard.store().tariff(id);
  }

  @Override
  public void scan(String afterId, long skip, int limit, Consumer<? super Declaration> out) {
    int unused = shard.store().scanTariffs(afterId, skip, limit, out);
  }

  /** Each target that holds something of a subscriber under it, with the worst status there. */
  @Override
  public List<TargetStatus> status(String id) {
    Map<String, TargetStatus> worst = new LinkedHashMap<>();
    shard
        .state()
        .indicesUnder(id)
        .mapToObj(shard.state()::idOf)
        .flatMap(subscriber -> subscribers.status(subscriber).stream())
        .forEach(each -> worst.merge(each.target(), each, DeclarationStatuses::worse));
    return List.copyOf(worst.values());
  }

  @Override
  public Optional<String> idOf(int number) {
    return Optional.empty();
  }

  @Override
  public void trackAll() {}

  @Override
  public void follow(StateDelta delta, int number) {}

  /** Writes are its subscribers'. */
  @Override
  public int owner(int number) {
    return OwnerIds.NONE;
  }
}
