package net.sluice.core.network;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.subscriber;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.core.Declared;
import net.sluice.core.Outcome;
import net.sluice.core.Selection;
import net.sluice.core.testing.NetworkRig;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.model.SubscriberTerms.Holding;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.subscriber.DirectionPolicyEntry;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Subscribers with another policy upstream, and what the switches have of that. */
class UpstreamPolicyTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private NetworkRig rig;

  @BeforeEach
  void declare() {
    rig = NetworkRig.settled("bng1", "bng2");
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(policy("silver", BuiltInFunction.SILVER));
    rig.accept(policy("bronze", BuiltInFunction.SILVER));
    rig.accept(at("bng1", new Change.Put(split("alice", "silver"))));
    rig.accept(at("bng1", new Change.Put(subscriber("bob", "10.0.0.2/32"))));
    rig.time.pass(SECOND);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  /** Gold downstream. */
  private static Subscriber split(String id, String upstream) {
    Subscriber gold = subscriber(id, "10.0.0.1/32");
    return gold.withParts(gold.parts().withUpstreamPolicy(Optional.of(upstream)));
  }

  private List<SwitchEntry> entries(String name) {
    return rig.switches.get(name).content().values().stream()
        .filter(DirectionPolicyEntry.class::isInstance)
        .toList();
  }

  private static DirectionPolicyEntry up(int slot) {
    return new DirectionPolicyEntry(1, Direction.UP, slot);
  }

  @Test
  void whoeverHasTwoPoliciesHasAnEntryOverRestartsAndChanges() throws Exception {
    assertThat(entries("bng1")).containsExactly(up(2));
    rig.open();
    rig.time.pass(SECOND);
    assertThat(entries("bng1")).containsExactly(up(2));
    rig.controller.reconcile("bng1");
    rig.time.pass(SECOND);
    assertThat(rig.controller.drift("bng1").compared().tables()).isEmpty();
    rig.accept(at("bng1", new Change.Put(split("alice", "bronze"))));
    rig.time.pass(SECOND);
    assertThat(entries("bng1")).containsExactly(up(3));
    rig.accept(at("bng1", new Change.Put(split("alice", "gold"))));
    rig.time.pass(SECOND);
    assertThat(entries("bng1")).isEmpty();
  }

  @Test
  void whatASwitchLosesOrGainsIsFoundAndMended() throws Exception {
    rig.switches.get("bng1").content().remove(up(2).key());
    DirectionPolicyEntry foreign = new DirectionPolicyEntry(2, Direction.DOWN, 3);
    rig.switches.get("bng1").place(foreign);
    rig.controller.reconcile("bng1");
    rig.time.pass(SECOND);
    assertThat(rig.controller.drift("bng1").compared().tables())
        .singleElement()
        .satisfies(
            table -> {
              assertThat(table.table()).isEqualTo("direction-policy");
              assertThat(table.missing()).isOne();
              assertThat(table.foreign()).isOne();
            });
    assertThat(entries("bng1")).containsExactly(up(2));
  }

  @Test
  void aMoveTakesBothPoliciesAlong() {
    rig.accept(at("bng2", new Change.Put(split("alice", "silver"))));
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(entries("bng1")).isEmpty();
    assertThat(entries("bng2")).containsExactly(up(2));
  }

  @Test
  void aSuspensionIsOfBothDirectionsUnlessItNamesTwo() {
    suspend(new Holding.Stopped());
    assertThat(entries("bng1")).isEmpty();
    suspend(new Holding.Has("bronze"));
    assertThat(entries("bng1")).isEmpty();
    suspend(new Holding.Has("gold", Optional.of("bronze")));
    assertThat(entries("bng1")).containsExactly(up(3));
    rig.open();
    rig.accept(at("bng1", new Change.Put(split("alice", "silver"))));
    rig.time.pass(SECOND);
    assertThat(entries("bng1")).containsExactly(up(2));
  }

  private void suspend(Holding to) {
    Subscriber declared = split("alice", "silver");
    rig.accept(
        at(
            "bng1",
            new Change.Put(
                declared.withParts(
                    declared
                        .parts()
                        .withTerms(
                            SubscriberTerms.of(
                                new Holding.Has("gold", Optional.of("silver")),
                                Optional.of(to),
                                Schedule.empty()))))));
    rig.time.pass(SECOND);
  }

  @Test
  void aSubscriberIsFoundByEitherPolicyAndKeepsBoth() {
    assertThat(having("gold")).containsExactly("alice", "bob");
    assertThat(having("silver")).containsExactly("alice");
    assertThat(having("bronze")).isEmpty();
    for (String id : List.of("gold", "silver")) {
      assertThat(rig.controller.apply(new Change.Delete(Kind.POLICY, id)))
          .isInstanceOfSatisfying(
              Outcome.Refused.class,
              refused ->
                  assertThat(refused.problems())
                      .extracting(Problem::detail)
                      .allMatch(text -> text.contains("alice")));
    }
    rig.accept(new Change.Delete(Kind.POLICY, "bronze"));
  }

  private List<String> having(String policy) {
    Selection selection =
        new Selection(
            Optional.of(policy),
            Optional.empty(),
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            Labels.NONE,
            Optional.empty());
    return rig.controller.list(Kind.SUBSCRIBER, selection, "", 10).items().stream()
        .map(Declared::declared)
        .map(declared -> ((Subscriber) declared).id())
        .toList();
  }
}
