package net.sluice.it.p4;

import static net.sluice.intents.value.Direction.DOWN;
import static net.sluice.intents.value.Direction.UP;
import static net.sluice.it.p4.PipelineContract.dropped;
import static net.sluice.it.p4.PipelineContract.forwarded;
import static net.sluice.it.p4.PipelineContract.in;
import static net.sluice.it.p4.PipelineContract.out;
import static net.sluice.it.p4.PipelineContract.policed;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.route;
import static net.sluice.it.p4.PipelineContract.unshaped;

import java.util.Optional;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.entry.limit.MeterSetting;
import net.sluice.intents.plan.entry.limit.PortMeterEntry;
import net.sluice.intents.plan.entry.limit.SidecarEntry;
import net.sluice.intents.plan.entry.limit.SubscriberMeterEntry;
import net.sluice.intents.plan.entry.limit.TreeMeterEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.pipeconf.DropReason;
import org.junit.jupiter.api.Test;

/**
 * What is above a policed limit is dropped and counted to its subscriber. The meters here hold some
 * frames and fill up by a byte a second, so that it does not matter when frames come.
 */
interface PolicingContract extends PipelineContract {
  Attachment TREE = new Attachment(5, 42);

  /** Lets that many frames through. */
  private static Optional<MeterSetting> frames(int count, TestFrame frame) {
    return Optional.of(new MeterSetting(8, (long) count * frame.length()));
  }

  private void passes(TestFrame frame, int subscriber) {
    expect(
        frame.at(CORE),
        forwarded(frame, LINE_A).at(LINE_A),
        in(subscriber, DOWN, 1, frame.length()),
        out(subscriber, DOWN, 1, frame.length()));
  }

  private void isPoliced(TestFrame frame, int subscriber) {
    expectDrop(
        frame.at(CORE),
        in(subscriber, DOWN, 1, frame.length()),
        policed(subscriber, DOWN, 1, frame.length()),
        dropped(DropReason.POLICED, 1, frame.length()));
  }

  @Test
  default void whatIsAboveItsOwnLimitIsDroppedAndCountedInItsDirection() {
    TestFrame down = TestFrame.from("203.0.113.1", "10.0.0.1");
    TestFrame up = TestFrame.from("10.0.0.1", "198.51.100.1");
    installPorts();
    install(
        route("198.51.100.0/24", CORE),
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        prefix("10.0.0.2/32", unshaped(2, 0, LINE_A)),
        new SubscriberMeterEntry(1, DOWN, TREE, frames(2, down)),
        new SubscriberMeterEntry(1, UP, TREE, frames(1, up)));
    passes(down, 1);
    passes(down, 1);
    isPoliced(down, 1);
    expect(
        up.at(LINE_A),
        forwarded(up, CORE).at(CORE),
        in(1, UP, 1, up.length()),
        out(1, UP, 1, up.length()));
    expectDrop(
        up.at(LINE_A),
        in(1, UP, 1, up.length()),
        policed(1, UP, 1, up.length()),
        dropped(DropReason.POLICED, 1, up.length()));
    TestFrame other = TestFrame.from("203.0.113.1", "10.0.0.2");
    for (int i = 0; i < 4; i++) {
      passes(other, 2);
    }
  }

  /** What a subscriber sends beyond its own limit takes nothing from its tree's. */
  @Test
  default void aTreesLimitIsForAllOfItAndKeepsWhatOwnLimitsDrop() {
    TestFrame one = TestFrame.from("203.0.113.1", "10.0.0.1");
    TestFrame two = TestFrame.from("203.0.113.1", "10.0.0.2");
    TestFrame three = TestFrame.from("203.0.113.1", "10.0.0.3");
    installPorts();
    install(
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        prefix("10.0.0.2/32", unshaped(2, 0, LINE_A)),
        prefix("10.0.0.3/32", unshaped(3, 0, LINE_A)),
        new TreeMeterEntry(TREE, DOWN, frames(3, one)),
        new SubscriberMeterEntry(1, DOWN, TREE, frames(1, one)),
        new SubscriberMeterEntry(2, DOWN, TREE, Optional.empty()),
        new SubscriberMeterEntry(3, DOWN, new Attachment(5, 41), Optional.empty()));
    passes(one, 1);
    isPoliced(one, 1);
    isPoliced(one, 1);
    passes(two, 2);
    passes(two, 2);
    isPoliced(two, 2);
    passes(three, 3);
  }

  /** Nor does a new entry take over the limit of one that was deleted. */
  @Test
  default void anOwnLimitThatIsTakenAwayLimitsNobody() {
    TestFrame one = TestFrame.from("203.0.113.1", "10.0.0.1");
    TestFrame two = TestFrame.from("203.0.113.1", "10.0.0.2");
    SubscriberMeterEntry limited = new SubscriberMeterEntry(1, DOWN, TREE, frames(1, one));
    installPorts();
    install(prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)), limited);
    passes(one, 1);
    isPoliced(one, 1);
    dut().control().modify(new SubscriberMeterEntry(1, DOWN, TREE, Optional.empty()));
    passes(one, 1);
    passes(one, 1);
    dut().control().modify(limited);
    dut().control().deleteAll();
    installPorts();
    install(
        prefix("10.0.0.2/32", unshaped(2, 0, LINE_A)),
        new SubscriberMeterEntry(2, DOWN, TREE, Optional.empty()));
    passes(two, 2);
    passes(two, 2);
  }

  @Test
  default void aPortsLimitIsForAllTreesOfIt() {
    TestFrame one = TestFrame.from("203.0.113.1", "10.0.0.1");
    TestFrame two = TestFrame.from("203.0.113.1", "10.0.0.2");
    TestFrame three = TestFrame.from("203.0.113.1", "10.0.0.3");
    installPorts();
    install(
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        prefix("10.0.0.2/32", unshaped(2, 0, LINE_A)),
        prefix("10.0.0.3/32", unshaped(3, 0, LINE_A)),
        new TreeMeterEntry(TREE, DOWN, frames(1, one)),
        new PortMeterEntry(5, DOWN, frames(2, one)),
        new SubscriberMeterEntry(1, DOWN, TREE, Optional.empty()),
        new SubscriberMeterEntry(2, DOWN, new Attachment(5, 41), Optional.empty()),
        new SubscriberMeterEntry(3, DOWN, new Attachment(4, 42), Optional.empty()));
    passes(one, 1);
    isPoliced(one, 1);
    passes(two, 2);
    isPoliced(two, 2);
    passes(three, 3);
  }

  /** The way to the FPGA is not metered, the way on is. */
  @Test
  default void whatTheFpgaHeldBackIsMeteredWhenItComesBack() {
    int queue = 0x2a5f8;
    TestFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1");
    installPorts();
    install(
        new SidecarEntry(DOWN, FPGA_DOWN),
        prefix("10.0.0.1/32", new SubscriberData(1, 0, LINE_A, queue, true, false)),
        new TreeMeterEntry(TREE, DOWN, frames(1, frame)),
        new SubscriberMeterEntry(1, DOWN, TREE, Optional.empty()));
    for (int i = 0; i < 2; i++) {
      expect(frame.at(CORE), frame.behindQueueId(FPGA_DOWN, queue), in(1, DOWN, 1, frame.length()));
    }
    expect(
        frame.at(FPGA_DOWN), forwarded(frame, LINE_A).at(LINE_A), out(1, DOWN, 1, frame.length()));
    expectDrop(
        frame.at(FPGA_DOWN),
        policed(1, DOWN, 1, frame.length()),
        dropped(DropReason.POLICED, 1, frame.length()));
  }
}
