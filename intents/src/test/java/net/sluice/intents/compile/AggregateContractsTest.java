package net.sluice.intents.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.sluice.intents.marker.aggregate.AggregateTuning;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.model.aggregate.AggregateMarker;
import net.sluice.intents.model.aggregate.Aggregates;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.marker.AggregateEntry;
import net.sluice.intents.plan.entry.marker.MarkingSetting;
import net.sluice.intents.profile.AggregateProfile;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.Test;

/** Contracts of aggregates on a switch with room for three of them and five weights. */
class AggregateContractsTest {
  private static final long M = 1_000_000;
  private static final int CONTRACTS = 3;
  private static final int WEIGHTS = 5;

  /** With room for four customers in a tree. */
  private static final FpgaProfile FPGA =
      new FpgaProfile(156.25e6, 1248, 18, 8, 64, 4, 8, 1600, 32_767, 2000, 65_536);

  private final Compiler compiler =
      new Compiler(
          Network.topology(),
          Network.SWITCH.withAggregates(new AggregateProfile(CONTRACTS, WEIGHTS)),
          FPGA);

  private static Change put(String id, int port, int tree, Aggregate... aggregates) {
    Subscriber subscriber =
        Network.subscriber(id, "gold", port, tree, "10.0.0." + (id.charAt(0) - 'a') + "/32");
    return new Change.Put(
        subscriber.withParts(
            OptionalParts.NONE.withAggregates(Aggregates.of(List.of(aggregates)))));
  }

  private static Aggregate up(long cirBps) {
    return Aggregate.up(cirBps, 10_000, new AggregateMarker.TokenBucket());
  }

  private static Aggregate weighted(Direction direction, long cirBps, int weights) {
    Map<Integer, Double> byDscp = new TreeMap<>();
    for (int dscp = 0; dscp < weights; dscp++) {
      byDscp.put(dscp, 2.0);
    }
    return new Aggregate(
        direction, cirBps, 10_000, new AggregateMarker.Fsam(200, 200, byDscp), 10, 12);
  }

  private InMemorySlaState withPolicy() {
    InMemorySlaState state = new InMemorySlaState(compiler);
    Network.apply(compiler, state, Network.policy("gold", BuiltInFunction.GOLD));
    return state;
  }

