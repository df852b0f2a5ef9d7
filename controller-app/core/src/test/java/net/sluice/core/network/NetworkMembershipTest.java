package net.sluice.core.network;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static net.sluice.core.testing.TestNetwork.smallConfig;
import static net.sluice.core.testing.TestNetwork.switchProfile;
import static net.sluice.core.testing.TestNetwork.topology;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.sluice.core.ControllerException;
import net.sluice.core.Outcome;
import net.sluice.core.SwitchStatus;
import net.sluice.core.UnavailableException;
import net.sluice.core.store.InMemoryNetworkStore.Fate;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.NetworkRig;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.queue.QueueAqmEntry;
import net.sluice.intents.profile.AqmProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.profile.Topology.Trunk;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Switches that come and go while the controller runs. */
class NetworkMembershipTest {
  private NetworkRig rig;

  @BeforeEach
  void connect() {
    rig = NetworkRig.settled("bng1", "bng2");
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(at("bng1", put("alice", "10.0.0.1/32")));
    rig.time.settle();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private long entries(String name, Table table) {
    return rig.switches.get(name).content().values().stream()
        .filter(entry -> entry.table() == table)
        .count();
  }

  @Test
  void aSwitchIsTakenInWithThePoliciesThereAre() throws Refusal {
    rig.add("bng3", switchProfile(1000));
    assertThat(rig.controller.put(rig.member("bng3"))).isTrue();
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(entries("bng3", Table.POLICY_VALUE)).isEqualTo(entries("bng1", Table.POLICY_VALUE));
    rig.accept(at("bng3", put("bob", "10.0.0.2/32")));
    rig.time.settle();
    assertThat(entries("bng3", Table.IPV4_PREFIX)).isEqualTo(1);
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void changesAreMadeWhileWhatIsStoredOfASwitchIsRead() throws Refusal {
    rig.add("bng3", switchProfile(1000));
    List<Outcome> made = new ArrayList<>();
    rig.store.atNextScan(
        () ->
            made.add(
                CompletableFuture.supplyAsync(
                        () -> rig.controller.apply(at("bng1", put("bob", "10.0.0.2/32"))))
                    .orTimeout(20, TimeUnit.SECONDS)
                    .join()));
    assertThat(rig.controller.put(rig.member("bng3"))).isTrue();
    assertThat(made).hasSize(1).allMatch(Outcome::isAccepted);
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void whatIsChangedWhileASwitchIsReadIsTheSameThere() throws Refusal {
    rig.store.atNextScan(
        () -> {
          rig.accept(policy("silver", BuiltInFunction.SILVER));
          rig.accept(at("bng1", put("bob", "10.0.0.2/32")));
        });
    assertThat(rig.controller.put(rig.member("bng1"))).isFalse();
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "bob")).isPresent();
    assertThat(entries("bng1", Table.IPV4_PREFIX)).isEqualTo(2);
    assertThat(entries("bng1", Table.POLICY_VALUE)).isEqualTo(entries("bng2", Table.POLICY_VALUE));
    rig.accept(at("bng1", put("carol", "10.0.0.3/32")));
    rig.time.settle();
    assertThat(entries("bng1", Table.IPV4_PREFIX)).isEqualTo(3);
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void aSwitchThatIsReadOnceMoreKeepsOnlyItsOwnChangesWaiting() throws Exception {
    List<Outcome> made = new ArrayList<>();
    List<CompletableFuture<Outcome>> waiting = new ArrayList<>();
    rig.store.atNextScan(
        () -> {
          rig.accept(at("bng1", put("bob", "10.0.0.2/32")));
          // It is scanned twice each time: to be admitted, and to be driven.
          rig.store.atNextScan(
              () ->
                  rig.store.atNextScan(
                      () -> {
                        waiting.add(
                            CompletableFuture.supplyAsync(
                                () ->
                                    rig.controller.apply(at("bng1", put("dave", "10.0.0.4/32")))));
                        made.add(
                            CompletableFuture.supplyAsync(
                                    () ->
                                        rig.controller.apply(
                                            at("bng2", put("carol", "10.0.0.3/32"))))
                                .orTimeout(20, TimeUnit.SECONDS)
                                .join());
                        assertThat(waiting.get(0)).isNotDone();
                      }));
        });
    assertThat(rig.controller.put(rig.member("bng1"))).isFalse();
    assertThat(made).hasSize(1).allMatch(Outcome::isAccepted);
    assertThat(waiting.get(0).get(20, TimeUnit.SECONDS).isAccepted()).isTrue();
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(entries("bng1", Table.IPV4_PREFIX)).isEqualTo(3);
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void whoeverListensToABulkKeepsNoSwitchOut() {
    rig.add("bng3", switchProfile(1000));
    List<String> made = new ArrayList<>();
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () ->
            rig.controller.applyAll(
                List.of(
                    at("bng1", put("bob", "10.0.0.2/32")),
                    at("bng2", put("carol", "10.0.0.3/32")),
                    policy("silver", BuiltInFunction.SILVER),
                    at("bng3", put("dave", "10.0.0.4/32"))),
                outcome -> {
                  made.add(outcome.change().id() + (outcome.isAccepted() ? " made" : " refused"));
                  if (made.size() == 1) {
                    assertThatCode(() -> rig.controller.put(rig.member("bng3")))
                        .doesNotThrowAnyException();
                  }
                }));
    assertThat(made).containsExactly("bob made", "carol made", "silver made", "dave made");
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void whatIsClosedTakesNoSwitchIn() {
    rig.add("bng3", switchProfile(1000));
    assertThat(rig.controller.isClosed()).isFalse();
    rig.controller.close();
    assertThat(rig.controller.isClosed()).isTrue();
    assertThatThrownBy(() -> rig.controller.put(rig.member("bng3")))
        .isInstanceOf(ControllerException.class)
        .hasMessageContaining("the controller is closed");
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(rig.switches.get("bng3").connects()).isZero();
    rig.open();
    rig.time.pass(Duration.ofSeconds(1));
  }

  @Test
  void aSwitchStaysWhereTheStoreCannotKeepThatItGoes() throws Refusal {
    rig.store.breakNext(Fate.LOST);
    assertThatThrownBy(() -> rig.controller.remove("bng2")).hasMessageContaining("no space left");
    assertThat(rig.controller.switches()).hasSize(2);
    // Whatever is changed next finds out.
    assertThatThrownBy(() -> rig.accept(policy("silver", BuiltInFunction.SILVER)))
        .hasMessageContaining("no space left");
    assertThatThrownBy(() -> rig.controller.remove("bng2"))
        .isInstanceOf(UnavailableException.class);
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(at("bng2", put("bob", "10.0.0.2/32")));
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(entries("bng2", Table.IPV4_PREFIX)).isEqualTo(1);
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void aSwitchGoesOnWhereTheStoreCannotKeepWhatAPutOfItNeeds() throws Refusal {
    MemoryTarget<SwitchEntry> target = rig.switches.get("bng1");
    int connects = target.connects();
    rig.store.breakNext(Fate.LOST);
    assertThatThrownBy(() -> rig.controller.put(rig.member("bng1")))
        .hasMessageContaining("no space left");
    rig.store.reopen();
    rig.accept(at("bng1", put("bob", "10.0.0.2/32")));
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(entries("bng1", Table.IPV4_PREFIX)).isEqualTo(2);
    assertThat(target.connects()).isEqualTo(connects);
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void policiesThatNobodyUsesAnyMoreTakeNoRoomFromThoseInForce() throws Refusal {
    rig.add("small", switchProfile(10, 3));
    rig.accept(policy("silver", BuiltInFunction.SILVER));
    assertThat(rig.controller.put(rig.member("small"))).isTrue();
    rig.controller.remove("small");
    rig.accept(new Change.Delete(Kind.POLICY, "silver"));
    rig.accept(policy("bronze", BuiltInFunction.SILVER));
    assertThat(rig.controller.put(rig.member("small"))).isTrue();
  }

  @Test
  void aSwitchWithoutRoomForThePoliciesIsRefused() {
    rig.accept(policy("silver", BuiltInFunction.SILVER));
    rig.add("tiny", switchProfile(10, 2));
    assertThatThrownBy(() -> rig.controller.put(rig.member("tiny")))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("CAPACITY");
    assertThat(rig.controller.switches())
        .extracting(SwitchStatus::name)
        .containsExactly("bng1", "bng2");
    rig.switches.remove("tiny");
  }

  @Test
  void aSwitchIsNotMadeToLoseService() {
    rig.accept(at("bng1", put("bob", "10.0.0.2/32")));
    rig.time.settle();
    var before = rig.switches.get("bng1");
    rig.add("bng1", switchProfile(1));
    assertThatThrownBy(() -> rig.controller.put(rig.member("bng1")))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("1 of 2 subscribers would lose service")
        .hasMessageContaining("subscriber bob");
    rig.switches.put("bng1", before);
    rig.accept(at("bng1", put("alice", "10.0.0.3/32")));
    rig.time.settle();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void aSwitchIsDrivenOtherwiseFromNowOn() throws Refusal {
    rig.add("bng1", switchProfile(5000));
    assertThat(rig.controller.put(rig.member("bng1"))).isFalse();
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(entries("bng1", Table.IPV4_PREFIX)).isEqualTo(1);
    assertThat(rig.controller.switches().get(0).tables().get(0).size()).isEqualTo(5000);
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  /** The topology with the class queues of some ports managed. */
  private static Topology managing(Aqm aqm, int... ports) {
    Topology plain = topology();
    return new Topology(
        plain.ports().stream()
            .map(
                port ->
                    IntStream.of(ports).anyMatch(number -> number == port.number())
                        ? new SwitchPort(
                            port.number(),
                            port.role(),
                            port.direction(),
                            port.rateBps(),
                            port.sourceMac(),
                            port.destinationMac(),
                            port.keepPacketValue(),
                            port.valueDropping(),
                            aqm)
                        : port)
            .toList(),
        plain.bngPorts(),
        plain.sidecarDown(),
        plain.sidecarUp(),
        plain.routes(),
        plain.mirrorPort(),
        plain.trunks());
  }

  private void putManaging(AqmProfile can, Aqm aqm, int... ports) throws Refusal {
    rig.controller.put(
        rig.member(
            "bng1",
            smallConfig(switchProfile(100_000).withAqm(can), managing(aqm, ports)).build()));
    rig.time.pass(Duration.ofSeconds(1));
  }

  @Test
  void thePortsAqmIsChangedAndNothingElseIsWritten() throws Refusal {
    AqmProfile can = new AqmProfile(Set.of(AqmKind.values()), 16, 2);
    Aqm aqm = new Aqm.CoDel(AqmKind.RFC8289, 5_000, 100_000, false);
    Aqm shorter = new Aqm.CoDel(AqmKind.RFC8289, 2_000, 100_000, false);
    MemoryTarget<SwitchEntry> target = rig.switches.get("bng1");
    for (Aqm each : List.of(aqm, shorter, Aqm.NONE)) {
      int before = target.writes().size();
      putManaging(can, each, 2);
      assertThat(target.writes().subList(before, target.writes().size()))
          .isNotEmpty()
          .allMatch(written -> written.entity().table() == Table.QUEUE_AQM);
      List<QueueAqmEntry> managed =
          target.content().values().stream()
              .filter(entry -> entry.table() == Table.QUEUE_AQM)
              .map(QueueAqmEntry.class::cast)
              .toList();
      if (each instanceof Aqm.CoDel codel) {
        assertThat(managed)
            .isNotEmpty()
            .allMatch(entry -> entry.port() == 2 && entry.targetMicros() == codel.targetMicros());
      } else {
        assertThat(managed).isEmpty();
      }
      assertThat(rig.controller.summary().isAllInstalled()).isTrue();
      assertThat(entries("bng1", Table.IPV4_PREFIX)).isEqualTo(1);
    }
  }

  @Test
  void anAqmThatTheSwitchHasNotIsRefusedAndNothingChanges() throws Refusal {
    AqmProfile can = new AqmProfile(Set.of(AqmKind.RFC8289), 2, 2);
    Aqm aqm = new Aqm.CoDel(AqmKind.RFC8289, 5_000, 100_000, false);
    putManaging(can, aqm, 2);
    MemoryTarget<SwitchEntry> target = rig.switches.get("bng1");
    int before = target.writes().size();
    assertThatThrownBy(
            () -> putManaging(can, new Aqm.CoDel(AqmKind.CODEL_ACT, 5_000, 100_000, false), 2))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("ports.aqm.kind is codel-act on port 2; allowed: " + can.allowed());
    assertThatThrownBy(() -> putManaging(can, aqm, 1, 2))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("ports.aqm is 4 class queues of 2 ports; allowed: at most 2 class queues");
    rig.accept(at("bng1", put("bob", "10.0.0.2/32")));
    rig.time.settle();
    assertThat(target.writes().subList(before, target.writes().size()))
        .noneMatch(written -> written.entity().table() == Table.QUEUE_AQM);
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void aSwitchInUseStays() {
    assertThatThrownBy(() -> rig.controller.remove("bng1"))
        .isInstanceOf(Refusal.class)
        .hasMessage("CONFLICT: Switch bng1 is in use: 1 subscriber, such as alice.");
    Outcome limited =
        rig.controller.apply(
            NetworkRig.at("bng2", limit("port", new Scope.OfPort(0), 1_000_000, 0)));
    assertThat(limited.isAccepted()).isTrue();
    assertThatThrownBy(() -> rig.controller.remove("bng2"))
        .hasMessage("CONFLICT: Switch bng2 is in use: 1 rate limit, such as port.");
    assertThatThrownBy(() -> rig.controller.remove("bng9"))
        .hasMessage("NOT_FOUND: There is no switch bng9.");
  }

  private void putWith(String name, Direction direction, Trunk... trunks) throws Refusal {
    var before = rig.switches.get(name);
    rig.add(name, switchProfile(1000), topology(direction, trunks));
    try {
      boolean unused = rig.controller.put(rig.member(name));
      rig.time.pass(Duration.ofSeconds(1));
    } catch (Refusal refused) {
      if (before == null) {
        rig.switches.remove(name);
      } else {
        rig.switches.put(name, before);
      }
      throw refused;
    }
  }

  private Map<String, List<Trunk>> trunks() {
    return rig.controller.switches().stream()
        .collect(Collectors.toMap(SwitchStatus::name, SwitchStatus::trunks));
  }

  @Test
  void aTrunkIsDeclaredAtOneEndAndKnownAtBoth() throws Refusal {
    putWith("agg", Direction.UP);
    putWith("bng2", Direction.DOWN, new Trunk(6, "agg", 6));
    assertThat(trunks())
        .isEqualTo(
            Map.of(
                "bng1", List.of(),
                "bng2", List.of(new Trunk(6, "agg", 6)),
                "agg", List.of(new Trunk(6, "bng2", 6))));
    assertThatThrownBy(() -> rig.controller.remove("agg"))
        .hasMessage("CONFLICT: Switch agg is in use: trunks come to it from bng2 port 6.");
    rig.accept(at("agg", put("bob", "10.0.0.2/32")));
    rig.time.settle();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    rig.accept(new Change.Delete(Kind.SUBSCRIBER, "bob"));
    rig.time.settle();
    putWith("bng2", Direction.DOWN);
    assertThat(trunks().get("agg")).isEmpty();
    rig.controller.remove("agg");
    assertThat(trunks()).containsOnlyKeys("bng1", "bng2");
  }

  @Test
  void theSwitchThatDeclaresATrunkTakesItWithIt() throws Refusal {
    putWith("agg", Direction.UP);
    putWith("bng2", Direction.DOWN, new Trunk(6, "agg", 6));
    rig.controller.remove("bng2");
    assertThat(trunks().get("agg")).isEmpty();
    rig.controller.remove("agg");
  }

  @Test
  void aTrunkThatCannotBeIsRefusedAndNothingChanges() throws Refusal {
    assertThatThrownBy(() -> putWith("bng2", Direction.DOWN, new Trunk(6, "agg", 6)))
        .hasMessage(
            "INVALID: topology.trunks[0].toSwitch is agg; allowed: another switch of the network:"
                + " bng1.");
    putWith("agg", Direction.UP);
    putWith("bng2", Direction.DOWN, new Trunk(6, "agg", 6));
    var before = trunks();
    assertThatThrownBy(() -> putWith("bng1", Direction.DOWN, new Trunk(6, "agg", 6)))
        .hasMessageStartingWith(
            "CONFLICT: topology.trunks[0].toPort is 6; allowed: a port that no");
    assertThatThrownBy(() -> putWith("agg", Direction.UP, new Trunk(6, "bng2", 5)))
        .hasMessage(
            "INVALID: topology.trunks[0].toPort is 5; allowed: a port of role trunk of bng2: 6.");
    assertThatThrownBy(() -> putWith("agg", Direction.DOWN))
        .hasMessage(
            "CONFLICT: The topology does not fit the trunks of switch bng2:"
                + " topology.trunks[0].toPort is 6 of direction down; allowed: a port of the other"
                + " direction than that of port 6.");
    assertThat(trunks()).isEqualTo(before);
    rig.accept(at("bng1", put("alice", "10.0.0.9/32")));
    rig.time.settle();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void aNetworkWhoseTrunksDoNotFitIsNotOpened() {
    rig.add("bng2", switchProfile(1000), topology(Direction.UP, new Trunk(6, "agg", 6)));
    rig.controller.close();
    assertThatThrownBy(rig::open)
        .isInstanceOf(InvalidValueException.class)
        .hasMessage(
            "bng2 topology.trunks[0].toSwitch is agg; allowed: another switch of the network:"
                + " bng1");
    rig.add("bng2", switchProfile(1000));
    rig.open();
  }

  @Test
  void aSwitchThatIsNotInUseGoesAndComesBackAnew() throws Refusal {
    rig.accept(policy("bronze", BuiltInFunction.GOLD));
    rig.controller.remove("bng2");
    assertThat(rig.controller.switches()).extracting(SwitchStatus::name).containsExactly("bng1");
    assertThatThrownBy(() -> rig.controller.remove("bng1"))
        .hasMessage("CONFLICT: Switch bng1 is the only one.");
    rig.accept(new Change.Delete(Kind.SUBSCRIBER, "alice"));
    rig.accept(put("carol", "10.0.0.1/32"));
    rig.accept(policy("gold", BuiltInFunction.SILVER));
    rig.accept(policy("silver", BuiltInFunction.SILVER));
    rig.accept(new Change.Delete(Kind.POLICY, "bronze"));
    assertThat(rig.controller.put(rig.member("bng2"))).isTrue();
    assertThat(rig.controller.conflicts()).isZero();
    assertThat(rig.controller.find(Kind.POLICY, "bronze")).isEmpty();
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(entries("bng2", Table.POLICY_VALUE)).isEqualTo(entries("bng1", Table.POLICY_VALUE));
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }
}
