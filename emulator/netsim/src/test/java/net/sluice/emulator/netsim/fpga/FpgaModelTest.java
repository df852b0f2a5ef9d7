package net.sluice.emulator.netsim.fpga;

import static net.sluice.emulator.netsim.fpga.Registers.CUSTOMER;
import static net.sluice.emulator.netsim.fpga.Registers.PORT;
import static net.sluice.emulator.netsim.fpga.Registers.TREE;
import static net.sluice.emulator.netsim.fpga.Registers.bucketSize;
import static net.sluice.emulator.netsim.fpga.Registers.rate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.traffic.CapturingSink;
import org.junit.jupiter.api.Test;

class FpgaModelTest {

  private static final long SECOND = 1_000_000_000L;
  // One clock cycle and one tick at 156.25 MHz.
  private static final double CYCLE_NANOS = 6.4;
  private static final double TICK_NANOS = 1_248 * CYCLE_NANOS;

  private final Simulation simulation = new Simulation(1);
  private final CapturingSink sink = new CapturingSink();
  private final FpgaModel fpga = new FpgaModel(simulation, sink);

  private static byte[] prefixed(int queueId, int bytes) {
    byte[] frame = new byte[bytes + 4];
    frame[0] = (byte) (queueId >> 24);
    frame[1] = (byte) (queueId >> 16);
    frame[2] = (byte) (queueId >> 8);
    frame[3] = (byte) queueId;
    return frame;
  }

  private void send(int queueId, int bytes, long tag) {
    byte[] frame = prefixed(queueId, bytes);
    fpga.receive(frame, 0, frame.length, tag, simulation.nowNanos());
  }

  /** Keeps a queue filled: a packet each so many nanoseconds, tagged with the queue's id. */
  private void flood(int queueId, int bytes, long everyNanos) {
    byte[] frame = prefixed(queueId, bytes);
    EventHandler[] self = new EventHandler[1];
    self[0] =
        (now, a) -> {
          fpga.receive(frame, 0, frame.length, queueId, now);
          simulation.schedule(now + everyNanos, self[0], 0);
        };
    simulation.schedule(simulation.nowNanos(), self[0], 0);
  }

  private long bytesOf(int queueId) {
    fpga.writeRegister(0x02000000, queueId);
    long low = fpga.readRegister(Registers.COUNTER_LOW) & 0xFFFFFFFFL;
    long high = fpga.readRegister(Registers.COUNTER_HIGH) & 0xFFFFFFFFL;
    return (high << 32 | low) & (1L << 37) - 1;
  }

  private long packetsOf(int queueId) {
    fpga.writeRegister(0x02000000, queueId);
    fpga.readRegister(Registers.COUNTER_LOW);
    return (fpga.readRegister(Registers.COUNTER_HIGH) & 0xFFFFFFFFL) >> 5;
  }

  private static double bps(int word) {
    return word * 8 * 156.25e6 / 1_248;
  }

  @Test
  void stripsThePrefixAndKeepsBytesAndTag() {
    Registers.openUpperLevels(fpga);
    fpga.writeRegister(rate(CUSTOMER, 77), 500);
    simulation.runUntil(SECOND / 100);
    byte[] frame = {9, 0, 0, 2, 0x6B, 10, 20, 30, 9};
    fpga.receive(frame, 1, 7, 4_711, simulation.nowNanos());
    simulation.runUntil(SECOND / 50);
    assertThat(sink.captures()).hasSize(1);
    assertThat(sink.captures().get(0).bytes()).containsExactly(10, 20, 30);
    assertThat(sink.captures().get(0).tag()).isEqualTo(4_711);
    assertThat(packetsOf(0x26B)).isEqualTo(1);
    assertThat(bytesOf(0x26B)).isEqualTo(3);
    assertThat(packetsOf(0x26A)).isZero();
    assertThat(fpga.statistics().sentPackets()).isEqualTo(1);
  }

  @Test
  void atPowerOnALoneBitTricklesThroughAtWordOne() {
    send(0, 100, 1);
    // All three buckets gain one byte a tick; the scan meets window 0 within one round after that.
    simulation.runUntil((long) (1_600 * TICK_NANOS) - 10);
    assertThat(sink.captures()).isEmpty();
    simulation.runUntil((long) (1_600 * TICK_NANOS + 8_192 * CYCLE_NANOS) + 10);
    assertThat(sink.captures()).hasSize(1);
  }

