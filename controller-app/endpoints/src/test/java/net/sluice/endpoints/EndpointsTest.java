package net.sluice.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerConfig.FpgaEndpoint;
import net.sluice.core.ControllerConfig.SwitchEndpoint;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.InvalidValueException;
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
        config().switchEndpoint(new SwitchEndpoint("127.0.0.1", 1, 1, 1)).build();
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
            .switchEndpoint(new SwitchEndpoint("127.0.0.1", 1, 1, 1))
            .fpgaDown(new FpgaEndpoint("127.0.0.1", 1))
            .fpgaUp(new FpgaEndpoint("127.0.0.1", 1))
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
  void badEndpointsAreRefused() {
    assertThatThrownBy(() -> new SwitchEndpoint("host", 0, 1, 1))
        .hasMessage("switch.port is 0; allowed: 1 to 65535");
    assertThatThrownBy(() -> new SwitchEndpoint("host", 1, 1, 0))
        .hasMessage("switch.electionId is 0; allowed: 1 or more");
    assertThatThrownBy(() -> new FpgaEndpoint("host", 65_536))
        .hasMessage("fpga.port is 65536; allowed: 1 to 65535");
    assertThatThrownBy(() -> config().batchSize(0).build())
        .hasMessage("batchSize is 0; allowed: 1 to 100000");
  }
}
