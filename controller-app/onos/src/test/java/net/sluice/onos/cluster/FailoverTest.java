package net.sluice.onos.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerException;
import net.sluice.core.InstallSummary.PerTarget;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.Outcome;
import net.sluice.core.Page;
import net.sluice.core.Selection;
import net.sluice.core.UnavailableException;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.Targets;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.testing.VirtualTime;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.state.StoreIdentity;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.onos.cluster.ClusterMember.Role;
import net.sluice.onos.store.ClusterNetworkStore;
import net.sluice.onos.store.KnownCommits;
import net.sluice.onos.testing.ClusterInstance;
import net.sluice.onos.testing.TestCluster;
import net.sluice.onos.testing.TestCluster.Fault;
import org.junit.jupiter.api.Test;

/** Two and more instances over one store and the same targets, in virtual time. */
class FailoverTest {
  private static final ControllerConfig CONFIG = TestNetwork.smallConfig().build();

  private final VirtualTime time = new VirtualTime();
  private final TestCluster cluster = new TestCluster(time);
  private final MemoryTarget<SwitchEntry> switchTarget = MemoryTarget.ofSwitch(time.scheduler());
  private final MemoryTarget<FpgaSetting> down = MemoryTarget.ofFpga("fpga-down", time.scheduler());
  private final MemoryTarget<FpgaSetting> up = MemoryTarget.ofFpga("fpga-up", time.scheduler());
  private final List<Instance> instances = new ArrayList<>();

  private final class Instance extends ClusterInstance {
    Instance(String name) {
      super(cluster.node(name), time);
      instances.add(this);
      begin();
    }

    @Override
    protected List<NetworkSwitch> switches(NetworkStore store) {
      return List.of(
          new NetworkSwitch(
              NetworkSwitch.ONLY,
              CONFIG,
              new Targets(
                  new MasterTarget<>(switchTarget, this::obstacle),
                  CounterSource.none("no counters"),
                  Optional.of(new MasterTarget<>(down, this::obstacle)),
                  Optional.of(new MasterTarget<>(up, this::obstacle)))));
    }

    @Override
    protected void letGo() {
      switchTarget.disconnect();
      down.disconnect();
      up.disconnect();
      instances.remove(this);
    }
  }

  private Instance leader() {
    return instances.stream()
        .filter(each -> each.member.standing().role() == Role.LEADER)
        .findFirst()
        .orElseThrow(() -> new AssertionError("nobody leads"));
  }

  private void assertTargetsHoldWhatIsStored() {
    try (NetworkStore all =
        ClusterNetworkStore.open(
            cluster.node("auditor").storage,
            "auditor",
            ClusterInstance.PATIENCE,
            time,
            new KnownCommits(),
            reason -> {})) {
      IntentStore store = all.of(NetworkSwitch.ONLY);
      CompactSlaState state = TestNetwork.load(store);
      Compiler compiler =
          new Compiler(CONFIG.topology(), CONFIG.switchProfile(), CONFIG.fpgaProfile());
      Map<Object, SwitchEntry> expected = new HashMap<>();
      SwitchEntry identity = StoreIdentity.switchEntry(store.identity());
      expected.put(identity.key(), identity);
      compiler.sharedEntries(state).map(Expected::entity).forEach(e -> expected.put(e.key(), e));
      List<SubscriberState> subscribers = new ArrayList<>();
      store.scanSubscribers("", 0, Integer.MAX_VALUE, subscribers::add);
      subscribers.forEach(s -> compiler.expected(state, s, e -> expected.put(e.key(), e)));
      assertThat(switchTarget.content()).isEqualTo(expected);
      assertThat(switchTarget.revision().values())
          .containsExactly(StoreIdentity.revisionEntry(store.history().revision().bits()));
      assertThat(down.content().values())
          .containsExactlyInAnyOrderElementsOf(expected(compiler, store, state, Direction.DOWN));
      assertThat(up.content().values())
          .containsExactlyInAnyOrderElementsOf(expected(compiler, store, state, Direction.UP));
    }
  }