  @Test
  void aFloodedCustomerGetsExactlyItsRate() {
    Registers.openUpperLevels(fpga);
    int word = 50;
    int queue = QueueNumbers.of(2, 3, 4, 0);
    fpga.writeRegister(rate(CUSTOMER, QueueNumbers.customer(queue)), word);
    flood(queue, 1_000, 80_000);
    simulation.runUntil(SECOND);
    long from = bytesOf(queue);
    simulation.runUntil(11 * SECOND);
    double received = (bytesOf(queue) - from) * 8 / 10.0;
    // Over 10 s the bucket's 2000 bytes at either end are the whole error.
    assertThat(received).isCloseTo(bps(word), within(2 * 2_000 * 8 / 10.0));
    assertThat(bps(word)).isCloseTo(50_080_128, within(1.0));
  }

  @Test
  void theBurstOfAnIdleCustomerIsItsBucket() {
    Registers.openUpperLevels(fpga);
    fpga.writeRegister(bucketSize(CUSTOMER), 9_000);
    fpga.writeRegister(rate(CUSTOMER, 0), 10);
    simulation.runUntil(SECOND / 10);
    for (int i = 0; i < 20; i++) {
      send(0, 1_000, i);
    }
    simulation.runUntil(simulation.nowNanos() + 60_000);
    // 9000, 8000, ... 2000: each of these has the tokens of an MTU, what is then left has not.
    assertThat(sink.captures()).hasSize(8);
    simulation.runUntil(simulation.nowNanos() + 10 * SECOND);
    assertThat(sink.captures()).hasSize(20);
  }

  @Test
  void aCustomersOwnBurstIsItsBucketAlone() {
    Registers.openUpperLevels(fpga);
    fpga.writeRegister(0x01300000, 9_000);
    fpga.writeRegister(rate(CUSTOMER, 0), 10);
    fpga.writeRegister(rate(CUSTOMER, 1), 10);
    simulation.runUntil(SECOND / 10);
    for (int i = 0; i < 20; i++) {
      send(0, 1_000, i);
      send(8, 1_000, i);
    }
    simulation.runUntil(simulation.nowNanos() + 60_000);
    assertThat(packetsOf(0)).isEqualTo(8);
    // 2000, then 1000, which are not an MTU.
    assertThat(packetsOf(8)).isEqualTo(1);
    fpga.writeRegister(0x01300000, 0);
    simulation.runUntil(simulation.nowNanos() + SECOND);
    fpga.writeRegister(0x01300000 + 4, 1_599);
    long before = packetsOf(8);
    simulation.runUntil(simulation.nowNanos() + SECOND);
    assertThat(packetsOf(8)).isEqualTo(before);
  }

  @Test
  void statisticsAreShownByRegisters() {
    Registers.openUpperLevels(fpga);
    fpga.writeRegister(0, 1_000);
    fpga.receive(new byte[] {0, 4, 0, 0, 1}, 0, 5, 0, simulation.nowNanos());
    for (int i = 0; i < 3; i++) {
      send(0, 1_001, i);
    }
    // Received, malformed, without a buffer, over the depth, CoDel, sent, errors of the memory.
    int[] shown = {3, 1, 0, 2, 0, 0, 0};
    for (int i = 0; i < shown.length; i++) {
      assertThat(fpga.readRegister(0x03000300 + 4 * i)).as("statistic %s", i).isEqualTo(shown[i]);
    }
    simulation.runUntil(SECOND);
    assertThat(fpga.readRegister(0x03000314)).isEqualTo(1);
  }

