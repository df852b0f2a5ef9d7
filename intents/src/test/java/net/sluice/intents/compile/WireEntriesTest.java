package net.sluice.intents.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.entry.limit.MeterSetting;
import net.sluice.intents.plan.entry.limit.UnknownMeterEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.wire.UnknownPolicyEntry;
import net.sluice.intents.plan.entry.wire.WireEntry;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.profile.Wire;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import org.junit.jupiter.api.Test;

/** The entries of a switch's wires, without declarations and with a policy for unknown frames. */
class WireEntriesTest {
  private static final SwitchProfile SWITCH =
      Network.SWITCH.withMeters(new MeterProfile(100)).withWires();
  private static final int LAST = SWITCH.subscriberCapacity();
  private static final Wire LIMITED =
      new Wire(3, 4, Optional.of("transit"), OptionalLong.of(80_000_000), OptionalLong.empty());

  private final Compiler compiler = compiler(topology(LIMITED), SWITCH);
  private final InMemorySlaState state = new InMemorySlaState(compiler);

  /** Ports 1 and 2 are a wire, 3 and 4 another one, and 5 and 6 route. */
  private static Topology topology(Wire second) {
    return new Topology(
            List.of(
                port(1, PortRole.ACCESS, Direction.UP),
                port(2, PortRole.CORE, Direction.DOWN),
                port(3, PortRole.ACCESS, Direction.UP),
                port(4, PortRole.CORE, Direction.DOWN),
                port(5, PortRole.ACCESS, Direction.UP),
                port(6, PortRole.CORE, Direction.DOWN)),
            Map.of(0, 1, 1, 3, 2, 5),
            OptionalInt.empty(),
            OptionalInt.empty(),
            List.of())
        .withWires(List.of(new Wire(1, 2), second));
  }

  private static SwitchPort port(int number, PortRole role, Direction direction) {
    return new SwitchPort(number, role, direction, 1_000_000_000, 1, 2, false, true);
  }

  private static Compiler compiler(Topology topology, SwitchProfile profile) {
    return new Compiler(topology, profile, Network.FPGA);
  }

  @Test
  void wiresComeFirstAndTheirEndsDoNotRoute() {
    List<SwitchEntry> entries = compiler.baseEntries().toList();
    assertThat(entries.subList(0, 5))
        .containsExactly(
            new UnknownMeterEntry(4, Optional.of(new MeterSetting(80_000_000, 1_000_000))),
            new WireEntry(2, 1, Direction.DOWN, LAST - 1),
            new WireEntry(1, 2, Direction.UP, LAST - 1),
            new WireEntry(4, 3, Direction.DOWN, LAST),
            new WireEntry(3, 4, Direction.UP, LAST));
    assertThat(entries).filteredOn(e -> e.table() == Table.PORT_ROLE).hasSize(2);
    assertThat(entries).filteredOn(e -> e.table() == Table.EGRESS_PORT).hasSize(2);
    assertThat(entries).filteredOn(e -> e.table() == Table.CONGESTION_THRESHOLD).hasSize(6);
  }

  /** Its values are there before anything is worth them, and as long as something is. */
  @Test
  void whatIsNobodysHasItsPolicyWhileThatIsDeclared() {
    UnknownPolicyEntry up = new UnknownPolicyEntry(3, 2);
    UnknownPolicyEntry down = new UnknownPolicyEntry(4, 2);
    Network.apply(compiler, state, Network.policy("gold", BuiltInFunction.GOLD));
    assertThat(compiler.entries(state, Table.UNKNOWN_POLICY)).isZero();
    assertThat(compiler.expected(state, up)).isEmpty();

    Plan plan = Network.apply(compiler, state, Network.policy("transit", BuiltInFunction.SILVER));
    List<String> writes = writes(plan);
    assertThat(writes.subList(writes.size() - 2, writes.size()))
        .containsExactly("INSERT " + up, "INSERT " + down);
    assertThat(compiler.entries(state, Table.UNKNOWN_POLICY)).isEqualTo(2);
    assertThat(compiler.expected(state, new UnknownPolicyEntry(3, 1)))
        .contains(new Expected<>(up, OwnerIds.policy(2)));
    assertThat(compiler.expected(state, new UnknownPolicyEntry(1, 2))).isEmpty();
    assertThat(compiler.expected(state, new WireEntry(3, 9, Direction.DOWN, 1)))
        .contains(new Expected<>(new WireEntry(3, 4, Direction.UP, LAST), OwnerIds.NONE));
    assertThat(compiler.expected(state, new WireEntry(5, 9, Direction.DOWN, 1))).isEmpty();

    writes = writes(Network.apply(compiler, state, new Change.Delete(Kind.POLICY, "transit")));
    assertThat(writes.subList(0, 2)).containsExactly("DELETE " + down, "DELETE " + up);
  }

  private static List<String> writes(Plan plan) {
    return plan.writes(TargetKey.SWITCH).stream()
        .map(write -> write.op() + " " + write.entity())
        .toList();
  }

  @Test
  void wiresTakeTheIndicesBehindThoseOfSubscribers() {
    assertThat(compiler.switchProfile().subscriberCapacity()).isEqualTo(LAST - 2);
    assertThat(compiler.wireEnds().stream().map(Wire.End::nobody))
        .containsExactly(LAST - 1, LAST - 1, LAST, LAST);
  }

  @Test
  void subscribersAreAtWiresAsElsewhere() {
    Network.apply(compiler, state, Network.policy("gold", BuiltInFunction.GOLD));
    Plan plan =
        Network.apply(
            compiler, state, Network.put(Network.subscriber("a", "gold", 1, 2, "10.0.0.1/32")));
    assertThat(writes(plan)).singleElement().asString().contains("egressPort=3");
    plan =
        Network.apply(
            compiler, state, Network.limit("l", new Scope.OfSubscriber("a"), 8_000_000, 0, 0));
    assertThat(plan.writes(TargetKey.SWITCH).get(0).entity().table())
        .isEqualTo(Table.SUBSCRIBER_METER);
  }

  @Test
  void whatASwitchDoesNotHaveIsRefused() {
    assertThatThrownBy(() -> compiler(topology(new Wire(3, 4)), Network.SWITCH))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("wires is 2; allowed: absent: the switch's program has none");
    assertThatThrownBy(() -> compiler(topology(LIMITED), Network.SWITCH.withWires()))
        .hasMessage("wires.unknown.downBps is 80000000; allowed: absent: the switch has no meters");
  }

  /** An FPGA holds no frame of a wire, and says why. */
  @Test
  void aLimitThatNamesTheFpgaIsRefused() {
    RateLimit limit =
        new RateLimit(
                "l",
                new Scope.OfPort(0),
                OptionalLong.of(8_000_000),
                OptionalLong.empty(),
                OptionalInt.empty())
            .withEnforcement(Optional.of(Enforcement.FPGA));
    assertThatThrownBy(() -> compiler.compile(state, new Change.Put(limit)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("Frames of wires do not pass an FPGA");
  }
}