  private static List<FpgaSetting> expected(
      Compiler compiler, IntentStore store, CompactSlaState state, Direction direction) {
    return Stream.concat(
            StoreIdentity.fpgaWords(direction, store.identity()).stream(),
            compiler.expectedSettings(state, direction).map(Expected::entity))
        .toList();
  }

  private static Set<String> ids(Controller controller) {
    Set<String> ids = new HashSet<>();
    Optional<String> after = Optional.of("");
    while (after.isPresent()) {
      Page page = controller.list(Kind.SUBSCRIBER, Selection.ALL, after.get(), Page.MAX_LIMIT);
      page.items().forEach(item -> ids.add(item.id()));
      after = page.next();
    }
    return ids;
  }

  private static List<Change> subscribers(int from, int to) {
    List<Change> changes = new ArrayList<>();
    for (int i = from; i < to; i++) {
      changes.add(TestNetwork.numbered(i));
      // The small FPGA has four trees a port.
      if (i % 64 < 4) {
        changes.add(TestNetwork.limit("limit-" + i, "sub-" + i));
      }
    }
    return changes;
  }

  @Test
  void anInstanceThatComesLaterSaysSinceWhenTheLeaderLeads() {
    Instance first = new Instance("first");
    time.pass(Duration.ofHours(1));
    Instance second = new Instance("second");
    assertThat(second.member.standing().leader()).isEqualTo(first.member.standing().leader());
    assertThat(second.member.standing().since()).isEqualTo(first.member.standing().since());
  }

  @Test
  void anotherInstanceTakesOverWithEverythingAcknowledged() {
    Instance first = new Instance("first");
    Instance second = new Instance("second");
    assertThat(first.member.standing().role()).isEqualTo(Role.LEADER);
    assertThat(second.member.standing().role()).isEqualTo(Role.FOLLOWER);
    assertThatThrownBy(second.member::require)
        .isInstanceOf(UnavailableException.class)
        .hasMessage("instance first of the cluster leads since 2026-01-01T00:00:00Z; ask it");
    first.member.require().controller().apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    assertThat(first.member.require().controller().applyAll(subscribers(1, 200)))
        .allMatch(Outcome::isAccepted);
    first.die();
    time.pass(Duration.ofSeconds(30));

    assertThat(leader()).isSameAs(second);
    assertThat(ids(second.member.require().controller())).hasSize(199);
    assertThat(second.member.require().controller().summary().targets())
        .allMatch(t -> t.session() == SessionState.READY && t.pending() == 0 && t.failed() == 0);
    assertTargetsHoldWhatIsStored();
  }

  @Property(tries = 40, shrinking = ShrinkingMode.OFF, seed = "1")
  void nothingAcknowledgedIsLostWhereverInABulkTheLeaderDies(@ForAll long seed) {
    Random random = new Random(seed);
    FailoverTest rig = new FailoverTest();
    rig.run(random);
  }

  private void run(Random random) {
    Set<String> acknowledged = new HashSet<>();
    Set<String> doubtful = new HashSet<>();
    int next = 1;
    new Instance("node-0");
    new Instance("node-1");
    leader().member.require().controller().apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    for (int round = 2; round < 6; round++) {
      Instance leader = leader();
      for (int bulk = 0; bulk < 3; bulk++) {
        Controller controller = leader.member.require().controller();
        int size = 1 + random.nextInt(300);
        if (bulk == 2) {
          int fatal = 1 + random.nextInt(8);
          leader.node.faults(operation -> operation < fatal ? Fault.NONE : Fault.DEAD);
        }
        List<Change> changes = subscribers(next, next + size);
        next += size;
        try {
          controller.applyAll(changes).stream()
              .filter(Outcome::isAccepted)
              .map(outcome -> outcome.change().id())
              .filter(id -> id.startsWith("sub-"))
              .forEach(acknowledged::add);
        } catch (ControllerException e) {
          changes.forEach(change -> doubtful.add(change.id()));
        }
        if (random.nextBoolean()) {
          time.pass(Duration.ofMillis(random.nextInt(50)));
        }
      }
      leader.die();
      new Instance("node-" + round);
      time.pass(Duration.ofSeconds(60));
      Set<String> kept = ids(leader().member.require().controller());
      assertThat(kept).containsAll(acknowledged);
      kept.removeAll(acknowledged);
      assertThat(doubtful).containsAll(kept);
      acknowledged.addAll(kept);
    }
    time.pass(Duration.ofMinutes(10));
    assertThat(leader().member.require().controller().summary().isAllInstalled()).isTrue();
    assertTargetsHoldWhatIsStored();
  }

