package net.sluice.intents.marker.aggregate;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import net.sluice.intents.marker.Marker;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.model.aggregate.AggregateMarker;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.marker.AggregateEntry;
import net.sluice.intents.plan.entry.marker.FlowWeightEntry;
import net.sluice.intents.profile.AggregateProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.state.Ledger;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.state.TableResource;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.value.Direction;

/**
 * The markers of paper 003: IN and OUT by the contract of a subscriber with many flows, beside what
 * its policy says of packet values. A contract has a number, of which each direction has registers
 * and counters.
 */
public final class AggregateMarking implements Marker {
  private static final Direction[] DIRECTIONS = Direction.values();

  private final Topology topology;
  private final AggregateProfile profile;
  private final AggregateTuning tuning;

  /** The marker of a switch. */
  public AggregateMarking(Topology topology, SwitchProfile profile) {
    this.topology = topology;
    this.profile = profile.aggregates();
    this.tuning =
        new AggregateTuning(
            profile.rateUnitBps(),
            topology.ports().stream().mapToLong(SwitchPort::rateBps).max().orElse(0));
  }

  /**
   * The number by which the switch counts and keeps what is of an aggregate.
   *
   * @param contract see {@link SubscriberState#contract}
   */
  public static int number(int contract, Direction direction) {
    return contract << 1 | direction.ordinal();
  }

  /** These numbers of a subscriber, by the directions in which it has an aggregate. */
  public static Map<Direction, Integer> numbers(SubscriberState subscriber) {
    return subscriber.subscriber().parts().aggregates().all().stream()
        .collect(
            Collectors.toMap(
                Aggregate::direction, each -> number(subscriber.contract(), each.direction())));
  }

  @Override
  public Optional<Ledger> newLedger() {
    return Optional.of(new ContractLedger());
  }

  private static ContractLedger ledger(SlaState state) {
    return state.ledger(ContractLedger.class);
  }

  // ---------------------------------------------------------------- admission

  @Override
  public void admit(SlaState state, Subscriber put, SubscriberState before, Problems problems) {
    if (put.parts().aggregates().isEmpty()) {
      return;
    }
    if (!profile.any()) {
      problems.add(
          Code.INVALID,
          "aggregate",
          "given",
          "absent",
          "The switch's program does not mark aggregates.");
      return;
    }
    Subscriber replaced = before == null ? null : before.subscriber();
    boolean has = before != null && before.contract() != SubscriberState.NONE;
    checkRoom(
        state,
        put,
        has ? 1 : 0,
        replaced == null ? 0 : ContractLedger.weights(replaced.parts().aggregates().all()),
        problems);
    put.parts()
        .aggregates()
        .all()
        .forEach(each -> checkLines(state, put, each, replaced, problems));
  }

  @Override
  public void readmit(SlaState state, SubscriberState stored, Problems problems) {
    Subscriber subscriber = stored.subscriber();
    admit(state, subscriber, null, problems);
    int contract = stored.contract();
    if (profile.any()
        && contract != SubscriberState.NONE
        && (contract >= profile.contracts() || ledger(state).isTaken(contract))) {
      problems.add(
          Code.CAPACITY,
          "aggregate",
          "contract " + contract,
          "a free one below " + profile.contracts(),
          "The switch has no contract " + contract + " for subscriber " + subscriber.id() + ".");
    }
  }

  private void checkRoom(
      SlaState state, Subscriber put, int released, int releasedWeights, Problems problems) {
    int contracts = ledger(state).contracts() - released;
    if (contracts >= profile.contracts()) {
      problems.add(
          Code.CAPACITY,
          "aggregate",
          "1 contract",
          "at most 0 more",
          String.format(
              Locale.ROOT,
              "The switch keeps contracts of %d subscribers, and has %d.",
              profile.contracts(),
              contracts));
    }
    int weights = ContractLedger.weights(put.parts().aggregates().all());
    int free = profile.weights() - ledger(state).weights() + releasedWeights;
    if (weights > free) {
      problems.add(
          Code.CAPACITY,
          "aggregate",
          weights + " weights",
          "at most " + Math.max(0, free) + " weights",
          String.format(
              Locale.ROOT,
              "The switch keeps %d weights of flows; %d are free, and this needs %d.",
              profile.weights(),
              Math.max(0, free),
              weights));
    }
  }

