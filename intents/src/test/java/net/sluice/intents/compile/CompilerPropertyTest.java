package net.sluice.intents.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.sluice.intents.limit.AppliedLimits;
import net.sluice.intents.limit.fpga.QueueLedger;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.PointsFunction;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.CustomerBurst;
import net.sluice.intents.plan.FpgaSetting.CustomerCodel;
import net.sluice.intents.plan.FpgaSetting.CustomerDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.GrantsInForce;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.plan.entry.forwarding.EncapsulationEntry;
import net.sluice.intents.plan.entry.limit.PolicyDelayEntry;
import net.sluice.intents.plan.entry.limit.PolicyFlowsEntry;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.plan.entry.limit.SubscriberMeterEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.subscriber.DirectionPolicyEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.intents.profile.AqmProfile;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;

/** Random histories of declarations, on targets small enough to fill up. */
class CompilerPropertyTest {
  private static final PointsFunction STEEP =
      new PointsFunction(
          List.of(
              new PointsFunction.Point(1_000_000, 1e8),
              new PointsFunction.Point(1_000_000_000, 1e3)));

  private Compiler compiler;

  /** Half of the histories have an FPGA whose customers have bursts of their own. */
  private void choose(long seed) {
    compiler =
        new Compiler(
            Network.managed(Network.topology(), 3),
            Network.SMALL_SWITCH
                .withAqm(new AqmProfile(Set.of(AqmKind.values()), 9, 8, true))
                .withDirectionPolicies(2),
            Network.SMALL_FPGA.withCustomerBursts(seed % 2 == 0));
  }

