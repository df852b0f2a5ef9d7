package net.sluice.it.p4;

import static net.sluice.intents.value.Direction.DOWN;
import static net.sluice.intents.value.Direction.UP;
import static net.sluice.it.p4.PipelineContract.destinationMac;
import static net.sluice.it.p4.PipelineContract.dropped;
import static net.sluice.it.p4.PipelineContract.forwarded;
import static net.sluice.it.p4.PipelineContract.in;
import static net.sluice.it.p4.PipelineContract.oneBin;
import static net.sluice.it.p4.PipelineContract.out;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.rewritten;
import static net.sluice.it.p4.PipelineContract.route;
import static net.sluice.it.p4.PipelineContract.sourceMac;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static net.sluice.it.p4.PipelineContract.value;
import static net.sluice.it.p4.TestFrame.C_TAG;
import static net.sluice.it.p4.TestFrame.S_TAG;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.entry.forwarding.EgressPortEntry;
import net.sluice.intents.plan.entry.forwarding.EncapsulationEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.DropReason;
import org.junit.jupiter.api.Test;

/** Tags, routes, time to live, checksums, and what is no packet the switch can forward. */
interface ForwardingContract extends PipelineContract {
  int PORT_WITHOUT_REWRITING = 10;

  @Test
  default void downstreamPacketsGetTheTagsOfTheLine() {
    installPorts();
    install(
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        prefix("2001:db8:1::/56", unshaped(1, 0, LINE_A)),
        prefix("10.0.0.2/32", unshaped(2, 0, LINE_B)),
        prefix("2001:db8:2::/56", unshaped(2, 0, LINE_B)),
        new EncapsulationEntry(1, VlanTags.single(4094)),
        new EncapsulationEntry(2, VlanTags.pair(100, 7)));
    for (TestFrame frame :
        List.of(
            TestFrame.from("203.0.113.1", "10.0.0.1"),
            TestFrame.from("2001:db8:ffff::1", "2001:db8:1::1"))) {
      expect(
          frame.at(CORE),
          forwarded(frame, LINE_A).tag(C_TAG, 0x2000 | 4094).at(LINE_A),
          in(1, DOWN, 1, frame.length()),
          out(1, DOWN, 1, frame.length()));
    }
    for (TestFrame frame :
        List.of(
            TestFrame.from("203.0.113.1", "10.0.0.2"),
            TestFrame.from("2001:db8:ffff::1", "2001:db8:2::1"))) {
      expect(
          frame.at(CORE),
          forwarded(frame, LINE_B).tags(S_TAG, 0x2000 | 100, 0x2000 | 7).at(LINE_B),
          in(2, DOWN, 1, frame.length()),
          out(2, DOWN, 1, frame.length()));
    }
  }

  @Test
  default void tagsOfTheLineReplaceThoseOfTheCoreAndKeepTheirPriority() {
    installPorts();
    install(
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        prefix("10.0.0.2/32", unshaped(2, 0, LINE_B)),
        new EncapsulationEntry(1, VlanTags.single(11)),
        new EncapsulationEntry(2, VlanTags.pair(100, 7)));
    TestFrame first = TestFrame.from("203.0.113.1", "10.0.0.1").tags(S_TAG, 0xf123, 0xe456);
    assertThat(send(first.at(CORE)).out())
        .containsExactly(List.of(forwarded(first, LINE_A).tag(C_TAG, 0xf000 | 11).at(LINE_A)));
    TestFrame second = TestFrame.from("203.0.113.1", "10.0.0.2").tag(C_TAG, 0x6123);
    assertThat(send(second.at(CORE)).out())
        .containsExactly(
            List.of(forwarded(second, LINE_B).tags(S_TAG, 0x6000 | 100, 0x6000 | 7).at(LINE_B)));
  }