  @Test
  void eachLevelLimitsWhatIsBelowIt() {
    Registers.openUpperLevels(fpga);
    fpga.writeRegister(rate(TREE, QueueNumbers.tree(QueueNumbers.of(1, 0, 0, 0))), 40);
    fpga.writeRegister(rate(PORT, 2), 70);
    int[][] queues = {
      {QueueNumbers.of(1, 0, 0, 0), 45}, // these two in a tree of 40
      {QueueNumbers.of(1, 0, 1, 0), 30},
      {QueueNumbers.of(1, 1, 0, 0), 20}, // its own 20, in a tree next to them
      {QueueNumbers.of(2, 0, 0, 0), 50}, // these two in different trees of a port of 70
      {QueueNumbers.of(2, 63, 63, 0), 50},
    };
    for (int[] queue : queues) {
      fpga.writeRegister(rate(CUSTOMER, QueueNumbers.customer(queue[0])), queue[1]);
      flood(queue[0], 1_250, 150_000);
    }
    simulation.runUntil(SECOND);
    long[] from = new long[queues.length];
    for (int i = 0; i < queues.length; i++) {
      from[i] = bytesOf(queues[i][0]);
    }
    simulation.runUntil(11 * SECOND);
    double[] got = new double[queues.length];
    for (int i = 0; i < queues.length; i++) {
      got[i] = (bytesOf(queues[i][0]) - from[i]) * 8 / 10.0;
    }
    // Buckets of the upper levels hold 32,767 bytes, which may be more at one end of the 10 s.
    assertThat(got[0] + got[1]).isCloseTo(bps(40), within(32_767 * 8 / 10.0));
    assertThat(got[0]).isCloseTo(got[1], within(bps(1)));
    assertThat(got[2]).isCloseTo(bps(20), within(2_000 * 8 / 10.0));
    assertThat(got[3] + got[4]).isCloseTo(bps(70), within(32_767 * 8 / 10.0));
    assertThat(got[3]).isCloseTo(got[4], within(bps(1)));
  }

  @Test
  void aBucketTooSmallForARoundsGainLosesRate() {
    Registers.openUpperLevels(fpga);
    fpga.writeRegister(rate(CUSTOMER, 0), 200);
    flood(0, 1_500, 50_000);
    simulation.runUntil(SECOND);
    // 2000 bytes pass one frame a round at most.
    double small = bytesOf(0) * 8;
    assertThat(small).isLessThan(0.99 * bps(200));
    fpga.writeRegister(bucketSize(CUSTOMER), 1_599 + 8 * 200);
    long from = bytesOf(0);
    simulation.runUntil(2 * SECOND);
    assertThat((bytesOf(0) - from) * 8.0).isCloseTo(bps(200), within(4_000 * 8.0));
  }

  @Test
  void roundRobinSharesATreeEquallyAmongEqualCustomers() {
    Registers.openUpperLevels(fpga);
    fpga.writeRegister(bucketSize(TREE), 1_599 + 8 * 100);
    int tree = QueueNumbers.tree(QueueNumbers.of(5, 9, 0, 0));
    fpga.writeRegister(rate(TREE, tree), 100);
    int customers = 17;
    for (int i = 0; i < customers; i++) {
      int queue = QueueNumbers.of(5, 9, 3 * i, 0);
      fpga.writeRegister(rate(CUSTOMER, QueueNumbers.customer(queue)), 50);
      flood(queue, 1_500, 500_000);
    }
    simulation.runUntil(2 * SECOND);
    long total = 0;
    long least = Long.MAX_VALUE;
    long most = 0;
    for (int i = 0; i < customers; i++) {
      long packets = packetsOf(QueueNumbers.of(5, 9, 3 * i, 0));
      total += packets;
      least = Math.min(least, packets);
      most = Math.max(most, packets);
    }
    assertThat(most - least).isLessThanOrEqualTo(1);
    assertThat(total * 1_500 * 8 / 2.0).isCloseTo(bps(100), within(bps(1)));
  }

  @Test
  void roundRobinSharesAPortEquallyAmongEqualTrees() {
    Registers.openUpperLevels(fpga);
    fpga.writeRegister(rate(PORT, 0), 300);
    for (int i = 0; i < 7; i++) {
      int queue = QueueNumbers.of(0, 9 * i, i, 0);
      fpga.writeRegister(rate(CUSTOMER, QueueNumbers.customer(queue)), 200);
      flood(queue, 1_500, 100_000);
    }
    simulation.runUntil(2 * SECOND);
    long least = Long.MAX_VALUE;
    long most = 0;
    for (int i = 0; i < 7; i++) {
      long packets = packetsOf(QueueNumbers.of(0, 9 * i, i, 0));
      least = Math.min(least, packets);
      most = Math.max(most, packets);
    }
    assertThat(most - least).isLessThanOrEqualTo(2);
    assertThat(least).isGreaterThan(5_000);
  }

