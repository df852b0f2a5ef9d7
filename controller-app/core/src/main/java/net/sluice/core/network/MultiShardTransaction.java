package net.sluice.core.network;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import net.sluice.core.Outcome;
import net.sluice.core.TargetStatus;
import net.sluice.core.change.ShardChanges;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.state.ShardState;
import net.sluice.core.status.Arrivals;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.StoreBatch;

/**
 * A change of several switches that comes to be as a whole: each switch plans its part while no
 * others are planned there, and one commit makes all of them durable, or none. Switches are taken
 * in the order of their names, so that two such changes never wait for each other.
 */
final class MultiShardTransaction implements AutoCloseable {
  private final NavigableMap<String, ShardChanges.Part> byName = new TreeMap<>();
  private final Deque<ShardChanges.Part> begun = new ArrayDeque<>();

  /** There is room at the targets of each; {@link #close} ends their parts. */
  MultiShardTransaction(Collection<SwitchShard> shards) {
    Map<String, SwitchShard> ordered = new TreeMap<>();
    shards.forEach(shard -> ordered.put(shard.name(), shard));
    try {
      ordered.forEach(
          (name, shard) -> {
            ShardChanges.Part part = shard.changes().begin();
            begun.push(part);
            byName.put(name, part);
          });
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** The part of a switch. */
  ShardChanges.Part of(SwitchShard shard) {
    return byName.get(shard.name());
  }

  /** Runs {@code action} with the memory of all switches held, see {@link ShardState}. */
  <T> T inMemory(Supplier<T> action) {
    Supplier<T> all = action;
    // From the last name to the first, so that they are taken from the first to the last.
    for (ShardChanges.Part part : byName.descendingMap().values()) {
      Supplier<T> inner = all;
      all = () -> part.inMemory(inner);
    }
    return all.get();
  }

  /**
   * Plans what may be taken back, with the memory of all switches held.
   *
   * @param begin begins it at a part, which gives what undoes its steps to what all of them share
   * @param plan plans
   * @param stays whether what was planned stays, to be committed; otherwise it is undone
   */
  <T> T planning(
      BiConsumer<ShardChanges.Part, Deque<Runnable>> begin, Supplier<T> plan, Predicate<T> stays) {
    return inMemory(
        () -> {
          Deque<Runnable> undo = new ArrayDeque<>();
          byName.values().forEach(part -> begin.accept(part, undo));
          T planned;
          try {
            planned = plan.get();
          } catch (RuntimeException | Error e) {
            byName.values().forEach(ShardChanges.Part::stays);
            throw e;
          }
          if (stays.test(planned)) {
            byName.values().forEach(ShardChanges.Part::stays);
          } else {
            byName.values().forEach(ShardChanges.Part::beginTakingBack);
            undo.forEach(Runnable::run);
            byName.values().forEach(ShardChanges.Part::tookBack);
          }
          return planned;
        });
  }

  /** An outcome of the last commit with the status by now. */
  Outcome withStatus(Outcome.Accepted accepted) {
    List<TargetStatus> targets =
        byName.values().stream()
            .flatMap(part -> part.outcomes().stream())
            .filter(outcome -> outcome.change().equals(accepted.change()))
            .flatMap(outcome -> ((Outcome.Accepted) outcome).targets().stream())
            .toList();
    return accepted.withTargets(targets);
  }

  /**
   * Makes what was planned durable and hands it to the targets.
   *
   * @param sealed called when nothing more can be planned here and others may plan on it
   */
  void commit(NetworkStore store, Runnable sealed) {
    Map<String, StoreBatch> batches = new LinkedHashMap<>();
    try {
      byName.forEach((name, part) -> batches.put(name, part.seal()));
      byName.values().forEach(ShardChanges.Part::endPlanning);
      sealed.run();
      batches.values().removeIf(StoreBatch::isIdle);
      if (!batches.isEmpty()) {
        store.commit(batches);
      }
      handOver();
    } catch (RuntimeException | Error e) {
      RuntimeException first = null;
      byName.values().forEach(ShardChanges.Part::withdraw);
      for (ShardChanges.Part part : byName.values()) {
        if (part.isSealed()) {
          RuntimeException failure = part.failed(e);
          first = first == null ? failure : first;
        }
      }
      if (first == null) {
        throw e;
      }
      throw first;
    }
  }

  private void handOver() {
    Arrivals arrivals = new Arrivals();
    Optional<Arrivals> ofSeveral = byName.size() > 1 ? Optional.of(arrivals) : Optional.empty();
    try {
      byName.values().forEach(part -> part.committed(ofSeveral));
    } finally {
      arrivals.complete();
    }
  }

  @Override
  public void close() {
    if (begun.stream().anyMatch(ShardChanges.Part::isToBeTakenBack)) {
      begun.forEach(ShardChanges.Part::withdraw);
    }
    begun.forEach(ShardChanges.Part::close);
  }
}
