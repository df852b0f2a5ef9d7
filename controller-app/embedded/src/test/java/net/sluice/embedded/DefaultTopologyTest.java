package net.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.Test;

final class DefaultTopologyTest {
  private final DefaultTopology network =
      new DefaultTopology(250_000_000L, new MarkerSettings(10_000_000_000L, RandomRates.BITS_16));
  private final Topology topology = network.topology();

  @Test
  void everyBngPortLeadsToTheBottleneck() {
    for (int bngPort = 0; bngPort < 8; bngPort++) {
      assertThat(topology.switchPort(bngPort)).hasValue(DefaultTopology.ACCESS_PORT);
    }
    SwitchPort access = topology.port(DefaultTopology.ACCESS_PORT).orElseThrow();
    assertThat(access.role()).isEqualTo(PortRole.ACCESS);
    assertThat(access.direction()).isEqualTo(Direction.UP);
    assertThat(access.rateBps()).isEqualTo(250_000_000L);
    assertThat(access.valueDropping()).isTrue();
    SwitchPort core = topology.port(DefaultTopology.CORE_PORT).orElseThrow();
    assertThat(core.role()).isEqualTo(PortRole.CORE);
    assertThat(core.direction()).isEqualTo(Direction.DOWN);
    assertThat(core.valueDropping()).isTrue();
  }

  @Test
  void eachDirectionHasItsSidecar() {
    for (Direction direction : Direction.values()) {
      int number = topology.sidecar(direction).orElseThrow();
      SwitchPort sidecar = topology.port(number).orElseThrow();
      assertThat(sidecar.role()).isEqualTo(PortRole.SIDECAR);
      assertThat(sidecar.direction()).isEqualTo(direction);
      assertThat(sidecar.valueDropping()).isFalse();
    }
  }

  @Test
  void theMarkerResolvesTheRatesAskedFor() {
    assertThat(network.switchProfile(V1ModelPipeline.load().profile()).maxSubscriberRateBps())
        .isEqualTo(1e10);
    DefaultTopology unasked = new DefaultTopology(250_000_000L);
    assertThat(unasked.switchProfile(V1ModelPipeline.load().profile()).maxSubscriberRateBps())
        .isEqualTo(250e6);
  }

  @Test
  void ratesOutsideTheirRangeAreRefused() {
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> new DefaultTopology(0))
        .withMessage("bottleneckBps is 0; allowed: 1 to 100000000000");
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> new MarkerSettings(999_999, RandomRates.BITS_16))
        .withMessage("maxSubscriberRateBps is 999999; allowed: 1000000 to 100000000000");
  }
}