  private void refused(InMemorySlaState state, Change change, String field, String allowed) {
    assertThatThrownBy(() -> compiler.compile(state, change))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.problems().get(0).field()).isEqualTo(field);
              assertThat(refusal.problems().get(0).allowed()).isEqualTo(allowed);
            });
  }

  /** Random histories: the targets hold what is expected of them, and no number serves two. */
  @Property(tries = 100, seed = "1")
  void plansLeadToWhatIsExpected(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 80) int steps) {
    SplittableRandom random = new SplittableRandom(seed);
    InMemorySlaState state = withPolicy();
    Targets targets = new Targets(compiler);
    targets.apply(policyPlan());
    for (int step = 0; step < steps; step++) {
      Change change = random(random);
      try {
        Plan plan = compiler.compile(state, change);
        targets.apply(plan);
        state.apply(plan);
        CompilerPropertyTest.assertWritesAreOfTheirOwners(compiler, state, plan);
      } catch (Refusal refusal) {
        assertThat(refusal.problems()).isNotEmpty();
      }
      long contracts =
          state.allSubscribers().filter(s -> s.contract() != SubscriberState.NONE).count();
      assertThat(contracts).isLessThanOrEqualTo(CONTRACTS);
      assertThat(compiler.entries(state, Table.FLOW_WEIGHT)).isLessThanOrEqualTo(WEIGHTS);
      state
          .allSubscribers()
          .forEach(
              s -> {
                List<Object> entries = new ArrayList<>();
                compiler.expected(state, s, entries::add);
                assertThat(compiler.entries(state, s.index())).isEqualTo(entries.size());
              });
    }
    assertThat(targets.entries()).isEqualTo(Targets.expectedEntries(compiler, state));
  }

  private Plan policyPlan() {
    try {
      return compiler.compile(
          new InMemorySlaState(compiler), Network.policy("gold", BuiltInFunction.GOLD));
    } catch (Refusal refusal) {
      throw new AssertionError(refusal);
    }
  }

  private static Change random(SplittableRandom random) {
    String id = String.valueOf((char) ('a' + random.nextInt(6)));
    int port = random.nextInt(2);
    switch (random.nextInt(6)) {
      case 0:
        return new Change.Delete(Kind.SUBSCRIBER, id);
      case 1:
        return Network.limit("t", new Scope.OfTree(port, 1), 0, (1 + random.nextInt(4)) * M, 0);
      case 2:
        return new Change.Delete(Kind.RATE_LIMIT, "t");
      case 3:
        return put(id, port, 1);
      case 4:
        return put(id, port, 1, up((1 + random.nextInt(6)) * M));
      default:
        return put(
            id,
            port,
            1,
            weighted(Direction.UP, (1 + random.nextInt(6)) * M, random.nextInt(4)),
            weighted(Direction.DOWN, (1 + random.nextInt(6)) * M, random.nextInt(3)));
    }
  }

  @Test
  void linesOfTreePortAndRoutesAreKept() {
    InMemorySlaState state = withPolicy();
    // BNG ports 1 and 2 share switch port 3 of 10 Mbit/s.
    Network.apply(compiler, state, put("a", 1, 0, up(6 * M)));
    refused(state, put("b", 2, 0, up(11 * M)), "aggregate.up.cirBps", "at most 10000000 bit/s");
    refused(state, put("b", 2, 0, up(5 * M)), "aggregate.up.cirBps", "at most 4000000 bit/s");
    Network.apply(compiler, state, put("b", 2, 0, up(4 * M)));
    // The whole line is committed; the same again, or less, is no more.
    Network.apply(compiler, state, put("a", 1, 0, up(6 * M)));
    Network.apply(compiler, state, put("a", 1, 0, up(5 * M)));
    refused(state, put("a", 1, 0, up(7 * M)), "aggregate.up.cirBps", "at most 6000000 bit/s");
    // Down is another line.
    Network.apply(compiler, state, put("a", 1, 0, up(5 * M), weighted(Direction.DOWN, 10 * M, 0)));

    Change limit = Network.limit("own", new Scope.OfSubscriber("a"), 0, 4 * M, 0);
    refused(state, limit, "upBps", "enough for the 5000000 bit/s that contracts commit");
    Change tree = Network.limit("tree", new Scope.OfTree(1, 0), 0, 5 * M, 0);
    Network.apply(compiler, state, tree);
    refused(state, put("a", 1, 0, up(6 * M)), "aggregate.up.cirBps", "at most 5000000 bit/s");
    refused(state, put("c", 1, 0, up(M)), "aggregate.up.cirBps", "at most 0 bit/s");
  }

  /** A line that may be promised many times over still has to have what one contract commits. */
  @Test
  void aLimitBelowOneContractIsRefusedHoweverMuchItMayPromise() {
    InMemorySlaState state = withPolicy();
    Network.apply(compiler, state, put("a", 0, 1, up(5 * M)));
    Network.apply(compiler, state, put("b", 0, 1, up(2 * M)));
    Network.apply(compiler, state, put("c", 0, 1, up(2 * M)));
    refused(
        state, promising(4 * M), "upBps", "at least the 5000000 bit/s that one contract commits");
    Network.apply(compiler, state, promising(5 * M));
    Network.apply(compiler, state, put("a", 0, 1, up(5 * M)));
    Network.apply(compiler, state, put("b", 0, 1));
    Network.apply(compiler, state, put("a", 0, 1, up(M)));
    refused(state, promising(M), "upBps", "at least the 2000000 bit/s that one contract commits");
    Network.apply(compiler, state, put("c", 0, 1));
    Network.apply(compiler, state, promising(M));
  }

  private static Change promising(long rateBps) {
    Change.Put put = (Change.Put) Network.limit("t", new Scope.OfTree(0, 1), 0, rateBps, 0);
    return new Change.Put(
        ((RateLimit) put.declaration()).withMaxCommittedPercent(OptionalInt.of(1_000)));
  }

  /** The switch's filters lose half of the rates that they can tell with each longer average. */
  @Test
  void ratesStayWithinWhatTheAverageCanTell() {
    AggregateTuning slow = new AggregateTuning(42.3, 1_000 * M);
    AggregateTuning fast = new AggregateTuning(42.3, 100_000 * M);
    AggregateMarker.Tsw2cm tsw = new AggregateMarker.Tsw2cm(8_000);
    AggregateMarker.Fsam fsam = new AggregateMarker.Fsam(8_000, 200, Map.of());
    assertThat(slow.grantedAveragingMillis(Aggregate.up(M, 10_000, tsw), 8_000))
        .isCloseTo(64 * 94.56, within(1.0));
    assertThat(fast.grantedAveragingMillis(Aggregate.up(M, 10_000, tsw), 8_000))
        .isCloseTo(94.56, within(1.0));
    assertThat(fast.grantedAveragingMillis(Aggregate.up(M, 10_000, fsam), 8_000))
        .isCloseTo(64 * 94.56, within(1.0));
    Aggregate most = Aggregate.up(Aggregate.MAX_CIR_BPS, 10_000, fsam);
    assertThat(fast.grantedAveragingMillis(most, 8_000)).isCloseTo(8 * 94.56, within(1.0));
    assertThat(((MarkingSetting.Fsam) fast.setting(most)).cirRate()).isLessThan(1L << 31);
  }

  @Test
  void moreThanThereAreRegistersOrWeightsIsRefused() {
    InMemorySlaState state = withPolicy();
    for (String id : List.of("a", "b", "c")) {
      Network.apply(compiler, state, put(id, 0, 0, up(M)));
    }
    refused(state, put("d", 0, 0, up(M)), "aggregate", "at most 0 more");
    refused(state, put("a", 0, 0, weighted(Direction.UP, M, 6)), "aggregate", "at most 5 weights");
    Network.apply(compiler, state, put("b", 0, 0));
    Plan plan = Network.apply(compiler, state, put("d", 0, 0, up(M)));
    // The number that was given back, and of it the place of its direction.
    assertThat(plan.delta().contract()).isEqualTo(1);
    List<Object> entries = new ArrayList<>();
    compiler.expected(state, state.subscriber("d").orElseThrow(), entries::add);
    assertThat(entries)
        .anySatisfy(
            entry ->
                assertThat(entry)
                    .isInstanceOfSatisfying(
                        AggregateEntry.class, of -> assertThat(of.aggregate()).isEqualTo(3)));
  }

  /** By the holder a switch tells that a number's registers are another contract's. */
  @Test
  void theNextContractOfANumberAndAnotherMarkerHaveAnotherHolder() {
    InMemorySlaState state = withPolicy();
    AggregateEntry first = entry(state, "a", up(M));
    assertThat(entry(state, "a", up(2 * M)).holder()).isEqualTo(first.holder());
    assertThat(entry(state, "a", weighted(Direction.UP, 2 * M, 0)).holder())
        .isNotEqualTo(first.holder());
    Network.apply(compiler, state, new Change.Delete(Kind.SUBSCRIBER, "a"));
    AggregateEntry next = entry(state, "b", up(M));
    assertThat(next.aggregate()).isEqualTo(first.aggregate());
    assertThat(next.holder()).isNotEqualTo(first.holder());
  }

  private AggregateEntry entry(InMemorySlaState state, String id, Aggregate aggregate) {
    Network.apply(compiler, state, put(id, 0, 0, aggregate));
    List<AggregateEntry> entries = new ArrayList<>();
    compiler.expected(
        state,
        state.subscriber(id).orElseThrow(),
        entry -> {
          if (entry instanceof AggregateEntry of) {
            entries.add(of);
          }
        });
    return entries.get(0);
  }
}
