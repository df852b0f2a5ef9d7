package net.sluice.it.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerConfig.SwitchEndpoint;
import net.sluice.core.ControllerEvent;
import net.sluice.core.TargetState;
import net.sluice.core.target.Target;
import net.sluice.core.testing.TestNetwork;
import net.sluice.emulator.server.p4runtime.ServerKind;
import net.sluice.emulator.server.testing.Patience;
import net.sluice.endpoints.Endpoints;
import net.sluice.endpoints.P4RuntimeTarget;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.PortRole;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import p4.config.v1.P4InfoOuterClass.P4Info;

/** The controller against Stratum's server on Tofino, or what is as strict. */
final class P4RuntimeTargetOnTofinoTest extends SwitchTargetContract {
  private static final Duration PATIENCE = Duration.ofSeconds(Patience.SECONDS);
  private static final int LINES = 2_000;

  /** What part of its size an exact table takes. */
  private static final double EXACT_LOAD = 0.9;

  @TempDir Path directory;

  @Override
  SwitchServer startServer() {
    return stratum(0);
  }

  /** The double of Stratum's server on Tofino. */
  private static SwitchServer stratum(int port) {
    return new EmulatorServer(ServerKind.stratumOnTofino(EXACT_LOAD), port);
  }

  @Override
  Target<SwitchEntry> createTarget(SwitchServer of) {
    return new P4RuntimeTarget(
        "switch",
        new SwitchEndpoint("127.0.0.1", of.port(), of.deviceId(), ELECTION_ID),
        new TofinoPipeline(UnaryOperator.identity()));
  }

  /** The same program with room for fewer VLAN lines. */
  private static P4Info withFewLines(P4Info info) {
    P4Info.Builder changed = info.toBuilder();
    changed.getTablesBuilderList().stream()
        .filter(table -> table.getPreamble().getName().endsWith("SubscriberVlan"))
        .forEach(table -> table.setSize(LINES));
    return changed.build();
  }

  private static SwitchPort port(int number, PortRole role, Direction direction) {
    return new SwitchPort(
        number, role, direction, 10_000_000_000L, 0x020000000001L, 0x0200000000ffL, false, true);
  }

  private static List<Change> subscribers(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(TestNetwork::numbered).toList();
  }

  private Controller open(SwitchServer server) {
    Topology topology =
        new Topology(
            List.of(port(1, PortRole.ACCESS, Direction.UP), port(2, PortRole.CORE, Direction.DOWN)),
            Map.of(0, 1),
            OptionalInt.empty(),
            OptionalInt.empty(),
            List.of(new Topology.Route(IpPrefix.parse("0.0.0.0/0"), 2)));
    ControllerConfig config =
        ControllerConfig.builder(
                directory.resolve("store"),
                topology,
                TestNetwork.switchProfile(10_000),
                TestNetwork.fpgaProfile())
            .switchEndpoint(
                new SwitchEndpoint("127.0.0.1", server.port(), server.deviceId(), ELECTION_ID))
            .build();
    return Endpoints.open(
        config, new TofinoPipeline(P4RuntimeTargetOnTofinoTest::withFewLines), Clock.systemUTC());
  }

  @Test
  void whatIsDeclaredIsInstalledAndStaysSoWhenTheSwitchIsRestarted() throws Exception {
    SwitchServer first = stratum(0);
    try (first;
        Controller controller = open(first)) {
      controller.apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
      controller.applyAll(subscribers(100));
      assertThat(controller.awaitAllInstalled(PATIENCE)).isTrue();

      controller.reconcile("switch");
      assertThat(controller.awaitAllInstalled(PATIENCE)).isTrue();
      assertThat(controller.drift("switch").compared().tables()).isEmpty();
      assertThat(controller.drift("switch").compared().read()).isPositive();

      BlockingQueue<ControllerEvent.Reconciled> reconciled = new LinkedBlockingQueue<>();
      controller.listen(
          event -> {
            if (event instanceof ControllerEvent.Reconciled of) {
              reconciled.add(of);
            }
          });
      int port = first.port();
      first.close();
      try (SwitchServer second = stratum(port)) {
        ControllerEvent.Reconciled of;
        do {
          // What was asked for before the restart may be told of after it: it rewrote nothing.
          of = reconciled.poll(Patience.SECONDS, TimeUnit.SECONDS);
          assertThat(of).as("%s", second).isNotNull();
        } while (of.report().rewritten() == 0);
        assertThat(controller.awaitAllInstalled(PATIENCE)).isTrue();
      }
    }
  }

  @Test
  void anExactTableThatIsFullBeforeItsSizeIsToldByTheSubscriberThatFindsItSo() throws Exception {
    try (SwitchServer server = stratum(0);
        Controller controller = open(server)) {
      BlockingQueue<ControllerEvent.StatusChanged> failed = new LinkedBlockingQueue<>();
      controller.listen(
          event -> {
            if (event instanceof ControllerEvent.StatusChanged of
                && of.state() == TargetState.FAILED) {
              failed.add(of);
            }
          });
      controller.apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
      int room = (int) (LINES * EXACT_LOAD);
      controller.applyAll(subscribers(room));
      assertThat(controller.awaitAllInstalled(PATIENCE)).isTrue();
      assertThat(failed).isEmpty();

      controller.apply(TestNetwork.numbered(room + 1));
      ControllerEvent.StatusChanged refused = failed.poll(Patience.SECONDS, TimeUnit.SECONDS);
      assertThat(refused).isNotNull();
      assertThat(refused.id()).isEqualTo("sub-" + (room + 1));
      assertThat(refused.error())
          .hasValueSatisfying(
              words ->
                  assertThat(words)
                      .contains(
                          "RESOURCE_EXHAUSTED: table 'SluiceIngress.classifier.SubscriberVlan' is"
                              + " full: it takes 1800 entries"));
      assertThat(controller.find(Kind.SUBSCRIBER, "sub-1").orElseThrow().targets())
          .allMatch(status -> status.state() == TargetState.INSTALLED);
    }
  }
}
