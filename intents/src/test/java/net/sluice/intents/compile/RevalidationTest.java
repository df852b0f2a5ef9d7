package net.sluice.intents.compile;

import static net.sluice.intents.compile.Network.apply;
import static net.sluice.intents.compile.Network.limit;
import static net.sluice.intents.compile.Network.put;
import static net.sluice.intents.compile.Network.subscriber;
import static net.sluice.intents.compile.Network.tagged;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.StateDelta;
import net.sluice.intents.plan.StateDelta.Allotment;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Incompatibilities;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;

class RevalidationTest {
  private final Compiler compiler = Network.compiler();
  private final InMemorySlaState stored = Network.withPolicies(compiler);

  private void declare(Change... changes) {
    for (Change change : changes) {
      apply(compiler, stored, change);
    }
  }

  /** What of {@code stored} another compiler does not admit, loaded as stores load. */
  static Incompatibilities misfits(InMemorySlaState stored, Compiler now) {
    InMemorySlaState state = new InMemorySlaState(now);
    List<PolicyState> policies =
        stored.allPolicies().sorted(Comparator.comparing(PolicyState::slot)).toList();
    List<RateLimit> limits =
        stored.allRateLimits().sorted(Comparator.comparing(RateLimit::id)).toList();
    policies.forEach(policy -> load(state, policy.policy(), policy.slot(), List.of()));
    limits.forEach(limit -> load(state, limit, 0, List.of()));
    Revalidation readmission = now.readmission();
    stored
        .allSubscribers()
        .sorted(Comparator.comparing(s -> s.subscriber().id()))
        .forEach(
            s -> {
              readmission.admit(state, s);
              load(
                  state,
                  s.subscriber(),
                  s.index(),
                  s.hasAllotment() ? List.of(new Allotment(s.index(), s.allotment())) : List.of());
            });
    readmission.admit(state, policies, limits);
    return readmission.misfits();
  }

  private static void load(
      InMemorySlaState state, Declaration declaration, int number, List<Allotment> queues) {
    StateDelta delta = new StateDelta(new Change.Put(declaration), false, number, 0, -1, queues);
    state.apply(new Plan(Map.of(), false, List.of(), List.of(), delta));
  }

  private void assertMisfits(Compiler now, Code code, String... inOrder) {
    assertThat(misfits(stored, compiler).isEmpty()).isTrue();
    Incompatibilities misfits = misfits(stored, now);
    assertThat(misfits.first())
        .extracting(misfit -> misfit.kind().words() + " " + misfit.id())
        .containsExactly(inOrder);
    assertThat(misfits.first())
        .allSatisfy(
            misfit ->
                assertThat(misfit.problems())
                    .extracting(problem -> problem.code())
                    .containsOnly(code));
  }

  private static Topology wired(Map<Integer, Integer> bngPorts) {
    Topology topology = Network.topology();
    return new Topology(
        topology.ports(),
        bngPorts,
        topology.sidecarDown(),
        topology.sidecarUp(),
        topology.routes());
  }

  private static Compiler wiredAs(Topology topology) {
    return new Compiler(topology, Network.SWITCH, Network.FPGA);
  }

  private static Compiler on(SwitchProfile profile) {
    return new Compiler(Network.topology(), profile, Network.FPGA);
  }

  private static Compiler with(FpgaProfile profile) {
    return new Compiler(Network.topology(), Network.SWITCH, profile);
  }

  private void declareThree() {
    declare(
        put(tagged(subscriber("a", "gold", 0, 0, "10.0.0.1/32"), VlanTags.single(7))),
        put(subscriber("b", "gold", 1, 3, "10.0.0.2/32", "2001:db8:0:100::/56")),
        put(tagged(subscriber("c", "silver", 2, 1, "2001:db8:0:200::/56"), VlanTags.pair(7, 8))));
  }

  @Test
  void whatIsStoredFitsWhatItWasAcceptedUnder() {
    declareThree();
    declare(limit("l", new Scope.OfPort(0), 5_000_000, 5_000_000, 0));
    Incompatibilities misfits = misfits(stored, compiler);
    assertThat(misfits.isEmpty()).isTrue();
    assertThat(misfits.storedText()).isEqualTo("2 policies, 3 subscribers, 1 rate limit");
  }

  @Test
  void limitsNeedTheSidecarOfTheirDirection() {
    declareThree();
    declare(
        limit("down", new Scope.OfSubscriber("a"), 5_000_000, 0, 0),
        limit("tree", new Scope.OfTree(1, 3), 5_000_000, 5_000_000, 0),
        limit("up", new Scope.OfPort(2), 0, 5_000_000, 0));
    Topology noDown = Network.topology(OptionalInt.empty(), OptionalInt.of(5));
    assertMisfits(wiredAs(noDown), Code.INVALID, "rate limit down", "rate limit tree");
    Topology noUp = Network.topology(OptionalInt.of(4), OptionalInt.empty());
    assertMisfits(wiredAs(noUp), Code.INVALID, "rate limit tree", "rate limit up");
  }