  @Test
  void classesOfACustomerTakeTurns() {
    Registers.openUpperLevels(fpga);
    fpga.writeRegister(Registers.depth(5), 0xFFFFF8);
    fpga.writeRegister(rate(CUSTOMER, 9), 100);
    flood(9 << 3, 1_500, 200_000);
    flood(9 << 3 | 5, 1_500, 200_000);
    simulation.runUntil(SECOND);
    assertThat(packetsOf(9 << 3)).isCloseTo(packetsOf(9 << 3 | 5), within(1L)).isGreaterThan(4_000);
  }

  @Test
  void aClosedGateLosesNothingAndOpensInOrder() {
    Registers.openUpperLevels(fpga);
    int customer = 123;
    fpga.writeRegister(rate(CUSTOMER, customer), 200);
    simulation.runUntil(SECOND / 10);
    fpga.writeRegister(rate(CUSTOMER, customer), 0);
    for (int i = 0; i < 500; i++) {
      send(customer << 3, 1_200, i);
    }
    simulation.runUntil(SECOND);
    // Not even on the tokens it had when it was closed.
    assertThat(sink.captures()).isEmpty();
    assertThat(fpga.waitingPackets(customer << 3)).isEqualTo(500);
    assertThat(fpga.waitingBytes(customer << 3)).isEqualTo(600_000);
    fpga.writeRegister(rate(CUSTOMER, customer), 200);
    simulation.runUntil(2 * SECOND);
    assertThat(sink.captures()).hasSize(500);
    List<Long> tags = sink.captures().stream().map(CapturingSink.Capture::tag).toList();
    assertThat(tags).isSorted().doesNotHaveDuplicates();
    assertThat(fpga.droppedPackets(customer << 3)).isZero();
    assertThat(fpga.statistics().waitingPackets()).isZero();
    assertThat(fpga.statistics().waitingBytes()).isZero();
  }

  @Test
  void aClosedTreeOrPortHoldsItsCustomersBack() {
    Registers.openUpperLevels(fpga);
    fpga.writeRegister(rate(CUSTOMER, 64), 200);
    for (int level : new int[] {TREE, PORT}) {
      int index = level == TREE ? 1 : 0;
      fpga.writeRegister(rate(level, index), 0);
      send(64 << 3, 100, level);
      simulation.runUntil(simulation.nowNanos() + SECOND / 10);
      assertThat(fpga.waitingPackets(64 << 3)).isEqualTo(1);
      fpga.writeRegister(rate(level, index), 100);
      simulation.runUntil(simulation.nowNanos() + SECOND / 10);
      assertThat(fpga.waitingPackets(64 << 3)).isZero();
    }
    assertThat(sink.captures()).hasSize(2);
  }

  @Test
  void aQueueOvershootsItsLimitByOnePacket() {
    fpga.writeRegister(rate(CUSTOMER, 0), 0);
    fpga.writeRegister(Registers.depth(0), 2_000);
    send(0, 1_000, 1);
    send(0, 1_000, 2);
    // Exactly at the limit is not over it.
    send(0, 1_500, 3);
    assertThat(fpga.waitingBytes(0)).isEqualTo(3_500);
    send(0, 60, 4);
    assertThat(fpga.waitingBytes(0)).isEqualTo(3_500);
    assertThat(fpga.droppedPackets(0)).isEqualTo(1);
    assertThat(fpga.statistics().droppedPackets()).isEqualTo(1);
    // The limit is of the class, the queue is of the customer.
    send(8, 1_000, 5);
    assertThat(fpga.waitingBytes(8)).isEqualTo(1_000);
    send(1, 257, 6);
    send(1, 257, 7);
    assertThat(fpga.waitingPackets(1)).isEqualTo(1);
    assertThat(packetsOf(0)).isZero();
  }