  private void checkLines(
      SlaState state, Subscriber put, Aggregate aggregate, Subscriber replaced, Problems problems) {
    Direction direction = aggregate.direction();
    String field = "aggregate." + direction.text() + ".cirBps";
    for (CommittedLine line : CommittedLine.of(topology, state, put, direction)) {
      long cirBps = aggregate.cirBps();
      if (cirBps > line.rateBps()) {
        problems.add(
            Code.INVALID,
            field,
            cirBps,
            "at most " + line.rateBps() + " bit/s",
            String.format(
                Locale.ROOT,
                "%s is %d bit/s, and %s has %d bit/s.",
                field,
                cirBps,
                line.name(),
                line.rateBps()));
        continue;
      }
      long leavingBps = replaced == null ? 0 : leaving(replaced, line, direction);
      long others = line.isShared() ? line.committedBps(state, direction) - leavingBps : 0;
      // What adds nothing is not refused for what is committed already.
      if (line.isShared() && cirBps > leavingBps && others + cirBps > line.mostBps()) {
        problems.add(
            Code.CONFLICT,
            field,
            cirBps,
            "at most " + Math.max(0, line.mostBps() - others) + " bit/s",
            String.format(
                Locale.ROOT,
                "Contracts on %s may add up to %d bit/s %s; %d are committed, and this would add"
                    + " %d.",
                line.name(),
                line.mostBps(),
                direction.text(),
                others,
                cirBps));
      }
    }
  }

  /** The part of a line that a subscriber has which is replaced. */
  private static long leaving(Subscriber replaced, CommittedLine line, Direction direction) {
    return line.covers().test(replaced.attachment().treeIndex())
        ? replaced.parts().aggregates().all().stream()
            .filter(each -> each.direction() == direction)
            .mapToLong(Aggregate::cirBps)
            .sum()
        : 0;
  }

  /** A limit that is put must leave what is committed below it. */
  @Override
  public void admit(SlaState state, RateLimit limit, Problems problems) {
    if (ledger(state).contracts() == 0) {
      return;
    }
    for (Direction direction : DIRECTIONS) {
      Optional<CommittedLine> line = CommittedLine.of(limit, direction, Ledger.NO_TREE);
      if (line.isPresent()) {
        long committed = committed(state, limit, line.get(), direction);
        long most = line.get().isShared() ? line.get().mostBps() : line.get().rateBps();
        if (committed > most && !isKept(state, limit, line.get(), direction)) {
          problems.add(
              Code.CONFLICT,
              direction.text() + "Bps",
              limit.rateBps(direction).getAsLong(),
              "enough for the " + committed + " bit/s that contracts commit",
              String.format(
                  Locale.ROOT,
                  "Contracts of aggregates commit %d bit/s %s of %s; with rate limit %s they may"
                      + " add up to %d.",
                  committed,
                  direction.text(),
                  limit.scope(),
                  limit.id(),
                  most));
        } else if (line.get().isShared()) {
          checkHighest(state, limit, line.get(), direction, problems);
        }
      }
    }
  }

  /** Refuses a line below one of its contracts, however much it may promise. */
  private static void checkHighest(
      SlaState state, RateLimit limit, CommittedLine line, Direction direction, Problems problems) {
    long highest = line.highestBps(state, direction);
    if (highest > line.rateBps() && !isKept(state, limit, line, direction)) {
      problems.add(
          Code.CONFLICT,
          direction.text() + "Bps",
          line.rateBps(),
          "at least the " + highest + " bit/s that one contract commits",
          String.format(
              Locale.ROOT,
              "A contract of an aggregate commits %d bit/s %s of %s; rate limit %s has %d.",
              highest,
              direction.text(),
              limit.scope(),
              limit.id(),
              line.rateBps()));
    }
  }

  private static long committed(
      SlaState state, RateLimit limit, CommittedLine line, Direction direction) {
    return limit.scope() instanceof Scope.OfSubscriber of
        ? state.subscriber(of.subscriberId()).stream()
            .flatMap(each -> each.subscriber().parts().aggregates().all().stream())
            .filter(each -> each.direction() == direction)
            .mapToLong(Aggregate::cirBps)
            .sum()
        : line.committedBps(state, direction);
  }

  /** The same limit once more changes nothing. */
  private static boolean isKept(
      SlaState state, RateLimit limit, CommittedLine line, Direction direction) {
    return state
        .rateLimitOf(limit.scope())
        .flatMap(old -> CommittedLine.of(old, direction, Ledger.NO_TREE))
        .filter(old -> old.rateBps() <= line.rateBps() && old.mostBps() <= line.mostBps())
        .isPresent();
  }

