package net.sluice.intents.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.FlowOrder;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.model.policy.TrafficClass;
import net.sluice.intents.model.policy.TrafficClasses;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting.ClassShares;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.plan.entry.limit.TrafficClassEntry;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.Test;

/** Classes of policies on a switch that tells ten codepoints of policies apart. */
class ClassMarkingTest {
  private static final long M = 1_000_000;
  private static final SwitchProfile SWITCH =
      Network.SWITCH.withMeters(new MeterProfile(100)).withTrafficClasses(10);
  private static final FpgaProfile FPGA = Network.SMALL_FPGA.withClassShares(true);
  private static final Scope ALICE = new Scope.OfSubscriber("alice");

  private final Compiler compiler = new Compiler(Network.topology(), SWITCH, FPGA);
  private final InMemorySlaState state = new InMemorySlaState(compiler);

  private static TrafficClass voice(Integer... dscp) {
    return new TrafficClass("voice", List.of(dscp), OptionalInt.of(1), OptionalInt.empty());
  }

  private static TrafficClass shared(String name, int share, Integer... dscp) {
    return new TrafficClass(name, List.of(dscp), OptionalInt.empty(), OptionalInt.of(share));
  }

  private static Change policy(String id, TrafficClass... classes) {
    return new Change.Put(
        new Policy(
            id, BuiltInFunction.GOLD, Optional.empty(), new TrafficClasses(List.of(classes))));
  }

  private static Change alice(String policy, int port, int tree) {
    return Network.put(Network.subscriber("alice", policy, port, tree, "10.0.0.1/32"));
  }

  private static Change limit(Enforcement enforcement, Scope scope) {
    return new Change.Put(
        new RateLimit(
            "l",
            scope,
            OptionalLong.of(10 * M),
            OptionalLong.empty(),
            OptionalInt.empty(),
            Optional.of(enforcement)));
  }

  private Plan apply(Change change) {
    return Network.apply(compiler, state, change);
  }

  private void refused(Change change, String field, String value, String allowed, String detail) {
    refused(compiler, change, field, value, allowed, detail);
  }

