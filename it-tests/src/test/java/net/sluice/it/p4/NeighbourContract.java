package net.sluice.it.p4;

import static net.sluice.intents.value.Direction.DOWN;
import static net.sluice.intents.value.Direction.UP;
import static net.sluice.it.p4.PipelineContract.dropped;
import static net.sluice.it.p4.PipelineContract.forwarded;
import static net.sluice.it.p4.PipelineContract.in;
import static net.sluice.it.p4.PipelineContract.out;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.route;
import static net.sluice.it.p4.PipelineContract.sourceMac;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.HexFormat;
import java.util.List;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.entry.forwarding.EgressPortEntry;
import net.sluice.intents.plan.entry.forwarding.ErrorReportEntry;
import net.sluice.intents.plan.entry.forwarding.NeighbourEntry;
import net.sluice.intents.plan.entry.forwarding.NextHopEntry;
import net.sluice.intents.profile.Topology;
import net.sluice.pipeconf.DropReason;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.CounterData;

/**
 * A port answers for its addresses and for no others; what its next hop says of itself, and packets
 * whose time is over, go to the controller as they came.
 */
interface NeighbourContract extends PipelineContract {
  long OWN = 0x02_5a_00_00_00_77L;
  long HOP = 0x02_5b_00_00_00_99L;
  String ASKER = "020000000a01";

  /** Fields before the operation of ARP. */
  String ARP = "0806 0001 0800 06 04";

  private static ByteString hex(String text) {
    return ByteString.copyFrom(HexFormat.of().parseHex(text.replace(" ", "")));
  }

  private static String mac(long mac) {
    return HexFormat.of().toHexDigits(mac, 12);
  }

  private static NeighbourEntry address(int port, String address, long mac) {
    String length = address.contains(":") ? "/128" : "/32";
    return new NeighbourEntry(port, IpPrefix.parse(address + length), mac);
  }

  private void answers(int port, String asked, String answer) {
    assertThat(send(new PortFrame(port, hex(asked))).out())
        .as("what became of %s", asked)
        .containsExactly(List.of(new PortFrame(port, hex(answer))));
  }

  private void isNotIp(int port, String asked) {
    ByteString bytes = hex(asked);
    expectDrop(new PortFrame(port, bytes), dropped(DropReason.NOT_IP, 1, bytes.size()));
  }

  @Test
  default void arpIsAnsweredForThePortsAddressesAndForNoOthers() {
    installPorts();
    install(
        address(CORE, "192.0.2.2", OWN),
        address(LINE_A, "192.0.2.2", OWN + 1),
        address(LINE_A, "198.18.0.1", OWN + 1));
    String question = ASKER + "c0000201 000000000000 c0000202";
    String answer = mac(OWN) + "c0000202" + ASKER + "c0000201";
    String padding = "00".repeat(18);
    answers(
        CORE,
        "ffffffffffff" + ASKER + ARP + "0001" + question + padding,
        ASKER + mac(OWN) + ARP + "0002" + answer + padding);
    // Asked of the port alone, as who knows it does; and before somebody takes an address.
    answers(
        CORE, mac(OWN) + ASKER + ARP + "0001" + question, ASKER + mac(OWN) + ARP + "0002" + answer);
    answers(
        CORE,
        "ffffffffffff" + ASKER + ARP + "0001" + ASKER + "00000000 000000000000 c0000202",
        ASKER + mac(OWN) + ARP + "0002" + mac(OWN) + "c0000202" + ASKER + "00000000");
    // A line asks in its tags.
    String tags = "88a8 f064 8100 7007";
    answers(
        LINE_A,
        "ffffffffffff" + ASKER + tags + ARP + "0001" + ASKER + "c6120002 000000000000 c6120001",
        ASKER
            + mac(OWN + 1)
            + tags
            + ARP
            + "0002"
            + mac(OWN + 1)
            + "c6120001"
            + ASKER
            + "c6120002");

    String other = ASKER + "c0000201 000000000000 c0000203";
    isNotIp(CORE, "ffffffffffff" + ASKER + ARP + "0001" + other);
    isNotIp(LINE_B, "ffffffffffff" + ASKER + ARP + "0001" + question);
    isNotIp(CORE, "ffffffffffff" + ASKER + ARP + "0002" + question);
    isNotIp(CORE, "ffffffffffff" + ASKER + "0806 0006 0800 06 04 0001" + question);
    isNotIp(
        CORE, ("ffffffffffff" + ASKER + ARP + "0001" + question).replace(" ", "").substring(0, 82));
  }

