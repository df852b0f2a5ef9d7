package net.sluice.core.trace;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.NetworkRig;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import org.junit.jupiter.api.Test;

/** Each request is told of what is done for it, and of nothing else. */
class TraceTest {
  /** A trace that notes in words. */
  private static final class Noted implements Trace {
    private final List<String> notes = new ArrayList<>();

    @Override
    public void compiled(int changes, long begunNanos, long endedNanos) {
      assertThat(endedNanos - begunNanos).isNotNegative();
      notes.add("compiled " + changes);
    }

    @Override
    public void committed(int changes, long begunNanos, long endedNanos) {
      assertThat(endedNanos - begunNanos).isNotNegative();
      notes.add("committed " + changes);
    }

    @Override
    public Writing writing(String target, int entries) {
      notes.add(target + " " + entries);
      return answered -> notes.add(target + (answered ? " answered" : " lost"));
    }
  }

  private static Noted during(Runnable work) {
    Noted noted = new Noted();
    CurrentTrace.during(noted, work);
    assertThat(CurrentTrace.get()).isNull();
    return noted;
  }

  @Test
  void aChangeIsFollowedToTheTargetsAnswer() {
    try (ControllerRig rig = ControllerRig.settled()) {
      rig.accept(policy("gold", BuiltInFunction.GOLD));
      rig.time.settle();
      Noted noted = during(() -> rig.accept(put("alice", "10.0.0.1/32")));
      rig.accept(put("bob", "10.0.0.2/32"));
      rig.time.settle();
      assertThat(noted.notes)
          .startsWith("compiled 1", "committed 1", "switch 1")
          .contains("switch answered")
          .hasSize(4);
    }
  }

  @Test
  void aRefusalIsFollowedToTheCompiler() {
    try (ControllerRig rig = ControllerRig.settled()) {
      Noted noted =
          during(
              () ->
                  assertThat(rig.controller.apply(put("alice", "10.0.0.1/32")).isAccepted())
                      .isFalse());
      rig.time.settle();
      assertThat(noted.notes).containsExactly("compiled 1");
    }
  }

  @Test
  void aBulkIsFollowedAsAWhole() {
    try (ControllerRig rig = ControllerRig.settled()) {
      rig.accept(policy("gold", BuiltInFunction.GOLD));
      rig.time.settle();
      List<Change> changes = List.of(put("a", "10.0.0.1/32"), put("b", "10.0.0.2/32"));
      Noted noted = during(() -> rig.controller.applyAll(changes, outcome -> {}));
      rig.time.settle();
      assertThat(noted.notes)
          .containsExactly("compiled 2", "committed 2", "switch 2", "switch answered");
    }
  }

  @Test
  void aMoveIsFollowedToBothSwitches() {
    try (NetworkRig rig = NetworkRig.settled("bng1", "bng2")) {
      rig.accept(policy("gold", BuiltInFunction.GOLD));
      rig.accept(at("bng1", put("alice", "10.0.0.1/32")));
      rig.time.pass(Duration.ofSeconds(1));
      Noted noted = during(() -> rig.accept(at("bng2", put("alice", "10.0.0.1/32"))));
      rig.time.pass(Duration.ofSeconds(1));
      assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().switchName())
          .hasValue("bng2");
      assertThat(noted.notes)
          .startsWith("compiled 1", "committed 1")
          .contains("bng2 1", "bng2 answered");
    }
  }
}
