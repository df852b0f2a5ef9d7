package net.sluice.core.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.Outcome;
import net.sluice.core.PortSummary;
import net.sluice.core.engine.SlaController;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.target.PortMonitor;
import net.sluice.core.target.Targets;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.TestCounters;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.testing.VirtualTime;
import net.sluice.core.traffic.PortStatus;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is declared for a port that is down is accepted, and said to be for nothing until then. */
class PortNotesTest {

  private static final String DOWN =
      "BNG port 0 is down: switch port 1 (eth1) has no link; nothing passes until it is up";

  private final VirtualTime time = new VirtualTime();
  private final Ports ports = new Ports();
  private final SlaController controller =
      new SlaController(
          TestNetwork.config(Path.of("unused")).build(),
          new InMemoryIntentStore(),
          new Targets(
              MemoryTarget.ofSwitch(time.scheduler()),
              TestCounters.silent(),
              Optional.of(MemoryTarget.ofFpga("fpga-down", time.scheduler())),
              Optional.of(MemoryTarget.ofFpga("fpga-up", time.scheduler())),
              Optional.of(ports)),
          time,
          name -> time.scheduler());

  /** Port 1 is BNG port 0, port 2 is BNG port 1. */
  private static final class Ports implements PortMonitor {
    Optional<Boolean> firstUp = Optional.empty();
    Optional<Boolean> firstEnabled = Optional.of(true);
    boolean started;
    boolean closed;

    @Override
    public void start() {
      started = true;
    }

    @Override
    public PortSummary ports() {
      return new PortSummary(
          SessionState.READY,
          Optional.empty(),
          List.of(port(1, firstUp, firstEnabled), port(2, Optional.of(true), Optional.of(true))));
    }

    private static PortStatus port(int number, Optional<Boolean> up, Optional<Boolean> enabled) {
      return new PortStatus(
          number,
          Optional.of("eth" + number),
          up,
          enabled,
          Optional.empty(),
          1_000_000_000,
          Optional.empty(),
          OptionalDouble.empty(),
          OptionalDouble.of(250e6),
          Optional.empty());
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private PortNotesTest() {
    time.pass(Duration.ofSeconds(1));
    accept(TestNetwork.policy("gold", BuiltInFunction.GOLD));
  }

  @AfterEach
  void close() {
    controller.close();
    assertThat(ports.closed).isTrue();
  }

  private List<String> accept(Change change) {
    Outcome outcome = controller.apply(change);
    assertThat(outcome).isInstanceOf(Outcome.Accepted.class);
    return ((Outcome.Accepted) outcome).plan().notes();
  }

  private static Change limit(Scope scope) {
    return new Change.Put(
        new RateLimit(
            "limit",
            scope,
            OptionalLong.of(100_000_000),
            OptionalLong.empty(),
            OptionalInt.empty()));
  }

  @Test
  void aSubscriberOfAPortThatIsDownIsAcceptedWithANote() {
    assertThat(ports.started).isTrue();
    ports.firstUp = Optional.of(false);
    assertThat(accept(TestNetwork.put("alice", "10.0.0.1/32"))).containsExactly(DOWN);
    assertThat(controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().notes())
        .containsExactly(DOWN);
    Outcome.Accepted dry =
        (Outcome.Accepted) controller.dryRun(TestNetwork.put("bob", "10.0.0.2/32"));
    assertThat(dry.plan().notes()).containsExactly(DOWN);
    // The note is of the present: it goes when the port comes up.
    ports.firstUp = Optional.of(true);
    assertThat(controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().notes()).isEmpty();
  }

  @Test
  void aPortThatIsDisabledIsSaidToBe() {
    ports.firstUp = Optional.of(false);
    ports.firstEnabled = Optional.of(false);
    assertThat(accept(TestNetwork.put("alice", "10.0.0.1/32")))
        .containsExactly(
            "BNG port 0 is down: switch port 1 (eth1) is disabled; nothing passes until it is up");
  }

  @Test
  void limitsAreNotedByTheirScope() {
    assertThat(accept(TestNetwork.put("alice", "10.0.0.1/32"))).isEmpty();
    ports.firstUp = Optional.of(false);
    assertThat(accept(limit(new Scope.OfSubscriber("alice")))).contains(DOWN);
    assertThat(accept(limit(new Scope.OfTree(0, 3)))).contains(DOWN);
    assertThat(accept(limit(new Scope.OfPort(0)))).contains(DOWN);
    assertThat(accept(limit(new Scope.OfPort(1)))).doesNotContain(DOWN);
    assertThat(accept(new Change.Delete(Kind.RATE_LIMIT, "limit"))).doesNotContain(DOWN);
  }

  @Test
  void whatIsNotKnownIsNotSaid() {
    assertThat(accept(TestNetwork.put("alice", "10.0.0.1/32"))).isEmpty();
    assertThat(
            controller.switches().get(0).ports().orElseThrow().port(2).orElseThrow().utilisation())
        .hasValue(0.25);
  }
}
