package net.sluice.intents.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.profile.Topology.Trunk;
import net.sluice.intents.profile.Trunks.End;
import net.sluice.intents.profile.Trunks.Joint;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.Test;

/** Which ports are joined, and which trunks cannot be. */
class TrunksTest {
  private static final SwitchPort UP = port(1, PortRole.TRUNK, Direction.UP);
  private static final SwitchPort UP_TOO = port(2, PortRole.TRUNK, Direction.UP);
  private static final SwitchPort DOWN = port(3, PortRole.TRUNK, Direction.DOWN);
  private static final SwitchPort CORE = port(4, PortRole.CORE, Direction.DOWN);

  private static SwitchPort port(int number, PortRole role, Direction direction) {
    return new SwitchPort(number, role, direction, 1_000_000, 1, 2, role == PortRole.TRUNK, true);
  }

  /** Two ports towards switches below, one to a switch above, and one to the core. */
  private static Topology topology(Trunk... trunks) {
    return topology(List.of(UP, UP_TOO, DOWN, CORE), trunks);
  }

  private static Topology topology(List<SwitchPort> ports, Trunk... trunks) {
    return new Topology(
        ports,
        Map.of(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        List.of(),
        OptionalInt.empty(),
        List.of(trunks));
  }

  private final Map<String, Topology> switches = new LinkedHashMap<>();

  private String misfits() {
    return Trunks.of(switches).misfits().stream()
        .map(each -> each.switchName() + " " + each.code() + " " + each.problem("t").detail())
        .collect(Collectors.joining("\n"));
  }

  @Test
  void aTrunkIsSeenFromBothOfItsEnds() {
    switches.put("bng1", topology(new Trunk(3, "agg", 1)));
    switches.put("bng2", topology(new Trunk(3, "agg", 2)));
    switches.put("agg", topology());
    Trunks trunks = Trunks.of(switches);
    assertThat(trunks.misfits()).isEmpty();
    assertThat(trunks.of("agg")).containsExactly(new Trunk(1, "bng1", 3), new Trunk(2, "bng2", 3));
    assertThat(trunks.of("bng2")).containsExactly(new Trunk(3, "agg", 2));
    assertThat(trunks.far(new End("agg", 1))).contains(new End("bng1", 3));
    assertThat(trunks.far(new End("bng1", 1))).isEmpty();
  }

  @Test
  void declaredAtBothEndsItIsTheSameTrunk() {
    switches.put("bng1", topology(new Trunk(3, "agg", 1)));
    switches.put("agg", topology(new Trunk(1, "bng1", 3)));
    Trunks trunks = Trunks.of(switches);
    assertThat(trunks.misfits()).isEmpty();
    assertThat(trunks.joints()).containsExactly(new Joint(new End("bng1", 3), new End("agg", 1)));
  }

  @Test
  void aTrunkThatEndsNowhereCannotBe() {
    switches.put("bng1", topology(new Trunk(3, "core", 1), new Trunk(9, "agg", 4)));
    switches.put("agg", topology());
    assertThat(misfits())
        .isEqualTo(
            """
            bng1 INVALID t.trunks[0].toSwitch is core; allowed: another switch of the network: agg.
            bng1 INVALID t.trunks[1].port is 9; allowed: a port of role trunk of bng1: 1, 2, 3.
            bng1 INVALID t.trunks[1].toPort is 4; allowed: a port of role trunk of agg: 1, 2, 3.\
            """);
    switches.clear();
    switches.put("bng1", topology(List.of(CORE), new Trunk(4, "bng2", 4)));
    assertThat(misfits())
        .isEqualTo(
            """
            bng1 INVALID t.trunks[0].toSwitch is bng2; allowed: another switch of the network: there is none.
            bng1 INVALID t.trunks[0].port is 4; allowed: a port of role trunk of bng1: there is none.\
            """);
  }

  @Test
  void aPortEndsOneTrunk() {
    switches.put("bng1", topology(new Trunk(3, "agg", 1), new Trunk(3, "agg", 1)));
    switches.put("bng2", topology(new Trunk(3, "agg", 1)));
    switches.put("agg", topology(new Trunk(1, "bng2", 3)));
    assertThat(misfits())
        .isEqualTo(
            """
            bng1 CONFLICT t.trunks[1].port is 3; allowed: a port that no other trunk ends at; bng1 port 3 is joined with agg port 1.
            bng1 CONFLICT t.trunks[1].toPort is 1; allowed: a port that no other trunk ends at; agg port 1 is joined with bng1 port 3.
            bng2 CONFLICT t.trunks[0].toPort is 1; allowed: a port that no other trunk ends at; agg port 1 is joined with bng1 port 3.
            agg CONFLICT t.trunks[0].port is 1; allowed: a port that no other trunk ends at; agg port 1 is joined with bng1 port 3.\
            """);
  }

  @Test
  void whatCrossesATrunkFitsBothEndsAndKeepsItsPacketValue() {
    SwitchPort slow = new SwitchPort(1, PortRole.TRUNK, Direction.DOWN, 500_000, 1, 2, true, true);
    SwitchPort losing =
        new SwitchPort(2, PortRole.TRUNK, Direction.UP, 1_000_000, 1, 2, false, true);
    switches.put("bng1", topology(new Trunk(3, "agg", 1)));
    switches.put("bng2", topology(new Trunk(3, "agg", 2)));
    switches.put("agg", topology(List.of(slow, losing)));
    assertThat(misfits())
        .isEqualTo(
            """
            bng1 INVALID t.trunks[0].toPort is 1 of direction down; allowed: a port of the other direction than that of port 3.
            bng1 INVALID t.trunks[0].toPort is 1 of 500000 bit/s; allowed: a port of the rate of port 3, 1000000 bit/s.
            bng2 INVALID t.trunks[0].toPort is 2 with keepPacketValue false; allowed: a port with keepPacketValue true: a packet keeps its value over a trunk.\
            """);
  }

  @Test
  void trunksHaveNoLoop() {
    switches.put("a", topology(new Trunk(3, "b", 1)));
    switches.put("b", topology(new Trunk(3, "c", 1)));
    switches.put("c", topology(new Trunk(3, "a", 1)));
    assertThat(misfits())
        .isEqualTo(
            "c CONFLICT t.trunks[0].toSwitch is a; allowed: a switch that no other trunks join with"
                + " c already: trunks have no loop.");
    switches.clear();
    switches.put("a", topology(new Trunk(3, "a", 1)));
    assertThat(misfits())
        .isEqualTo(
            "a INVALID t.trunks[0].toSwitch is a; allowed: another switch of the network: there is"
                + " none.");
  }
}