  @Property(tries = 150, seed = "1")
  void plansLeadToWhatIsExpectedOfTheTargets(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 120) int steps) {
    choose(seed);
    SplittableRandom random = new SplittableRandom(seed);
    InMemorySlaState state = new InMemorySlaState();
    Targets targets = new Targets(compiler);
    for (int step = 0; step < steps; step++) {
      Change change = randomChange(random);
      Set<String> refused = ExpectedRefusals.of(compiler, state, change);
      try {
        Plan plan = compiler.compile(state, change);
        assertThat(refused).as("%s", change).isEmpty();
        assertTouchesOnlyItsOwn(state, plan);
        targets.apply(plan);
        state.apply(plan);
        assertWritesAreOfTheirOwners(state, plan);
        assertQueuesAreOwned(state);
        assertBucketsAreWhatIsNeeded(state);
        assertBurstsAreOfTheirOwnLimits(state);
        assertBucketsSurroundRates(plan);
      } catch (Refusal refusal) {
        assertThat(ExpectedRefusals.in(refusal)).as("%s", change).isEqualTo(refused);
      }
    }
    assertThat(targets.entries()).isEqualTo(Targets.expectedEntries(compiler, state));
    assertThat(targets.settings()).isEqualTo(Targets.expectedSettings(compiler, state));
  }

  @Property(tries = 100, seed = "1")
  void historyLeavesNoTrace(@ForAll long seed, @ForAll @IntRange(min = 1, max = 120) int steps)
      throws Refusal {
    choose(seed);
    SplittableRandom random = new SplittableRandom(seed);
    InMemorySlaState state = new InMemorySlaState();
    Targets targets = new Targets(compiler);
    for (int step = 0; step < steps; step++) {
      try {
        Plan plan = compiler.compile(state, randomChange(random));
        targets.apply(plan);
        state.apply(plan);
      } catch (Refusal refusal) {
        continue;
      }
    }

    InMemorySlaState fresh = new InMemorySlaState();
    Targets freshTargets = new Targets(compiler);
    List<Change> declared = new ArrayList<>();
    state.allPolicies().forEach(p -> declared.add(new Change.Put(p.policy())));
    state.allSubscribers().forEach(s -> declared.add(new Change.Put(s.subscriber())));
    state.allRateLimits().forEach(l -> declared.add(new Change.Put(l)));
    for (Change change : declared) {
      Plan plan = compiler.compile(fresh, change);
      freshTargets.apply(plan);
      fresh.apply(plan);
    }
    assertThat(byName(state, targets)).isEqualTo(byName(fresh, freshTargets));
  }

  @Property(tries = 60, seed = "1")
  void puttingTheSameAgainWritesNothing(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 80) int steps) throws Refusal {
    choose(seed);
    SplittableRandom random = new SplittableRandom(seed);
    InMemorySlaState state = new InMemorySlaState();
    for (int step = 0; step < steps; step++) {
      Change change = randomChange(random);
      try {
        state.apply(compiler.compile(state, change));
      } catch (Refusal refusal) {
        continue;
      }
      if (change instanceof Change.Put put) {
        Plan again = compiler.compile(state, change);
        GrantsInForce inForce = compiler.inForce(state, put.declaration());
        assertThat(inForce.grants()).isEqualTo(again.grants());
        assertThat(inForce.notes()).isEqualTo(again.notes());
        assertThat(again.writesNothing()).as("%s", again).isTrue();
        assertThat(again.delta().allotments()).isEmpty();
      }
    }
  }

  /**
   * A put or deleted subscriber has only its own entries and its own bucket written, and perhaps
   * the size of all customers' buckets and how the queue of its port is managed.
   */
  private static void assertTouchesOnlyItsOwn(InMemorySlaState state, Plan plan) {
    Change change = plan.delta().change();
    if (change.kind() != Kind.SUBSCRIBER) {
      return;
    }
    int index = plan.delta().number();
    for (Write<SwitchEntry> write : plan.writes(TargetKey.SWITCH)) {
      Optional<PortQueue> queue = ManagedQueues.queue(write.entity());
      if (queue.isPresent()) {
        assertThat(queue.get().queue()).isZero();
        continue;
      }
      int of = indexOf(write.entity()).orElseThrow();
      assertThat(of).isIn(index, write.op() == Op.DELETE ? plan.delta().left() : index);
    }
    Set<Integer> ownBuckets = new HashSet<>();
    state
        .subscriber(change.id())
        .filter(SubscriberState::hasAllotment)
        .ifPresent(s -> ownBuckets.add(QueueId.customerIndex(s.allotment())));
    plan.delta().allotments().stream()
        .filter(q -> q.value() != SubscriberState.NONE)
        .forEach(
            q -> {
              assertThat(q.subscriberIndex()).isEqualTo(index);
              ownBuckets.add(QueueId.customerIndex(q.value()));
            });
    for (Direction direction : Direction.values()) {
      for (Write<FpgaSetting> write : plan.writes(TargetKey.fpga(direction))) {
        if (write.entity() instanceof BucketSize size) {
          assertThat(size.level()).isEqualTo(FpgaLevel.CUSTOMER);
          continue;
        }
        assertThat(ownBuckets).contains(customer(write.entity()).orElseThrow());
      }
    }
  }

  /** What is written counts for the declaration that what is expected counts for. */
  private void assertWritesAreOfTheirOwners(InMemorySlaState state, Plan plan) {
    assertWritesAreOfTheirOwners(compiler, state, plan);
  }

  static void assertWritesAreOfTheirOwners(Compiler compiler, InMemorySlaState state, Plan plan) {
    for (Write<SwitchEntry> write : plan.writes(TargetKey.SWITCH)) {
      Optional<Expected<SwitchEntry>> expected = compiler.expected(state, write.entity());
      assertThat(expected.map(Expected::entity))
          .isEqualTo(write.op() == Op.DELETE ? Optional.empty() : Optional.of(write.entity()));
      if (expected.isPresent() && ManagedQueues.queue(write.entity()).isEmpty()) {
        assertThat(expected.get().owner()).isEqualTo(write.owner());
      } else if (write.op() == Op.DELETE && write.entity().subscriberIndex() != 0) {
        assertThat(OwnerIds.number(write.owner())).isEqualTo(write.entity().subscriberIndex());
      }
    }
    for (Direction direction : Direction.values()) {
      Map<Integer, Expected<FpgaSetting>> expected = new HashMap<>();
      compiler
          .expectedSettings(state, direction)
          .forEach(each -> expected.put(each.entity().place(), each));
      for (Write<FpgaSetting> write : plan.writes(TargetKey.fpga(direction))) {
        Expected<FpgaSetting> each =
            write.entity().isOfDelay()
                ? expected.getOrDefault(
                    write.entity().place(),
                    new Expected<>(write.entity().withValue(0), OwnerIds.NONE))
                : expected.get(write.entity().place());
        assertThat(each.entity()).isEqualTo(write.entity());
        // Opening what one subscriber leaves is nobody's, also where the limit goes on to another
        // that gets the same queue and has no rate in this direction.
        boolean opens =
            write.owner() == OwnerIds.NONE
                && (write.entity() instanceof RateWord word
                    ? word.word() == Network.SMALL_FPGA.maxRateWord()
                    : write.entity().value() == 0);
        if (!opens
            && (write.entity() instanceof RateWord || customer(write.entity()).isPresent())) {
          assertThat(write.owner()).as("%s", write).isEqualTo(each.owner());
        }
      }
    }
  }

  /** Bucket sizes against all declarations, gone through from scratch. */
  private void assertBucketsAreWhatIsNeeded(InMemorySlaState state) {
    for (Direction direction : Direction.values()) {
      int open =
          (int)
              state
                  .allSubscribers()
                  .map(s -> AppliedLimits.of(s.subscriber(), state::rateLimitOf))
                  .filter(
                      shaping ->
                          shaping.in(direction)
                              && shaping.own().flatMap(l -> rate(l, direction)).isEmpty())
                  .count();
      for (FpgaLevel level : FpgaLevel.values()) {
        List<RateLimit> limits =
            state
                .allRateLimits()
                .filter(l -> FpgaLevel.of(l.scope()) == level && rate(l, direction).isPresent())
                .toList();
        boolean own = level == FpgaLevel.CUSTOMER && compiler.fpgaProfile().customerBursts();
        int bytes = level == FpgaLevel.CUSTOMER && open == 0 && !own ? 2000 : 32_767;
        for (RateLimit limit : limits) {
          int word = Network.FPGA.grant(rate(limit, direction).orElseThrow()).word();
          bytes = Math.max(bytes, Math.max(limit.burstBytes().orElse(0), 1599 + 8 * word));
        }
        int expected = bytes;
        assertThat(compiler.expectedSettings(state, direction).map(Expected::entity))
            .contains(new BucketSize(direction, level, expected));
      }
    }
  }

  private static Optional<Long> rate(RateLimit limit, Direction direction) {
    OptionalLong rateBps = limit.rateBps(direction);
    return rateBps.isPresent() ? Optional.of(rateBps.getAsLong()) : Optional.empty();
  }

  /** Buckets grow before the rates of a plan are written and shrink after. */
  private static void assertBucketsSurroundRates(Plan plan) {
    for (Direction direction : Direction.values()) {
      List<Write<FpgaSetting>> writes = plan.writes(TargetKey.fpga(direction));
      for (int i = 0; i < writes.size(); i++) {
        Write<FpgaSetting> write = writes.get(i);
        if (write.entity() instanceof BucketSize || write.entity() instanceof CustomerBurst) {
          List<Write<FpgaSetting>> others =
              bucketBytes(write.entity()) > bucketBytes(write.previous().orElseThrow())
                  ? writes.subList(0, i)
                  : writes.subList(i, writes.size());
          assertThat(others).noneMatch(other -> other.entity() instanceof RateWord);
        }
      }
    }
  }

  private static int bucketBytes(FpgaSetting size) {
    // Whatever its own size is, that of the level is no smaller.
    return size instanceof CustomerBurst && size.value() == CustomerBurst.OF_LEVEL
        ? 32_768
        : size.value();
  }

  /** Each limited customer's bucket is as large as its own limit asks for, whatever others do. */
  private void assertBurstsAreOfTheirOwnLimits(InMemorySlaState state) {
    for (Direction direction : Direction.values()) {
      Map<Integer, Integer> expected = new HashMap<>();
      state
          .allSubscribers()
          .filter(SubscriberState::hasAllotment)
          .forEach(
              s ->
                  state
                      .rateLimitOf(new Scope.OfSubscriber(s.subscriber().id()))
                      .filter(l -> rate(l, direction).isPresent())
                      .ifPresent(
                          l -> {
                            int word = Network.FPGA.grant(rate(l, direction).orElseThrow()).word();
                            int bytes = Math.max(l.burstBytes().orElse(2000), 1599 + 8 * word);
                            expected.put(
                                QueueId.customerIndex(s.allotment()), Math.max(2000, bytes));
                          }));
      Map<Integer, Integer> bursts = new HashMap<>();
      compiler
          .expectedSettings(state, direction)
          .map(Expected::entity)
          .filter(CustomerBurst.class::isInstance)
          .map(CustomerBurst.class::cast)
          .filter(burst -> burst.bytes() != CustomerBurst.OF_LEVEL)
          .forEach(burst -> bursts.put(burst.customer(), burst.bytes()));
      assertThat(bursts).isEqualTo(compiler.fpgaProfile().customerBursts() ? expected : Map.of());
    }
  }

  private static void assertQueuesAreOwned(InMemorySlaState state) {
    Set<Integer> queues = new HashSet<>();
    state
        .allSubscribers()
        .forEach(
            s -> {
              Attachment at = s.subscriber().attachment();
              assertThat(s.hasAllotment())
                  .isEqualTo(AppliedLimits.of(s.subscriber(), state::rateLimitOf).any());
              if (s.hasAllotment()) {
                assertThat(queues.add(s.allotment())).isTrue();
                assertThat(QueueId.port(s.allotment())).isEqualTo(at.port());
                assertThat(QueueId.tree(s.allotment())).isEqualTo(at.tree());
                assertThat(queues(state).ownerOf(QueueId.customerIndex(s.allotment())))
                    .isEqualTo(s.index());
              }
            });
    long inUse = 0;
    for (int port = 0; port <= Attachment.MAX_PORT; port++) {
      for (int tree = 0; tree <= Attachment.MAX_TREE; tree++) {
        inUse += Long.bitCount(queues(state).customersInUse(QueueId.treeIndex(port, tree)));
      }
    }
    assertThat(inUse).isEqualTo(queues.size());
  }

  private static QueueLedger queues(InMemorySlaState state) {
    return state.ledger(QueueLedger.class);
  }

  private static Optional<Integer> indexOf(SwitchEntry entry) {
    if (entry instanceof EncapsulationEntry
        || entry instanceof DirectionPolicyEntry
        || entry instanceof SubscriberMeterEntry
        || entry instanceof SubscriberLimitEntry) {
      return Optional.of(entry.subscriberIndex());
    }
    return dataOf(entry).map(SubscriberData::index);
  }

  private static Optional<SubscriberData> dataOf(SwitchEntry entry) {
    if (entry instanceof SubscriberPrefixEntry prefix) {
      return Optional.of(prefix.data());
    }
    return entry instanceof SubscriberVlanEntry vlan ? Optional.of(vlan.data()) : Optional.empty();
  }

  /** What targets hold with numbers replaced by the names they were given to. */
  static Map<String, Integer> byName(InMemorySlaState state, Targets targets) {
    Map<Integer, String> slots = new HashMap<>();
    state.allPolicies().forEach(p -> slots.put(p.slot(), p.policy().id()));
    Map<String, Integer> counts = new TreeMap<>();
    for (SwitchEntry entry : targets.entries().values()) {
      String text = entry.toString();
      if (indexOf(entry).isPresent()) {
        text = text.replace("index=" + indexOf(entry).get(), "index=" + owner(state, entry));
      }
      if (dataOf(entry).isPresent()) {
        SubscriberData data = dataOf(entry).get();
        text = text.replace("policySlot=" + data.policySlot(), slots.get(data.policySlot()));
        text = text.replace("queueId=" + data.queueId(), "");
      } else if (entry instanceof DirectionPolicyEntry of) {
        text = text.replace("policySlot=" + of.policySlot(), slots.get(of.policySlot()));
      } else if (entry instanceof PolicyValueEntry value) {
        text = text.replace("policySlot=" + value.policySlot(), slots.get(value.policySlot()));
      } else if (entry instanceof PolicyDelayEntry delay) {
        text = text.replace("policySlot=" + delay.policySlot(), slots.get(delay.policySlot()));
      } else if (entry instanceof PolicyFlowsEntry flows) {
        text = text.replace("policySlot=" + flows.policySlot(), slots.get(flows.policySlot()));
      }
      counts.merge(text, 1, Integer::sum);
    }
    targets
        .settings()
        .values()
        .forEach(
            setting -> {
              String text =
                  customer(setting)
                      .map(customer -> ofCustomer(state, setting, customer))
                      .orElse(setting.toString());
              counts.merge(text, 1, Integer::sum);
            });
    return counts;
  }

  /** The customer whose own a setting is. */
  private static Optional<Integer> customer(FpgaSetting setting) {
    if (setting instanceof RateWord word && word.level() == FpgaLevel.CUSTOMER) {
      return Optional.of(word.index());
    } else if (setting instanceof CustomerBurst burst) {
      return Optional.of(burst.customer());
    } else if (setting instanceof CustomerCodel codel) {
      return Optional.of(codel.customer());
    }
    return setting instanceof CustomerDepth depth
        ? Optional.of(depth.customer())
        : Optional.empty();
  }

  private static String ofCustomer(InMemorySlaState state, FpgaSetting setting, int customer) {
    String owner =
        Optional.ofNullable(state.idOf(queues(state).ownerOf(customer))).orElse("nobody");
    return setting.direction() + " " + setting.tableName() + " " + owner + " " + setting.value();
  }

  private static String owner(InMemorySlaState state, SwitchEntry entry) {
    int index = indexOf(entry).orElseThrow();
    return state
        .allSubscribers()
        .filter(s -> s.index() == index)
        .map(s -> s.subscriber().id())
        .sorted(Comparator.naturalOrder())
        .collect(Collectors.joining());
  }

  static Change randomChange(SplittableRandom random) {
    String subscriber = "s" + random.nextInt(10);
    String policy = "p" + random.nextInt(4);
    String limit = "l" + random.nextInt(6);
    int kind = random.nextInt(20);
    if (kind < 9) {
      return Network.put(randomSubscriber(random, subscriber, policy));
    } else if (kind < 11) {
      return new Change.Delete(Kind.SUBSCRIBER, subscriber);
    } else if (kind < 13) {
      ThroughputValueFunction function =
          List.of(BuiltInFunction.GOLD, BuiltInFunction.SILVER, STEEP).get(random.nextInt(3));
      return new Change.Put(
          new Policy(policy, function, randomAqm(random))
              .withRttMillis(random.nextBoolean() ? OptionalInt.of(10) : OptionalInt.empty()));
    } else if (kind < 14) {
      return new Change.Delete(Kind.POLICY, policy);
    } else if (kind < 18) {
      int set = 1 + random.nextInt(3);
      Change.Put put =
          (Change.Put)
              Network.limit(
                  limit,
                  randomScope(random),
                  (set & 1) == 0 ? 0 : random.nextLong(1, 300_000_000_000L) >> random.nextInt(30),
                  (set & 2) == 0 ? 0 : 1 + (random.nextLong(1, 100_000_000) >> random.nextInt(20)),
                  random.nextBoolean() ? 0 : 1500 + random.nextInt(10) * 500);
      Gate gate = random.nextInt(5) == 0 ? Gate.CLOSED : Gate.OPEN;
      return new Change.Put(((RateLimit) put.declaration()).withGate(gate));
    }
    return new Change.Delete(Kind.RATE_LIMIT, limit);
  }

  private static Optional<Aqm> randomAqm(SplittableRandom random) {
    return switch (random.nextInt(7)) {
      case 0 -> Optional.of(Aqm.NONE);
      case 1 -> Optional.of(Network.CODEL);
      case 2 -> Optional.of(new Aqm.CoDel(AqmKind.RFC8289, 1_000, 20_000, true));
      case 3 -> Optional.of(new Aqm.Rio());
      default -> Optional.empty();
    };
  }

  private static Scope randomScope(SplittableRandom random) {
    int kind = random.nextInt(4);
    if (kind < 2) {
      return new Scope.OfSubscriber("s" + random.nextInt(10));
    }
    return kind == 2
        ? new Scope.OfTree(random.nextInt(3), random.nextInt(2))
        : new Scope.OfPort(random.nextInt(4));
  }

  private static Subscriber randomSubscriber(SplittableRandom random, String id, String policy) {
    int prefixes = random.nextInt(20) == 0 ? 9 : random.nextInt(4);
    Set<IpPrefix> chosen = new HashSet<>();
    for (int i = 0; i < prefixes; i++) {
      chosen.add(
          random.nextInt(3) == 0
              ? IpPrefix.v6(0x2001_0db8_0000_0000L | random.nextInt(12) << 8, 0, 56)
              : IpPrefix.v4(0x0a00_0000 + 4 * random.nextInt(16), random.nextInt(30, 33)));
    }
    Optional<VlanTags> tags =
        prefixes == 0 || random.nextInt(3) == 0
            ? Optional.of(new VlanTags(1 + random.nextInt(2), random.nextInt(3)))
            : Optional.empty();
    Attachment at =
        new Attachment(random.nextInt(10) == 0 ? 5 : random.nextInt(3), random.nextInt(2));
    Optional<String> upstream =
        random.nextInt(4) == 0 ? Optional.of("p" + random.nextInt(4)) : Optional.empty();
    return new Subscriber(
        id,
        policy,
        Stream.of(chosen.toArray(IpPrefix[]::new)).toList(),
        tags,
        at,
        OptionalParts.NONE.withUpstreamPolicy(upstream));
  }
}
