package net.sluice.it.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerEvent;
import net.sluice.core.Servers;
import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.core.target.Target;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.core.traffic.SubscriberCounters.Traffic;
import net.sluice.emulator.server.p4runtime.variant.ServerVariant;
import net.sluice.endpoints.Endpoints;
import net.sluice.endpoints.P4RuntimeTarget;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CompiledProgram;
import net.sluice.pipeconf.TnaPipeline;
import net.sluice.pipeconf.profile.SwitchAdmission;
import net.sluice.pipeconf.profile.TargetProfiles;
import net.sluice.pipeconf.table.EntryCodec;
import net.sluice.pipeconf.testing.TnaDeviceConfig;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** The controller against Stratum's server on Tofino, or what is as strict. */
final class P4RuntimeTargetOnTofinoTest extends SwitchTargetContract {
  private static final Duration PATIENCE = Duration.ofSeconds(Patience.SECONDS);

  /** What part of its size an exact table takes. */
  private static final double EXACT_LOAD = 0.9;

  private static final TnaPipeline PROGRAM = TnaDeviceConfig.pipeline();

  @TempDir Path directory;

  @Override
  SwitchServer startServer() {
    return stratum(0);
  }

  /** The double of Stratum's server on Tofino. */
  private static SwitchServer stratum(int port) {
    return new EmulatorServer(ServerVariant.stratumOnTofino(EXACT_LOAD), port);
  }

  @Override
  Target<SwitchEntry> createTarget(SwitchServer of) {
    return new P4RuntimeTarget(
        "switch", new SwitchEndpoint("127.0.0.1", of.port(), of.deviceId(), ELECTION_ID), PROGRAM);
  }

  @Override
  CompiledProgram program() {
    return CompiledProgram.TNA;
  }

  @Override
  Traffic counted(Count each) {
    return Traffic.sent(each.packets(), each.bytes());
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
            List.of(
                port(128, PortRole.ACCESS, Direction.UP), port(136, PortRole.CORE, Direction.DOWN)),
            Map.of(0, 128),
            OptionalInt.empty(),
            OptionalInt.empty(),
            List.of(new Topology.Route(IpPrefix.parse("0.0.0.0/0"), 136)));
    SwitchProfile granted =
        SwitchAdmission.admit(
            TargetProfiles.loadSwitch("stratum-tofino"),
            PROGRAM,
            topology,
            100e9,
            RandomRates.BITS_16,
            TestNetwork.fpgaProfile());
    ControllerConfig config =
        ControllerConfig.builder(
                directory.resolve("store"), topology, granted, TestNetwork.fpgaProfile())
            .servers(
                new Servers(
                    new SwitchEndpoint("127.0.0.1", server.port(), server.deviceId(), ELECTION_ID)))
            .build();
    return Endpoints.open(config, PROGRAM, Clock.systemUTC());
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

  /** What others took away or added while nobody looked is put right when the switch is read. */
  @Test
  void whatWasRemovedBehindTheControllersBackIsWrittenAgain() throws Exception {
    try (SwitchServer server = stratum(0);
        Controller controller = open(server)) {
      controller.apply(TestNetwork.policy("gold", BuiltInFunction.GOLD));
      controller.applyAll(subscribers(20));
      assertThat(controller.awaitAllInstalled(PATIENCE)).isTrue();
      EntryCodec entries = PROGRAM.entries();
      ManagedChannel other =
          ManagedChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
      try {
        WriteRequest.Builder removal =
            WriteRequest.newBuilder()
                .setDeviceId(server.deviceId())
                .setElectionId(Uint128.newBuilder().setLow(ELECTION_ID));
        P4RuntimeGrpc.newBlockingStub(other)
            .read(
                ReadRequest.newBuilder()
                    .setDeviceId(server.deviceId())
                    .addAllEntities(entries.readAll(Table.IPV4_PREFIX))
                    .build())
            .forEachRemaining(
                answer ->
                    answer
                        .getEntitiesList()
                        .forEach(
                            entity ->
                                removal.addUpdates(
                                    Update.newBuilder()
                                        .setType(Update.Type.DELETE)
                                        .setEntity(entity))));
        assertThat(removal.getUpdatesCount()).isEqualTo(20);
        P4RuntimeGrpc.newBlockingStub(other).write(removal.build());
      } finally {
        other.shutdownNow();
      }
      controller.reconcile("switch");
      assertThat(controller.awaitAllInstalled(PATIENCE)).isTrue();
      controller.reconcile("switch");
      assertThat(controller.awaitAllInstalled(PATIENCE)).isTrue();
      assertThat(controller.drift("switch").compared().tables()).isEmpty();
    }
  }
}