  /** All priorities with and without drop eligibility; of frames without a tag all codepoints. */
  @Test
  default void frameToASubscriberHasThePriorityOfItsTagOrTheClassSelectorOfItsDscp() {
    installPorts();
    install(
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        prefix("2001:db8:1::/56", unshaped(1, 0, LINE_A)),
        new EncapsulationEntry(1, VlanTags.single(11)));
    List<PortFrame> sent = new ArrayList<>();
    List<List<PortFrame>> expected = new ArrayList<>();
    for (TestFrame frame :
        List.of(
            TestFrame.from("203.0.113.1", "10.0.0.1"),
            TestFrame.from("2001:db8:ffff::1", "2001:db8:1::1"))) {
      for (int priority = 0; priority < 16; priority++) {
        // Of VLAN 0, too: a tag with a priority alone.
        for (int vlan : new int[] {0, 291}) {
          sent.add(frame.dscp(46).tag(C_TAG, priority << 12 | vlan).at(CORE));
          expected.add(
              List.of(
                  forwarded(frame.dscp(46), LINE_A).tag(C_TAG, priority << 12 | 11).at(LINE_A)));
        }
      }
      for (int dscp = 0; dscp < 64; dscp++) {
        sent.add(frame.dscp(dscp).at(CORE));
        int tag = dscp >> 3 << 13 | 11;
        expected.add(List.of(forwarded(frame.dscp(dscp), LINE_A).tag(C_TAG, tag).at(LINE_A)));
      }
    }
    assertThat(PipelineContract.send(dut(), sent).out()).isEqualTo(expected);
  }

  @Test
  default void portWithPriorityTagsKeepsThePriorityInATagOfVlanZero() {
    if (!dut().control().program().tagsPriorities()) {
      return;
    }
    installPorts();
    dut()
        .control()
        .modify(new EgressPortEntry(CORE, sourceMac(CORE), destinationMac(CORE), false, true));
    dut()
        .control()
        .modify(
            new EgressPortEntry(
                NEXT_SWITCH, sourceMac(NEXT_SWITCH), destinationMac(NEXT_SWITCH), true, true));
    install(
        route("198.51.100.0/24", CORE),
        route("203.0.113.0/24", NEXT_SWITCH),
        oneBin(),
        value(1, 77),
        new SubscriberVlanEntry(LINE_A, VlanTags.single(200), unshaped(1, 1, LINE_A)));
    TestFrame toCore = TestFrame.from("10.0.0.1", "198.51.100.1").dscp(34);
    TestFrame onward = TestFrame.from("10.0.0.1", "203.0.113.1").dscp(34);
    for (int priority = 0; priority < 16; priority++) {
      int zero = priority << 12;
      assertThat(send(toCore.tag(C_TAG, zero | 200).at(LINE_A)).out())
          .containsExactly(List.of(forwarded(toCore, CORE).tag(C_TAG, zero).at(CORE)));
      assertThat(send(onward.tags(S_TAG, zero | 200, 0xf005).at(LINE_A)).out())
          .containsExactly(
              List.of(
                  forwarded(onward, NEXT_SWITCH).packetValue(77).tag(C_TAG, zero).at(NEXT_SWITCH)));
    }
    assertThat(send(toCore.at(LINE_A)).out())
        .containsExactly(List.of(forwarded(toCore, CORE).tag(C_TAG, 4 << 13).at(CORE)));
  }

  @Test
  default void longestRouteWins() {
    installPorts();
    install(
        route("0.0.0.0/0", CORE),
        route("198.51.100.0/24", LINE_B),
        route("198.51.100.128/25", TRUNK),
        route("::/0", CORE),
        route("2001:db8:5::/48", LINE_B),
        route("2001:db8:5::1/128", TRUNK));
    routed("10.0.0.1", "8.8.8.8", CORE);
    routed("10.0.0.1", "198.51.100.1", LINE_B);
    routed("10.0.0.1", "198.51.100.129", TRUNK);
    routed("2001:db8::1", "2001:4860::8888", CORE);
    routed("2001:db8::1", "2001:db8:5::2", LINE_B);
    routed("2001:db8::1", "2001:db8:5::1", TRUNK);
  }

  @Test
  default void packetWithoutRouteIsDroppedAndCounted() {
    installPorts();
    install(route("198.51.100.0/24", CORE), route("2001:db8:5::/48", CORE));
    for (TestFrame frame :
        List.of(
            TestFrame.from("10.0.0.1", "198.51.101.1"),
            TestFrame.from("2001:db8::1", "2001:db8:6::1"))) {
      expectDrop(
          frame.at(LINE_A),
          in(0, UP, 1, frame.length()),
          dropped(DropReason.NO_ROUTE, 1, frame.length()));
    }
  }