  private void refused(
      Compiler by, Change change, String field, String value, String allowed, String detail) {
    assertThatThrownBy(() -> by.compile(state, change))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.problems().get(0).field()).isEqualTo(field);
              assertThat(refusal.problems().get(0).value()).isEqualTo(value);
              assertThat(refusal.problems().get(0).allowed()).isEqualTo(allowed);
              assertThat(refusal.problems().get(0).detail()).isEqualTo(detail);
            });
  }

  private static List<String> words(Plan plan) {
    return plan.writes(TargetKey.fpga(Direction.DOWN)).stream()
        .map(Write::entity)
        .filter(ClassShares.class::isInstance)
        .map(setting -> ((ClassShares) setting).customer() + "=" + hex(setting.value()))
        .toList();
  }

  private static String hex(int word) {
    return Integer.toHexString(word);
  }

  @Test
  void aPolicysCodepointsAreToldApartAndItsLimitedSubscribersQueuesServedByItsClasses() {
    Plan policy = apply(policy("triple", voice(46), shared("video", 3, 34), shared("rest", 1)));
    assertThat(policy.writes(TargetKey.SWITCH))
        .filteredOn(write -> write.entity() instanceof TrafficClassEntry)
        .extracting(Write::entity)
        .containsExactly(new TrafficClassEntry(1, 34, 1), new TrafficClassEntry(1, 46, 2));
    assertThat(policy.notes())
        .contains("classes: numbers in the FPGA are rest 0, video 1, voice 2");
    Plan alice = apply(alice("triple", 0, 2));
    assertThat(words(alice)).isEmpty();
    assertThat(alice.notes()).contains("classes: without effect as long as no rate limit applies");
    assertThat(words(apply(limit(Enforcement.FPGA, ALICE)))).containsExactly("128=f31");

    Plan changed = apply(policy("triple", voice(46, 34), shared("rest", 5)));
    assertThat(words(changed)).containsExactly("128=f5");
    assertThat(changed.writes(TargetKey.SWITCH))
        .extracting(Write::op, Write::entity)
        .containsExactly(tuple(Op.MODIFY, new TrafficClassEntry(1, 46, 1)));

    assertThat(words(apply(alice("triple", 0, 3)))).containsExactly("128=0", "192=f5");
    apply(Network.policy("plain", BuiltInFunction.SILVER));
    // Light flows and all others.
    assertThat(words(apply(alice("plain", 0, 3)))).containsExactly("192=10000001");
    Policy asTheyCome =
        new Policy(
            "plain",
            BuiltInFunction.SILVER,
            Optional.empty(),
            TrafficClasses.NONE,
            Optional.empty(),
            LimitDelay.UNSAID,
            Optional.of(FlowOrder.AS_THEY_COME),
            OptionalInt.empty());
    assertThat(words(apply(new Change.Put(asTheyCome)))).containsExactly("192=0");
  }

  @Test
  void classesNeedAProgramThatTellsThemApartAndAnFpgaThatServesThem() {
    Topology without = Network.topology(OptionalInt.empty(), OptionalInt.empty());
    Compiler noFpga = new Compiler(without, SWITCH, FPGA);
    Compiler noTable = new Compiler(Network.topology(), Network.SWITCH, FPGA);
    Compiler noShares = new Compiler(Network.topology(), SWITCH, Network.FPGA);
    Change policy = policy("triple", voice(46), shared("rest", 1));
    apply(policy);
    String allowed = "a policy without classes";
    String has = "Policy triple has classes, and ";
    Change alice = alice("triple", 0, 2);
    refused(noFpga, alice, "policy", "triple", allowed, has + "the switch has no FPGA.");
    refused(
        noTable,
        alice,
        "policy",
        "triple",
        allowed,
        has + "the switch's program does not tell them apart.");
    refused(
        noShares,
        alice,
        "policy",
        "triple",
        allowed,
        has + "the FPGAs have none with priorities and shares.");
    apply(Network.policy("triple-to-be", BuiltInFunction.GOLD));
    Network.apply(noFpga, state, alice("triple-to-be", 0, 2));
    refused(
        noFpga,
        policy("triple-to-be", voice(46), shared("rest", 1)),
        "classes",
        "2 classes",
        "absent",
        "Subscriber alice has policy triple-to-be and cannot have classes: the switch has no"
            + " FPGA.");
  }

  @Test
  void onlyLimitsOfTheFpgaHaveClasses() {
    apply(policy("triple", voice(46), shared("rest", 1)));
    apply(Network.policy("plain", BuiltInFunction.GOLD));
    apply(alice("triple", 0, 2));
    String detail = "Policy triple of subscriber alice has classes, which only the FPGA serves.";
    for (Scope scope : List.of(ALICE, new Scope.OfTree(0, 2), new Scope.OfPort(0))) {
      refused(limit(Enforcement.POLICE, scope), "enforcement", "police", "fpga", detail);
    }
    apply(limit(Enforcement.POLICE, new Scope.OfTree(0, 3)));
    String other =
        "Policy triple has classes, which only the FPGA serves; enforcement of rate limit l of"
            + " port 0 tree 3 is police.";
    refused(alice("triple", 0, 3), "policy", "triple", "a policy without classes", other);
    apply(alice("plain", 0, 3));
    refused(
        policy("plain", voice(46), shared("rest", 1)),
        "classes",
        "2 classes",
        "absent, or a policy of subscribers that only the FPGA limits",
        "Subscriber alice has policy plain and is limited by the switch, which has no classes.");
  }

  @Test
  void policiesShareTheSwitchsCodepoints() {
    apply(policy("a", voice(1, 2, 3, 4, 5, 6), shared("rest", 1)));
    refused(
        policy("b", voice(1, 2, 3, 4, 5), shared("rest", 1)),
        "classes",
        "5 codepoints",
        "at most 4",
        "The switch tells classes by 10 codepoints of policies, 6 are used, and this needs 5.");
    apply(policy("a", voice(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), shared("rest", 1)));
  }

  /** Random histories: the targets hold what is expected of them. */
  @Property(tries = 40, seed = "1")
  void plansLeadToWhatIsExpected(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int steps) {
    SplittableRandom random = new SplittableRandom(seed);
    InMemorySlaState fresh = new InMemorySlaState(compiler);
    Targets targets = new Targets(compiler);
    for (int step = 0; step < steps; step++) {
      try {
        Plan plan = compiler.compile(fresh, random(random));
        targets.apply(plan);
        fresh.apply(plan);
        CompilerPropertyTest.assertWritesAreOfTheirOwners(compiler, fresh, plan);
      } catch (Refusal refusal) {
        assertThat(refusal.problems()).isNotEmpty();
      }
    }
    assertThat(targets.entries()).isEqualTo(Targets.expectedEntries(compiler, fresh));
    assertThat(targets.settings()).isEqualTo(Targets.expectedSettings(compiler, fresh));
  }

  private static Change random(SplittableRandom random) {
    String id = String.valueOf((char) ('a' + random.nextInt(4)));
    String policyId = "p" + random.nextInt(2);
    int tree = random.nextInt(2);
    switch (random.nextInt(8)) {
      case 0:
        return new Change.Delete(Kind.SUBSCRIBER, id);
      case 1:
        return new Change.Delete(Kind.RATE_LIMIT, "l");
      case 2:
        return limit(
            random.nextInt(4) == 0 ? Enforcement.POLICE : Enforcement.FPGA,
            random.nextBoolean() ? new Scope.OfSubscriber(id) : new Scope.OfTree(0, tree));
      case 3:
        return new Change.Delete(Kind.POLICY, policyId);
      case 4:
        return Network.policy(policyId, BuiltInFunction.SILVER);
      case 5:
        return policy(
            policyId, voice(random.nextInt(8), 8), shared("rest", 1 + random.nextInt(14)));
      default:
        return Network.put(
            Network.subscriber(id, policyId, 0, tree, "10.0.0." + (id.charAt(0) - 'a') + "/32"));
    }
  }

  private static Change policed(OptionalLong downBps, OptionalLong upBps) {
    return new Change.Put(
        new RateLimit(
            "l", ALICE, downBps, upBps, OptionalInt.empty(), Optional.of(Enforcement.POLICE)));
  }

  /** A direction has the classes of its own policy. */
  @Test
  void classesOfOneDirectionLeaveTheLimiterOfTheOtherOneOpen() {
    Compiler split = new Compiler(Network.topology(), SWITCH.withDirectionPolicies(10), FPGA);
    OptionalLong rate = OptionalLong.of(10 * M);
    Change down = policed(rate, OptionalLong.empty());
    Change up = policed(OptionalLong.empty(), rate);
    Network.apply(split, state, policy("triple", voice(46), shared("rest", 1)));
    Network.apply(split, state, policy("plain"));
    Subscriber alice = Network.subscriber("alice", "triple", 0, 2, "10.0.0.1/32");
    Network.apply(
        split,
        state,
        Network.put(alice.withParts(OptionalParts.NONE.withUpstreamPolicy(Optional.of("plain")))));
    String only = "Policy triple of subscriber alice has classes, which only the FPGA serves.";
    refused(split, down, "enforcement", "police", "fpga", only);
    Network.apply(split, state, up);
    refused(
        split,
        policy("plain", voice(46), shared("rest", 1)),
        "classes",
        "2 classes",
        "absent, or a policy of subscribers that only the FPGA limits",
        "Subscriber alice has policy plain and is limited by the switch, which has no classes.");
    // And upstream, where it is the other way round.
    Network.apply(
        split,
        state,
        Network.put(
            alice
                .withPolicy("plain")
                .withParts(OptionalParts.NONE.withUpstreamPolicy(Optional.of("plain")))));
    refused(
        split,
        Network.put(
            alice
                .withPolicy("plain")
                .withParts(OptionalParts.NONE.withUpstreamPolicy(Optional.of("triple")))),
        "upstreamPolicy",
        "triple",
        "a policy without classes",
        "Policy triple has classes, which only the FPGA serves; enforcement of rate limit l of"
            + " subscriber alice is police.");
    Network.apply(
        split,
        state,
        Network.put(alice.withParts(OptionalParts.NONE.withUpstreamPolicy(Optional.of("plain")))));
  }
}
