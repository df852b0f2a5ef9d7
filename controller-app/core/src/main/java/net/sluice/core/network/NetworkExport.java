package net.sluice.core.network;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.NetworkStore;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Change;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;

/** The declarations in force at all switches as of one moment, read from the store. */
public final class NetworkExport {
  private static final int CHUNK = 10_000;

  /** By name of the switch, in the order of the network. */
  private final Map<String, IntentStore> stores = new LinkedHashMap<>();

  private NetworkExport(Collection<SwitchShard> shards, Function<String, IntentStore> stores) {
    shards.forEach(shard -> this.stores.put(shard.name(), stores.apply(shard.name())));
  }

  /** As {@link net.sluice.core.Controller#export}. */
  public static void write(Network network, NetworkStore store, Consumer<? super Change.Put> out) {
    Collection<SwitchShard> shards = network.all();
    store.atOneMoment(stores -> new NetworkExport(shards, stores).write(out));
  }

  private void write(Consumer<? super Change.Put> out) {
    // A policy is at every switch.
    Map<String, IntentStore> first = new LinkedHashMap<>();
    stores.entrySet().stream().limit(1).forEach(each -> first.put(each.getKey(), each.getValue()));
    StoredRecords<PolicyState> policies =
        new StoredRecords<>(
            first, store -> store::scanPolicies, state -> state.policy().id(), "", CHUNK);
    while (policies.hasNext()) {
      out.accept(new Change.Put(policies.next().record().policy()));
    }
    Set<At> leaving = new HashSet<>();
    StoredRecords<SubscriberState> subscribers =
        new StoredRecords<>(
            stores, store -> store::scanSubscribers, state -> state.subscriber().id(), "", CHUNK);
    while (subscribers.hasNext()) {
      StoredRecords.Stored<SubscriberState> each = subscribers.next();
      if (each.record().leaving().isEmpty()) {
        out.accept(new Change.Put(each.record().subscriber(), declaredAt(each.switchName())));
      } else {
        leaving.add(new At(each.switchName(), each.record().subscriber().id()));
      }
    }
    StoredRecords<RateLimit> limits =
        new StoredRecords<>(stores, store -> store::scanRateLimits, RateLimit::id, "", CHUNK);
    while (limits.hasNext()) {
      StoredRecords.Stored<RateLimit> each = limits.next();
      // A limit goes with the subscriber that it is of.
      if (!(each.record().scope() instanceof Scope.OfSubscriber of
          && leaving.contains(new At(each.switchName(), of.subscriberId())))) {
        out.accept(new Change.Put(each.record(), declaredAt(each.switchName())));
      }
    }
  }

  private record At(String switchName, String subscriberId) {}

  /** The only switch is not named. */
  private Optional<String> declaredAt(String switchName) {
    return stores.size() == 1 ? Optional.empty() : Optional.of(switchName);
  }
}