  @Test
  void packetsWithoutAQueueAreDroppedAndCounted() {
    send(262_144, 100, 0);
    send(-1, 100, 0);
    fpga.receive(new byte[4], 0, 4, 0, 0);
    fpga.receive(new byte[2], 0, 2, 0, 0);
    assertThat(fpga.statistics().malformedPackets()).isEqualTo(4);
    assertThat(fpga.statistics().receivedPackets()).isEqualTo(4);
    assertThat(fpga.statistics().waitingPackets()).isZero();
    assertThatThrownBy(() -> fpga.droppedPackets(262_144))
        .hasMessage("queueId 262144: must be 0..262143");
  }

  @Test
  void aLonePacketWaitsForTheScanToComeRound() {
    Registers.openUpperLevels(fpga);
    fpga.writeRegister(rate(CUSTOMER, 0), 1_000);
    fpga.writeRegister(rate(CUSTOMER, 32_767), 1_000);
    // 3 ms in, 468,750 cycles: the scan is in window 468,750 mod 8192 = 1806.
    simulation.runUntil(3_000_000);
    send(QueueNumbers.of(7, 63, 63, 0), 100, 1);
    simulation.runUntil(4_000_000);
    // Window 8191 is 6385 cycles away; then the packet's 800 bits at 100 Gbit/s.
    assertThat(sink.captures().get(0).nanos()).isEqualTo(3_000_000 + 40_864 + 8);
    simulation.runUntil(6_000_000);
    send(0, 100, 2);
    simulation.runUntil(7_000_000);
    // The scan stayed at window 8191 for the one cycle in which it served: 937,499 mod 8192 = 3611.
    assertThat(sink.captures().get(1).nanos())
        .isEqualTo(6_000_000 + (long) Math.ceil((8_192 - 3_611) * CYCLE_NANOS) + 8);
  }

  @Test
  void theScanTakes36Point9MicrosecondsAt220MegaHertz() {
    CapturingSink out = new CapturingSink();
    Simulation own = new Simulation(1);
    FpgaModel fast = new FpgaModel(own, out, 220_000_000, 100_000_000_000L);
    Registers.openUpperLevels(fast);
    fast.writeRegister(rate(CUSTOMER, 5), 100_000);
    own.runUntil(10_000_000);
    byte[] frame = prefixed(5 << 3, 1_474);
    long[] arrivals = new long[2_000];
    long longest = 0;
    for (int i = 0; i < arrivals.length; i++) {
      own.runUntil(own.nowNanos() + 100_003);
      long sent = own.nowNanos();
      fast.receive(frame, 0, frame.length, 0, sent);
      own.runUntil(sent + 60_000);
      longest = Math.max(longest, out.captures().get(i).nanos() - sent - 118);
    }
    // Over a round (8192 / 220 MHz = 37.2 us) for the round itself: one scan from the next window
    // on.
    assertThat(longest).isBetween(36_000L, 37_240L);
  }

  @Test
  void theLineBackIsNeverOverbookedAndCanBeFull() {
    CapturingSink out = new CapturingSink();
    Simulation own = new Simulation(1);
    FpgaModel slow = new FpgaModel(own, out, 156_250_000, 1_000_000_000L);
    Registers.openUpperLevels(slow);
    for (int c = 0; c < 64; c++) {
      slow.writeRegister(rate(CUSTOMER, c), 262_143);
    }
    slow.writeRegister(bucketSize(CUSTOMER), 32_767);
    for (int c = 0; c < 64; c++) {
      byte[] frame = prefixed(c << 3, 1_500);
      for (int i = 0; i < 40; i++) {
        slow.receive(frame, 0, frame.length, c, 0);
      }
    }
    own.runUntil(SECOND);
    assertThat(out.captures()).hasSize(64 * 40);
    int full = 0;
    for (int i = 1; i < out.captures().size(); i++) {
      long gap = out.captures().get(i).nanos() - out.captures().get(i - 1).nanos();
      assertThat(gap).isGreaterThanOrEqualTo(12_000);
      full += gap == 12_000 ? 1 : 0;
    }
    assertThat(full).isGreaterThan(2_400);
  }

