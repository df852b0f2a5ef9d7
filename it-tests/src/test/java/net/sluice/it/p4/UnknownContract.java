package net.sluice.it.p4;

import static net.sluice.intents.value.Direction.DOWN;
import static net.sluice.intents.value.Direction.UP;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.wire.WireEntry;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.PacketCodec;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Packets of addresses that no subscriber has are counted by port, and the controller gets copies
 * of some of them, as they came in; they themselves go where they went without that.
 */
interface UnknownContract extends PipelineContract {
  /** Ports of their own: what one may tell is bounded in time. */
  int UNKNOWN_LINE = 60;

  int UNKNOWN_CORE = 61;
  int WIRE_ACCESS = 62;
  int WIRE_CORE = 63;

  int MANY = 400;

  private CounterData unknownAt(int port) {
    return dut()
        .control()
        .read(V1ModelPipeline.load().counters().readUnknown(port))
        .get(0)
        .getCounterEntry()
        .getData();
  }

  /** The copies of a frame that enters many times; what else leaves is always the same. */
  private int copies(PortFrame frame, int counted) {
    CounterData before = unknownAt(frame.port());
    List<List<PortFrame>> out = dut().pass(Collections.nCopies(MANY, frame));
    CounterData after = unknownAt(frame.port());
    assertThat(after.getPacketCount() - before.getPacketCount()).isEqualTo(counted);
    assertThat(after.getByteCount() - before.getByteCount())
        .isEqualTo((long) counted * frame.bytes().size());
    int header = frame.port() << 7 | PacketCodec.Reason.OF_NO_SUBSCRIBER.ordinal() + 1;
    PortFrame copy =
        new PortFrame(
            Topology.CONTROLLER_PORT,
            ByteString.copyFrom(HexFormat.of().parseHex(HexFormat.of().toHexDigits((short) header)))
                .concat(frame.bytes()));
    List<List<PortFrame>> originals =
        out.stream().map(each -> each.stream().filter(one -> !one.equals(copy)).toList()).toList();
    assertThat(originals).isEqualTo(Collections.nCopies(MANY, originals.get(0)));
    assertThat(originals.get(0)).hasSizeLessThanOrEqualTo(1);
    return (int) out.stream().flatMap(List::stream).filter(copy::equals).count();
  }

  private void withCopies(Runnable test) {
    Update session = PacketCodec.copiesOfUnknown();
    dut().control().write(List.of(session));
    try {
      test.run();
    } finally {
      dut().control().write(List.of(session.toBuilder().setType(Update.Type.DELETE).build()));
    }
  }

  @Test
  default void someOfWhatNoSubscriberHasIsCopiedAndAllOfItCounted() {
    installPorts();
    install(
        new PortRoleEntry(UNKNOWN_LINE, PortRole.ACCESS, UP, true),
        new PortRoleEntry(UNKNOWN_CORE, PortRole.CORE, DOWN),
        prefix("10.0.0.1/32", unshaped(1, 0, UNKNOWN_LINE)),
        prefix("10.0.0.2/32", unshaped(2, 0, LINE_B)));
    TestFrame stranger = TestFrame.from("192.0.2.9", "198.51.100.1").tags(TestFrame.S_TAG, 9, 7);
    PortFrame down = TestFrame.from("198.51.100.1", "192.0.2.9").at(UNKNOWN_CORE);
    assertThat(copies(stranger.at(UNKNOWN_LINE), MANY)).as("copies without a session").isZero();
    withCopies(
        () -> {
          assertThat(copies(stranger.at(UNKNOWN_LINE), MANY)).isBetween(1, MANY / 4);
          assertThat(copies(down, MANY)).isBetween(1, MANY / 4);
          // A subscriber's, one's on another line, a broken one, and what no subscriber has there.
          assertThat(copies(TestFrame.from("10.0.0.1", "198.51.100.1").at(UNKNOWN_LINE), 0))
              .isZero();
          assertThat(copies(TestFrame.from("10.0.0.2", "198.51.100.1").at(UNKNOWN_LINE), 0))
              .isZero();
          assertThat(copies(stranger.checksumError(0x10).at(UNKNOWN_LINE), 0)).isZero();
          assertThat(copies(stranger.at(TRUNK), 0)).isZero();
        });
  }

  @Test
  default void onAWireTheFramePassesAsItIsBesideItsCopy() {
    install(
        new WireEntry(WIRE_ACCESS, WIRE_CORE, UP, 5),
        new WireEntry(WIRE_CORE, WIRE_ACCESS, DOWN, 5));
    TestFrame up = TestFrame.from("2001:db8:9::1", "2001:db8:ffff::1");
    withCopies(
        () -> {
          for (Direction direction : Direction.values()) {
            int in = direction == UP ? WIRE_ACCESS : WIRE_CORE;
            int out = direction == UP ? WIRE_CORE : WIRE_ACCESS;
            assertThat(copies(up.at(in), MANY)).isBetween(1, MANY / 4);
            assertThat(send(up.at(in)).out().get(0)).contains(up.at(out));
          }
        });
  }
}
