package net.sluice.intents.compile;

import static net.sluice.intents.compile.Network.limit;
import static net.sluice.intents.compile.Network.policy;
import static net.sluice.intents.compile.Network.put;
import static net.sluice.intents.compile.Network.subscriber;
import static net.sluice.intents.compile.Network.tagged;
import static net.sluice.intents.model.Enforcement.SHAPE;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Scope.OfPort;
import net.sluice.intents.model.Scope.OfSubscriber;
import net.sluice.intents.model.Scope.OfTree;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.model.SubscriberTerms.Holding;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.PointsFunction;
import net.sluice.intents.model.policy.PointsFunction.Point;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.profile.AqmProfile;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.PrefixLengths;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.validate.Refusal;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whole plans and whole refusals, as text. Every accepted change is applied to strict targets. */
class CompilerGoldenTest {
  private Compiler compiler;
  private InMemorySlaState state;
  private Targets targets;
  private StringBuilder text;

  @BeforeEach
  void start() {
    use(Network.compiler());
  }

  private void use(Compiler newCompiler) {
    compiler = newCompiler;
    state = new InMemorySlaState(compiler);
    targets = new Targets(compiler);
    text = new StringBuilder();
    given(policy("gold", BuiltInFunction.GOLD));
    given(policy("silver", BuiltInFunction.SILVER));
  }

  /** Compiles and applies without recording. */
  private void given(Change... changes) {
    for (Change change : changes) {
      targets.apply(Network.apply(compiler, state, change));
    }
  }

  /** Records the answer to a change, and applies it if it is accepted. */
  private void when(String title, Change change) {
    text.append("== ").append(title).append('\n');
    try {
      Plan plan = compiler.compile(state, change);
      text.append(PlanText.of(plan));
      targets.apply(plan);
      state.apply(plan);
    } catch (Refusal refusal) {
      text.append(PlanText.of(refusal));
    }
    text.append('\n');
  }

  private void thenGolden(String name) {
    Golden.check(name, text.toString());
  }

  @Test
  void subscriberPlans() {
    when(
        "new, two prefixes and two tags",
        put(
            tagged(
                subscriber("alice", "gold", 0, 3, "10.0.0.1/32", "2001:db8::/56"),
                VlanTags.pair(100, 7))));
    when(
        "other policy",
        put(
            tagged(
                subscriber("alice", "silver", 0, 3, "10.0.0.1/32", "2001:db8::/56"),
                VlanTags.pair(100, 7))));
    when(
        "one prefix swapped, one tag",
        put(
            tagged(
                subscriber("alice", "silver", 0, 3, "10.0.0.2/32", "2001:db8::/56"),
                VlanTags.single(100))));
    when(
        "moved to another port, no tags",
        put(subscriber("alice", "silver", 1, 0, "10.0.0.2/32", "2001:db8::/56")));
    when(
        "prefix widened over its own",
        put(subscriber("alice", "silver", 1, 0, "10.0.0.0/30", "2001:db8::/56")));
    when("same again", put(subscriber("alice", "silver", 1, 0, "10.0.0.0/30", "2001:db8::/56")));
    when("second subscriber", put(subscriber("bob", "gold", 0, 3, "10.0.1.0/24")));
    when("deleted", new Change.Delete(Kind.SUBSCRIBER, "alice"));
    when("lowest index is used again", put(subscriber("carol", "gold", 0, 3, "10.0.2.0/24")));
    thenGolden("subscriber-plans.txt");
  }

  @Test
  void manyPrefixesAreDiffedByKey() {
    String[] some = prefixes(0, 20);
    String[] shifted = prefixes(2, 22);
    given(put(subscriber("alice", "gold", 0, 0, some)));
    when("two of twenty prefixes swapped", put(subscriber("alice", "gold", 0, 0, shifted)));
    thenGolden("many-prefixes-plan.txt");
  }