  /** A message of ICMPv6 with its checksum. */
  private static String icmpv6(
      String to, String from, String source, String destination, int hopLimit, String message) {
    ByteString body = hex(message);
    ByteString pseudo =
        hex(source)
            .concat(hex(destination))
            .concat(hex(HexFormat.of().toHexDigits(body.size())))
            .concat(hex("0000003a"));
    ByteString all = pseudo.concat(body);
    int sum = 0;
    for (int i = 0; i + 1 < all.size(); i += 2) {
      sum += (all.byteAt(i) & 0xff) << 8 | (all.byteAt(i + 1) & 0xff);
    }
    sum = (sum & 0xffff) + (sum >>> 16);
    sum = ~((sum & 0xffff) + (sum >>> 16)) & 0xffff;
    String text = HexFormat.of().formatHex(body.toByteArray());
    return to
        + from
        + "86dd 60000000"
        + HexFormat.of().toHexDigits((short) body.size())
        + "3a"
        + HexFormat.of().toHexDigits((byte) hopLimit)
        + source
        + destination
        + text.substring(0, 4)
        + HexFormat.of().toHexDigits((short) sum)
        + text.substring(8);
  }

  String PORT_V6 = "20010db8000000010000000000000002";
  String ASKER_V6 = "20010db8000000010000000000000001";
  String GROUP = "ff0200000000000000000001ff000002";
  String GROUP_MAC = "3333ff000002";
  String SOLICITATION = "8700 0000 00000000" + PORT_V6;

  private static String advertisement(String destinationMac, String destination, String flags) {
    return icmpv6(
        destinationMac,
        mac(OWN),
        PORT_V6,
        destination,
        255,
        "8800 0000" + flags + "000000" + PORT_V6 + "0201" + mac(OWN));
  }

  @Test
  default void solicitationsAreAnsweredForThePortsAddressesAndForNoOthers() {
    installPorts();
    install(address(CORE, "2001:db8:0:1::2", OWN));
    String withLink = SOLICITATION + "0101" + ASKER;
    String answer = advertisement(ASKER, ASKER_V6, "e0");
    answers(CORE, icmpv6(GROUP_MAC, ASKER, ASKER_V6, GROUP, 255, withLink), answer);
    answers(CORE, icmpv6(mac(OWN), ASKER, ASKER_V6, PORT_V6, 255, withLink), answer);
    // Who knows the port already need not say who asks.
    answers(CORE, icmpv6(mac(OWN), ASKER, ASKER_V6, PORT_V6, 255, SOLICITATION), answer);
    // Somebody is about to take the address, and says a nonce.
    answers(
        CORE,
        icmpv6(GROUP_MAC, ASKER, "00".repeat(16), GROUP, 255, SOLICITATION + "0e01 123456789abc"),
        advertisement("333300000001", "ff02" + "00".repeat(13) + "01", "a0"));
    answers(
        CORE,
        icmpv6(GROUP_MAC, ASKER, "00".repeat(16), GROUP, 255, SOLICITATION),
        advertisement("333300000001", "ff02" + "00".repeat(13) + "01", "a0"));

    String wrong = icmpv6(GROUP_MAC, ASKER, ASKER_V6, GROUP, 255, withLink);
    noRoute(wrong.substring(0, wrong.length() - 1) + "2");
    noRoute(icmpv6(GROUP_MAC, ASKER, ASKER_V6, GROUP, 254, withLink));
    noRoute(icmpv6(GROUP_MAC, ASKER, ASKER_V6, GROUP, 255, withLink.replaceFirst("00", "01")));
    noRoute(
        icmpv6(
            GROUP_MAC, ASKER, ASKER_V6, GROUP, 255, withLink.replace("0002" + "0101", "00030101")));
  }

  private void noRoute(String asked) {
    ByteString bytes = hex(asked);
    expectDrop(
        new PortFrame(CORE, bytes),
        in(0, DOWN, 1, bytes.size()),
        dropped(DropReason.NO_ROUTE, 1, bytes.size()));
  }

  /** The frame reaches the controller behind the port and the reason. */
  private void goesUp(int port, int reason, ByteString frame) {
    int header = port << 7 | reason;
    assertThat(send(new PortFrame(port, frame)).out())
        .containsExactly(
            List.of(
                new PortFrame(
                    Topology.CONTROLLER_PORT,
                    hex(HexFormat.of().toHexDigits((short) header)).concat(frame))));
  }

