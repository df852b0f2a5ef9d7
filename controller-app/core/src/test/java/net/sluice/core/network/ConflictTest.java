package net.sluice.core.network;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.core.Conflict;
import net.sluice.core.ControllerConfig;
import net.sluice.core.Outcome;
import net.sluice.core.Selection;
import net.sluice.core.StoredState;
import net.sluice.core.engine.SlaController;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.NetworkRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.validate.Refusal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A switch comes back with what was given to others while it was away. */
class ConflictTest {
  private NetworkRig rig;
  private MemoryTarget<SwitchEntry> away;

  @BeforeEach
  void declare() {
    rig = NetworkRig.settled("bng1", "bng2");
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(policy("silver", BuiltInFunction.SILVER));
    rig.accept(at("bng1", put("alice", "10.0.0.1/32")));
    rig.accept(limit("alice-limit", "alice"));
    rig.accept(at("bng1", put("bob", "10.0.0.2/32")));
    rig.time.pass(Duration.ofSeconds(1));
    away = rig.switches.remove("bng1");
    open();
    // The only switch now need not be named.
    rig.accept(put("alice", "10.0.0.9/32"));
    rig.accept(put("carol", "10.0.0.2/32"));
    rig.accept(limit("alice-limit", "carol"));
    rig.time.pass(Duration.ofSeconds(1));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private void open() {
    rig.open();
    rig.time.pass(Duration.ofSeconds(10));
  }

  /** The switch that was away is back: first in the file, as ever. */
  private void comeBack() {
    MemoryTarget<SwitchEntry> other = rig.switches.remove("bng2");
    rig.switches.put("bng1", away);
    rig.switches.put("bng2", other);
    open();
  }

  private List<String> conflicts() {
    return rig.controller.conflicts(100).stream()
        .map(
            conflict ->
                conflict.switchName()
                    + " "
                    + conflict.declared().kind().words()
                    + " "
                    + conflict.declared().id()
                    + ": "
                    + conflict.reason())
        .toList();
  }

  private static final List<String> ALL =
      List.of(
          "bng1 subscriber alice: subscriber alice is in force at switch bng2",
          "bng1 subscriber bob: 10.0.0.2/32 overlaps a prefix of subscriber carol on switch bng2.",
          "bng1 rate limit alice-limit: rate limit alice-limit is in force at switch bng2");

  private void assertInForceIsWhatWasDeclaredLast() {
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().switchName())
        .hasValue("bng2");
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "bob")).isEmpty();
    assertThat(rig.controller.find(Kind.RATE_LIMIT, "alice-limit").orElseThrow().switchName())
        .hasValue("bng2");
    assertThat(prefixes("bng1")).isZero();
    assertThat(prefixes("bng2")).isEqualTo(2);
    assertThat(rig.controller.list(Kind.SUBSCRIBER, Selection.ALL, "", 10).total()).hasValue(2);
  }

  private long prefixes(String name) {
    return rig.switches.get(name).content().values().stream()
        .filter(entry -> entry.table() == Table.IPV4_PREFIX)
        .count();
  }

  @Test
  void whatOthersHaveStaysTheirsHoweverTheFileIsOrdered() {
    comeBack();
    assertThat(conflicts()).containsExactlyElementsOf(ALL);
    assertThat(rig.controller.conflicts()).isEqualTo(3);
    assertThat(rig.controller.switches().get(0).conflicts()).isEqualTo(3);
    assertInForceIsWhatWasDeclaredLast();
  }

  @Test
  void itStaysSoAfterEachStart() {
    comeBack();
    open();
    open();
    assertThat(conflicts()).containsExactlyElementsOf(ALL);
    assertInForceIsWhatWasDeclaredLast();
  }

  @Test
  void itIsTheSameForASwitchThatIsPut() throws Refusal {
    rig.switches.put("bng1", away);
    boolean created = rig.controller.put(rig.member("bng1"));
    rig.time.pass(Duration.ofSeconds(10));
    assertThat(created).isTrue();
    assertThat(conflicts()).containsExactlyElementsOf(ALL);
    assertInForceIsWhatWasDeclaredLast();
    assertThatThrownBy(() -> rig.controller.remove("bng1"))
        .hasMessage(
            "CONFLICT: For switch bng1 3 declarations are kept that are not in force: see GET"
                + " /sluice/v1/conflicts.");
  }

  @Test
  void whatIsSetAsideIsDeclaredOnceNothingIsInItsWay() throws Refusal {
    comeBack();
    assertThat(rig.controller.declareConflict("bng1", Kind.SUBSCRIBER, "bob"))
        .isInstanceOf(Outcome.Refused.class);
    rig.accept(new Change.Delete(Kind.RATE_LIMIT, "alice-limit"));
    rig.accept(new Change.Delete(Kind.SUBSCRIBER, "carol"));
    assertThat(conflicts())
        .contains(
            "bng1 subscriber bob: nothing is in its way any more",
            "bng1 rate limit alice-limit: There is no subscriber alice.");
    assertThat(rig.controller.declareConflict("bng1", Kind.SUBSCRIBER, "bob"))
        .isInstanceOf(Outcome.Accepted.class);
    // This one moves the subscriber that is in force.
    assertThat(rig.controller.declareConflict("bng1", Kind.SUBSCRIBER, "alice"))
        .isInstanceOf(Outcome.Accepted.class);
    assertThat(rig.controller.declareConflict("bng1", Kind.RATE_LIMIT, "alice-limit"))
        .isInstanceOf(Outcome.Accepted.class);
    rig.time.pass(Duration.ofSeconds(10));
    assertThat(conflicts()).isEmpty();
    assertThat(prefixes("bng1")).isEqualTo(2);
    assertThat(prefixes("bng2")).isZero();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void whatIsSetAsideCanBeForgotten() throws Refusal {
    comeBack();
    for (Conflict conflict : rig.controller.conflicts(100)) {
      rig.controller.forgetConflict("bng1", conflict.declared().kind(), conflict.declared().id());
    }
    assertThat(conflicts()).isEmpty();
    assertThatThrownBy(() -> rig.controller.forgetConflict("bng1", Kind.SUBSCRIBER, "bob"))
        .hasMessage("NOT_FOUND: There is no conflict about subscriber bob of switch bng1.");
    open();
    assertThat(conflicts()).isEmpty();
    assertInForceIsWhatWasDeclaredLast();
  }

  /** There may be a million of them. */
  @Test
  void forgettingOneReadsNoneOfTheOthers() throws Refusal {
    comeBack();
    rig.store.atNextScan(
        () -> {
          throw new AssertionError("what is set aside is read");
        });
    rig.controller.forgetConflict("bng1", Kind.SUBSCRIBER, "bob");
    assertThat(rig.controller.conflicts()).isEqualTo(2);
    rig.store.atNextScan(() -> {});
    assertThat(conflicts()).hasSize(2);
  }

  /** Of a tree, whose subscribers stay: their queues are free again, and each start is one. */
  @Test
  void whoWasUnderALimitThatIsSetAsideGivesBackItsQueue() throws Refusal {
    comeBack();
    rig.accept(at("bng1", put("dora", "10.0.0.3/32")));
    Scope tree = new Scope.OfTree(0, 3);
    RateLimit limit =
        new RateLimit(
            "tree", tree, OptionalLong.of(30_000_000), OptionalLong.empty(), OptionalInt.empty());
    rig.accept(at("bng1", new Change.Put(limit)));
    assertThat(rig.store.of("bng1").subscriber("dora").orElseThrow().hasAllotment()).isTrue();
    away = rig.switches.remove("bng1");
    open();
    rig.accept(at("bng2", new Change.Put(limit)));
    comeBack();
    assertThat(conflicts())
        .contains("bng1 rate limit tree: rate limit tree is in force at switch bng2");
    assertThat(rig.store.of("bng1").subscriber("dora").orElseThrow().hasAllotment()).isFalse();
    rig.controller.forgetConflict("bng1", Kind.RATE_LIMIT, "tree");
    open();
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "dora").orElseThrow().switchName())
        .hasValue("bng1");
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void aPolicyIsWhatItIsInTheNetworkAndOneThatWasDeletedStaysSo() {
    rig.accept(policy("gold", BuiltInFunction.SILVER));
    rig.accept(new Change.Delete(Kind.POLICY, "silver"));
    comeBack();
    assertThat(rig.controller.find(Kind.POLICY, "silver")).isEmpty();
    assertThat(rig.controller.find(Kind.POLICY, "gold").orElseThrow().declared())
        .isEqualTo(((Change.Put) policy("gold", BuiltInFunction.SILVER)).declaration());
    assertThat(conflicts())
        .contains("bng1 policy gold: policy gold is declared otherwise in the network");
  }

  @Test
  void aPolicyThatIsUsedComesBackWithWhoUsesIt() {
    rig.accept(new Change.Delete(Kind.POLICY, "silver"));
    rig.close();
    MemoryTarget<SwitchEntry> other = rig.switches.remove("bng2");
    rig.switches.put("bng1", away);
    // Alone, with silver, while bng2 is away.
    open();
    rig.accept(TestNetwork.put("dave", "10.0.0.7/32"));
    rig.switches.put("bng2", other);
    open();
    assertThat(rig.controller.find(Kind.POLICY, "silver")).isPresent();
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "dave")).isPresent();
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().switchName())
        .hasValue("bng1");
  }

  @Test
  void aSwitchThatCannotHaveThePoliciesIsLeftOutWithTheReason() {
    MemoryTarget<SwitchEntry> other = rig.switches.remove("bng2");
    rig.add("bng1", TestNetwork.switchProfile(1000, 3));
    rig.switches.put("bng2", other);
    rig.accept(policy("bronze", BuiltInFunction.SILVER));
    open();
    assertThat(rig.controller.switches()).hasSize(1);
    assertThat(rig.controller.leftOut())
        .containsOnlyKeys("bng1")
        .hasEntrySatisfying("bng1", reason -> assertThat(reason).contains("policies"));
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice")).isPresent();
    rig.switches.remove("bng1");
  }

  @Test
  void aCheckTellsWhatAStartWouldDo() {
    Map<String, ControllerConfig> configs = new LinkedHashMap<>();
    configs.put("bng1", TestNetwork.smallConfig(TestNetwork.switchProfile(100_000)).build());
    configs.put("bng2", TestNetwork.smallConfig(TestNetwork.switchProfile(100_000)).build());
    Map<String, StoredState> found = SlaController.check(configs, rig.store, rig.time);
    assertThat(found.get("bng1").notes())
        .containsExactly(
            "3 declarations collide with what other switches have in force, and are kept and not"
                + " installed: subscriber alice, subscriber bob, rate limit alice-limit");
    assertThat(found.get("bng2").notes()).isEmpty();
    comeBack();
    assertThat(SlaController.check(configs, rig.store, rig.time).get("bng1").notes())
        .containsExactly(
            "3 declarations are kept aside from earlier and not installed: see GET"
                + " /sluice/v1/conflicts");
  }
}