  @Test
  void powerOffForgetsEverything() {
    Registers.openUpperLevels(fpga);
    fpga.writeRegister(rate(CUSTOMER, 0), 100);
    for (int i = 0; i < 100; i++) {
      send(0, 1_000, i);
    }
    simulation.runUntil(2_000_000);
    assertThat(sink.captures()).isNotEmpty();
    int before = sink.captures().size();
    fpga.readRegister(0x03000010);
    fpga.reset();
    assertThat(fpga.statistics()).isEqualTo(new FpgaStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0));
    assertThat(fpga.readRegister(rate(CUSTOMER, 0))).isEqualTo(1);
    assertThat(fpga.readRegister(Registers.depth(0))).isEqualTo(128);
    assertThat(fpga.readRegister(bucketSize(PORT))).isEqualTo(2_000);
    assertThat(bytesOf(0)).isZero();
    simulation.runUntil(3 * SECOND);
    assertThat(sink.captures()).hasSize(before);
    send(0, 100, 1);
    simulation.runUntil(4 * SECOND);
    assertThat(sink.captures()).hasSize(before + 1);
  }

  @Test
  void refusesClocksItCannotKeep() {
    assertThatThrownBy(() -> new FpgaModel(simulation, sink, 999_999, 1))
        .hasMessage("clockHz 999999: must be 1000000..1000000000");
    assertThatThrownBy(() -> new FpgaModel(simulation, sink, 1_000_000_001, 1))
        .hasMessage("clockHz 1000000001: must be 1000000..1000000000");
    assertThatThrownBy(() -> new FpgaModel(simulation, sink, 1_000_000, 0))
        .hasMessage("rateBps 0: must be 1..10000000000000");
    assertThat(fpga.clockHz()).isEqualTo(156_250_000);
  }

  private void open(int customer, int word, int classes) {
    Registers.openUpperLevels(fpga);
    fpga.writeRegister(rate(CUSTOMER, customer), word);
    fpga.writeRegister(0x01380000 + 4 * customer, classes);
    for (int c = 0; c < 8; c++) {
      fpga.writeRegister(4 * c, 100_000);
    }
    simulation.runUntil(SECOND / 100);
  }

  @Test
  void aClassBeforeAllOthersLosesAndWaitsForNothing() {
    open(100, 20, 0xF0000021);
    flood(100 << 3, 1_400, 100_000);
    flood(100 << 3 | 1, 1_400, 100_000);
    flood(100 << 3 | 7, 200, 1_000_000);

    simulation.runUntil(SECOND / 10 * 11);

    // A packet of 200 bytes each millisecond; at most one of them is on its way.
    assertThat(packetsOf(100 << 3 | 7)).isBetween(1_089L, 1_091L);
    assertThat(fpga.droppedPackets(100 << 3)).isPositive();
    assertThat(fpga.droppedPackets(100 << 3 | 7)).isZero();
    assertThat(fpga.waitingPackets(100 << 3 | 7)).isLessThanOrEqualTo(1);
  }

  @Test
  void classesShareBytesAndNotPackets() {
    open(101, 40, 0x00000132);
    flood(101 << 3, 1_400, 150_000);
    flood(101 << 3 | 1, 300, 50_000);
    flood(101 << 3 | 2, 700, 100_000);

    simulation.runUntil(2 * SECOND);

    double all = bytesOf(101 << 3) + bytesOf(101 << 3 | 1) + bytesOf(101 << 3 | 2);
    assertThat(bytesOf(101 << 3) / all).isCloseTo(2 / 6.0, within(0.005));
    assertThat(bytesOf(101 << 3 | 1) / all).isCloseTo(3 / 6.0, within(0.005));
    assertThat(bytesOf(101 << 3 | 2) / all).isCloseTo(1 / 6.0, within(0.005));
    // All of it together is what the customer may send.
    assertThat(all * 8).isCloseTo(bps(40) * 1.99, within(bps(40) * 0.005));
  }

  @Test
  void aShareThatIsNotUsedIsTheOthers() {
    open(102, 40, 0x000000E1);
    flood(102 << 3, 1_000, 100_000);

    simulation.runUntil(SECOND);

    assertThat(bytesOf(102 << 3) * 8.0).isCloseTo(bps(40) * 0.99, within(bps(40) * 0.01));
    assertThat(fpga.readRegister(0x01380000 + 4 * 102)).isEqualTo(0xE1);
    fpga.reset();
    assertThat(fpga.readRegister(0x01380000 + 4 * 102)).isZero();
  }
}
