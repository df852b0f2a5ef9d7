package net.sluice.core.engine;

import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.sluice.core.Outcome;
import net.sluice.core.Selection;
import net.sluice.core.testing.ControllerRig;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A change is compiled once; what is in force is told without compiling it again. */
class CompilationCountTest {
  private final ControllerRig rig = ControllerRig.settled();

  @AfterEach
  void close() {
    rig.close();
  }

  private int compilations() {
    return rig.compiler.takeCount();
  }

  private void declareAll() {
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.accept(limit("alice-cap", "alice"));
  }

  @Test
  void aChangeIsCompiledOnce() {
    declareAll();
    assertThat(compilations()).isEqualTo(3);
    rig.accept(put("alice", "10.0.0.2/32"));
    assertThat(compilations()).isEqualTo(1);
    assertThat(rig.controller.apply(put("bob", "10.0.0.2/32"))).isInstanceOf(Outcome.Refused.class);
    assertThat(compilations()).isEqualTo(1);
    assertThat(rig.controller.dryRun(put("bob", "10.0.0.3/32")).isAccepted()).isTrue();
    assertThat(compilations()).isEqualTo(1);
    rig.accept(new Change.Delete(Kind.RATE_LIMIT, "alice-cap"));
    assertThat(compilations()).isEqualTo(1);
  }

  @Test
  void aChangeAmongManyIsCompiledOnce() {
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    assertThat(compilations()).isEqualTo(1);
    List<Outcome> outcomes =
        rig.controller.applyAll(
            List.of(put("a", "10.0.0.1/32"), put("b", "10.0.0.1/32"), put("c", "10.0.0.3/32")));
    assertThat(outcomes).extracting(Outcome::isAccepted).containsExactly(true, false, true);
    assertThat(compilations()).isEqualTo(3);
  }

  @Test
  void nothingIsCompiledToTellWhatIsInForce() throws InterruptedException {
    declareAll();
    rig.time.settle();
    assertThat(compilations()).isEqualTo(3);
    assertThat(rig.controller.find(Kind.POLICY, "gold")).isPresent();
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice")).isPresent();
    assertThat(rig.controller.find(Kind.RATE_LIMIT, "alice-cap").orElseThrow().grants()).hasSize(2);
    assertThat(rig.controller.rateLimitOf(new Scope.OfSubscriber("alice"), Optional.empty()))
        .isPresent();
    for (Kind kind : List.of(Kind.POLICY, Kind.SUBSCRIBER, Kind.RATE_LIMIT)) {
      assertThat(rig.controller.list(kind, Selection.ALL, "", 10).items()).hasSize(1);
      assertThat(rig.controller.ids(kind, "", 10)).hasSize(1);
    }
    assertThat(rig.controller.whenInstalled(Kind.SUBSCRIBER, "alice", Duration.ZERO))
        .isCompletedWithValue(true);
    rig.controller.reconcile();
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(compilations()).isZero();
  }
}
