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
import static net.sluice.it.p4.PipelineContract.unshaped;
import static net.sluice.it.p4.PipelineContract.value;
import static net.sluice.it.p4.TestFrame.C_TAG;
import static net.sluice.it.p4.TestFrame.S_TAG;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.entry.forwarding.EncapsulationEntry;
import net.sluice.intents.plan.entry.limit.SidecarEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.pipeconf.DropReason;
import org.junit.jupiter.api.Test;

/** Rate-limited packets take the way through the FPGA of their direction, once. */
interface SidecarContract extends PipelineContract {
  /** Every part of the queue id differs from every other, and its top bit is used. */
  int QUEUE = QueueId.of(5, 42, 33);

  @Test
  default void shapedPacketGoesToTheFpgaBehindItsQueueIdAndComesBack() {
    installPorts();
    install(
        new SidecarEntry(DOWN, FPGA_DOWN),
        new SidecarEntry(UP, FPGA_UP),
        route("198.51.100.0/24", CORE),
        prefix("10.0.0.1/32", new SubscriberData(1, 0, LINE_A, QUEUE, true, true)),
        prefix("2001:db8:1::/56", new SubscriberData(1, 0, LINE_A, QUEUE, true, true)));
    for (TestFrame frame :
        List.of(
            TestFrame.from("203.0.113.1", "10.0.0.1").ecn(TestFrame.ECT0),
            TestFrame.from("203.0.113.1", "10.0.0.1").options(new byte[] {1, 1, 1, 0}),
            TestFrame.from("2001:db8:ffff::1", "2001:db8:1::1"))) {
      expect(frame.at(CORE), frame.behindQueueId(FPGA_DOWN, QUEUE), in(1, DOWN, 1, frame.length()));
      expect(
          frame.at(FPGA_DOWN),
          forwarded(frame, LINE_A).at(LINE_A),
          out(1, DOWN, 1, frame.length()));
    }
    TestFrame up = TestFrame.from("10.0.0.1", "198.51.100.1");
    expect(up.at(LINE_A), up.behindQueueId(FPGA_UP, QUEUE), in(1, UP, 1, up.length()));
    expect(up.at(FPGA_UP), forwarded(up, CORE).at(CORE), out(1, UP, 1, up.length()));
  }

  @Test
  default void everyQueueIdIsWrittenBigEndian() {
    installPorts();
    install(new SidecarEntry(DOWN, FPGA_DOWN));
    TestFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1");
    int[] queues = {0, 1, 0x80, 0xff, 0x100, 0x8000, 0x10000, 0x20000, 0x2a5f8, 0x3ffff};
    for (int queue : queues) {
      install(prefix("10.0.0.1/32", new SubscriberData(1, 0, LINE_A, queue, true, false)));
      assertThat(send(frame.at(CORE)).out())
          .containsExactly(List.of(frame.behindQueueId(FPGA_DOWN, queue)));
      deleteEntries();
      installPorts();
      install(new SidecarEntry(DOWN, FPGA_DOWN));
    }
  }

  @Test
  default void directionsAreShapedIndependently() {
    installPorts();
    install(
        new SidecarEntry(DOWN, FPGA_DOWN),
        new SidecarEntry(UP, FPGA_UP),
        route("198.51.100.0/24", CORE),
        prefix("10.0.0.1/32", new SubscriberData(1, 0, LINE_A, QUEUE, true, false)),
        prefix("10.0.0.2/32", new SubscriberData(2, 0, LINE_A, QUEUE, false, true)));
    TestFrame down1 = TestFrame.from("203.0.113.1", "10.0.0.1");
    TestFrame down2 = TestFrame.from("203.0.113.1", "10.0.0.2");
    TestFrame up1 = TestFrame.from("10.0.0.1", "198.51.100.1");
    TestFrame up2 = TestFrame.from("10.0.0.2", "198.51.100.1");
    assertThat(send(down1.at(CORE), down2.at(CORE), up1.at(LINE_A), up2.at(LINE_A)).out())
        .containsExactly(
            List.of(down1.behindQueueId(FPGA_DOWN, QUEUE)),
            List.of(forwarded(down2, LINE_A).at(LINE_A)),
            List.of(forwarded(up1, CORE).at(CORE)),
            List.of(up2.behindQueueId(FPGA_UP, QUEUE)));
  }

