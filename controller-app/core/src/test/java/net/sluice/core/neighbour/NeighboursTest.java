package net.sluice.core.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerEvent;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.traffic.NextHopStatus;
import net.sluice.core.traffic.NextHopStatus.State;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.forwarding.ErrorReportEntry;
import net.sluice.intents.plan.entry.forwarding.NextHopEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.LineAddresses;
import net.sluice.intents.profile.LineAddresses.Own;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.PacketCodec.Reason;
import org.junit.jupiter.api.Test;

/** Next hops that answer, move, fall silent and come back, second by second; and errors by ICMP. */
class NeighboursTest {
  private static final String OWN = "020000000002";
  private static final long FIRST = 0x02_5b_00_00_00_01L;
  private static final String FIRST_TEXT = "025b00000001";

  private static final String ARP = "08060001080006040001";
  private static final String ARP_REQUEST =
      "2 ffffffffffff" + OWN + ARP + OWN + "c0000202" + "000000000000c0000201";
  private static final String NS_REQUEST =
      "3 3333ff000001"
          + "020000000003"
          + "86dd6000000000203aff"
          + "20010db8000000010000000000000002"
          + "ff0200000000000000000001ff000001"
          + "8700"
          + sum(
              "20010db8000000010000000000000002"
                  + "ff0200000000000000000001ff000001"
                  + "000000200000003a"
                  + "8700000000000000"
                  + "20010db8000000010000000000000001"
                  + "0101020000000003")
          + "00000000"
          + "20010db8000000010000000000000001"
          + "0101020000000003";

  private static String reply(String mac) {
    return OWN + mac + "08060001080006040002" + mac + "c0000201" + OWN + "c0000202";
  }

  private static SwitchPort port(int number, PortRole role, LineAddresses line) {
    Direction direction = role == PortRole.ACCESS ? Direction.UP : Direction.DOWN;
    return new SwitchPort(
            number, role, direction, 1_000_000, 0x02_00_00_00_00_00L + number, 9, false, true)
        .withLine(line);
  }

  private static LineAddresses line(Optional<String> nextHop, String... own) {
    return new LineAddresses(
        List.of(own).stream().map(Own::parse).toList(),
        nextHop.map(hop -> LineAddresses.host("nextHop", hop, LineAddresses.ADDRESS_FORM)));
  }

  private static ControllerConfig.Builder config(SwitchPort... ports) {
    return ControllerConfig.builder(
        Path.of("unused"),
        new Topology(
            List.of(ports),
            Map.of(0, 1, 1, 1),
            OptionalInt.empty(),
            OptionalInt.empty(),
            List.of()),
        TestNetwork.switchProfile(1_000).withWires(),
        TestNetwork.fpgaProfile());
  }

  private static ControllerRig rig() {
    ControllerRig rig =
        ControllerRig.create(
            config(
                port(1, PortRole.ACCESS, line(Optional.empty(), "10.0.0.1/8", "2001:db8:9::1/64")),
                port(2, PortRole.CORE, line(Optional.of("192.0.2.1"), "192.0.2.2/30")),
                port(
                    3,
                    PortRole.CORE,
                    line(Optional.of("2001:db8:0:1::1"), "fe80::2/64", "2001:db8:0:1::2/64"))));
    rig.time.settle();
    return rig;
  }

  private static List<SwitchEntry> held(ControllerRig rig) {
    return rig.switchTarget.content().values().stream()
        .filter(NextHopEntry.class::isInstance)
        .toList();
  }

  private static NextHopStatus hop(ControllerRig rig) {
    return rig.controller.nextHops().join().read().get(0);
  }

  private static List<String> told(ControllerRig rig) {
    List<String> told = new ArrayList<>();
    for (ControllerEvent event : rig.events) {
      if (event instanceof ControllerEvent.NextHopChanged of) {
        told.add(of.hop().port() + " " + of.hop().state().text());
      }
    }
    rig.events.clear();
    return told;
  }

  private static long arps(ControllerRig rig) {
    return rig.lines.takeSent().stream().filter(ARP_REQUEST::equals).count();
  }

