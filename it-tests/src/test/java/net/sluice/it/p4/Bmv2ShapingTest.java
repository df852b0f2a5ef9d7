package net.sluice.it.p4;

import static net.sluice.intents.value.Direction.DOWN;
import static net.sluice.it.p4.PipelineContract.CORE;
import static net.sluice.it.p4.PipelineContract.LINE_A;
import static net.sluice.it.p4.PipelineContract.dropped;
import static net.sluice.it.p4.PipelineContract.forwarded;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.entry.limit.LoopPortEntry;
import net.sluice.intents.plan.entry.limit.RateWord;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.plan.entry.limit.TreeLimitEntry;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterCodec.Reading.OfSubscriber;
import net.sluice.pipeconf.DropReason;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Limits that the switch shapes on bmv2, whose recirculated packets take no time on a line and
 * whose clock is the machine's: nothing leaves before its time, in another order or not at all.
 *
 * <p>The times that these tests measure are lower bounds, and no load makes them less: the clock is
 * read before the first packet is sent and after the last has come out, and between these two each
 * packet keeps its distance from the one before.
 */
class Bmv2ShapingTest {
  private static final Attachment TREE = new Attachment(1, 2);
  private static final int FIRST_LOOP = 500;
  private static final int BYTES = 500;

  private SimpleSwitchGrpc dut;

  @BeforeEach
  void start() {
    SimpleSwitchGrpc.assumeInstalled();
    dut = SimpleSwitchGrpc.start(V1ModelPipeline.load());
    dut.control().insert(PipelineContract.ports());
    dut.control()
        .insert(
            List.of(
                prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
                prefix("10.0.0.2/32", unshaped(2, 0, LINE_A))));
  }

  @AfterEach
  void stop() {
    if (dut != null) {
      dut.close();
    }
  }

  private void loops(long bufferBytes) {
    for (int pipe = 0; pipe < 4; pipe++) {
      dut.control().insert(List.of(new LoopPortEntry(pipe, FIRST_LOOP + pipe, bufferBytes)));
    }
  }

  private static TestFrame frame(int subscriber, int sequence, int bytes) {
    return TestFrame.from("203.0.113.1", "10.0.0." + subscriber)
        .payload(TestFrame.udp(sequence, 9, bytes - 42));
  }

  private static List<PortFrame> frames(int subscriber, int count, int bytes) {
    return IntStream.range(0, count).mapToObj(i -> frame(subscriber, i, bytes).at(CORE)).toList();
  }

  /** 20 packets of 10 ms each. */
  @Test
  void packetsLeaveInTheirOrderAndNotBeforeTheirTime() {
    loops(15_000_000);
    int word = RateWord.nearest(400_000);
    dut.control().insert(List.of(new SubscriberLimitEntry(1, DOWN, TREE, word)));
    List<Integer> expected = IntStream.range(0, 20).boxed().toList();
    // Begins when its data plane does.
    assertThat(dut.pass(frames(2, 1, BYTES)).get(0)).hasSize(1);
    long began = System.nanoTime();
    assertThat(dut.order(frames(1, 20, BYTES))).isEqualTo(expected);
    long took = System.nanoTime() - began;
    assertThat(took).isGreaterThan(19 * RateWord.elapsed(word, BYTES) / RateWord.UNITS_PER_NANO);
  }

  /** Two subscribers of a tree whose limit is the lower one, and none with one of its own. */
  @Test
  void subscribersOfATreeWaitForEachOther() {
    loops(15_000_000);
    int word = RateWord.nearest(400_000);
    dut.control()
        .insert(
            List.of(
                new SubscriberLimitEntry(1, DOWN, TREE, RateWord.UNLIMITED),
                new SubscriberLimitEntry(2, DOWN, TREE, RateWord.UNLIMITED),
                new TreeLimitEntry(TREE, DOWN, word)));
    List<PortFrame> mixed = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      mixed.add(frame(1 + i % 2, i, BYTES).at(CORE));
    }
    long began = System.nanoTime();
    List<List<PortFrame>> out = dut.pass(mixed);
    long took = System.nanoTime() - began;
    for (int i = 0; i < 10; i++) {
      assertThat(out.get(i))
          .containsExactly(forwarded(frame(1 + i % 2, i, BYTES), LINE_A).at(LINE_A));
    }
    assertThat(took).isGreaterThan(9 * RateWord.elapsed(word, BYTES) / RateWord.UNITS_PER_NANO);
  }

  /**
   * One packet leaves at once, and one waits for a second, below the 1.07 beyond which none is let
   * in. Room for another comes only when it has left, so how many leave depends on how fast the
   * rest come; all others are counted.
   */
  @Test
  void withoutRoomPacketsAreDroppedAndCounted() {
    int bytes = 7_500;
    int sent = 20;
    loops(bytes);
    int word = RateWord.nearest(RateWord.MIN_RATE_BPS);
    dut.control().insert(List.of(new SubscriberLimitEntry(1, DOWN, TREE, word)));
    PipelineContract.Outcome outcome = PipelineContract.send(dut, frames(1, sent, bytes));
    int left = (int) outcome.out().stream().filter(one -> !one.isEmpty()).count();
    int dropped = sent - left;
    assertThat(left).as("%s", outcome.counted()).isBetween(2, sent - 1);
    assertThat(outcome.counted())
        .contains(
            new OfSubscriber(Point.OUT, 1, DOWN, left, left * bytes),
            new OfSubscriber(Point.OVERFLOWED, 1, DOWN, dropped, dropped * bytes),
            dropped(DropReason.SHAPING_BUFFER, dropped, dropped * bytes));
  }
}