  @Test
  default void tagsStayOnThroughTheFpga() {
    installPorts();
    install(
        new SidecarEntry(DOWN, FPGA_DOWN),
        prefix("10.0.0.1/32", new SubscriberData(1, 0, LINE_A, QUEUE, true, false)),
        new EncapsulationEntry(1, VlanTags.pair(100, 7)));
    TestFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1");
    for (int priority : new int[] {0xa000, 0x7000}) {
      TestFrame tagged =
          priority == 0xa000
              ? frame.tag(C_TAG, priority | 5)
              : frame.tags(S_TAG, priority | 5, 0x9006);
      expect(
          tagged.at(CORE), tagged.behindQueueId(FPGA_DOWN, QUEUE), in(1, DOWN, 1, tagged.length()));
      expect(
          tagged.at(FPGA_DOWN),
          forwarded(tagged, LINE_A).tags(S_TAG, priority | 100, priority | 7).at(LINE_A),
          out(1, DOWN, 1, tagged.length()));
    }
  }

  @Test
  default void withoutFpgaShapedPacketsAreDroppedAndCounted() {
    installPorts();
    install(
        new SidecarEntry(UP, FPGA_UP),
        route("0.0.0.0/0", CORE),
        prefix("10.0.0.1/32", new SubscriberData(1, 0, LINE_A, QUEUE, true, false)),
        prefix("2001:db8:1::/56", new SubscriberData(2, 0, LINE_A, QUEUE, true, false)));
    for (TestFrame frame :
        List.of(
            TestFrame.from("203.0.113.1", "10.0.0.1"),
            TestFrame.from("2001:db8:ffff::1", "2001:db8:1::1"))) {
      expectDrop(
          frame.at(CORE),
          in(frame.length() > 80 ? 2 : 1, DOWN, 1, frame.length()),
          dropped(DropReason.NO_SIDECAR, 1, frame.length()));
    }
  }

  @Test
  default void packetIsMarkedWhenItComesBackAndNotBefore() {
    installPorts();
    install(
        oneBin(),
        value(1, 4711),
        new SidecarEntry(DOWN, FPGA_DOWN),
        prefix("10.0.0.1/32", new SubscriberData(1, 1, NEXT_SWITCH, QUEUE, true, false)));
    TestFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1");
    // A value that an untrusted sender wrote does not reach the FPGA, nor does a trunk's.
    for (int port : new int[] {CORE, TRUNK}) {
      assertThat(send(frame.packetValue(0xffff).at(port), frame.at(port)).out())
          .containsExactly(
              List.of(frame.behindQueueId(FPGA_DOWN, QUEUE)),
              List.of(frame.behindQueueId(FPGA_DOWN, QUEUE)));
    }
    for (TestFrame back : List.of(frame, frame.packetValue(0xffff))) {
      assertThat(send(back.at(FPGA_DOWN)).out())
          .containsExactly(
              List.of(forwarded(frame, NEXT_SWITCH).packetValue(4711).at(NEXT_SWITCH)));
    }
  }

  /** Time to live is looked at once, behind the FPGA: before it the frame is not touched. */
  @Test
  default void timeToLiveRunsOutBehindTheFpga() {
    installPorts();
    install(
        new SidecarEntry(DOWN, FPGA_DOWN),
        prefix("10.0.0.1/32", new SubscriberData(1, 0, LINE_A, QUEUE, true, false)));
    TestFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1").ttl(1);
    expect(frame.at(CORE), frame.behindQueueId(FPGA_DOWN, QUEUE), in(1, DOWN, 1, frame.length()));
    expectDrop(frame.at(FPGA_DOWN), dropped(DropReason.TTL_EXPIRED, 1, frame.length()));
  }