  @Test
  default void timeToLiveRunsOut() {
    installPorts();
    install(
        route("0.0.0.0/0", CORE),
        route("::/0", CORE),
        prefix("10.0.0.9/32", unshaped(1, 0, LINE_A)));
    for (TestFrame frame :
        List.of(
            TestFrame.from("10.0.0.1", "198.51.100.1"),
            TestFrame.from("2001:db8::1", "2001:db8:5::1"))) {
      for (int ttl = 0; ttl <= 1; ttl++) {
        expectDrop(
            frame.ttl(ttl).at(LINE_A),
            in(0, UP, 1, frame.length()),
            dropped(DropReason.TTL_EXPIRED, 1, frame.length()));
      }
      for (int ttl : new int[] {2, 3, 128, 255}) {
        assertThat(send(frame.ttl(ttl).at(LINE_A)).out())
            .containsExactly(List.of(rewritten(frame, CORE).ttl(ttl - 1).at(CORE)));
      }
    }
    TestFrame down = TestFrame.from("203.0.113.1", "10.0.0.9").ttl(1);
    expectDrop(
        down.at(CORE),
        in(1, DOWN, 1, down.length()),
        dropped(DropReason.TTL_EXPIRED, 1, down.length()));
  }

  @Test
  default void wrongIpv4ChecksumIsDroppedAndCounted() {
    installPorts();
    install(route("0.0.0.0/0", CORE));
    TestFrame frame = TestFrame.from("10.0.0.1", "198.51.100.1");
    List<PortFrame> wrong = new ArrayList<>();
    for (int bit = 0; bit < 16; bit++) {
      wrong.add(frame.checksumError(1 << bit).at(LINE_A));
    }
    wrong.add(frame.checksumError(0xffff).at(LINE_A));
    wrong.add(frame.tags(S_TAG, 1, 2).checksumError(0x100).at(LINE_A));
    Outcome outcome = PipelineContract.send(dut(), wrong);
    assertThat(outcome.out()).allSatisfy(out -> assertThat(out).isEmpty());
    assertThat(outcome.counted())
        .containsExactly(dropped(DropReason.BAD_CHECKSUM, 18, 18 * frame.length() + 8));
  }

