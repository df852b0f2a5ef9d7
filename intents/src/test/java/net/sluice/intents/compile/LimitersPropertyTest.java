package net.sluice.intents.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.sluice.intents.limit.AppliedLimits;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.GrantsInForce;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.plan.entry.limit.MeterSetting;
import net.sluice.intents.plan.entry.limit.PortLimitEntry;
import net.sluice.intents.plan.entry.limit.PortMeterEntry;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.plan.entry.limit.SubscriberMeterEntry;
import net.sluice.intents.plan.entry.limit.TreeLimitEntry;
import net.sluice.intents.plan.entry.limit.TreeMeterEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.intents.profile.AqmProfile;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;

/** Random histories of limits that the FPGAs, the switch's shaping or its few meters enforce. */
class LimitersPropertyTest {
  /** Directions of subscribers that can be metered; fewer than there may be. */
  private static final int METERS = 9;

  /** Directions of subscribers that can be shaped; fewer than there may be, too. */
  private static final int SHAPED = 10;

  private static final long BUFFER_BYTES = 4_000;
  private static final List<Integer> LOOPS = List.of(500, 501, 502, 503);

  private static final List<Topology> TOPOLOGIES =
      Stream.of(
              Network.topology(),
              Network.topology(OptionalInt.of(4), OptionalInt.empty()),
              Network.topology(OptionalInt.empty(), OptionalInt.empty()))
          .map(topology -> Network.managed(topology, 3))
          .flatMap(topology -> Stream.of(topology, topology.withLoopPorts(LOOPS)))
          .toList();

  private final List<Compiler> compilers =
      TOPOLOGIES.stream().map(LimitersPropertyTest::compiler).toList();

  private static Compiler compiler(Topology topology) {
    return new Compiler(
        topology,
        Network.SMALL_SWITCH
            .withAqm(new AqmProfile(Set.of(AqmKind.values()), 9, 8).withRio())
            .withMeters(new MeterProfile(METERS))
            .withShaping(new ShapeProfile(SHAPED, BUFFER_BYTES)),
        Network.SMALL_FPGA);
  }

  private static Change randomChange(SplittableRandom random) {
    Change change = CompilerPropertyTest.randomChange(random);
    if (change instanceof Change.Put put && put.declaration() instanceof RateLimit limit) {
      return new Change.Put(
          new RateLimit(
              limit.id(),
              limit.scope(),
              limit.downBps(),
              limit.upBps(),
              limit.burstBytes(),
              List.of(
                      Optional.<Enforcement>empty(),
                      Optional.of(Enforcement.FPGA),
                      Optional.of(Enforcement.SHAPE),
                      Optional.of(Enforcement.POLICE))
                  .get(random.nextInt(4))));
    }
    return change;
  }

