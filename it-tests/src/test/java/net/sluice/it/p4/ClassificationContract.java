package net.sluice.it.p4;

import static net.sluice.intents.value.Direction.DOWN;
import static net.sluice.intents.value.Direction.UP;
import static net.sluice.it.p4.PipelineContract.dropped;
import static net.sluice.it.p4.PipelineContract.forwarded;
import static net.sluice.it.p4.PipelineContract.in;
import static net.sluice.it.p4.PipelineContract.out;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.route;
import static net.sluice.it.p4.PipelineContract.suspended;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static net.sluice.it.p4.TestFrame.C_TAG;
import static net.sluice.it.p4.TestFrame.S_TAG;

import java.util.List;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.pipeconf.DropReason;
import org.junit.jupiter.api.Test;

/** Whose packet is it, and is it counted for that subscriber and no other. */
interface ClassificationContract extends PipelineContract {

  @Test
  default void packetOfAPortWithoutRoleIsDroppedAndCounted() {
    installPorts();
    install(route("0.0.0.0/0", CORE), prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)));
    TestFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1");
    expectDrop(frame.at(STRANGER), dropped(DropReason.UNKNOWN_PORT, 1, frame.length()));
  }

  @Test
  default void packetsOfASuspendedSubscriberAreDroppedAndCountedBothWays() {
    if (!dut().control().program().stopsTraffic()) {
      return;
    }
    installPorts();
    install(
        route("198.51.100.0/24", CORE),
        prefix("10.0.0.1/32", unshaped(1, 255, LINE_A)),
        prefix("10.0.0.2/32", unshaped(2, 1, LINE_A)));
    TestFrame down = TestFrame.from("203.0.113.1", "10.0.0.1");
    expectDrop(
        down.at(CORE),
        dropped(DropReason.SUSPENDED, 1, down.length()),
        suspended(1, DOWN, 1, down.length()));
    TestFrame up = TestFrame.from("10.0.0.1", "198.51.100.1");
    expectDrop(
        up.at(LINE_A),
        dropped(DropReason.SUSPENDED, 1, up.length()),
        suspended(1, UP, 1, up.length()));
    downstream("203.0.113.1", "10.0.0.2", 2, LINE_A);
  }

  @Test
  default void portWithoutRoleIsTheReasonWhateverElseIsWrong() {
    installPorts();
    TestFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1").ttl(0).checksumError(1);
    expectDrop(frame.at(STRANGER), dropped(DropReason.UNKNOWN_PORT, 1, frame.length()));
  }

  @Test
  default void downstreamIsWhoseDestinationItIs() {
    installPorts();
    install(
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        prefix("10.0.0.2/32", unshaped(2, 0, LINE_B)),
        prefix("2001:db8:7::/56", unshaped(3, 0, LINE_A)),
        prefix("2001:db8:7:100::/56", unshaped(4, 0, LINE_B)));
    downstream("203.0.113.1", "10.0.0.1", 1, LINE_A);
    downstream("203.0.113.1", "10.0.0.2", 2, LINE_B);
    // The other end's address is not looked at.
    downstream("10.0.0.2", "10.0.0.1", 1, LINE_A);
    downstream("2001:db8:ffff::1", "2001:db8:7:ff::1", 3, LINE_A);
    downstream("2001:db8:ffff::1", "2001:db8:7:100::1", 4, LINE_B);
    downstream("2001:db8:7::1", "2001:db8:7:1ff::1", 4, LINE_B);
  }

  @Test
  default void upstreamIsWhoseSourceItIs() {
    installPorts();
    install(
        route("198.51.100.0/24", CORE),
        route("2001:db8:ffff::/48", CORE),
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        prefix("10.0.0.2/32", unshaped(2, 0, LINE_A)),
        prefix("2001:db8:7::/56", unshaped(3, 0, LINE_B)));
    upstream(TestFrame.from("10.0.0.1", "198.51.100.1"), LINE_A, 1);
    upstream(TestFrame.from("10.0.0.2", "198.51.100.1"), LINE_A, 2);
    upstream(TestFrame.from("2001:db8:7:1::5", "2001:db8:ffff::1"), LINE_B, 3);
    upstream(TestFrame.from("192.0.2.1", "198.51.100.1"), LINE_A, 0);
  }

  @Test
  default void theLastSubscriberHasItsOwnCounters() {
    installPorts();
    int highest = dut().control().program().highestIndex();
    install(
        route("198.51.100.0/24", CORE),
        prefix("10.0.0.1/32", unshaped(highest, 0, LINE_A)),
        prefix("10.0.0.2/32", unshaped(highest - 1, 0, LINE_A)));
    downstream("203.0.113.1", "10.0.0.1", highest, LINE_A);
    upstream(TestFrame.from("10.0.0.1", "198.51.100.1"), LINE_A, highest);
    upstream(TestFrame.from("10.0.0.2", "198.51.100.1"), LINE_A, highest - 1);
  }

  @Test
  default void vlanPairWinsOverTheAddressUpstream() {
    installPorts();
    install(
        route("198.51.100.0/24", CORE),
        route("2001:db8:ffff::/48", CORE),
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        prefix("2001:db8:7::/56", unshaped(1, 0, LINE_A)),
        new SubscriberVlanEntry(LINE_A, VlanTags.pair(100, 7), unshaped(2, 0, LINE_A)));
    TestFrame v4 = TestFrame.from("10.0.0.1", "198.51.100.1");
    TestFrame v6 = TestFrame.from("2001:db8:7::1", "2001:db8:ffff::1");
    upstream(v4, LINE_A, 1);
    upstreamTagged(v4.tags(S_TAG, 100, 7), LINE_A, 2);
    upstreamTagged(v6.tags(S_TAG, 100, 7), LINE_A, 2);
    // Priorities and drop eligibility are no part of a line's name, nor is the outer tag's
    // EtherType.
    upstreamTagged(v4.tags(S_TAG, 0xb000 | 100, 0x7000 | 7), LINE_A, 2);
    upstreamTagged(v4.tags(C_TAG, 100, 7), LINE_A, 2);
  }

  @Test
  default void tagsThatNoLineHasAreClassifiedByTheAddress() {
    installPorts();
    install(
        route("198.51.100.0/24", CORE),
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        prefix("10.0.0.5/32", unshaped(5, 0, LINE_B)),
        new SubscriberVlanEntry(LINE_A, VlanTags.pair(100, 7), line(2, LINE_A)),
        new SubscriberVlanEntry(LINE_A, VlanTags.single(200), line(3, LINE_A)));
    TestFrame frame = TestFrame.from("10.0.0.1", "198.51.100.1");
    upstreamTagged(frame.tags(S_TAG, 100, 8), LINE_A, 1);
    upstreamTagged(frame.tags(S_TAG, 7, 100), LINE_A, 1);
    upstreamTagged(frame.tag(C_TAG, 100), LINE_A, 1);
    upstreamTagged(frame.tags(S_TAG, 7, 200), LINE_A, 1);
    // Lines belong to one port.
    TestFrame other = TestFrame.from("10.0.0.5", "198.51.100.1");
    upstreamTagged(other.tags(S_TAG, 100, 7), LINE_B, 5);
    upstreamTagged(other.tag(C_TAG, 200), LINE_B, 5);
  }

  /** VLAN 0 carries a priority and is no tag (IEEE 802.1Q, 6.9). */
  @Test
  default void vlanZeroIsNoTag() {
    installPorts();
    install(
        route("198.51.100.0/24", CORE),
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        new SubscriberVlanEntry(LINE_A, VlanTags.pair(100, 7), line(2, LINE_A)),
        new SubscriberVlanEntry(LINE_A, VlanTags.single(100), line(3, LINE_A)));
    TestFrame frame = TestFrame.from("10.0.0.1", "198.51.100.1");
    upstreamTagged(frame.tag(C_TAG, 0xe000), LINE_A, 1);
    upstreamTagged(frame.tags(S_TAG, 0xe000, 7), LINE_A, 1);
    upstreamTagged(frame.tags(S_TAG, 100, 0xe000), LINE_A, 3);
  }

  /** A sender cannot get out of its line's limits by a tag of its own. */
  @Test
  default void serviceVlanAloneTakesAnyInnerTagButThatOfADeclaredPair() {
    installPorts();
    install(
        route("198.51.100.0/24", CORE),
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        new SubscriberVlanEntry(LINE_A, VlanTags.single(300), line(2, LINE_A)),
        new SubscriberVlanEntry(LINE_A, VlanTags.pair(300, 7), line(3, LINE_A)));
    TestFrame frame = TestFrame.from("10.0.0.1", "198.51.100.1");
    upstreamTagged(frame.tag(C_TAG, 300), LINE_A, 2);
    upstreamTagged(frame.tag(S_TAG, 300), LINE_A, 2);
    upstreamTagged(frame.tags(S_TAG, 300, 5), LINE_A, 2);
    upstreamTagged(frame.tags(C_TAG, 300, 4094), LINE_A, 2);
    upstreamTagged(frame.tags(S_TAG, 300, 7), LINE_A, 3);
    upstreamTagged(frame.tags(S_TAG, 0xf000 | 300, 0xf000 | 7), LINE_A, 3);
  }

  /** On what tags, or on none, it comes: only its line tells such a subscriber. */
  @Test
  default void sourceAddressOfASubscriberWithALineIsSpoofedOnEveryOther() {
    installPorts();
    install(
        route("198.51.100.0/24", CORE),
        route("2001:db8:ffff::/48", CORE),
        prefix("10.0.0.2/32", line(2, LINE_A)),
        prefix("2001:db8:7::/56", line(2, LINE_A)),
        new SubscriberVlanEntry(LINE_A, VlanTags.pair(100, 7), line(2, LINE_A)),
        new SubscriberVlanEntry(LINE_A, VlanTags.single(200), line(3, LINE_A)));
    for (TestFrame frame :
        List.of(
            TestFrame.from("10.0.0.2", "198.51.100.1"),
            TestFrame.from("2001:db8:7::2", "2001:db8:ffff::1"))) {
      upstreamTagged(frame.tags(S_TAG, 100, 7), LINE_A, 2);
      // Whose line it is pays.
      upstreamTagged(frame.tag(C_TAG, 200), LINE_A, 3);
      spoofed(frame, LINE_A);
      spoofed(frame, LINE_B);
      spoofed(frame.tag(C_TAG, 0), LINE_A);
      spoofed(frame.tag(C_TAG, 100), LINE_A);
      spoofed(frame.tags(S_TAG, 100, 8), LINE_A);
      spoofed(frame.tags(S_TAG, 100, 7), LINE_B);
    }
    downstream("203.0.113.1", "10.0.0.2", 2, LINE_A);
  }

  @Test
  default void sourceAddressIsOfItsSubscriberOnTheSubscribersPortOnly() {
    installPorts();
    install(
        route("198.51.100.0/24", CORE),
        route("2001:db8:ffff::/48", CORE),
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        prefix("2001:db8:7::/56", unshaped(3, 0, LINE_B)));
    TestFrame v4 = TestFrame.from("10.0.0.1", "198.51.100.1");
    TestFrame v6 = TestFrame.from("2001:db8:7::1", "2001:db8:ffff::1");
    upstream(v4, LINE_A, 1);
    upstream(v6, LINE_B, 3);
    spoofed(v4, LINE_B);
    spoofed(v4.tags(S_TAG, 8, 9), LINE_B);
    spoofed(v6, LINE_A);
  }

  @Test
  default void accessPortDropsWhatBelongsToNoSubscriber() {
    installPorts();
    dut().control().modify(new PortRoleEntry(LINE_A, PortRole.ACCESS, UP, true));
    install(
        route("0.0.0.0/0", CORE),
        route("::/0", CORE),
        route("198.51.100.0/24", LINE_A),
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        prefix("2001:db8:7::/56", unshaped(1, 0, LINE_A)),
        new SubscriberVlanEntry(LINE_A, VlanTags.single(200), line(3, LINE_A)));
    TestFrame v4 = TestFrame.from("10.0.0.9", "203.0.113.1");
    TestFrame v6 = TestFrame.from("2001:db8:8::1", "2001:db8:ffff::1");
    for (TestFrame frame : List.of(v4, v6)) {
      unknown(frame);
      unknown(frame.tag(C_TAG, 0));
      unknown(frame.tag(C_TAG, 201));
      unknown(frame.tags(S_TAG, 201, 200));
      upstreamTagged(frame.tag(C_TAG, 200), LINE_A, 3);
      // The other port forwards it.
      upstream(frame, LINE_B, 0);
    }
    upstream(TestFrame.from("10.0.0.1", "203.0.113.1"), LINE_A, 1);
    upstream(TestFrame.from("2001:db8:7::1", "2001:db8:ffff::1"), LINE_A, 1);
    // What comes down is routed as before.
    downstream("203.0.113.1", "198.51.100.1", 0, LINE_A);
    // Not what is wrong in itself.
    expectDrop(v4.checksumError(1).at(LINE_A), dropped(DropReason.BAD_CHECKSUM, 1, v4.length()));
  }

  @Test
  default void lineWithOneTagIsKnownByIt() {
    installPorts();
    install(
        route("198.51.100.0/24", CORE),
        new SubscriberVlanEntry(LINE_A, VlanTags.single(200), unshaped(3, 0, LINE_A)),
        new SubscriberVlanEntry(LINE_B, VlanTags.single(200), unshaped(4, 0, LINE_B)));
    TestFrame frame = TestFrame.from("10.0.0.1", "198.51.100.1");
    upstreamTagged(frame.tag(C_TAG, 200), LINE_A, 3);
    upstreamTagged(frame.tag(S_TAG, 200), LINE_A, 3);
    upstreamTagged(frame.tag(C_TAG, 0xe000 | 200), LINE_B, 4);
  }

  @Test
  default void trafficOfNoSubscriberIsCountedUnderIndexZero() {
    installPorts();
    install(route("10.0.0.0/8", LINE_B), route("198.51.100.0/24", CORE));
    TestFrame down = TestFrame.from("203.0.113.1", "10.0.0.1");
    expect(
        down.at(CORE),
        forwarded(down, LINE_B).at(LINE_B),
        in(0, DOWN, 1, down.length()),
        out(0, DOWN, 1, down.length()));
    upstream(TestFrame.from("10.0.0.1", "198.51.100.1"), LINE_A, 0);
  }

  /** A subscriber with VLAN tags. */
  private static SubscriberData line(int index, int port) {
    return new SubscriberData(index, 0, port, 0, false, false, true);
  }

  private void spoofed(TestFrame frame, int port) {
    expectDrop(frame.at(port), dropped(DropReason.SPOOFED_SOURCE, 1, frame.length()));
  }

  private void unknown(TestFrame frame) {
    expectDrop(frame.at(LINE_A), dropped(DropReason.NO_SUBSCRIBER, 1, frame.length()));
  }

  /** A packet from the core reaches a subscriber, and is counted for it. */
  default void downstream(String source, String destination, int index, int port) {
    TestFrame frame = TestFrame.from(source, destination);
    expect(
        frame.at(CORE),
        forwarded(frame, port).at(port),
        in(index, DOWN, 1, frame.length()),
        out(index, DOWN, 1, frame.length()));
  }

  /** A packet from a line reaches the core, and is counted for a subscriber. */
  default void upstream(TestFrame frame, int port, int index) {
    expect(
        frame.at(port),
        forwarded(frame, CORE).at(CORE),
        in(index, UP, 1, frame.length()),
        out(index, UP, 1, frame.length()));
  }

  /** Bytes count as received: with the tags that the frame leaves without. */
  private void upstreamTagged(TestFrame frame, int port, int index) {
    expect(
        frame.at(port),
        forwarded(frame.untagged(), CORE).at(CORE),
        in(index, UP, 1, frame.length()),
        out(index, UP, 1, frame.length()));
  }
}