  @Test
  void equalTagsOnPortsThatAreOneNowCollide() {
    declare(
        put(tagged(subscriber("a", "gold", 0, 0, "10.0.0.1/32"), VlanTags.pair(7, 8))),
        put(tagged(subscriber("b", "gold", 1, 0, "10.0.0.2/32"), VlanTags.pair(7, 8))),
        put(tagged(subscriber("c", "gold", 1, 0, "10.0.0.3/32"), VlanTags.pair(7, 9))));
    assertMisfits(wiredAs(wired(Map.of(0, 3, 1, 3, 2, 3))), Code.CONFLICT, "subscriber b");
  }

  @Test
  void subscribersAndLimitsNeedTheirBngPort() {
    declareThree();
    declare(
        limit("port", new Scope.OfPort(2), 5_000_000, 0, 0),
        limit("tree", new Scope.OfTree(2, 1), 5_000_000, 0, 0));
    assertMisfits(
        wiredAs(wired(Map.of(0, 2, 1, 3))),
        Code.INVALID,
        "subscriber c",
        "rate limit port",
        "rate limit tree");
  }

  @Test
  void tablesHaveToHoldEveryEntry() {
    declareThree();
    assertMisfits(on(holding(9, 1, 9, 9, 9, 9)), Code.CAPACITY, "subscriber b");
    assertMisfits(on(holding(9, 9, 1, 9, 9, 9)), Code.CAPACITY, "subscriber c");
    assertMisfits(on(holding(9, 9, 9, 0, 9, 9)), Code.CAPACITY, "subscriber a", "subscriber c");
    assertMisfits(on(holding(9, 9, 9, 9, 1, 9)), Code.CAPACITY, "subscriber c");
  }

  @Test
  void everySubscriberKeepsItsRateFilterAndEveryPolicyItsSlot() {
    declareThree();
    declare(new Change.Delete(Kind.SUBSCRIBER, "a"));
    // Two are left, but one of them has number 3.
    assertMisfits(on(holding(2, 9, 9, 9, 9, 9)), Code.CAPACITY, "subscriber c");
    assertMisfits(on(holding(9, 9, 9, 9, 9, 2)), Code.CAPACITY, "policy silver");
  }

  @Test
  void everySubscriberKeepsItsPlaceInThePipeOfItsPort() {
    declareThree();
    // Indices 1, 2 and 3, of BNG ports 0, 1 and 2.
    assertThat(misfits(stored, on(Network.divided(1, 2, OptionalInt.empty()))).isEmpty()).isTrue();
    Compiler divided = on(Network.divided(2, 1, OptionalInt.empty()));
    assertMisfits(divided, Code.INVALID, "subscriber b");
    assertMisfits(on(Network.divided(1, 1, OptionalInt.empty())), Code.CAPACITY, "subscriber c");
    declare(put(subscriber("b", "gold", 1, 3, "10.0.0.2/32", "10.0.0.3/32")));
    assertMisfits(on(Network.divided(1, 2, OptionalInt.of(2))), Code.CAPACITY, "subscriber b");
    Golden.check("misplaced.txt", misfits(stored, divided).text() + "\n");
  }

  private static SwitchProfile holding(
      int subscribers, int v4, int v6, int vlans, int encapsulations, int policySlots) {
    return new SwitchProfile(
        subscribers, v4, v6, vlans, encapsulations, policySlots, 42.306, 32, 100e9);
  }

  @Test
  void theFpgaHasToRepresentRatesAndBursts() {
    declareThree();
    declare(
        limit("burst", new Scope.OfSubscriber("a"), 5_000_000, 0, 30_000),
        limit("rate", new Scope.OfSubscriber("b"), 0, 250_000_000_000L, 0));
    assertMisfits(with(FpgaProfile.withClock(1e6)), Code.INVALID, "rate limit rate");
    assertMisfits(with(fpga(8, 64, 64, 20_000)), Code.INVALID, "rate limit burst");
  }

  @Test
  void theFpgaNeedsTheQueuesInUse() {
    declareThree();
    declare(
        put(subscriber("d", "gold", 1, 3, "10.0.0.4/32")),
        limit("l1", new Scope.OfSubscriber("b"), 5_000_000, 0, 0),
        limit("l2", new Scope.OfSubscriber("c"), 5_000_000, 0, 0),
        limit("l3", new Scope.OfSubscriber("d"), 5_000_000, 0, 0),
        limit("l4", new Scope.OfTree(2, 5), 5_000_000, 0, 0));
    assertMisfits(with(fpga(2, 64, 64, 32_767)), Code.INVALID, "subscriber c", "rate limit l4");
    assertMisfits(
        with(fpga(8, 3, 64, 32_767)),
        Code.INVALID,
        "subscriber b",
        "subscriber d",
        "rate limit l4");
    assertMisfits(with(fpga(8, 64, 1, 32_767)), Code.CAPACITY, "subscriber d");
  }

