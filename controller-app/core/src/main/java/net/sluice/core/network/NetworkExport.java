package net.sluice.core.network;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import net.sluice.core.declaration.Exported;
import net.sluice.core.declaration.RecordSink;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.StoredRecord;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.policy.LikeFunction;
import net.sluice.intents.plan.Change;

/** The declarations in force at all switches as of one moment, read from the store. */
public final class NetworkExport {
  private static final int CHUNK = 10_000;

  /** By name of the switch, in the order of the network. */
  private final Map<String, IntentStore> stores = new LinkedHashMap<>();

  private NetworkExport(Collection<SwitchShard> shards, Function<String, IntentStore> stores) {
    shards.forEach(shard -> this.stores.put(shard.name(), stores.apply(shard.name())));
  }

  /** As {@link net.sluice.core.Controller#export}. */
  public static void write(Network network, NetworkStore store, Consumer<? super Exported> out) {
    Collection<SwitchShard> shards = network.all();
    store.atOneMoment(stores -> new NetworkExport(shards, stores).write(out));
  }

  private void write(Consumer<? super Exported> out) {
    // A policy is at every switch.
    Map<String, IntentStore> first = new LinkedHashMap<>();
    stores.entrySet().stream().limit(1).forEach(each -> first.put(each.getKey(), each.getValue()));
    StoredRecords policies = new StoredRecords(first, Kind.POLICY, "", CHUNK);
    List<Exported> alike = new ArrayList<>();
    while (policies.hasNext()) {
      StoredRecord each = policies.next().record();
      Exported policy = new InStore(each, Optional.empty(), each.standing().isTimed());
      if (((Policy) each.declaration()).function() instanceof LikeFunction) {
        alike.add(policy);
      } else {
        out.accept(policy);
      }
    }
    // A policy that is like another one can be put after it only.
    alike.forEach(out);
    StoredRecords tariffs = new StoredRecords(first, Kind.TARIFF, "", CHUNK);
    while (tariffs.hasNext()) {
      out.accept(new InStore(tariffs.next().record(), Optional.empty(), false));
    }
    Set<At> leaving = new HashSet<>();
    StoredRecords subscribers = new StoredRecords(stores, Kind.SUBSCRIBER, "", CHUNK);
    while (subscribers.hasNext()) {
      StoredRecords.Stored each = subscribers.next();
      StoredRecord.Standing standing = each.record().standing();
      if (standing.isLeaving()) {
        leaving.add(new At(each.switchName(), each.record().id()));
      } else {
        out.accept(exported(each, standing));
      }
    }
    StoredRecords limits = new StoredRecords(stores, Kind.RATE_LIMIT, "", CHUNK);
    while (limits.hasNext()) {
      StoredRecords.Stored each = limits.next();
      // A limit goes with the subscriber that it is of, or comes with the tariff that makes it.
      if (Tariff.subscriberOf(each.record().id()).isPresent()) {
        continue;
      }
      if (leaving.isEmpty() || !isOfOne(each, leaving)) {
        out.accept(exported(each, each.record().standing()));
      }
    }
  }

  private static boolean isOfOne(StoredRecords.Stored limit, Set<At> leaving) {
    return limit.record().declaration() instanceof RateLimit of
        && of.scope() instanceof Scope.OfSubscriber scope
        && leaving.contains(new At(limit.switchName(), scope.subscriberId()));
  }

  private record At(String switchName, String subscriberId) {}

  private record InStore(StoredRecord record, Optional<String> switchName, boolean isTimed)
      implements Exported {
    @Override
    public Kind kind() {
      return record.kind();
    }

    @Override
    public String id() {
      return record.id();
    }

    @Override
    public Change.Put put() {
      return new Change.Put(record.declaration(), switchName);
    }

    @Override
    public void writeDeclared(RecordSink to) {
      record.writeDeclared(switchName, to);
    }
  }

  /** The only switch is not named. */
  private Exported exported(StoredRecords.Stored of, StoredRecord.Standing standing) {
    return new InStore(
        of.record(),
        stores.size() == 1 ? Optional.empty() : Optional.of(of.switchName()),
        standing.isTimed());
  }
}