  private static String[] prefixes(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "10.0.0." + i + "/32").toArray(String[]::new);
  }

  @Test
  void shapedLimitPlans() {
    use(
        new Compiler(
            Network.topology().withLoopPorts(List.of(500, 501, 502, 503)),
            Network.SWITCH
                .withMeters(new MeterProfile(100))
                .withShaping(new ShapeProfile(100, 15_000_000)),
            Network.FPGA));
    given(
        put(subscriber("alice", "gold", 0, 3, "10.0.0.1/32")),
        put(subscriber("bob", "gold", 0, 3, "10.0.0.2/32")));
    when("own", by(SHAPE, "l1", new OfSubscriber("alice"), 100_000, 10_000_000, 0));
    when("other rates", by(SHAPE, "l1", new OfSubscriber("alice"), 200_000, 10_000_000, 0));
    when("tree", by(SHAPE, "l2", new OfTree(0, 3), 50_000_000, 0, 0));
    when("port", by(SHAPE, "l3", new OfPort(0), 0, 90_000_000, 0));
    when(
        "tree, other rate: no subscriber is touched",
        by(SHAPE, "l2", new OfTree(0, 3), 60_000_000, 0, 0));
    when("tree by meters", by(Enforcement.POLICE, "l2", new OfTree(0, 3), 60_000_000, 0, 0));
    when("own by the FPGA", by(Enforcement.FPGA, "l1", new OfSubscriber("alice"), 200_000, 0, 0));
    when("and back", by(SHAPE, "l1", new OfSubscriber("alice"), 200_000, 0, 1600));
    when("bob moves out of the tree", put(subscriber("bob", "gold", 1, 3, "10.0.0.2/32")));
    when("port limit deleted", new Change.Delete(Kind.RATE_LIMIT, "l3"));
    when("too much may wait", by(SHAPE, "l1", new OfSubscriber("alice"), 60_000, 0, 9_000));
    thenGolden("shaped-limit-plans.txt");
  }

  private static Change by(
      Enforcement by, String id, Scope scope, long downBps, long upBps, int burstBytes) {
    RateLimit limit =
        (RateLimit) ((Change.Put) limit(id, scope, downBps, upBps, burstBytes)).declaration();
    return new Change.Put(
        new RateLimit(
            id, scope, limit.downBps(), limit.upBps(), limit.burstBytes(), Optional.of(by)));
  }

  @Test
  void rateLimitPlans() {
    given(
        put(subscriber("alice", "gold", 0, 3, "10.0.0.1/32")),
        put(subscriber("bob", "gold", 0, 3, "10.0.0.2/32")),
        put(subscriber("carol", "silver", 0, 4, "10.0.0.3/32")),
        put(subscriber("dave", "silver", 1, 4, "10.0.0.4/32")));
    when(
        "own, both directions", limit("l1", new OfSubscriber("bob"), 50_000_000, 10_000_000, 3000));
    when("other rate, same burst", limit("l1", new OfSubscriber("bob"), 488_000, 10_000_000, 3000));
    when("one direction less", limit("l1", new OfSubscriber("bob"), 488_000, 0, 0));
    when(
        "moved to another subscriber of the tree, which takes over the queue",
        limit("l1", new OfSubscriber("alice"), 2_003_205, 0, 1600));
    when("port", limit("l2", new OfPort(0), 0, 39_062_500, 5000));
    when(
        "port, other rate: no subscriber is touched", limit("l2", new OfPort(0), 0, 40_000_000, 0));
    when("tree", limit("l3", new OfTree(0, 3), 100_000_000, 0, 0));
    when("tree instead of port", limit("l2", new OfTree(1, 4), 0, 39_062_500, 0));
    when(
        "subscriber moves into a limited tree",
        put(subscriber("carol", "silver", 0, 3, "10.0.0.3/32")));
    when("subscriber moves out of it", put(subscriber("alice", "gold", 1, 3, "10.0.0.1/32")));
    when("tree limit deleted", new Change.Delete(Kind.RATE_LIMIT, "l3"));
    when("own limit deleted", new Change.Delete(Kind.RATE_LIMIT, "l1"));
    thenGolden("rate-limit-plans.txt");
  }

  @Test
  void burstsPerLevel() {
    given(
        put(subscriber("alice", "gold", 0, 3, "10.0.0.1/32")),
        put(subscriber("bob", "gold", 0, 3, "10.0.0.2/32")),
        limit("l1", new OfSubscriber("alice"), 39_062_500, 0, 6000));
    when(
        "smaller than another's",
        limit("l2", new OfSubscriber("bob"), 39_062_500, 39_062_500, 4000));
    when("largest goes", new Change.Delete(Kind.RATE_LIMIT, "l1"));
    when("of a tree: what trees without a limit need", limit("l3", new OfTree(0, 4), 5, 0, 4000));
    when("of a port", limit("l4", new OfPort(1), 0, 5, 32_767));
    when("last goes: reset value", new Change.Delete(Kind.RATE_LIMIT, "l2"));
    thenGolden("burst-plans.txt");
  }

  @Test
  void burstsPerCustomer() {
    use(new Compiler(Network.topology(), Network.SWITCH, Network.FPGA.withCustomerBursts(true)));
    given(
        put(subscriber("alice", "gold", 0, 3, "10.0.0.1/32")),
        put(subscriber("bob", "gold", 0, 3, "10.0.0.2/32")));
    when("as asked for", limit("l1", new OfSubscriber("alice"), 39_062_500, 0, 6000));
    when(
        "what the rate needs, the rate first where the bucket shrinks",
        limit("l2", new OfSubscriber("bob"), 2_003_205_128, 39_062_500, 4000));
    when(
        "the bucket first where it grows",
        limit("l1", new OfSubscriber("alice"), 500_801_282, 0, 7000));
    when("of a tree: what trees without a limit need", limit("l3", new OfTree(0, 3), 5, 0, 4000));
    when(
        "bob moves, and leaves an open queue", put(subscriber("bob", "gold", 0, 4, "10.0.0.2/32")));
    when("last goes", new Change.Delete(Kind.RATE_LIMIT, "l2"));
    thenGolden("customer-burst-plans.txt");
  }

  @Test
  void bucketsThatRatesNeed() {
    given(
        put(subscriber("alice", "gold", 0, 3, "10.0.0.1/32")),
        put(subscriber("bob", "gold", 0, 3, "10.0.0.2/32")),
        put(subscriber("carol", "gold", 0, 4, "10.0.0.3/32")));
    when("the reset value is enough", limit("l1", new OfSubscriber("alice"), 50_080_128, 0, 0));
    when(
        "the bucket before the rate",
        limit("l1", new OfSubscriber("alice"), 500_801_282, 51_081_731, 0));
    when(
        "a larger rate decides, the burst is smaller",
        limit("l2", new OfSubscriber("bob"), 2_003_205_128, 0, 2500));
    when("the rate before the bucket", new Change.Delete(Kind.RATE_LIMIT, "l1"));
    when("the highest there is", limit("l2", new OfSubscriber("bob"), 3_902_744_391L, 0, 2500));
    when("beyond it", limit("l2", new OfSubscriber("bob"), 10_000_000_000L, 0, 2500));
    given(limit("l2", new OfSubscriber("bob"), 50_080_128, 0, 2500));
    when(
        "a tree's limit leaves alice without one of her own",
        limit("l3", new OfTree(0, 3), 100_160_256, 0, 0));
    when("one of her own again", limit("l1", new OfSubscriber("alice"), 50_080_128, 0, 0));
    when("carol moves in", put(subscriber("carol", "gold", 0, 3, "10.0.0.3/32")));
    when("carol moves out", put(subscriber("carol", "gold", 0, 4, "10.0.0.3/32")));
    given(put(subscriber("carol", "gold", 0, 3, "10.0.0.3/32")));
    when("carol goes", new Change.Delete(Kind.SUBSCRIBER, "carol"));
    when("dave comes", put(subscriber("dave", "gold", 0, 3, "10.0.0.3/32")));
    when(
        "the tree is limited in the other direction instead",
        limit("l3", new OfTree(0, 3), 0, 100_160_256, 0));
    when("the tree's limit goes", new Change.Delete(Kind.RATE_LIMIT, "l3"));
    thenGolden("bucket-plans.txt");
  }

  @Test
  void policyPlans() {
    when("same function under another name", policy("gilded", BuiltInFunction.GOLD));
    when("from gold to silver: only bins that differ", policy("gilded", BuiltInFunction.SILVER));
    when(
        "beyond the bins",
        new Change.Put(
            new Policy(
                "steep",
                new PointsFunction(
                    List.of(new Point(500_000, 1e8), new Point(200_000_000_000L, 1e3))))));
    when("deleted", new Change.Delete(Kind.POLICY, "gilded"));
    thenGolden("policy-plans.txt");
  }

  @Test
  void refusals() {
    given(
        put(tagged(subscriber("alice", "gold", 1, 3, "10.0.0.0/30"), VlanTags.pair(100, 7))),
        put(subscriber("bob", "gold", 0, 3, "2001:db8::/56")),
        put(subscriber("carol", "gold", 0, 3, "10.9.0.0/16")),
        put(subscriber("dave", "gold", 0, 3, "10.8.0.0/16")),
        limit("l1", new OfSubscriber("bob"), 50_000_000, 0, 0),
        limit("l2", new OfPort(0), 50_000_000, 0, 0));
    when(
        "everything wrong at once",
        put(
            tagged(
                subscriber(
                    "eve",
                    "bronze",
                    2,
                    0,
                    "10.0.0.1/32",
                    "127.0.0.1/32",
                    "10.0.0.0/8",
                    "ff02::1/128"),
                VlanTags.pair(100, 7))));
    when("port that is not connected", put(subscriber("eve", "gold", 5, 0, "10.1.0.1/32")));
    when("IPv4-mapped", put(subscriber("eve", "gold", 0, 0, "::ffff:10.1.0.1/128")));
    when("whole Internet", put(subscriber("eve", "gold", 0, 0, "0.0.0.0/0")));
    when("no such subscriber", new Change.Delete(Kind.SUBSCRIBER, "eve"));
    when("subscriber with a rate limit", new Change.Delete(Kind.SUBSCRIBER, "bob"));
    when("no such policy", new Change.Delete(Kind.POLICY, "bronze"));
    when("policy in use", new Change.Delete(Kind.POLICY, "gold"));
    when("no such rate limit", new Change.Delete(Kind.RATE_LIMIT, "l9"));
    when("scope taken", limit("l3", new OfPort(0), 1_000_000, 0, 0));
    when("limit of nobody", limit("l3", new OfSubscriber("eve"), 1_000_000, 0, 0));
    when("limit of a port that is not connected", limit("l3", new OfTree(7, 0), 1_000_000, 0, 0));
    when(
        "rates and burst out of range",
        limit("l3", new OfTree(0, 1), 300_000_000_000L, 999_999_999_999L, 1599));
    when("burst too large", limit("l3", new OfTree(0, 1), 1, 0, 32_768));
    thenGolden("refusals.txt");
  }

  @Test
  void refusalsWithoutSidecar() {
    use(
        new Compiler(
            Network.topology(OptionalInt.of(4), OptionalInt.empty()),
            Network.SWITCH,
            Network.FPGA));
    when("up has no sidecar", limit("l1", new OfPort(0), 50_000_000, 10_000_000, 0));
    when("down has one", limit("l1", new OfPort(0), 50_000_000, 0, 0));
    thenGolden("refusals-without-sidecar.txt");
  }

  @Test
  void refusalsOfFullTargets() {
    use(new Compiler(Network.topology(), Network.SMALL_SWITCH, Network.SMALL_FPGA));
    given(
        policy("bronze", BuiltInFunction.SILVER),
        put(tagged(subscriber("s1", "gold", 0, 0, prefixes(0, 8)), VlanTags.single(1))),
        put(tagged(subscriber("s2", "gold", 0, 0, "10.0.1.0/32"), VlanTags.single(2))),
        put(tagged(subscriber("s3", "gold", 0, 0, "10.0.1.1/32"), VlanTags.single(3))),
        put(subscriber("s4", "gold", 1, 0, "2001:db8::/64")),
        put(subscriber("s5", "gold", 1, 0, "2001:db8:0:1::/64")),
        put(subscriber("s6", "gold", 1, 0, "2001:db8:0:2::/64")),
        put(subscriber("s7", "gold", 1, 1, "2001:db8:0:3::/64")));
    when("policies", policy("tin", BuiltInFunction.SILVER));
    when(
        "prefixes and tags",
        put(tagged(subscriber("s8", "gold", 0, 0, "10.0.2.0/32"), VlanTags.single(4))));
    given(put(subscriber("s8", "gold", 1, 1, "2001:db8:0:4::/64")));
    when("rate filters", put(subscriber("s9", "gold", 1, 1, "2001:db8:0:5::/64")));
    when("queues of one tree", limit("l1", new OfTree(0, 0), 1_000_000, 0, 0));
    given(limit("l1", new OfSubscriber("s4"), 1_000_000, 0, 0));
    when("queues of a port's trees", limit("l2", new OfPort(1), 1_000_000, 0, 0));
    given(limit("l2", new OfSubscriber("s5"), 1_000_000, 0, 0));
    when("queue of one more", limit("l3", new OfSubscriber("s6"), 1_000_000, 0, 0));
    given(limit("l3", new OfSubscriber("s7"), 1_000_000, 0, 0));
    when("moving into a full tree", put(subscriber("s7", "gold", 1, 0, "2001:db8:0:3::/64")));
    thenGolden("refusals-of-full-targets.txt");
  }

  @Test
  void anFpgaWithFewerTreesRefusesLimitsInThoseItDoesNotHave() {
    use(
        new Compiler(
            Network.topology(),
            Network.SWITCH,
            new FpgaProfile(156.25e6, 1248, 18, 1, 4, 64, 8, 1600, 32_767, 2000, 65_536)));
    given(
        put(subscriber("inside", "gold", 0, 3, "10.0.0.1/32")),
        put(subscriber("tree", "gold", 0, 4, "10.0.0.2/32")),
        put(subscriber("port", "gold", 1, 0, "10.0.0.3/32")));
    when("a tree it has", limit("l", new OfSubscriber("inside"), 50_000_000, 0, 0));
    when("a subscriber in no tree of it", limit("m", new OfSubscriber("tree"), 50_000_000, 0, 0));
    when("a subscriber at no port of it", limit("m", new OfSubscriber("port"), 0, 50_000_000, 0));
    when("a tree it has not", limit("m", new OfTree(0, 4), 50_000_000, 0, 0));
    when("a port with such a subscriber", limit("m", new OfPort(0), 50_000_000, 0, 0));
    when("a port it has not", limit("m", new OfPort(1), 50_000_000, 0, 0));
    when(
        "a limited subscriber moved there", put(subscriber("inside", "gold", 0, 9, "10.0.0.1/32")));
    thenGolden("small-fpga-refusals.txt");
  }

  private void use(SwitchProfile profile) {
    use(new Compiler(Network.topology(), profile, Network.FPGA));
  }

  @Test
  void subscribersArePlaced() {
    use(Network.DIVIDED_SWITCH);
    when("first of a pipe", put(subscriber("a", "gold", 0, 0, "10.0.0.1/32")));
    when("least loaded", put(subscriber("b", "gold", 0, 0, "10.0.0.2/32", "10.0.0.3/32")));
    when("lowest of equals", put(subscriber("c", "gold", 0, 0, "2001:db8:0:300::/56")));
    when("other pipe", put(subscriber("d", "gold", 1, 0, "10.0.0.5/32")));
    when("same place", put(subscriber("b", "silver", 0, 1, "10.0.0.2/32", "10.0.0.3/32")));
    when("other port of the pipe", put(subscriber("d", "gold", 2, 0, "10.0.0.5/32")));
    given(limit("l", new OfSubscriber("a"), 50_000_000, 0, 0));
    when(
        "moved to the other pipe with limit and tags",
        put(
            tagged(
                subscriber("a", "gold", 1, 3, "10.0.0.1/32", "2001:db8:0:100::/56"),
                VlanTags.single(7))));
    when(
        "moved back without tags",
        put(subscriber("a", "gold", 0, 3, "10.0.0.1/32", "2001:db8:0:100::/56")));
    when("deleted", new Change.Delete(Kind.SUBSCRIBER, "b"));
    when("the place that was left", put(subscriber("e", "gold", 0, 0, "10.0.0.6/32")));
    thenGolden("placement-plans.txt");
  }

  private static Change split(String id, String policy, String upstream, String prefix) {
    Subscriber subscriber = subscriber(id, policy, 0, 0, prefix);
    return put(subscriber.withParts(OptionalParts.NONE.withUpstreamPolicy(Optional.of(upstream))));
  }

  @Test
  void upstreamTrafficHasAPolicyOfItsOwn() {
    use(
        Network.SWITCH
            .withAqm(new AqmProfile(EnumSet.allOf(AqmKind.class), 8, 1))
            .withDirectionPolicies(1));
    given(new Change.Put(new Policy("short", BuiltInFunction.GOLD, Optional.of(Network.CODEL))));
    when("one for each direction", split("a", "gold", "silver", "10.0.0.1/32"));
    when("no room for another", split("b", "gold", "silver", "10.0.0.2/32"));
    when("the same for both takes none", split("b", "gold", "gold", "10.0.0.2/32"));
    when("in use upstream alone", new Change.Delete(Kind.POLICY, "silver"));
    when("another upstream", split("a", "gold", "short", "10.0.0.1/32"));
    when("the other way round", split("a", "short", "gold", "10.0.0.1/32"));
    when("unknown", split("c", "gold", "bronze", "10.0.0.3/32"));
    when("one for both again", put(subscriber("a", "gold", 0, 0, "10.0.0.1/32")));
    when("the room is free", split("b", "gold", "silver", "10.0.0.2/32"));
    when("deleted", new Change.Delete(Kind.SUBSCRIBER, "b"));
    when(
        "suspended, with policies for later",
        suspended(new Holding.Has("silver"), new Holding.Has("gold", Optional.of("bronze"))));
    when(
        "suspended to two",
        suspended(
            new Holding.Has("silver", Optional.of("gold")),
            new Holding.Has("gold", Optional.of("short"))));
    when("what it has otherwise is in use", new Change.Delete(Kind.POLICY, "short"));
    thenGolden("upstream-policies.txt");
  }

  private static Change suspended(Holding suspendedTo, Holding.Has otherwise) {
    Subscriber subscriber = subscriber("d", otherwise.policyId(), 0, 0, "10.0.0.4/32");
    Subscriber declared =
        subscriber.withParts(
            OptionalParts.NONE
                .withUpstreamPolicy(otherwise.upstreamPolicyId())
                .withTerms(
                    SubscriberTerms.of(otherwise, Optional.of(suspendedTo), Schedule.empty())));
    return new Change.Put(declared).at(Instant.EPOCH);
  }

  @Test
  void aProgramWithOnePolicyForBothDirectionsRefusesTwo() {
    when("two", split("a", "gold", "silver", "10.0.0.1/32"));
    when(
        "suspended to two",
        suspended(new Holding.Has("silver", Optional.of("gold")), new Holding.Has("gold")));
    thenGolden("upstream-policy-refusals.txt");
  }

  @Test
  void whatHasNoPlaceIsRefused() {
    use(Network.DIVIDED_SWITCH);
    when("more than any instance", put(subscriber("a", "gold", 0, 0, prefixes(0, 4))));
    when("as much as one", put(subscriber("a", "gold", 0, 0, prefixes(0, 3))));
    when("grown beyond its instance", put(subscriber("a", "gold", 0, 0, prefixes(0, 4))));
    when("beside it, the more loaded", put(subscriber("b", "gold", 0, 0, prefixes(4, 6))));
    given(put(subscriber("c", "gold", 0, 0, "2001:db8:0:300::/56")));
    when("too much for the place left", put(subscriber("d", "gold", 0, 0, prefixes(6, 8))));
    when("just enough", put(subscriber("d", "gold", 0, 0, prefixes(6, 7))));
    when("full pipe", put(subscriber("e", "gold", 0, 0, prefixes(7, 8))));
    given(put(subscriber("e", "gold", 1, 0, prefixes(7, 8))));
    when("moved into the full pipe", put(subscriber("e", "gold", 0, 0, prefixes(7, 8))));
    for (int i = 8; i < 11; i++) {
      given(put(subscriber("s" + i, "gold", 2, 0, prefixes(i, i + 1))));
    }
    when("full switch", put(subscriber("f", "gold", 2, 0, prefixes(11, 12))));
    thenGolden("placement-refusals.txt");
  }

  @Test
  void inOnePipeInstancesAloneAreNamed() {
    use(Network.divided(1, 2, OptionalInt.empty()));
    for (int i = 0; i < 3; i++) {
      given(put(subscriber("s" + i, "gold", i % 3, 0, prefixes(i, i + 1))));
    }
    when("last place", put(subscriber("s3", "gold", 1, 0, prefixes(3, 4))));
    when("moved to another port", put(subscriber("s3", "gold", 0, 0, prefixes(3, 4))));
    when("full", put(subscriber("f", "gold", 2, 0, prefixes(4, 5))));
    thenGolden("placement-one-pipe.txt");
  }

  @Test
  void anInstanceHasPrefixTablesOfBothFamilies() {
    use(Network.divided(1, 2, OptionalInt.of(2), OptionalInt.of(1)));
    String six = "2001:db8:0:%d00::/56";
    when("more than any", put(subscriber("a", "gold", 0, 0, six.formatted(1), six.formatted(2))));
    when("both", put(subscriber("a", "gold", 0, 0, "10.0.0.1/32", six.formatted(1))));
    given(put(subscriber("b", "gold", 0, 0, prefixes(4, 6))));
    when(
        "one there, one here", put(subscriber("c", "gold", 0, 0, "10.0.1.1/32", six.formatted(3))));
    when("just one of them", put(subscriber("c", "gold", 0, 0, six.formatted(3))));
    when("beyond the other too", put(subscriber("d", "gold", 0, 0, six.formatted(4))));
    when("grown", put(subscriber("c", "gold", 0, 0, six.formatted(3), six.formatted(5))));
    thenGolden("placement-both-families.txt");
  }

  @Test
  void aProgramOfOnePrefixLengthInSomePipesRefusesTheRest() {
    SwitchProfile hosts =
        new SwitchProfile(
            new MarkerLayout(3, 1, 2, 2, OptionalInt.empty(), OptionalInt.empty()),
            new PrefixLengths(OptionalInt.of(32), OptionalInt.of(56)),
            9,
            9,
            0,
            0,
            4,
            42.306,
            32,
            OptionalInt.empty(),
            1e9,
            RandomRates.BITS_16);
    use(hosts);
    when(
        "an address and a prefix",
        put(subscriber("a", "gold", 0, 0, "10.0.0.1/32", "2001:db8:0:100::/56")));
    when(
        "others, and at a port that is not marked",
        put(subscriber("b", "gold", 1, 0, "10.0.1.0/24", "10.0.0.2/32", "2001:db8::1/128")));
    when("tags", put(tagged(subscriber("b", "gold", 0, 0, "10.0.0.2/32"), VlanTags.single(7))));
    thenGolden("placement-hosts-refusals.txt");
  }
}
