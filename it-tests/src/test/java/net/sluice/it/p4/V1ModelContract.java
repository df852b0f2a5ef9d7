package net.sluice.it.p4;

import static net.sluice.intents.value.Direction.DOWN;
import static net.sluice.intents.value.Direction.UP;
import static net.sluice.it.p4.PipelineContract.dropped;
import static net.sluice.it.p4.PipelineContract.forwarded;
import static net.sluice.it.p4.PipelineContract.in;
import static net.sluice.it.p4.PipelineContract.oneBin;
import static net.sluice.it.p4.PipelineContract.out;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.route;
import static net.sluice.it.p4.PipelineContract.suspended;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static net.sluice.it.p4.PipelineContract.value;
import static net.sluice.it.p4.TestFrame.C_TAG;
import static net.sluice.it.p4.TestFrame.S_TAG;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.entry.limit.SidecarEntry;
import net.sluice.intents.plan.entry.limit.TrafficClassEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.marker.RateBinEntry;
import net.sluice.intents.plan.entry.subscriber.DirectionPolicyEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.pipeconf.DropReason;
import org.junit.jupiter.api.Test;

/** Behaviours that the program for Tofino does not share: docs/tofino.md tells the differences. */
interface V1ModelContract
    extends ClassificationContract,
        ForwardingContract,
        SidecarContract,
        PolicingContract,
        PacketValueContract,
        WireContract,
        CapturesContract,
        NeighbourContract,
        UnknownContract {

  @Test
  default void aDirectionWithAPolicyOfItsOwnIsValuedByThat() {
    installPorts();
    install(
        new PortRoleEntry(NEXT_SWITCH, PortRole.ACCESS, UP),
        oneBin(),
        value(1, 100),
        value(2, 200),
        prefix("10.0.0.1/32", unshaped(1, 1, NEXT_SWITCH)),
        prefix("10.0.0.2/32", unshaped(2, 1, NEXT_SWITCH)),
        prefix("10.0.0.3/32", unshaped(3, 255, NEXT_SWITCH)),
        route("198.51.100.0/24", NEXT_SWITCH),
        new DirectionPolicyEntry(1, UP, 2),
        new DirectionPolicyEntry(2, DOWN, 2),
        new DirectionPolicyEntry(3, UP, 2));
    TestFrame down = TestFrame.from("203.0.113.1", "10.0.0.1");
    comesOut(down.at(CORE), forwarded(down, NEXT_SWITCH).packetValue(100).at(NEXT_SWITCH));
    TestFrame up = TestFrame.from("10.0.0.1", "198.51.100.1");
    comesOut(up.at(NEXT_SWITCH), forwarded(up, NEXT_SWITCH).packetValue(200).at(NEXT_SWITCH));
    down = TestFrame.from("203.0.113.1", "10.0.0.2");
    comesOut(down.at(CORE), forwarded(down, NEXT_SWITCH).packetValue(200).at(NEXT_SWITCH));
    up = TestFrame.from("10.0.0.2", "198.51.100.1");
    comesOut(up.at(NEXT_SWITCH), forwarded(up, NEXT_SWITCH).packetValue(100).at(NEXT_SWITCH));
    TestFrame stopped = TestFrame.from("10.0.0.3", "198.51.100.1");
    expectDrop(
        stopped.at(NEXT_SWITCH),
        dropped(DropReason.SUSPENDED, 1, stopped.length()),
        suspended(3, UP, 1, stopped.length()));
  }

  private void comesOut(PortFrame in, PortFrame out) {
    assertThat(send(in).out()).as("what became of %s", in).containsExactly(List.of(out));
  }

  @Test
  default void downstreamIpv4GoesToTheSubscriberOfTheLongestPrefix() {
    installPorts();
    install(
        prefix("10.1.0.0/16", unshaped(1, 0, LINE_A)),
        prefix("10.1.2.0/24", unshaped(2, 0, LINE_B)),
        prefix("10.1.2.3/32", unshaped(3, 0, LINE_A)));
    downstream("203.0.113.1", "10.1.9.9", 1, LINE_A);
    downstream("203.0.113.1", "10.1.2.4", 2, LINE_B);
    downstream("203.0.113.1", "10.1.2.3", 3, LINE_A);
  }

  @Test
  default void downstreamIpv6GoesToTheSubscriberOfTheLongestPrefix() {
    installPorts();
    install(
        prefix("2001:db8::/32", unshaped(1, 0, LINE_A)),
        prefix("2001:db8:7::/56", unshaped(2, 0, LINE_B)),
        prefix("2001:db8:7::8000:0:0:0/65", unshaped(3, 0, LINE_A)),
        prefix("2001:db8:7::1/128", unshaped(4, 0, LINE_B)));
    downstream("2001:db8:ffff::1", "2001:db8:8::1", 1, LINE_A);
    downstream("2001:db8:ffff::1", "2001:db8:7:ff::1", 2, LINE_B);
    downstream("2001:db8:ffff::1", "2001:db8:7::8000:0:0:1", 3, LINE_A);
    downstream("2001:db8:ffff::1", "2001:db8:7::1", 4, LINE_B);
  }

  @Test
  default void upstreamIsOfTheSubscriberOfTheLongestPrefixOfItsSource() {
    installPorts();
    install(
        route("198.51.100.0/24", CORE),
        route("2001:db8:ffff::/48", CORE),
        prefix("10.1.0.0/16", unshaped(1, 0, LINE_A)),
        prefix("10.1.2.0/24", unshaped(2, 0, LINE_A)),
        prefix("2001:db8::/32", unshaped(4, 0, LINE_B)),
        prefix("2001:db8:7::/56", unshaped(3, 0, LINE_B)));
    upstream(TestFrame.from("10.1.9.9", "198.51.100.1"), LINE_A, 1);
    upstream(TestFrame.from("10.1.2.9", "198.51.100.1"), LINE_A, 2);
    upstream(TestFrame.from("2001:db8:7:1::5", "2001:db8:ffff::1"), LINE_B, 3);
    upstream(TestFrame.from("2001:db8:8::5", "2001:db8:ffff::1"), LINE_B, 4);
  }

  @Test
  default void tagsOfTheCoreNameNobodyAndAreTakenOff() {
    installPorts();
    install(
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        new SubscriberVlanEntry(CORE, VlanTags.pair(100, 7), unshaped(2, 0, LINE_B)));
    TestFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1").tags(S_TAG, 100, 7);
    expect(
        frame.at(CORE),
        forwarded(frame.untagged(), LINE_A).at(LINE_A),
        in(1, DOWN, 1, frame.length()),
        out(1, DOWN, 1, frame.length()));
  }

  @Test
  default void frameCutInItsHeadersIsDroppedAndFrameCutBehindThemIsForwarded() {
    installPorts();
    install(route("0.0.0.0/0", CORE), route("::/0", CORE));
    TestFrame v4 = TestFrame.from("10.0.0.1", "198.51.100.1");
    TestFrame v6 = TestFrame.from("2001:db8::1", "2001:db8:5::1");
    cutEverywhere(v4, forwarded(v4, CORE), 34);
    cutEverywhere(v6, forwarded(v6, CORE), 54);
    cutEverywhere(v4.tag(C_TAG, 5), forwarded(v4, CORE), 38);
    cutEverywhere(v6.tags(S_TAG, 5, 6), forwarded(v6, CORE), 62);
    cutEverywhere(v4.packetValue(77).tags(S_TAG, 5, 6), forwarded(v4, CORE), 46);
    TestFrame tcp = v4.protocol(6).payload(TestFrame.tcp(1, 2, 10));
    cutEverywhere(tcp, forwarded(tcp, CORE), 34);
    TestFrame options = v4.options(new byte[] {1, 1, 1, 1, 1, 1, 1, 0});
    cutEverywhere(options, forwarded(options, CORE), 34);
  }

  /** A frame that says IPv4 but is shorter than its header is not IP. */
  @Test
  default void frameShorterThanTheHeaderItNamesIsNotIp() {
    installPorts();
    install(route("0.0.0.0/0", CORE));
    ByteString v6 = TestFrame.from("2001:db8::1", "2001:db8:5::1").bytes();
    expectDrop(
        new PortFrame(LINE_A, ForwardingContract.withType(v6, 12, TestFrame.IPV4).substring(0, 33)),
        dropped(DropReason.NOT_IP, 1, 33));
  }

  /** Nobody becomes another line by writing its port where the switch writes it. */
  @Test
  default void destinationAddressNamesNoLine() {
    installPorts();
    install(
        oneBin(),
        value(1, 1111),
        value(3, 3333),
        new SidecarEntry(UP, FPGA_UP),
        route("198.51.100.0/24", NEXT_SWITCH),
        prefix("10.0.0.9/32", new SubscriberData(3, 3, LINE_B, 16, false, true)),
        new SubscriberVlanEntry(
            LINE_A, VlanTags.pair(100, 7), new SubscriberData(1, 1, LINE_A, QUEUE, false, true)));
    TestFrame pretender =
        SidecarContract.ofPort(
            TestFrame.from("10.0.0.9", "198.51.100.1").tags(S_TAG, 100, 7), LINE_A);
    shapedAsLine(pretender, LINE_B, 16, 3, 3333);
  }

  /**
   * The measured rate is in a unit of half a byte a time constant. The first packet after a silence
   * is one packet of the silence's length; the next finds it counted.
   */
  @Test
  default void firstPacketAfterASilenceIsSlowAndTheNextIsNot() {
    installPorts();
    TestFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1");
    long length = frame.length();
    install(
        new RateBinEntry(1, 0, length / 2 - 1),
        new RateBinEntry(2, length / 2, 3 * length),
        new RateBinEntry(3, 3 * length + 1, 0xffff_ffffL),
        new PolicyValueEntry(1, 1, 11),
        new PolicyValueEntry(1, 2, 22),
        new PolicyValueEntry(1, 3, 33),
        // An index of its own: what other packets left in the filter would count.
        prefix("10.0.0.1/32", unshaped(77_777, 1, NEXT_SWITCH)));
    // Together: a machine under load may take a time constant from one to the next.
    assertThat(send(frame.at(CORE), frame.at(CORE)).out())
        .containsExactly(
            List.of(forwarded(frame, NEXT_SWITCH).packetValue(11).at(NEXT_SWITCH)),
            List.of(forwarded(frame, NEXT_SWITCH).packetValue(22).at(NEXT_SWITCH)));
  }

  /** Frames of tests have codepoint 10. */
  @Test
  default void aShapedPacketIsOfTheClassOfItsPolicysCodepoint() {
    installPorts();
    install(
        new SidecarEntry(DOWN, FPGA_DOWN),
        new SidecarEntry(UP, FPGA_UP),
        new TrafficClassEntry(5, 10, 6),
        new TrafficClassEntry(6, 11, 3),
        prefix("10.0.0.1/32", new SubscriberData(1, 5, LINE_A, QUEUE, true, true)),
        prefix("2001:db8:1::/56", new SubscriberData(1, 5, LINE_A, QUEUE, true, true)),
        prefix("10.0.0.2/32", new SubscriberData(2, 6, LINE_A, QUEUE, true, true)));
    TestFrame up = TestFrame.from("10.0.0.1", "198.51.100.1");
    assertThat(send(up.at(LINE_A)).out())
        .containsExactly(List.of(up.behindQueueId(FPGA_UP, QUEUE | 6)));
    for (String address : List.of("10.0.0.1", "2001:db8:1::1")) {
      String from = address.contains(":") ? "2001:db8:ffff::1" : "203.0.113.1";
      TestFrame down = TestFrame.from(from, address);
      assertThat(send(down.at(CORE)).out())
          .containsExactly(List.of(down.behindQueueId(FPGA_DOWN, QUEUE | 6)));
    }
    TestFrame other = TestFrame.from("203.0.113.1", "10.0.0.2");
    assertThat(send(other.at(CORE)).out())
        .containsExactly(List.of(other.behindQueueId(FPGA_DOWN, QUEUE)));
  }

  /**
   * Sends each prefix of a frame. A switch reads the fixed IP header and what is in front of it;
   * all behind that is payload, whether it is there or not.
   */
  private void cutEverywhere(TestFrame frame, TestFrame whole, int neededBytes) {
    List<PortFrame> sent = new ArrayList<>();
    List<List<PortFrame>> expected = new ArrayList<>();
    int removed = frame.length() - whole.length();
    int droppedBytes = 0;
    int passedBytes = 0;
    for (int length = 1; length < frame.length(); length++) {
      sent.add(new PortFrame(LINE_A, frame.bytes().substring(0, length)));
      boolean passes = length >= neededBytes;
      if (passes) {
        passedBytes += length;
      } else {
        droppedBytes += length;
      }
      expected.add(
          passes
              ? List.of(new PortFrame(CORE, whole.bytes().substring(0, length - removed)))
              : List.of());
    }
    Outcome outcome = PipelineContract.send(dut(), sent);
    assertThat(outcome.out()).isEqualTo(expected);
    int passed = frame.length() - neededBytes;
    assertThat(outcome.counted())
        .containsExactlyInAnyOrder(
            dropped(DropReason.NOT_IP, neededBytes - 1, droppedBytes),
            in(0, UP, passed, passedBytes),
            out(0, UP, passed, passedBytes));
  }
}