  @Test
  void aNextHopThatAnswersIsHeldAndAskedAgain() {
    ControllerRig rig = rig();
    assertThat(rig.lines.takeSent()).containsExactly(ARP_REQUEST, NS_REQUEST);
    assertThat(hop(rig).state()).isEqualTo(State.RESOLVING);
    rig.lines.come(2, Reason.FROM_NEXT_HOP, reply(FIRST_TEXT));
    rig.time.settle();
    assertThat(held(rig)).containsExactly(new NextHopEntry(2, FIRST));
    assertThat(told(rig)).contains("2 resolved");
    assertThat(hop(rig))
        .matches(hop -> hop.state() == State.RESOLVED && hop.unanswered() == 0)
        .matches(hop -> hop.mac().equals(OptionalLong.of(FIRST)));
    assertThat(hop(rig).nextRequest()).isEqualTo(rig.time.instant().plus(Neighbours.REFRESH));
    rig.time.pass(Neighbours.REFRESH.minusMillis(1));
    assertThat(arps(rig)).isZero();
    rig.time.pass(Duration.ofMillis(1));
    assertThat(arps(rig)).isEqualTo(1);
  }

  @Test
  void aNextHopThatMovesIsFollowed() {
    ControllerRig rig = rig();
    rig.lines.come(2, Reason.FROM_NEXT_HOP, reply(FIRST_TEXT));
    rig.time.pass(Duration.ofSeconds(5));
    told(rig);
    // Unasked, in a request of its own for itself.
    String moved = "025b00000002";
    rig.lines.come(
        2,
        Reason.FROM_NEXT_HOP,
        "ffffffffffff" + moved + ARP + moved + "c0000201" + "000000000000c0000201");
    rig.time.settle();
    assertThat(held(rig)).containsExactly(new NextHopEntry(2, FIRST + 1));
    assertThat(told(rig)).contains("2 resolved");
    // Anybody on the line could have said so.
    rig.lines.takeSent();
    rig.time.pass(Neighbours.RETRY);
    assertThat(arps(rig)).isEqualTo(1);
    rig.lines.come(2, Reason.FROM_NEXT_HOP, reply(FIRST_TEXT));
    rig.time.settle();
    assertThat(held(rig)).containsExactly(new NextHopEntry(2, FIRST));
    rig.time.pass(Neighbours.REFRESH.minusMillis(1));
    assertThat(arps(rig)).isZero();
  }

  @Test
  void aNextHopThatFallsSilentIsToldAskedLessAndLessOftenAndComesBack() {
    ControllerRig rig = rig();
    rig.lines.come(2, Reason.FROM_NEXT_HOP, reply(FIRST_TEXT));
    rig.time.settle();
    rig.lines.takeSent();
    told(rig);
    rig.time.pass(Neighbours.REFRESH.plusSeconds(2));
    assertThat(arps(rig)).isEqualTo(3);
    assertThat(held(rig)).hasSize(1);
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(held(rig)).isEmpty();
    assertThat(told(rig)).contains("2 unanswered");
    NextHopStatus silent = hop(rig);
    assertThat(silent.state()).isEqualTo(State.UNANSWERED);
    assertThat(silent.mac()).isEmpty();
    assertThat(arps(rig)).isEqualTo(1);
    List<Long> waits = new ArrayList<>();
    Instant last = rig.time.instant();
    while (waits.size() < 7) {
      rig.time.pass(Duration.ofSeconds(1));
      if (arps(rig) > 0) {
        waits.add(Duration.between(last, rig.time.instant()).toSeconds());
        last = rig.time.instant();
      }
    }
    assertThat(waits).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
    rig.lines.come(2, Reason.FROM_NEXT_HOP, reply(FIRST_TEXT));
    rig.time.settle();
    assertThat(held(rig)).containsExactly(new NextHopEntry(2, FIRST));
    assertThat(told(rig)).contains("2 resolved");
  }

  /** The switch keeps the addresses while it has no controller. */
  @Test
  void aControllerThatStartsTakesOverWhatTheSwitchHoldsAndAsks() {
    ControllerRig rig = rig();
    rig.lines.come(2, Reason.FROM_NEXT_HOP, reply(FIRST_TEXT));
    rig.time.settle();
    ControllerRig next = rig.restart();
    next.time.settle();
    assertThat(held(next)).containsExactly(new NextHopEntry(2, FIRST));
    assertThat(hop(next))
        .matches(hop -> hop.state() == State.RESOLVING)
        .matches(hop -> hop.mac().equals(OptionalLong.of(FIRST)));
    assertThat(next.lines.takeSent()).contains(ARP_REQUEST);
    next.time.pass(Duration.ofSeconds(Neighbours.TRIES));
    assertThat(held(next)).isEmpty();
  }