  @Test
  void whoIsDeposedWithoutNoticingAcknowledgesNothingMore() {
    Instance first = new Instance("first");
    first.member.require().controller().apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    Controller stale = first.member.require().controller();
    Instance second = new Instance("second");
    // The cluster has second lead; first has heard nothing of it yet.
    try (NetworkStore heir =
        ClusterNetworkStore.open(
            second.node.storage,
            "second",
            ClusterInstance.PATIENCE,
            time,
            new KnownCommits(),
            reason -> {})) {
      assertThatThrownBy(() -> stale.apply(TestNetwork.numbered(1)))
          .isInstanceOf(ControllerException.class)
          .hasMessage("the change failed: another instance leads now: second");
      assertThat(heir.of(NetworkSwitch.ONLY).subscriber("sub-1")).isEmpty();
    }
    // It is still elected, so it takes the store back, and goes on with what is stored.
    assertThat(first.member.standing().role()).isEqualTo(Role.LEADER);
    time.pass(Duration.ofSeconds(5));
    assertThat(first.member.standing().role()).isEqualTo(Role.LEADER);
    assertThat(first.member.require().controller()).isNotSameAs(stale);
    assertThat(first.member.require().controller().apply(TestNetwork.numbered(1)).isAccepted())
        .isTrue();
  }

  /** One that was to lead for a moment takes the store over after the one that leads. */
  @Test
  void aLeaderWhoseStoreWasTakenOverTakesItBackWithoutAChange() {
    Instance first = new Instance("first");
    first.member.require().controller().apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    Controller stale = first.member.require().controller();
    ClusterNetworkStore.open(
            cluster.node("late").storage,
            "late",
            ClusterInstance.PATIENCE,
            time,
            new KnownCommits(),
            reason -> {})
        .close();
    time.pass(Duration.ofSeconds(10));
    assertThat(first.member.require().controller()).isNotSameAs(stale);
    assertThat(first.member.require().controller().summary().isAllInstalled()).isTrue();
  }

  @Test
  void aStoreThatDoesNotAnswerIsSaidToUntilItDoes() {
    Instance only = new Instance("only");
    only.member.require().controller().apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    Controller first = only.member.require().controller();
    only.node.faults(operation -> Fault.LOST);
    assertThatThrownBy(() -> first.apply(TestNetwork.numbered(1)))
        .isInstanceOf(ControllerException.class)
        .hasMessage(
            "the change failed: the cluster's map sluice-log does not answer, since"
                + " 2026-01-01T00:00:00Z, last while reading head; it is asked again with the next"
                + " request");
    time.pass(Duration.ofMillis(10));
    assertThat(only.member.standing().role()).isEqualTo(Role.TAKING_OVER);
    assertThatThrownBy(only.member::require)
        .hasMessage(
            "this instance is taking over since 2026-01-01T00:00:00Z: the cluster's map sluice-log"
                + " does not answer, since 2026-01-01T00:00:00Z, last while reading head; it is"
                + " asked again with the next request; next attempt at 2026-01-01T00:00:01Z");
    time.pass(Duration.ofMinutes(2));
    assertThat(only.member.standing().role()).isEqualTo(Role.TAKING_OVER);
    only.node.faults(operation -> Fault.NONE);
    time.pass(Duration.ofSeconds(31));
    assertThat(only.member.standing().role()).isEqualTo(Role.LEADER);
    assertThat(only.member.require().controller().find(Kind.POLICY, "gold")).isPresent();
    assertThat(only.member.require().controller().find(Kind.SUBSCRIBER, "sub-1")).isEmpty();
  }

  /** As after its process was frozen: others have been told of its end, and it has not. */
  @Test
  void whoseSessionWithTheStorageEndedIsACandidateAgain() {
    Instance first = new Instance("first");
    Instance second = new Instance("second");
    first.member.require().controller().apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    second.node.loseSession();
    time.pass(Duration.ofSeconds(5));
    first.die();
    time.pass(Duration.ofSeconds(1));
    assertThat(leader()).isSameAs(second);
    assertThat(second.member.require().controller().find(Kind.POLICY, "gold")).isPresent();
  }

