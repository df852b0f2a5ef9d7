package net.sluice.intents.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.Topology.Route;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.Test;

class TopologyTest {
  private static final SwitchPort CORE = port(1, PortRole.CORE);
  private static final SwitchPort ACCESS = port(2, PortRole.ACCESS);

  private static final SwitchPort SIDECAR = port(3, PortRole.SIDECAR);

  private static SwitchPort port(int number, PortRole role) {
    return new SwitchPort(number, role, Direction.DOWN, 1_000_000, 1, 2, false, false);
  }

  private static Topology topology(
      List<SwitchPort> ports, Map<Integer, Integer> bng, OptionalInt sidecar, List<Route> routes) {
    return new Topology(ports, bng, sidecar, OptionalInt.empty(), routes);
  }

  @Test
  void findsPorts() {
    Topology topology =
        topology(List.of(CORE, ACCESS, SIDECAR), Map.of(5, 2, 0, 1), OptionalInt.of(3), List.of());
    assertThat(topology.switchPort(5)).hasValue(2);
    assertThat(topology.switchPort(1)).isEmpty();
    assertThat(topology.sidecar(Direction.DOWN)).hasValue(3);
    assertThat(topology.sidecar(Direction.UP)).isEmpty();
    assertThat(topology.port(2)).contains(ACCESS);
    assertThat(topology.port(4)).isEmpty();
    assertThat(topology.connectedBngPorts()).isEqualTo("0, 5");
  }

  @Test
  void packetsWaitInFourPortsThatNothingElseUses() {
    Topology topology = topology(List.of(CORE, ACCESS), Map.of(), OptionalInt.empty(), List.of());
    assertThat(topology.loopPorts()).isEmpty();
    assertThat(topology.withLoopPorts(List.of(5, 6, 7, 8)).loopPorts()).containsExactly(5, 6, 7, 8);
    assertThatThrownBy(() -> topology.withLoopPorts(List.of(5, 6)))
        .hasMessage(
            "loopPorts is [5, 6]; allowed: 4 ports, or absent where the switch is not to shape");
    assertThatThrownBy(() -> topology.withLoopPorts(List.of(5, 6, 7, 511)))
        .hasMessage("loopPorts is 511; allowed: 0 to 510");
    assertThatThrownBy(() -> topology.withLoopPorts(List.of(5, 6, 7, 5)))
        .hasMessage("loopPorts is 5; allowed: ports that nothing else uses");
    assertThatThrownBy(() -> topology.withLoopPorts(List.of(5, 6, 7, 2)))
        .hasMessage("loopPorts is 2; allowed: ports that nothing else uses");
  }

  @Test
  void wiresJoinAnAccessPortAndACorePort() {
    SwitchPort access = end(11, PortRole.ACCESS, Direction.UP, false);
    SwitchPort core = end(12, PortRole.CORE, Direction.DOWN, false);
    OptionalInt none = OptionalInt.empty();
    Topology topology = topology(List.of(CORE, ACCESS, access, core), Map.of(), none, List.of());
    Topology wired = topology.withWires(List.of(new Wire(11, 12)));
    assertThat(wired.isInWire(11)).isTrue();
    assertThat(wired.isInWire(12)).isTrue();
    assertThat(wired.isInWire(1)).isFalse();
    assertThat(wired.withLoopPorts(List.of(5, 6, 7, 8)).wires()).hasSize(1);
    assertThat(wired.withRoutes(List.of()).wires()).hasSize(1);
    assertThatThrownBy(() -> topology.withWires(List.of(new Wire(2, 12))))
        .hasMessage("wires.access is 2; allowed: a port of role access and direction up: 11");
    assertThatThrownBy(() -> topology.withWires(List.of(new Wire(11, 99))))
        .hasMessage("wires.core is 99; allowed: a port of role core and direction down: 1, 12");
    assertThatThrownBy(() -> topology.withWires(List.of(new Wire(11, 1), new Wire(11, 12))))
        .hasMessage("wires is 11; allowed: each port in one wire");
    assertThatThrownBy(
            () ->
                topology(List.of(access, core), Map.of(0, 12), none, List.of())
                    .withWires(List.of(new Wire(11, 12))))
        .hasMessage(
            "bngPorts.0 is 12; allowed: a port towards subscribers: of a wire the access end");
    assertThatThrownBy(() -> wired.withRoutes(List.of(new Route(IpPrefix.parse("10.0.0.0/8"), 12))))
        .hasMessage(
            "routes.port is 12; allowed: a port that is no end of a wire: nothing is routed there");
    assertThatThrownBy(
            () ->
                topology(List.of(access, core, SIDECAR), Map.of(), none, List.of())
                    .withWires(List.of(new Wire(11, 12))))
        .hasMessage(
            "ports.role is \"sidecar\"; allowed: another role where there are wires: a frame comes"
                + " back from an FPGA without the port and the addresses that it came with");
    assertThatThrownBy(
            () ->
                topology(
                        List.of(access, end(12, PortRole.CORE, Direction.DOWN, true)),
                        Map.of(),
                        none,
                        List.of())
                    .withWires(List.of(new Wire(11, 12))))
        .hasMessage(
            "ports.keepPacketValue is true; allowed: false: frames leave an end of a wire as they"
                + " came");
    assertThatThrownBy(
            () ->
                new Wire(11, 12, Optional.of("transit"), OptionalLong.of(7), OptionalLong.empty()))
        .hasMessage("wires.unknown.downBps is 7; allowed: 8 to 1000000000000 bit/s");
  }