  @Test
  default void wrongChecksumDoesNotReachTheFpga() {
    installPorts();
    install(
        new SidecarEntry(DOWN, FPGA_DOWN),
        prefix("10.0.0.1/32", new SubscriberData(1, 0, LINE_A, QUEUE, true, false)));
    TestFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1").checksumError(0x8000);
    expectDrop(frame.at(CORE), dropped(DropReason.BAD_CHECKSUM, 1, frame.length()));
  }

  @Test
  default void lineShapedUpstreamLosesItsTagsBehindTheFpga() {
    installPorts();
    SubscriberData line = new SubscriberData(1, 0, LINE_A, QUEUE, false, true);
    install(
        new SidecarEntry(UP, FPGA_UP),
        route("198.51.100.0/24", CORE),
        prefix("10.0.0.1/32", line),
        new SubscriberVlanEntry(LINE_A, VlanTags.pair(100, 7), line));
    TestFrame frame = TestFrame.from("10.0.0.1", "198.51.100.1").tags(S_TAG, 0x2000 | 100, 7);
    expect(
        frame.at(LINE_A),
        ofPort(frame, LINE_A).behindQueueId(FPGA_UP, QUEUE),
        in(1, UP, 1, frame.length()));
    expect(
        ofPort(frame, LINE_A).at(FPGA_UP),
        forwarded(frame.untagged(), CORE).at(CORE),
        out(1, UP, 1, frame.length()));
  }

  /**
   * The line vouches for its subscriber before the FPGA and behind it: whatever address the line's
   * packets claim to be from, they are counted and marked as the line's.
   */
  @Test
  default void lineStaysTheSubscriberBehindTheFpga() {
    installPorts();
    install(
        oneBin(),
        value(1, 1111),
        value(2, 2222),
        value(3, 3333),
        new SidecarEntry(UP, FPGA_UP),
        route("198.51.100.0/24", NEXT_SWITCH),
        prefix("10.0.0.9/32", unshaped(3, 3, LINE_B)),
        new SubscriberVlanEntry(
            LINE_A, VlanTags.pair(100, 7), new SubscriberData(1, 1, LINE_A, QUEUE, false, true)),
        new SubscriberVlanEntry(
            LINE_B, VlanTags.pair(100, 7), new SubscriberData(2, 2, LINE_B, 8, false, true)),
        new SubscriberVlanEntry(
            LINE_B, VlanTags.single(50), new SubscriberData(4, 3, LINE_B, 16, false, true)));
    for (String source : List.of("10.0.0.9", "192.0.2.77")) {
      TestFrame pair = TestFrame.from(source, "198.51.100.1").tags(S_TAG, 100, 7);
      shapedAsLine(pair, LINE_A, QUEUE, 1, 1111);
      shapedAsLine(pair, LINE_B, 8, 2, 2222);
      shapedAsLine(pair.tag(C_TAG, 50), LINE_B, 16, 4, 3333);
    }
  }

  /** Tagged frames take the port they came in on with them through the FPGA. */
  static TestFrame ofPort(TestFrame frame, int port) {
    return frame.macs(TestFrame.HOST_SOURCE_MAC, 0x02_53_4c_43_00_00L | port);
  }

  default void shapedAsLine(TestFrame frame, int port, int queue, int index, int packetValue) {
    expect(
        frame.at(port),
        ofPort(frame, port).behindQueueId(FPGA_UP, queue),
        in(index, UP, 1, frame.length()));
    expect(
        ofPort(frame, port).at(FPGA_UP),
        forwarded(frame.untagged(), NEXT_SWITCH).packetValue(packetValue).at(NEXT_SWITCH),
        out(index, UP, 1, frame.length()));
  }
}
