package net.sluice.emulator.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest;

class EmbeddedSwitchTest {
  private static final Path PROGRAMS = Path.of("../v1model/src/test/resources/stf");
  private static final Path JSON = PROGRAMS.resolve("cpu.json");
  private static final Path P4INFO = PROGRAMS.resolve("cpu.p4info.txtpb");

  @TempDir private Path folder;

  @Test
  void whatCannotBeRunIsRefusedByName() throws Exception {
    Path foreign = Files.writeString(folder.resolve("foreign.json"), "{}");
    assertThatThrownBy(() -> EmbeddedSwitch.load(foreign, P4INFO, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'header_types' is missing");
    assertThatThrownBy(() -> EmbeddedSwitch.load(JSON, foreign, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("foreign.json: not a P4Info in text format: line 1:1");
  }

  @Test
  void wrongTextsAndPortsAreRefused() throws Exception {
    try (EmbeddedSwitch device = EmbeddedSwitch.load(JSON, P4INFO, 1)) {
      assertThatThrownBy(() -> device.write("updatez { }"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not a WriteRequest in text format: line 1:1");
      assertThatThrownBy(() -> device.send(2, new byte[60]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("2");
      assertThatThrownBy(() -> device.received(2)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void controllersFindItOverP4RuntimeAndTimeStandsStillMeanwhile() throws Exception {
    try (EmbeddedSwitch device = EmbeddedSwitch.start(9, 1, 64, 1)) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", device.p4RuntimePort())
              .usePlaintext()
              .build();
      try {
        P4RuntimeGrpc.P4RuntimeBlockingStub stub = P4RuntimeGrpc.newBlockingStub(channel);
        GetForwardingPipelineConfigRequest ask =
            GetForwardingPipelineConfigRequest.newBuilder().setDeviceId(9).build();
        assertThat(stub.getForwardingPipelineConfig(ask).hasConfig()).isFalse();
        device.install(JSON, P4INFO);
        assertThat(stub.getForwardingPipelineConfig(ask).hasConfig()).isTrue();
        assertThat(device.simulation().nowNanos()).isZero();
        device.run(Duration.ofMillis(3));
        assertThat(device.simulation().nowMicros()).isEqualTo(3_000);
      } finally {
        channel.shutdownNow();
      }
    }
  }
}
