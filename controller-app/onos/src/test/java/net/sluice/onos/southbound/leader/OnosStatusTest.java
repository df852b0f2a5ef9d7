package net.sluice.onos.southbound.leader;

import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static net.sluice.onos.testing.TestSwitch.PIPELINE;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.ControllerConfig;
import net.sluice.core.Outcome;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.engine.SlaController;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.Targets;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Table;
import net.sluice.onos.testing.TestSwitch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a switch behind ONOS does wrong is told by the intent's status: which target, what, since
 * when and what comes next. Each declaration here is one that the controller has accepted.
 */
class OnosStatusTest {
  private final TestSwitch rig = new TestSwitch();
  private final Instant opened = rig.time.instant();
  private SlaController controller;

  @BeforeEach
  void open() {
    ControllerConfig config =
        TestNetwork.config(Path.of("unused")).auditInterval(Optional.empty()).build();
    controller =
        new SlaController(
            config,
            new InMemoryIntentStore(),
            new Targets(
                rig.target,
                rig.target,
                Optional.of(MemoryTarget.ofFpga("fpga-down", rig.time.scheduler())),
                Optional.of(MemoryTarget.ofFpga("fpga-up", rig.time.scheduler()))),
            rig.time,
            name -> rig.time.scheduler());
    rig.time.pass(Duration.ofSeconds(5));
    accept(policy("gold", BuiltInFunction.GOLD));
  }

  @AfterEach
  void close() {
    controller.close();
  }

  private void accept(Change change) {
    assertThat(controller.apply(change)).isInstanceOf(Outcome.Accepted.class);
    rig.time.pass(Duration.ofSeconds(1));
  }

  private TargetStatus status(String subscriber) {
    return controller.find(Kind.SUBSCRIBER, subscriber).orElseThrow().targets().get(0);
  }

  private String told(String subscriber) {
    TargetStatus status = status(subscriber);
    assertThat(status.since()).isAfterOrEqualTo(opened).isBeforeOrEqualTo(rig.time.instant());
    assertThat(status.awaits().isPresent()).isEqualTo(status.state() == TargetState.PENDING);
    status.next().ifPresent(next -> assertThat(next).isAfterOrEqualTo(rig.time.instant()));
    return status.target()
        + " "
        + status.state()
        + status.error().map(error -> ": " + error).orElse("")
        + (status.next().isPresent() ? ", tried again" : "");
  }

  /** Lets time pass until there is something to tell: not while the session is being begun anew. */
  private void awaitError(String subscriber) {
    for (int i = 0; i < 1_000 && status(subscriber).error().isEmpty(); i++) {
      rig.time.pass(Duration.ofMillis(10));
    }
  }

  @Test
  void installedOnceTheSwitchHasIt() {
    accept(put("alice", "10.0.0.1/32"));
    assertThat(told("alice")).isEqualTo("switch INSTALLED");
    assertThat(rig.memory.table(PIPELINE.entries().tableIds(Table.IPV4_PREFIX).get(0))).hasSize(1);
  }

  @Test
  void aFullTable() {
    rig.memory.resize(PIPELINE.entries().tableIds(Table.IPV4_PREFIX).get(0), 1);
    accept(put("alice", "10.0.0.1/32"));
    accept(put("bob", "10.0.0.2/32"));
    assertThat(told("alice")).isEqualTo("switch INSTALLED");
    assertThat(told("bob"))
        .isEqualTo("switch FAILED: RESOURCE_EXHAUSTED: the table holds 1 entries, tried again");
    assertThat(status("bob").since())
        .isBetween(rig.time.instant().minusSeconds(2), rig.time.instant());
    rig.memory.resize(PIPELINE.entries().tableIds(Table.IPV4_PREFIX).get(0), 2);
    rig.time.pass(Duration.ofMinutes(5));
    assertThat(told("bob")).as("it was tried again").isEqualTo("switch INSTALLED");
  }

  @Test
  void aSessionLostInMidBatch() {
    boolean[] failing = {true};
    rig.memory.failWrites(
        () ->
            failing[0]
                ? Status.UNAVAILABLE.withDescription("connection reset").asRuntimeException()
                : null);
    accept(put("alice", "10.0.0.1/32"));
    awaitError("alice");
    assertThat(told("alice"))
        .isEqualTo("switch PENDING: UNAVAILABLE: connection reset, tried again");
    failing[0] = false;
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(told("alice")).isEqualTo("switch INSTALLED");
  }

  @Test
  void aStaleElectionId() {
    boolean[] stale = {true};
    rig.memory.failWrites(
        () ->
            stale[0]
                ? Status.PERMISSION_DENIED.withDescription("not primary").asRuntimeException()
                : null);
    accept(put("alice", "10.0.0.1/32"));
    awaitError("alice");
    assertThat(told("alice"))
        .isEqualTo("switch PENDING: PERMISSION_DENIED: not primary, tried again");
    stale[0] = false;
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(told("alice")).isEqualTo("switch INSTALLED");
  }

  @Test
  void aTargetThatRefusesThePipeline() {
    rig.client.programSet = CompletableFuture.completedFuture(false);
    rig.client.anyProgramSet = false;
    rig.time.pass(Duration.ofSeconds(10));
    accept(put("alice", "10.0.0.1/32"));
    assertThat(told("alice"))
        .isEqualTo(
            "switch PENDING: the switch runs no program or does not answer: ONOS has not loaded"
                + " pipeconf net.sluice.v1model yet, or the switch refuses it, tried again");
    rig.client.programSet = CompletableFuture.completedFuture(true);
    rig.time.pass(Duration.ofMinutes(1));
    assertThat(told("alice")).isEqualTo("switch INSTALLED");
  }

  @Test
  void aDeviceWithAnotherPipeconf() {
    rig.notReady =
        new NotReadyException(
            "device:switch1 is bound to pipeconf fabric, and only net.sluice.v1model can be"
                + " driven");
    rig.time.pass(Duration.ofSeconds(10));
    accept(put("alice", "10.0.0.1/32"));
    assertThat(told("alice"))
        .isEqualTo(
            "switch PENDING: device:switch1 is bound to pipeconf fabric, and only"
                + " net.sluice.v1model can be driven, tried again");
    assertThat(rig.memory.table(PIPELINE.entries().tableIds(Table.IPV4_PREFIX).get(0))).isEmpty();
  }
}