  @Test
  void aComparisonKeepsWhatWasFoundAndMendsTheRest() throws Exception {
    ControllerRig rig = rig();
    rig.lines.come(2, Reason.FROM_NEXT_HOP, reply(FIRST_TEXT));
    rig.time.settle();
    assertThat(rig.switchTarget.content().values())
        .contains(new ErrorReportEntry(1), new ErrorReportEntry(2), new ErrorReportEntry(3));
    rig.switchTarget.place(new NextHopEntry(2, 7));
    rig.switchTarget.place(new NextHopEntry(1, 7));
    rig.switchTarget.place(new ErrorReportEntry(9));
    rig.controller.reconcile("switch");
    rig.time.settle();
    assertThat(held(rig)).containsExactly(new NextHopEntry(2, FIRST));
    assertThat(rig.switchTarget.content().values()).doesNotContain(new ErrorReportEntry(9));
  }

  @Test
  void whatIsNoAnswerOfTheNextHopIsPassedOver() {
    ControllerRig rig = rig();
    String good = reply(FIRST_TEXT);
    for (int length = 0; length < good.length(); length += 2) {
      rig.lines.come(2, Reason.FROM_NEXT_HOP, good.substring(0, length));
    }
    rig.lines.come(2, Reason.FROM_NEXT_HOP, good.replace("c0000201", "c0000203"));
    rig.lines.come(2, Reason.FROM_NEXT_HOP, reply("ffffffffffff"));
    // The port's own, which would have it send to itself.
    rig.lines.come(2, Reason.FROM_NEXT_HOP, reply(OWN));
    // A frame of a VLAN: no request went there.
    rig.lines.come(2, Reason.FROM_NEXT_HOP, good.replace("0806", "81000005" + "0806"));
    rig.lines.come(1, Reason.FROM_NEXT_HOP, good);
    rig.time.settle();
    assertThat(held(rig)).isEmpty();
    // Without a VLAN, with a priority.
    rig.lines.come(2, Reason.FROM_NEXT_HOP, good.replace("0806", "8100a000" + "0806"));
    rig.time.settle();
    assertThat(held(rig)).hasSize(1);
  }

  private static String advertisement(String flags, String mac) {
    String source = "20010db8000000010000000000000001";
    String destination = "20010db8000000010000000000000002";
    String message = flags + "000000" + source + "0201" + mac;
    return "020000000003"
        + mac
        + "86dd6000000000203aff"
        + source
        + destination
        + "8800"
        + sum(source + destination + "000000200000003a" + "88000000" + message)
        + message;
  }

  /** RFC 4861, 7.2.5. */
  @Test
  void anAdvertisementThatDoesNotOverrideReplacesNoOther() {
    ControllerRig rig = rig();
    rig.lines.come(3, Reason.FROM_NEXT_HOP, advertisement("40", FIRST_TEXT));
    rig.time.settle();
    assertThat(held(rig)).containsExactly(new NextHopEntry(3, FIRST));
    rig.lines.come(3, Reason.FROM_NEXT_HOP, advertisement("40", "025b00000002"));
    rig.time.settle();
    assertThat(held(rig)).containsExactly(new NextHopEntry(3, FIRST));
    rig.lines.come(3, Reason.FROM_NEXT_HOP, advertisement("60", "025b00000002"));
    rig.time.settle();
    assertThat(held(rig)).containsExactly(new NextHopEntry(3, FIRST + 1));
  }

  /** However many next hops there are. */
  @Test
  void noMoreThanAHundredAreAskedInASecond() {
    List<SwitchPort> ports = new ArrayList<>();
    for (int number = 1; number <= 300; number++) {
      String network = "192.0." + number / 64 + ".";
      int base = number % 64 * 4;
      ports.add(
          port(
              number,
              number == 1 ? PortRole.ACCESS : PortRole.CORE,
              line(Optional.of(network + (base + 1)), network + (base + 2) + "/30")));
    }
    ControllerRig rig = ControllerRig.create(config(ports.toArray(SwitchPort[]::new)));
    rig.time.settle();
    int asked = rig.lines.takeSent().size();
    for (int second = 0; second < 20; second++) {
      rig.time.pass(Duration.ofSeconds(1));
      int now = rig.lines.takeSent().size();
      assertThat(now).isLessThanOrEqualTo(Neighbours.MOST_A_SECOND + 10);
      asked += now;
    }
    assertThat(asked).isGreaterThanOrEqualTo(3 * 300);
  }

