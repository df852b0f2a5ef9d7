package net.sluice.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerEvent;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.Servers;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.core.testing.TestNetwork;
import net.sluice.fpga.FpgaRegisters;
import net.sluice.fpga.LocalRegisterBus;
import net.sluice.fpga.MappedRegisters;
import net.sluice.fpga.RegisterLayout;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndpointsTest {
  private static final V1ModelPipeline PIPELINE = V1ModelPipeline.load();

  @TempDir Path directory;

  private ControllerConfig.Builder config() {
    return TestNetwork.config(directory.resolve("store"));
  }

  @Test
  void withoutASwitchNothingIsOpened() {
    assertThatThrownBy(() -> Endpoints.open(config().build(), PIPELINE, Clock.systemUTC()))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("switch is absent; allowed: host and port of the switch");
    assertThat(directory.resolve("store")).doesNotExist();
  }

  @Test
  void aMissingFpgaIsNamedAndTheStoreIsClosedAgain() {
    ControllerConfig config =
        config().servers(new Servers(new SwitchEndpoint("127.0.0.1", 1, 1, 1))).build();
    assertThatThrownBy(() -> Endpoints.open(config, PIPELINE, Clock.systemUTC()))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage(
            "fpga-down is absent; allowed: present, because the topology has a sidecar for that"
                + " direction");
    // It could not be opened if it still were.
    new RocksDbIntentStore(directory.resolve("store")).close();
  }

  @Test
  void changesAreAcceptedWhileNoTargetCanBeReached() {
    ControllerConfig config =
        config()
            .servers(
                new Servers(
                    new SwitchEndpoint("127.0.0.1", 1, 1, 1),
                    Optional.empty(),
                    Optional.of(new FpgaEndpoint.Agent("127.0.0.1", 1)),
                    Optional.of(new FpgaEndpoint.Agent("127.0.0.1", 1))))
            .build();
    try (Controller controller = Endpoints.open(config, PIPELINE, Clock.systemUTC())) {
      assertThat(controller.apply(TestNetwork.policy("gold", BuiltInFunction.GOLD)).isAccepted())
          .isTrue();
      assertThat(controller.summary().targets())
          .hasSize(3)
          .allMatch(t -> t.session() == SessionState.CONNECTING)
          .allMatch(t -> t.sessionDetail().isPresent());
    }
    try (RocksDbIntentStore store = new RocksDbIntentStore(directory.resolve("store"))) {
      assertThat(store.policy("gold")).isPresent();
    }
  }

  @Test
  void registersMappedIntoMemoryAreWrittenAndReadBack() throws Exception {
    Path registers = directory.resolve("resource0");
    try (RandomAccessFile file = new RandomAccessFile(registers.toFile(), "rw")) {
      file.setLength(RegisterLayout.WINDOW_BYTES);
      // The paper's core has no register there.
      file.seek(0x0300_0100);
      file.writeInt(Integer.reverseBytes(0xcafebabe));
    }
    // An FPGA is written only beside a switch that this controller is primary at.
    Server fake =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(new FakeP4RuntimeServer(PIPELINE.cookie()))
            .build()
            .start();
    ControllerConfig config =
        config()
            .servers(
                new Servers(
                    new SwitchEndpoint("127.0.0.1", fake.getPort(), 7, 99),
                    Optional.empty(),
                    Optional.of(new FpgaEndpoint.Mapped(registers)),
                    Optional.of(new FpgaEndpoint.Mapped(directory.resolve("none")))))
            .build();
    CountDownLatch reconciled = new CountDownLatch(1);
    try (Controller controller = Endpoints.open(config, PIPELINE, Clock.systemUTC())) {
      controller.listen(
          event -> {
            if (event instanceof ControllerEvent.Reconciled of && of.target().equals("fpga-down")) {
              reconciled.countDown();
            }
          });
      controller.reconcile();
      assertThat(reconciled.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(controller.summary().target("fpga-down").orElseThrow().session())
          .isEqualTo(SessionState.READY);
      assertThat(controller.summary().target("fpga-up").orElseThrow().sessionDetail())
          .hasValueSatisfying(
              why ->
                  assertThat(why)
                      .startsWith("the registers cannot be mapped: ")
                      .endsWith("NoSuchFileException: " + directory.resolve("none")));
    } finally {
      fake.shutdownNow();
    }
    FpgaRegisters content =
        new FpgaRegisters(
            new LocalRegisterBus(MappedRegisters.map(registers), Runnable::run), Direction.DOWN);
    BucketSize bucket = new BucketSize(Direction.DOWN, FpgaLevel.PORT, 0);
    assertThat(content.read(List.of(bucket)).toCompletableFuture().join()[0]).isPositive();
  }

  @Test
  void badEndpointsAreRefused() {
    assertThatThrownBy(() -> new SwitchEndpoint("host", 0, 1, 1))
        .hasMessage("switch.port is 0; allowed: 1 to 65535");
    assertThatThrownBy(() -> new SwitchEndpoint("host", 1, 1, 0))
        .hasMessage("switch.electionId is 0; allowed: 1 or more");
    assertThatThrownBy(() -> new FpgaEndpoint.Agent("host", 65_536))
        .hasMessage("fpga.port is 65536; allowed: 1 to 65535");
    assertThatThrownBy(() -> config().batchSize(0).build())
        .hasMessage("batchSize is 0; allowed: 1 to 100000");
  }
}