  @Test
  default void headerWithOptionsKeepsARightChecksum() {
    installPorts();
    install(route("0.0.0.0/0", CORE));
    Random random = new Random(1624);
    List<PortFrame> sent = new ArrayList<>();
    List<List<PortFrame>> expected = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      byte[] options = new byte[4 * (1 + random.nextInt(10))];
      random.nextBytes(options);
      TestFrame frame =
          TestFrame.from(
                  String.format("10.%d.%d.%d", i & 255, random.nextInt(256), random.nextInt(256)),
                  String.format("198.51.%d.%d", random.nextInt(256), random.nextInt(256)))
              .options(options)
              .ecn(random.nextInt(4))
              .protocol(random.nextInt(256))
              .ttl(2 + i % 254);
      sent.add(frame.at(LINE_A));
      expected.add(List.of(rewritten(frame, CORE).ttl(1 + i % 254).at(CORE)));
    }
    assertThat(PipelineContract.send(dut(), sent).out()).isEqualTo(expected);
  }

  /** One's complement sums have two zeros: the carries around them are where updates go wrong. */
  @Test
  default void checksumSurvivesEveryCarry() {
    installPorts();
    install(route("0.0.0.0/0", CORE));
    List<PortFrame> sent = new ArrayList<>();
    List<List<PortFrame>> expected = new ArrayList<>();
    TestFrame plain = TestFrame.from("10.0.0.1", "198.51.100.1");
    // All checksums beside the two ends and where a TTL's step carries, a sample of the others.
    for (int checksum = 0; checksum < 0xffff; checksum++) {
      boolean sharp = checksum < 0x200 || checksum > 0xfd00;
      if (sharp || checksum % 0x71 == 0) {
        int ttl = 255 - checksum % 0x40 * 3;
        TestFrame frame = plain.ttl(ttl).optionsForChecksum(checksum);
        sent.add(frame.at(LINE_A));
        expected.add(List.of(rewritten(frame, CORE).ttl(ttl - 1).at(CORE)));
      }
    }
    assertThat(PipelineContract.send(dut(), sent).out()).isEqualTo(expected);
  }

  @Test
  default void whatIsNotIpIsDroppedAndCounted() {
    installPorts();
    install(route("0.0.0.0/0", CORE), route("::/0", CORE));
    TestFrame frame = TestFrame.from("10.0.0.1", "198.51.100.1");
    List<ByteString> strange =
        List.of(
            withType(frame.bytes(), 12, 0x0806),
            withType(frame.bytes(), 12, 0x88cc),
            withType(frame.bytes(), 12, 0x0000),
            withType(frame.tag(C_TAG, 5).bytes(), 16, 0x0806),
            withType(frame.tags(S_TAG, 5, 6).bytes(), 20, 0x8847),
            // A third tag and an S-tag inside are more than the switch reads.
            withType(frame.tags(S_TAG, 5, 6).bytes(), 20, C_TAG),
            withType(frame.tags(S_TAG, 5, 6).bytes(), 16, S_TAG),
            withType(frame.packetValue(9).bytes(), 16, TestFrame.PACKET_VALUE));
    for (ByteString bytes : strange) {
      expectDrop(new PortFrame(LINE_A, bytes), dropped(DropReason.NOT_IP, 1, bytes.size()));
    }
  }

  /** RFC 1812, 5.2.2: another version or a header shorter than its fixed part is not forwarded. */
  @Test
  default void impossibleIpHeadersAreNotIp() {
    installPorts();
    install(route("0.0.0.0/0", CORE), route("::/0", CORE));
    ByteString v4 = TestFrame.from("10.0.0.1", "198.51.100.1").bytes();
    ByteString v6 = TestFrame.from("2001:db8::1", "2001:db8:5::1").bytes();
    List<ByteString> impossible = new ArrayList<>();
    for (int headerWords = 0; headerWords < 5; headerWords++) {
      impossible.add(withByte(v4, 14, 0x40 | headerWords));
    }
    // With options no checksum is verified, so the version alone is wrong here.
    impossible.add(withByte(v4, 14, 0x66));
    impossible.add(withByte(v4, 14, 0x0f));
    impossible.add(withByte(v6, 14, 0x40));
    impossible.add(withByte(v6, 14, 0x70));
    for (ByteString bytes : impossible) {
      expectDrop(new PortFrame(LINE_A, bytes), dropped(DropReason.NOT_IP, 1, bytes.size()));
    }
    // The frame says what it is, but its EtherType says otherwise.
    expectDrop(
        new PortFrame(LINE_A, withType(v4, 12, TestFrame.IPV6)),
        dropped(DropReason.NOT_IP, 1, v4.size()));
  }

  @Test
  default void portWithoutRewritingLeavesAddressesAlone() {
    install(
        new PortRoleEntry(LINE_A, PortRole.ACCESS, Direction.UP),
        route("0.0.0.0/0", PORT_WITHOUT_REWRITING));
    TestFrame frame = TestFrame.from("10.0.0.1", "198.51.100.1").tags(S_TAG, 100, 7);
    assertThat(send(frame.at(LINE_A)).out())
        .containsExactly(List.of(frame.untagged().ttl(63).at(PORT_WITHOUT_REWRITING)));
  }

  @Test
  default void payloadOfEveryLengthPassesUnchanged() {
    installPorts();
    install(route("0.0.0.0/0", CORE));
    List<PortFrame> sent = new ArrayList<>();
    List<List<PortFrame>> expected = new ArrayList<>();
    for (int length : new int[] {0, 1, 7, 8, 9, 18, 500, 1471, 1472, 8_000}) {
      for (int protocol : new int[] {1, 6, 17, 50}) {
        byte[] payload = new byte[length];
        new Random(length).nextBytes(payload);
        TestFrame frame =
            TestFrame.from("10.0.0.1", "198.51.100.1").protocol(protocol).payload(payload);
        sent.add(frame.at(LINE_A));
        expected.add(List.of(forwarded(frame, CORE).at(CORE)));
      }
    }
    assertThat(PipelineContract.send(dut(), sent).out()).isEqualTo(expected);
  }

  private void routed(String source, String destination, int port) {
    TestFrame frame = TestFrame.from(source, destination);
    expect(
        frame.at(LINE_A),
        forwarded(frame, port).at(port),
        in(0, UP, 1, frame.length()),
        out(0, UP, 1, frame.length()));
  }

  private static ByteString withByte(ByteString frame, int at, int value) {
    return frame
        .substring(0, at)
        .concat(ByteString.copyFrom(new byte[] {(byte) value}))
        .concat(frame.substring(at + 1));
  }

  /** A frame with another EtherType at an offset. */
  static ByteString withType(ByteString frame, int at, int type) {
    return frame
        .substring(0, at)
        .concat(ByteString.copyFrom(new byte[] {(byte) (type >> 8), (byte) type}))
        .concat(frame.substring(at + 2));
  }
}
