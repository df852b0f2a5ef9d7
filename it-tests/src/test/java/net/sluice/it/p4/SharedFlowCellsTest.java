package net.sluice.it.p4;

import static net.sluice.it.p4.ShapedSwitch.MILLI;
import static net.sluice.it.p4.ShapedSwitch.NONE;
import static net.sluice.it.p4.ShapedSwitch.SECOND;
import static net.sluice.it.p4.ShapedSwitch.address;
import static net.sluice.it.p4.ShapedSwitch.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.sluice.intents.plan.entry.limit.WaitSetting;
import org.junit.jupiter.api.Test;

/**
 * The order of flows is kept in hashed cells. Flows that share one do not wait for each other: the
 * packets of a fast limit would leave after those of a slow one.
 */
class SharedFlowCellsTest {
  /** Of 3,000 flows and as many others in 2^20 cells, eight or nine share a cell. */
  private static final int FLOWS = 3_000;

  private static final int FRAME_BYTES = 1_000;
  private static final int HEADERS = 42;
  private static final long SLOW_BPS = 80_000_000;
  private static final long FAST_BPS = 800_000_000;

  /** Some rounds of the loops when all packets are in them. */
  private static final long LATE_NANOS = 5 * MILLI;

  private final Random random = new Random(1);

  /** A packet of a flow of its own: alike, no two of them would share a cell, or all would. */
  private byte[] packet(int subscriber) {
    int from = random.nextInt(1 << 16);
    int to = random.nextInt(1 << 16);
    return bytes(
        TestFrame.from("203.0.113.1", address(subscriber))
            .payload(TestFrame.udp(from, to, FRAME_BYTES - HEADERS)));
  }

  @Test
  void packetsDoNotWaitForThoseOfAnotherLimit() {
    try (ShapedSwitch dut = new ShapedSwitch(10_000_000_000L)) {
      int policy = dut.policy(NONE, false);
      int slow = dut.subscriber(policy, SLOW_BPS, WaitSetting.OF_POLICY);
      int fast = dut.subscriber(policy, FAST_BPS, WaitSetting.OF_POLICY);
      dut.runUntil(MILLI);
      for (int flow = 0; flow < FLOWS; flow++) {
        int unused = dut.send(packet(slow));
      }
      long begin = dut.now();
      List<Integer> numbers = new ArrayList<>();
      for (int flow = 0; flow < FLOWS; flow++) {
        numbers.add(dut.send(packet(fast)));
      }
      dut.runUntil(begin + SECOND);
      for (int i = 0; i < FLOWS; i++) {
        long starts = begin + i * FRAME_BYTES * 8 * SECOND / FAST_BPS;
        assertThat(dut.passed(numbers.get(i)).nanos() - starts)
            .as("how late packet %s of the fast limit leaves, ns", i)
            .isLessThan(LATE_NANOS);
      }
      assertThat(dut.passed()).hasSize(2 * FLOWS);
    }
  }
}
