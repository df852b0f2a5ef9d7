package net.sluice.intents.marker.aggregate;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.model.aggregate.AggregateMarker;
import net.sluice.intents.state.Ledger;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.value.Direction;

/** The contracts in force: their numbers, and what they commit by direction and tree. */
public final class ContractLedger implements Ledger {
  private final BitSet numbers = new BitSet();

  /** Subscriber indices by number. */
  private final Map<Integer, Integer> subscribers = new HashMap<>();

  /** Entries by subscriber index. */
  private final Map<Integer, Integer> entries = new HashMap<>();

  private final long[][] committedBps;

  /** How many contracts have each rate, by direction and tree. */
  private final Map<Integer, TreeMap<Long, Integer>> ratesBps = new HashMap<>();

  private int directions;
  private int weights;

  /** Of no contracts. */
  public ContractLedger() {
    this(new long[Direction.values().length][Attachment.TREES]);
  }

  private ContractLedger(long[][] committedBps) {
    this.committedBps = committedBps;
  }

  @Override
  public ContractLedger copy() {
    ContractLedger copy =
        new ContractLedger(Arrays.stream(committedBps).map(long[]::clone).toArray(long[][]::new));
    copy.numbers.or(numbers);
    copy.subscribers.putAll(subscribers);
    copy.entries.putAll(entries);
    ratesBps.forEach((line, rates) -> copy.ratesBps.put(line, new TreeMap<>(rates)));
    copy.directions = directions;
    copy.weights = weights;
    return copy;
  }

  @Override
  public void attach(SubscriberState subscriber, Optional<RateLimit> own) {
    if (subscriber.contract() != SubscriberState.NONE) {
      if (numbers.get(subscriber.contract())) {
        throw new IllegalStateException("contract " + subscriber.contract() + " is taken");
      }
      numbers.set(subscriber.contract());
      subscribers.put(subscriber.contract(), subscriber.index());
      entries.put(subscriber.index(), entries(subscriber.subscriber().parts().aggregates().all()));
      count(subscriber, 1);
    }
  }

  @Override
  public void detach(SubscriberState subscriber, Optional<RateLimit> own) {
    if (subscriber.contract() != SubscriberState.NONE) {
      numbers.clear(subscriber.contract());
      subscribers.remove(subscriber.contract());
      entries.remove(subscriber.index());
      count(subscriber, -1);
    }
  }

  private void count(SubscriberState subscriber, int by) {
    int tree = subscriber.subscriber().attachment().treeIndex();
    for (Aggregate aggregate : subscriber.subscriber().parts().aggregates().all()) {
      committedBps[aggregate.direction().ordinal()][tree] += by * aggregate.cirBps();
      ratesBps
          .computeIfAbsent(line(aggregate.direction(), tree), unused -> new TreeMap<>())
          .merge(aggregate.cirBps(), by, (had, more) -> had + more == 0 ? null : had + more);
      directions += by;
      weights += by * weights(aggregate);
    }
  }

  private static int line(Direction direction, int tree) {
    return tree << 1 | direction.ordinal();
  }

  /** Entries of aggregates. */
  private static int entries(List<Aggregate> aggregates) {
    return aggregates.size() + weights(aggregates);
  }

  static int weights(List<Aggregate> aggregates) {
    return aggregates.stream().mapToInt(ContractLedger::weights).sum();
  }

  private static int weights(Aggregate aggregate) {
    return aggregate.marker() instanceof AggregateMarker.Fsam fsam ? fsam.weights().size() : 0;
  }

  /** Number of subscribers with a contract. */
  int contracts() {
    return subscribers.size();
  }

  /** Number of aggregates, each a subscriber's direction. */
  int directions() {
    return directions;
  }

  /** Number of weights of all contracts. */
  int weights() {
    return weights;
  }

  /** True if a contract has that number. */
  boolean isTaken(int number) {
    return numbers.get(number);
  }

  /** The lowest free number. */
  int free() {
    return numbers.nextClearBit(0);
  }

  /** The index of the subscriber whose contract has that number; 0 if none has. */
  int subscriber(int number) {
    return subscribers.getOrDefault(number, 0);
  }

  /** Number of entries of the subscriber with that index. */
  int entries(int subscriberIndex) {
    return entries.getOrDefault(subscriberIndex, 0);
  }

  /** The sum committed in a tree, in bit/s. */
  long committedBps(Direction direction, int tree) {
    return committedBps[direction.ordinal()][tree];
  }

  /** The highest rate that one contract commits in a tree, in bit/s; 0 without any. */
  long highestBps(Direction direction, int tree) {
    TreeMap<Long, Integer> rates = ratesBps.get(line(direction, tree));
    return rates == null || rates.isEmpty() ? 0 : rates.lastKey();
  }
}