  private static FpgaProfile fpga(int ports, int trees, int customers, int maxBurstBytes) {
    return new FpgaProfile(
        156.25e6, 1248, 18, ports, trees, customers, 8, 1600, maxBurstBytes, 2000, 65_536);
  }

  @Test
  void theFirstMisfitsAreNamedAndAllAreCounted() {
    for (int i = 0; i < 12; i++) {
      declare(put(subscriber("s" + (10 + i), "gold", i % 2, 0, "10.0.0." + i + "/32")));
    }
    declare(
        put(tagged(subscriber("t1", "gold", 0, 0, "10.0.1.1/32"), VlanTags.pair(7, 8))),
        put(tagged(subscriber("t2", "silver", 1, 0, "10.0.1.2/32"), VlanTags.pair(7, 8))),
        limit("port", new Scope.OfPort(0), 5_000_000, 5_000_000, 0));
    SwitchProfile small = new SwitchProfile(20, 4, 20, 20, 20, 2, 42.306, 32, 100e9);
    Topology merged = wired(Map.of(0, 3, 1, 3));
    Topology bare =
        new Topology(
            merged.ports(),
            merged.bngPorts(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            merged.routes());
    StringBuilder text = new StringBuilder();
    text.append(misfits(stored, wiredAs(bare)).text()).append("\n\n");
    text.append(misfits(stored, new Compiler(bare, small, Network.FPGA)).text()).append('\n');
    Golden.check("misfits.txt", text.toString());
  }

  @Property(tries = 150, seed = "1")
  void whatWasAcceptedIsAdmittedUnderTheSameAndElsewhereAsIfItWasPut(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 120) int steps) {
    Compiler before = new Compiler(Network.topology(), Network.SMALL_SWITCH, Network.SMALL_FPGA);
    SplittableRandom random = new SplittableRandom(seed);
    InMemorySlaState state = new InMemorySlaState();
    for (int step = 0; step < steps; step++) {
      acceptedOrNot(before, state, CompilerPropertyTest.randomChange(random));
    }
    assertThat(misfits(state, before).first()).isEmpty();

    Compiler after =
        new Compiler(
            anyTopology(random),
            // Numbers that are allocated are kept, so with fewer of them a new state could do.
            new SwitchProfile(
                8,
                1 + random.nextInt(10),
                1 + random.nextInt(6),
                1 + random.nextInt(3),
                1 + random.nextInt(3),
                4,
                42.306,
                32,
                100e9),
            new FpgaProfile(
                random.nextBoolean() ? 156.25e6 : 20e6,
                1248,
                18,
                1 + random.nextInt(8),
                1 + random.nextInt(2),
                2,
                8,
                1600,
                random.nextBoolean() ? 32_767 : 4_000,
                2000,
                65_536));
    InMemorySlaState fresh = new InMemorySlaState();
    boolean allAccepted = true;
    for (PolicyState policy : state.allPolicies().toList()) {
      allAccepted &= acceptedOrNot(after, fresh, new Change.Put(policy.policy()));
    }
    for (SubscriberState subscriber : state.allSubscribers().toList()) {
      allAccepted &= acceptedOrNot(after, fresh, new Change.Put(subscriber.subscriber()));
    }
    for (RateLimit limit : state.allRateLimits().toList()) {
      allAccepted &= acceptedOrNot(after, fresh, new Change.Put(limit));
    }
    assertThat(misfits(state, after).isEmpty()).isEqualTo(allAccepted);
  }

  private static boolean acceptedOrNot(Compiler compiler, InMemorySlaState state, Change change) {
    try {
      state.apply(compiler.compile(state, change));
      return true;
    } catch (Refusal refusal) {
      return false;
    }
  }

  private static Topology anyTopology(SplittableRandom random) {
    Topology wired =
        wired(
            switch (random.nextInt(4)) {
              case 0 -> Map.of(0, 2, 1, 3, 2, 3);
              case 1 -> Map.of(0, 3, 1, 3, 2, 3);
              case 2 -> Map.of(0, 2, 1, 3);
              default -> Map.of(0, 2, 1, 2, 2, 3);
            });
    return new Topology(
        wired.ports(),
        wired.bngPorts(),
        random.nextInt(4) == 0 ? OptionalInt.empty() : wired.sidecarDown(),
        random.nextInt(4) == 0 ? OptionalInt.empty() : wired.sidecarUp(),
        wired.routes());
  }
}