  @Override
  public int contract(SlaState state, Subscriber put, SubscriberState before) {
    if (put.parts().aggregates().isEmpty()) {
      return SubscriberState.NONE;
    }
    if (before != null && before.contract() != SubscriberState.NONE) {
      return before.contract();
    }
    int had = state.formerly(put.id()).map(SubscriberState::contract).orElse(SubscriberState.NONE);
    return had != SubscriberState.NONE && !ledger(state).isTaken(had) ? had : ledger(state).free();
  }

  // ---------------------------------------------------------------- granting

  @Override
  public void grant(SlaState state, Subscriber subscriber, Grants out) {
    if (subscriber.parts().aggregates().isEmpty()) {
      return;
    }
    for (Aggregate aggregate : subscriber.parts().aggregates().all()) {
      Direction direction = aggregate.direction();
      String field = "aggregate." + direction.text();
      averaging(aggregate.marker())
          .ifPresent(
              asked -> {
                double granted = tuning.grantedAveragingMillis(aggregate, asked);
                if (Math.round(granted) != asked) {
                  out.note(
                      String.format(
                          Locale.ROOT,
                          "%s.averagingMillis: %.0f, the nearest that the switch has",
                          field,
                          granted));
                }
              });
      Subscriber inForce =
          state.subscriber(subscriber.id()).map(SubscriberState::subscriber).orElse(null);
      for (CommittedLine line : CommittedLine.of(topology, state, subscriber, direction)) {
        if (line.isShared()) {
          long leavingBps = inForce == null ? 0 : leaving(inForce, line, direction);
          out.note(
              String.format(
                  Locale.ROOT,
                  "%s.cirBps: contracts on %s add up to %d bit/s, at most %d",
                  field,
                  line.name(),
                  line.committedBps(state, direction) - leavingBps + aggregate.cirBps(),
                  line.mostBps()));
        }
      }
    }
  }

  private static OptionalInt averaging(AggregateMarker marker) {
    if (marker instanceof AggregateMarker.Tsw2cm tsw) {
      return OptionalInt.of(tsw.averagingMillis());
    }
    return marker instanceof AggregateMarker.Fsam fsam
        ? OptionalInt.of(fsam.averagingMillis())
        : OptionalInt.empty();
  }

  // ---------------------------------------------------------------- what the switch should hold

  /**
   * The number by which a switch tells contracts that have the same registers one after the other:
   * of a subscriber's id and its marker, so that other terms of the same contract go on with what
   * it has measured.
   */
  public static long holder(String subscriberId, AggregateMarker marker) {
    CRC32 checksum = new CRC32();
    checksum.update((marker.text() + " " + subscriberId).getBytes(StandardCharsets.UTF_8));
    return checksum.getValue();
  }

  /** Weights come first: no flow is marked without its own. */
  @Override
  public void entries(SubscriberState subscriber, Consumer<? super SwitchEntry> out) {
    if (subscriber.subscriber().parts().aggregates().isEmpty()) {
      return;
    }
    List<Aggregate> aggregates = subscriber.subscriber().parts().aggregates().all();
    for (Aggregate aggregate : aggregates) {
      int number = number(subscriber.contract(), aggregate.direction());
      if (aggregate.marker() instanceof AggregateMarker.Fsam fsam) {
        fsam.weights()
            .forEach(
                (dscp, weight) ->
                    out.accept(new FlowWeightEntry(number, dscp, AggregateTuning.log(weight))));
      }
      out.accept(
          new AggregateEntry(
              subscriber.index(),
              aggregate.direction(),
              number,
              holder(subscriber.subscriber().id(), aggregate.marker()),
              tuning.setting(aggregate),
              aggregate.inDscp(),
              aggregate.outDscp()));
    }
  }

  @Override
  public int entries(SlaState state, int subscriberIndex) {
    return ledger(state).entries(subscriberIndex);
  }

  @Override
  public long entries(SlaState state, Table table) {
    return switch (table) {
      case AGGREGATE -> ledger(state).directions();
      case FLOW_WEIGHT -> ledger(state).weights();
      default -> 0;
    };
  }

  /** A contract of both directions is one. */
  @Override
  public List<TableResource> resources() {
    return profile.any()
        ? List.of(
            new TableResource(
                "aggregates",
                state -> ledger(state).contracts(),
                profile.contracts(),
                plan -> Math.min(1, plan.inserts(Table.AGGREGATE))),
            new TableResource(
                "flow-weights",
                state -> ledger(state).weights(),
                profile.weights(),
                plan -> plan.inserts(Table.FLOW_WEIGHT)))
        : List.of();
  }

  @Override
  public int subscriber(SlaState state, SwitchEntry actual) {
    return actual instanceof FlowWeightEntry weight
        ? ledger(state).subscriber(weight.aggregate() >> 1)
        : 0;
  }
}