  @Test
  default void whatTheNextHopSaysOfItselfGoesToTheController() {
    installPorts();
    install(
        address(CORE, "192.0.2.1", 0),
        address(CORE, "192.0.2.2", OWN),
        address(CORE, "2001:db8:0:1::1", 0));
    String hop = mac(HOP) + "c0000201";
    goesUp(CORE, 1, hex(mac(OWN) + mac(HOP) + ARP + "0002" + hop + mac(OWN) + "c0000202"));
    goesUp(CORE, 1, hex("ffffffffffff" + mac(HOP) + ARP + "0001" + hop + "000000000000 c0000201"));
    ByteString advertised =
        hex(
            icmpv6(
                mac(OWN),
                mac(HOP),
                ASKER_V6,
                PORT_V6,
                255,
                "8800 0000 60000000" + ASKER_V6 + "0201" + mac(HOP)));
    goesUp(CORE, 1, advertised);
    // Others say nothing of it, and others who ask for it are no news.
    isNotIp(
        CORE, mac(OWN) + mac(HOP) + ARP + "0002" + mac(HOP) + "c0000203" + mac(OWN) + "c0000202");
    isNotIp(CORE, "ffffffffffff" + ASKER + ARP + "0001" + ASKER + "c0000203 000000000000 c0000201");
    isNotIp(LINE_A, mac(OWN) + mac(HOP) + ARP + "0002" + hop + mac(OWN) + "c0000202");
  }

  @Test
  default void whatTheControllerSendsLeavesAsItIs() {
    ByteString frame = hex("ffffffffffff" + mac(OWN) + ARP + "0001" + "5a".repeat(20));
    for (int port : new int[] {0, CORE, 510}) {
      assertThat(
              send(new PortFrame(
                      Topology.CONTROLLER_PORT,
                      hex(HexFormat.of().toHexDigits((short) (port << 7))).concat(frame)))
                  .out())
          .containsExactly(List.of(new PortFrame(port, frame)));
    }
  }

  @Test
  default void packetsGoToTheNextHopOnceItHasAnsweredAndAreCountedUntilThen() {
    installPorts();
    install(
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        route("198.51.100.0/24", NEXT_HOP_PORT),
        new EgressPortEntry(
            NEXT_HOP_PORT, sourceMac(NEXT_HOP_PORT), EgressPortEntry.BY_ADDRESS, false));
    TestFrame frame = TestFrame.from("10.0.0.1", "198.51.100.1");
    CounterData before = nextHopDropped();
    expectDrop(frame.at(LINE_A), in(1, UP, 1, frame.length()));
    CounterData after = nextHopDropped();
    assertThat(after.getPacketCount() - before.getPacketCount()).isEqualTo(1);
    assertThat(after.getByteCount() - before.getByteCount()).isEqualTo(frame.length());
    install(new NextHopEntry(NEXT_HOP_PORT, HOP));
    expect(
        frame.at(LINE_A),
        frame.ttl(63).macs(sourceMac(NEXT_HOP_PORT), HOP).at(NEXT_HOP_PORT),
        in(1, UP, 1, frame.length()),
        out(1, UP, 1, frame.length()));
    assertThat(nextHopDropped()).isEqualTo(after);
  }

  int NEXT_HOP_PORT = 8;

  private CounterData nextHopDropped() {
    return dut()
        .control()
        .read(V1ModelPipeline.load().counters().readNextHop(NEXT_HOP_PORT))
        .get(0)
        .getCounterEntry()
        .getData();
  }

  /** With its tags, so that the sender can be told where it is. */
  @Test
  default void aPacketWhoseTimeIsOverGoesToTheControllerIfItsPortHasAddresses() {
    installPorts();
    install(prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)), new ErrorReportEntry(LINE_A));
    TestFrame v4 =
        TestFrame.from("10.0.0.1", "198.51.100.1").ttl(1).tags(TestFrame.S_TAG, 0xf064, 7);
    goesUp(LINE_A, 2, v4.bytes());
    goesUp(LINE_A, 2, v4.ttl(0).options(new byte[] {7, 3, 4, 0}).bytes());
    install(prefix("2001:db8:1::/56", unshaped(1, 0, LINE_A)));
    goesUp(LINE_A, 2, TestFrame.from("2001:db8:1::9", "2001:db8:ffff::1").ttl(1).bytes());
    TestFrame down = TestFrame.from("198.51.100.1", "10.0.0.1").ttl(1);
    expectDrop(
        down.at(CORE),
        in(1, DOWN, 1, down.length()),
        dropped(DropReason.TTL_EXPIRED, 1, down.length()));
    assertThat(send(down.ttl(2).at(CORE)).out())
        .containsExactly(List.of(forwarded(down, LINE_A).ttl(1).at(LINE_A)));
  }
}
