package net.sluice.core.network;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BiConsumer;
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
    Source<PolicyState> policies =
        new Source<PolicyState>(
            "", stores.values().iterator().next()::scanPolicies, state -> state.policy().id());
    while (policies.first() != null) {
      out.accept(new Change.Put(policies.remove().policy()));
    }
    Set<At> leaving = new HashSet<>();
    this.<SubscriberState>merge(
        store -> store::scanSubscribers,
        state -> state.subscriber().id(),
        (at, state) -> {
          if (state.leaving().isEmpty()) {
            out.accept(new Change.Put(state.subscriber(), declaredAt(at)));
          } else {
            leaving.add(new At(at, state.subscriber().id()));
          }
        });
    this.<RateLimit>merge(
        store -> store::scanRateLimits,
        RateLimit::id,
        (at, limit) -> {
          // A limit goes with the subscriber that it is of.
          if (!(limit.scope() instanceof Scope.OfSubscriber of
              && leaving.contains(new At(at, of.subscriberId())))) {
            out.accept(new Change.Put(limit, declaredAt(at)));
          }
        });
  }

  private record At(String switchName, String subscriberId) {}

  /** The only switch is not named. */
  private Optional<String> declaredAt(String switchName) {
    return stores.size() == 1 ? Optional.empty() : Optional.of(switchName);
  }

  /** Passes on the records of all switches by id, each with its switch. */
  private <T> void merge(
      Function<IntentStore, Scan<T>> scan, Function<T, String> id, BiConsumer<String, T> out) {
    PriorityQueue<Source<T>> sources =
        new PriorityQueue<>(Comparator.comparing(Source<T>::first, Comparator.comparing(id)));
    stores.forEach(
        (name, store) -> {
          Source<T> source = new Source<>(name, scan.apply(store), id);
          if (source.first() != null) {
            sources.add(source);
          }
        });
    while (!sources.isEmpty()) {
      Source<T> source = sources.remove();
      out.accept(source.switchName, source.remove());
      if (source.first() != null) {
        sources.add(source);
      }
    }
  }

  private interface Scan<T> {
    int records(String afterId, long skip, int limit, Consumer<? super T> out);
  }

  /** The records of one kind at one switch, read as they are asked for. */
  private static final class Source<T> {
    private final String switchName;
    private final Scan<T> scan;
    private final Function<T, String> id;
    private final Deque<T> chunk = new ArrayDeque<>();
    private String last = "";
    private boolean isRead;

    Source(String switchName, Scan<T> scan, Function<T, String> id) {
      this.switchName = switchName;
      this.scan = scan;
      this.id = id;
    }

    /** The next; null after the last. */
    T first() {
      if (chunk.isEmpty() && !isRead) {
        isRead = scan.records(last, 0, CHUNK, chunk::add) < CHUNK;
        last = chunk.isEmpty() ? last : id.apply(chunk.getLast());
      }
      return chunk.peek();
    }

    T remove() {
      return chunk.remove();
    }
  }
}