  private static final String TAGS = "88a8f06481007007";

  @Test
  void theSenderOfAPacketWhoseTimeIsOverIsTold() {
    ControllerRig rig = rig();
    rig.lines.takeSent();
    String v4 = "4500002000010000011100000a000009c6336401" + "9c4001bb000c0000" + "5a5a5a5a";
    String macs = "0200000000010a0a0a0a0a0a";
    rig.lines.come(1, Reason.TIME_EXCEEDED, macs + TAGS + "0800" + v4 + "0000");
    String v6 =
        "6000000000083a01"
            + "20010db8000900000000000000000009"
            + "20010db8ffff00000000000000000001"
            + "8000000000010002";
    rig.lines.come(1, Reason.TIME_EXCEEDED, macs + "86dd" + v6);
    rig.time.settle();
    assertThat(rig.lines.takeSent())
        .containsExactly(
            "1 0a0a0a0a0a0a020000000001"
                + TAGS
                + "0800"
                + "45c0003c000000004001"
                + sum("45c0003c000000004001" + "0a0000010a000009")
                + "0a0000010a000009"
                + "0b00"
                + sum("0b00000000000000" + v4)
                + "00000000"
                + v4,
            "1 0a0a0a0a0a0a020000000001"
                + "86dd"
                + "6000000000383a40"
                + "20010db8000900000000000000000001"
                + "20010db8000900000000000000000009"
                + "0300"
                + sum(
                    "20010db8000900000000000000000001"
                        + "20010db8000900000000000000000009"
                        + "000000380000003a"
                        + "0300000000000000"
                        + v6)
                + "00000000"
                + v6);
  }

  /** The Internet checksum of an even number of bytes. */
  private static String sum(String hex) {
    int sum = 0;
    for (int at = 0; at < hex.length(); at += 4) {
      sum += Integer.parseInt(hex.substring(at, at + 4), 16);
    }
    sum = (sum & 0xffff) + (sum >>> 16);
    return HexFormat.of().toHexDigits((short) ~((sum & 0xffff) + (sum >>> 16)));
  }

  /** RFC 1812, 4.3.2.7, and RFC 4443, 2.4 (e). */
  @Test
  void nobodyIsToldOfErrorsFragmentsAndGroups() {
    ControllerRig rig = rig();
    rig.lines.takeSent();
    String macs = "0200000000010a0a0a0a0a0a";
    String rest = "0000000000000000";
    List<String> silent =
        List.of(
            macs + "0800" + "4500001c00010000010100000a000009c6336401" + "0b00" + rest,
            macs + "0800" + "4500001c00010001011100000a000009c6336401" + rest,
            macs + "0800" + "4500001c000100000111000000000000c6336401" + rest,
            macs + "0800" + "4500001c00010000011100000a000009e0000005" + rest,
            "ffffffffffff0a0a0a0a0a0a" + "0800" + "4500001c00010000011100000a000009c6336401" + rest,
            macs
                + "86dd6000000000083a01"
                + "20010db8000900000000000000000009"
                + "20010db8ffff00000000000000000001"
                + "0300000000000000",
            macs
                + "86dd6000000000083a01"
                + "20010db8000900000000000000000009"
                + "20010db8ffff00000000000000000001"
                + "8900000000000000",
            macs
                + "86dd6000000000100001"
                + "20010db8000900000000000000000009"
                + "20010db8ffff00000000000000000001"
                + "3a00000000000000"
                + "0100000000000000",
            // From itself.
            macs + "0800" + "4500001c00010000011100000a000001c6336401" + rest,
            macs
                + "86dd6000000000081101"
                + "20010db8000900000000000000000001"
                + "20010db8ffff00000000000000000001"
                + rest,
            macs
                + "86dd6000000000081101"
                + "20010db8000900000000000000000009"
                + "ff020000000000000000000000000001"
                + rest,
            macs + "0806" + rest,
            macs);
    silent.forEach(frame -> rig.lines.come(1, Reason.TIME_EXCEEDED, frame));
    // A port without an address of the sender's family has none to tell it from.
    rig.lines.come(
        2,
        Reason.TIME_EXCEEDED,
        macs
            + "86dd6000000000081101"
            + "20010db8000900000000000000000009"
            + "20010db8ffff00000000000000000001"
            + rest);
    rig.time.settle();
    assertThat(rig.lines.takeSent()).isEmpty();
  }
}