  private static SwitchPort end(int number, PortRole role, Direction direction, boolean keep) {
    return new SwitchPort(number, role, direction, 1_000_000, 1, 2, keep, false);
  }

  @Test
  void mistakesAreNamed() {
    List<SwitchPort> ports = List.of(CORE, ACCESS);
    OptionalInt none = OptionalInt.empty();
    assertThatThrownBy(() -> topology(List.of(CORE, CORE), Map.of(), none, List.of()))
        .hasMessage("ports.number is 1; allowed: each port once");
    assertThatThrownBy(() -> topology(ports, Map.of(0, 9), none, List.of()))
        .hasMessage("bngPorts.0 is 9; allowed: a port of the switch: 1, 2");
    assertThatThrownBy(() -> topology(ports, Map.of(8, 1), none, List.of()))
        .hasMessage("bngPorts is 8; allowed: 0 to 7");
    assertThatThrownBy(() -> topology(ports, Map.of(), OptionalInt.of(7), List.of()))
        .hasMessage("sidecarDown is 7; allowed: a port with role SIDECAR and direction down");
    assertThatThrownBy(() -> topology(ports, Map.of(), OptionalInt.of(1), List.of()))
        .hasMessage("sidecarDown is 1; allowed: a port with role SIDECAR and direction down");
    assertThatThrownBy(
            () -> new Topology(List.of(SIDECAR), Map.of(), none, OptionalInt.of(3), List.of()))
        .hasMessage("sidecarUp is 3; allowed: a port with role SIDECAR and direction up");
    Route route = new Route(IpPrefix.parse("10.0.0.0/8"), 1);
    assertThatThrownBy(() -> topology(ports, Map.of(), none, List.of(route, route)))
        .hasMessage("routes.prefix is 10.0.0.0/8; allowed: each prefix once");
    assertThatThrownBy(
            () ->
                topology(
                    ports, Map.of(), none, List.of(new Route(IpPrefix.parse("10.0.0.0/8"), 3))))
        .hasMessage("routes.port is 3; allowed: a port of the switch: 1, 2");
    assertThatThrownBy(() -> port(511, PortRole.CORE))
        .hasMessage("ports.number is 511; allowed: 0 to 510");
    assertThatThrownBy(() -> new SwitchPort(1, PortRole.CORE, Direction.UP, 0, 0, 0, false, false))
        .hasMessage("ports.rateBps is 0; allowed: more than 0 bit/s");
    assertThatThrownBy(
            () -> new SwitchPort(1, PortRole.CORE, Direction.UP, 1, 1L << 48, 0, false, false))
        .hasMessage("ports.sourceMac is 1000000000000; allowed: 48 bits");
  }

  @Test
  void switchProfileMistakesAreNamed() {
    assertThatThrownBy(() -> new SwitchProfile(0, 1, 1, 1, 1, 64, 42.3, 32, 1e9))
        .hasMessage("subscribersPerInstance is 0; allowed: at least 1");
    assertThatThrownBy(() -> new SwitchProfile(1, 1, 1, 1, 1, 1, 42.3, 32, 1e9))
        .hasMessage("policySlots is 1; allowed: at least 2: slot 0 is reserved");
    assertThatThrownBy(() -> new SwitchProfile(1, 1, 1, 1, 1, 64, 100, 8, 1e9))
        .hasMessage(
            "maxSubscriberRateBps is 1.0E9; allowed: more than 0, at most the highest measurable"
                + " rate, 25500.0");
    assertThat(
            new SwitchProfile(1, 1, 1, 1, 1, 64, 42.3, 32, 1e9)
                .withMarker(1e10, RandomRates.BITS_16)
                .maxSubscriberRateBps())
        .isEqualTo(1e10);
  }
}