  @Property(tries = 150, seed = "1")
  void plansLeadToWhatIsExpectedOfTheTargets(
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 5) int topology,
      @ForAll @IntRange(min = 1, max = 120) int steps) {
    Compiler compiler = compilers.get(topology);
    SplittableRandom random = new SplittableRandom(seed);
    InMemorySlaState state = new InMemorySlaState(compiler);
    Targets targets = new Targets(compiler);
    for (int step = 0; step < steps; step++) {
      Change change = randomChange(random);
      Set<String> refused = ExpectedRefusals.of(compiler, TOPOLOGIES.get(topology), state, change);
      try {
        Plan plan = compiler.compile(state, change);
        assertThat(refused).as("%s", change).isEmpty();
        targets.apply(plan);
        state.apply(plan);
        CompilerPropertyTest.assertWritesAreOfTheirOwners(compiler, state, plan);
      } catch (Refusal refusal) {
        assertThat(ExpectedRefusals.in(refusal)).as("%s", change).isEqualTo(refused);
      }
    }
    assertThat(targets.entries()).isEqualTo(Targets.expectedEntries(compiler, state));
    assertThat(targets.settings()).isEqualTo(Targets.expectedSettings(compiler, state));
    assertCounted(compiler, state, targets);
    assertLimitersAreThoseAskedFor(compiler, state, TOPOLOGIES.get(topology));
    assertThat(RevalidationTest.misfits(state, compiler).isEmpty()).isTrue();
  }

  /** What is counted without looking at entries is what there is. */
  private static void assertCounted(Compiler compiler, InMemorySlaState state, Targets targets) {
    Map<Integer, Integer> byIndex = new HashMap<>();
    Map<Table, Long> byTable = new HashMap<>();
    for (SwitchEntry entry : targets.entries().values()) {
      byIndex.merge(entry.subscriberIndex(), 1, Integer::sum);
      byTable.merge(entry.table(), 1L, Long::sum);
    }
    for (Table table :
        List.of(
            Table.SUBSCRIBER_METER,
            Table.TREE_METER,
            Table.PORT_METER,
            Table.SUBSCRIBER_LIMIT,
            Table.TREE_LIMIT,
            Table.PORT_LIMIT)) {
      assertThat(compiler.entries(state, table)).isEqualTo(byTable.getOrDefault(table, 0L));
    }
    state
        .allSubscribers()
        .forEach(
            s ->
                assertThat(compiler.entries(state, s.index()))
                    .isEqualTo(byIndex.getOrDefault(s.index(), 0)));
  }

  private static void assertLimitersAreThoseAskedFor(
      Compiler compiler, InMemorySlaState state, Topology topology) {
    state
        .allRateLimits()
        .forEach(
            limit -> {
              GrantsInForce inForce = compiler.inForce(state, limit);
              for (Direction direction : Direction.values()) {
                if (limit.rateBps(direction).isEmpty()) {
                  continue;
                }
                Enforcement expected =
                    ExpectedRefusals.limiter(topology, compiler.switchProfile(), limit, direction)
                        .orElseThrow();
                assertThat(inForce.grants())
                    .filteredOn(grant -> grant.field().equals(direction.text() + "Bps"))
                    .extracting(Grant::limiter)
                    .containsExactly(Optional.of(expected));
                assertThat(inForce.notes())
                    .filteredOn(note -> note.startsWith(direction.text() + "Bps is "))
                    .singleElement()
                    .asString()
                    .contains(
                        switch (expected) {
                          case FPGA -> "shaped by the FPGA";
                          case SHAPE -> "shaped by the switch";
                          case POLICE -> "policed by";
                        });
              }
            });
  }

  @Property(tries = 100, seed = "1")
  void historyLeavesNoTrace(
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 5) int topology,
      @ForAll @IntRange(min = 1, max = 120) int steps)
      throws Refusal {
    Compiler compiler = compilers.get(topology);
    SplittableRandom random = new SplittableRandom(seed);
    InMemorySlaState state = new InMemorySlaState(compiler);
    Targets targets = new Targets(compiler);
    for (int step = 0; step < steps; step++) {
      try {
        Plan plan = compiler.compile(state, randomChange(random));
        targets.apply(plan);
        state.apply(plan);
      } catch (Refusal refusal) {
        assertThat(refusal.problems()).isNotEmpty();
      }
    }
    InMemorySlaState fresh = new InMemorySlaState(compiler);
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
    assertThat(CompilerPropertyTest.byName(state, targets))
        .isEqualTo(CompilerPropertyTest.byName(fresh, freshTargets));
  }

  // ---------------------------------------------------------------- on the way

  /** What targets hold between two writes. */
  private record Held(
      Map<SwitchEntry.Key, SwitchEntry> entries, Map<Object, FpgaSetting> settings) {
    void apply(Write<?> write) {
      if (write.entity() instanceof FpgaSetting setting) {
        settings.put(List.of(setting.direction(), setting.place()), setting);
      } else if (write.op() == Op.DELETE) {
        entries.remove(((SwitchEntry) write.entity()).key());
      } else {
        SwitchEntry entry = (SwitchEntry) write.entity();
        entries.put(entry.key(), entry);
      }
    }

    private boolean isMetered(SwitchEntry.Key key) {
      SwitchEntry entry = entries.get(key);
      if (entry instanceof SubscriberLimitEntry own) {
        return own.rateWord() != 0;
      } else if (entry instanceof TreeLimitEntry || entry instanceof PortLimitEntry) {
        return true;
      }
      Optional<MeterSetting> meter =
          entry instanceof SubscriberMeterEntry own
              ? own.meter()
              : entry instanceof TreeMeterEntry tree
                  ? tree.meter()
                  : entry instanceof PortMeterEntry port ? port.meter() : Optional.empty();
      return meter.isPresent();
    }

    private boolean isWithin(Direction direction, FpgaLevel level, int index) {
      int unlimited = Network.SMALL_FPGA.maxRateWord();
      return settings.values().stream()
          .anyMatch(
              setting ->
                  setting instanceof RateWord word
                      && word.direction() == direction
                      && word.level() == level
                      && word.index() == index
                      && word.word() < unlimited);
    }

    /** Whether packets of a subscriber are limited, at a level, wherever they go. */
    boolean limits(SubscriberState subscriber, Direction direction, FpgaLevel level) {
      Attachment at = subscriber.subscriber().attachment();
      int index = subscriber.index();
      SwitchEntry own =
          entries.get(new SubscriberMeterEntry(index, direction, at, Optional.empty()).key());
      if (own instanceof SubscriberMeterEntry entry && entry.at().equals(at)) {
        SwitchEntry.Key meter =
            switch (level) {
              case CUSTOMER -> own.key();
              case TREE -> new TreeMeterEntry(at, direction, Optional.empty()).key();
              case PORT -> new PortMeterEntry(at.port(), direction, Optional.empty()).key();
            };
        if (isMetered(meter)) {
          return true;
        }
      }
      SwitchEntry limit = entries.get(new SubscriberLimitEntry(index, direction, at, 0).key());
      if (limit instanceof SubscriberLimitEntry entry && entry.at().equals(at)) {
        SwitchEntry.Key rate =
            switch (level) {
              case CUSTOMER -> limit.key();
              case TREE -> new TreeLimitEntry(at, direction, 0).key();
              case PORT -> new PortLimitEntry(at.port(), direction, 0).key();
            };
        if (isMetered(rate)) {
          return true;
        }
      }
      return entries.values().stream()
          .filter(entry -> entry.subscriberIndex() == index)
          .flatMap(entry -> data(entry).stream())
          .allMatch(
              data ->
                  (direction == Direction.DOWN ? data.shapeDown() : data.shapeUp())
                      && isWithin(
                          direction,
                          level,
                          switch (level) {
                            case CUSTOMER -> QueueId.customerIndex(data.queueId());
                            case TREE -> at.treeIndex();
                            case PORT -> at.port();
                          }));
    }

    private static Optional<SubscriberData> data(SwitchEntry entry) {
      return entry instanceof SubscriberPrefixEntry prefix
          ? Optional.of(prefix.data())
          : entry instanceof SubscriberVlanEntry vlan ? Optional.of(vlan.data()) : Optional.empty();
    }
  }

  /** Whoever is limited before and after a change of a limit is limited after each write of it. */
  @Property(tries = 150, seed = "1")
  void aLimitThatPassesToTheOtherLimiterIsNeverLifted(
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 5) int topology,
      @ForAll @IntRange(min = 1, max = 80) int steps) {
    Compiler compiler = compilers.get(topology);
    SplittableRandom random = new SplittableRandom(seed);
    InMemorySlaState state = new InMemorySlaState(compiler);
    Targets targets = new Targets(compiler);
    for (int step = 0; step < steps; step++) {
      Change change = randomChange(random);
      try {
        Plan plan = compiler.compile(state, change);
        Held held = new Held(new HashMap<>(targets.entries()), new HashMap<>(targets.settings()));
        Optional<RateLimit> before = state.rateLimit(change.id());
        targets.apply(plan);
        state.apply(plan);
        Optional<RateLimit> after = state.rateLimit(change.id());
        if (before.isPresent()
            && after.isPresent()
            && before.get().scope().equals(after.get().scope())) {
          assertNeverLifted(state, plan, held, before.get(), after.get());
        }
      } catch (Refusal refusal) {
        assertThat(refusal.problems()).isNotEmpty();
      }
    }
  }

  private static void assertNeverLifted(
      InMemorySlaState state, Plan plan, Held held, RateLimit before, RateLimit after) {
    List<Write<?>> inOrder = new ArrayList<>();
    List<Write<?>> ofSwitch = List.copyOf(plan.writes(TargetKey.SWITCH));
    if (plan.beginsAtSwitch()) {
      inOrder.addAll(ofSwitch);
    }
    inOrder.addAll(plan.writes(TargetKey.fpga(Direction.DOWN)));
    inOrder.addAll(plan.writes(TargetKey.fpga(Direction.UP)));
    if (!plan.beginsAtSwitch()) {
      inOrder.addAll(ofSwitch);
    }
    List<SubscriberState> members =
        state.allSubscribers().filter(s -> isUnder(s.subscriber(), after)).toList();
    for (Write<?> write : inOrder) {
      held.apply(write);
      for (SubscriberState member : members) {
        for (Direction direction : Direction.values()) {
          if (before.rateBps(direction).isPresent() && after.rateBps(direction).isPresent()) {
            assertThat(held.limits(member, direction, FpgaLevel.of(after.scope())))
                .as("%s in %s after %s of %s", member, direction, write, inOrder)
                .isTrue();
          }
        }
      }
    }
  }

  private static boolean isUnder(Subscriber subscriber, RateLimit limit) {
    AppliedLimits limits =
        AppliedLimits.of(
            subscriber,
            scope -> scope.equals(limit.scope()) ? Optional.of(limit) : Optional.empty());
    return limits.any();
  }
}