  /** ONOS's events of leaderships go by the sessions that have ended: none is told of. */
  @Test
  void whereNoSessionOutlivesAnOutageOfTheStorageSomebodyLeadsAgainWhenItAnswers() {
    Instance first = new Instance("first");
    Instance second = new Instance("second");
    first.member.require().controller().apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    cluster.fallSilent();
    first.node.loseSession();
    second.node.loseSession();
    time.pass(Duration.ofSeconds(25));
    assertThatThrownBy(() -> first.member.require().controller().apply(TestNetwork.numbered(1)))
        .isInstanceOf(ControllerException.class)
        .hasMessageContaining("the cluster's map sluice-log does not answer");
    time.pass(Duration.ofMinutes(1));
    assertThatThrownBy(first.member::require)
        .hasMessage(
            "this instance is taking over since 2026-01-01T00:00:25Z: the cluster's map sluice-log"
                + " does not answer, since 2026-01-01T00:00:25Z, last while reading head; it is"
                + " asked again with the next request; next attempt at 2026-01-01T00:01:30Z");
    cluster.answer();
    time.pass(Duration.ofSeconds(5));
    assertThat(leader().member.require().controller().find(Kind.POLICY, "gold")).isPresent();
    assertThat(instances)
        .extracting(each -> each.member.standing().role())
        .containsExactlyInAnyOrder(Role.LEADER, Role.FOLLOWER);
    assertThat(leader().member.require().controller().apply(TestNetwork.numbered(1)).isAccepted())
        .isTrue();
    time.pass(Duration.ofMinutes(1));
    assertTargetsHoldWhatIsStored();
  }

  @Test
  void whoBeginsWhileTheStorageIsSilentLeadsOnceItAnswers() {
    cluster.fallSilent();
    Instance only = new Instance("only");
    assertThat(only.member.standing().role()).isEqualTo(Role.NO_LEADER);
    assertThatThrownBy(only.member::require)
        .hasMessage(
            "no instance of the cluster leads since 2026-01-01T00:00:00Z: the cluster's storage"
                + " does not answer; each that is up stands for leader every 5 s");
    cluster.answer();
    time.pass(Duration.ofSeconds(5));
    assertThat(only.member.standing().role()).isEqualTo(Role.LEADER);
  }

  @Test
  void whoIsClosedWhileTheStorageIsSilentStandsNoMore() {
    Instance only = new Instance("only");
    only.node.loseSession();
    cluster.fallSilent();
    only.member.close();
    assertThat(only.member.standing().role()).isEqualTo(Role.CLOSED);
    cluster.answer();
    time.pass(Duration.ofSeconds(30));
    assertThat(only.node.leadership.getLeader(ClusterMember.TOPIC)).isNull();
  }

  private String refusal() {
    PerTarget target =
        leader().member.require().controller().summary().target("switch").orElseThrow();
    assertThat(target.session()).as(target.toString()).isEqualTo(SessionState.REFUSING);
    return target.sessionDetail().orElseThrow();
  }

  private void adoptAll() {
    Controller controller = leader().member.require().controller();
    for (String target : List.of("switch", "fpga-down", "fpga-up")) {
      if (controller.summary().target(target).orElseThrow().session() == SessionState.REFUSING) {
        try {
          controller.adopt(target);
        } catch (Refusal e) {
          throw new AssertionError(e);
        }
        time.pass(Duration.ofMinutes(1));
      }
    }
    assertThat(controller.summary().isAllInstalled()).isTrue();
  }

  /** Ten subscribers, then a copy of the storage, then ten more. */
  private TestCluster.Copy declareAroundACopy(Instance leader) {
    Controller controller = leader.member.require().controller();
    controller.apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    assertThat(controller.applyAll(subscribers(1, 11))).allMatch(Outcome::isAccepted);
    time.pass(Duration.ofSeconds(2));
    TestCluster.Copy copy = cluster.copy();
    assertThat(controller.applyAll(subscribers(11, 21))).allMatch(Outcome::isAccepted);
    return copy;
  }

  @Test
  void whoeverTakesOverStorageThatHasGoneBackDeletesNothingUnasked() {
    Instance first = new Instance("first");
    Instance second = new Instance("second");
    TestCluster.Copy copy = declareAroundACopy(first);
    time.pass(Duration.ofSeconds(2));
    Map<Object, SwitchEntry> before = Map.copyOf(switchTarget.content());
    first.die();
    cluster.goBackTo(copy);
    time.pass(Duration.ofSeconds(30));
    assertThat(leader()).isSameAs(second);
    assertThat(ids(second.member.require().controller())).hasSize(10);
    assertThat(refusal())
        .contains("the store has gone back. It was known to have commits up to revision 3, ")
        .contains("of which it has those up to 2. ")
        .contains("of which 30 would be deleted. ");
    // Nor do others that lead after it, whatever is declared meanwhile.
    second.member.require().controller().applyAll(subscribers(200, 230));
    new Instance("third");
    second.die();
    time.pass(Duration.ofMinutes(20));
    assertThat(refusal()).contains("of which it has those up to 2; it has gone on to 3. ");
    assertThat(switchTarget.content()).isEqualTo(before);
    adoptAll();
    assertTargetsHoldWhatIsStored();
    leader().die();
    new Instance("fourth");
    time.pass(Duration.ofMinutes(1));
    assertThat(leader().member.require().controller().summary().isAllInstalled()).isTrue();
  }

  /** The switch, which was away, has not heard of what the storage then lost. */
  @Test
  void anInstanceKnowsWhatItHasAcknowledgedWhateverTheStorageSays() {
    Instance first = new Instance("first");
    switchTarget.reachable(false);
    TestCluster.Copy copy = declareAroundACopy(first);
    cluster.goBackTo(copy);
    Controller leading = first.member.require().controller();
    assertThatThrownBy(() -> leading.apply(TestNetwork.numbered(100)))
        .isInstanceOf(ControllerException.class)
        .hasMessage(
            "the change failed: the cluster's storage has gone back: it has lost what it had"
                + " acknowledged for switch switch, from commit 2 to 3");
    time.pass(Duration.ofSeconds(30));
    assertThat(first.member.require().controller()).isNotSameAs(leading);
    assertThat(first.member.require().controller().apply(TestNetwork.numbered(100)).isAccepted())
        .isTrue();
    for (int i = 1; i < 11; i++) {
      switchTarget.place(
          new SubscriberPrefixEntry(
              IpPrefix.v4(0x0a000000 + i, 32), new SubscriberData(i, 1, 1, 0, false, false)));
    }
    switchTarget.reachable(true);
    time.pass(Duration.ofMinutes(1));
    assertThat(refusal())
        .contains("up to revision 3, of which it has those up to 2; it has gone on to 3. ");
    adoptAll();
    assertTargetsHoldWhatIsStored();
    // It is over for this instance, too, when it leads again.
    Instance second = new Instance("second");
    first.node.depose();
    time.pass(Duration.ofMinutes(1));
    assertThat(leader()).isSameAs(second);
    second.node.depose();
    time.pass(Duration.ofMinutes(1));
    assertThat(leader()).isSameAs(first);
    assertThat(first.member.require().controller().summary().isAllInstalled()).isTrue();
  }

  @Test
  void whoLosesTheLeadershipLetsTheTargetsGo() {
    Instance first = new Instance("first");
    Instance second = new Instance("second");
    first.member.require().controller().apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    time.pass(Duration.ofSeconds(1));
    first.node.depose();
    time.pass(Duration.ofSeconds(30));
    assertThat(first.member.standing().role()).isEqualTo(Role.FOLLOWER);
    assertThat(first.member.controller()).isEmpty();
    assertThat(leader()).isSameAs(second);
    assertThat(second.member.require().controller().find(Kind.POLICY, "gold")).isPresent();
    second.member.close();
    time.pass(Duration.ofSeconds(30));
    assertThat(second.member.standing().role()).isEqualTo(Role.CLOSED);
    assertThat(leader()).isSameAs(first);
    assertTargetsHoldWhatIsStored();
  }
}
