package net.sluice.emulator.netsim.fpga;

import static net.sluice.emulator.netsim.fpga.Registers.CUSTOMER;
import static net.sluice.emulator.netsim.fpga.Registers.PORT;
import static net.sluice.emulator.netsim.fpga.Registers.TREE;
import static net.sluice.emulator.netsim.fpga.Registers.bucketSize;
import static net.sluice.emulator.netsim.fpga.Registers.depth;
import static net.sluice.emulator.netsim.fpga.Registers.rate;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;

/**
 * Random traffic through queues with limits and CoDel while registers are written, as a file for
 * the core: see {@link CoreRecording}. The build has so few queues that a round of the search is a
 * twentieth of a tick. What comes, comes in the midst of a tick, and what leaves, leaves at its
 * beginning: so the tick in which each packet leaves does not depend on how the search gets to it.
 * Where customers wait for the tokens of their tree it would: the one that is met first goes first.
 */
class CoreTrafficTest {
  private static final FpgaBuild BUILD = new FpgaBuild(11, true, 64, 16);
  private static final int CODEL_TARGET = 0x03000200;
  private static final int CODEL_INTERVAL = 0x03000220;
  private static final int CUSTOMER_DEPTH = 0x00100000;
  private static final int CUSTOMER_CODEL = 0x03100000;
  private static final int BURST = 0x01300000;
  private static final int STEPS = 1_600;

  private final CoreRecording core = new CoreRecording(BUILD);
  private final Random random = new Random(26);

  /**
   * Customers in three trees of the one port; that in the second tree has the tree's limit, too.
   */
  private final int[] customers = {0, 1, 5, 63, 70, 128, 150};

  private int customer() {
    return customers[random.nextInt(customers.length)];
  }

  private int queue() {
    return customer() << 3 | random.nextInt(2);
  }

  private int length() {
    return switch (random.nextInt(8)) {
      case 0 -> 4 + random.nextInt(60);
      case 1, 2 -> 4 + random.nextInt(508);
      case 3 -> 1_601 + random.nextInt(447);
      default -> 900 + random.nextInt(600);
    };
  }

  private void change() {
    int customer = customer();
    int trafficClass = random.nextInt(2);
    switch (random.nextInt(14)) {
      case 0 -> core.write(rate(CUSTOMER, customer), 0);
      case 1, 2, 3, 4, 5 -> core.write(rate(CUSTOMER, customer), 10 + random.nextInt(70));
      case 6 ->
          core.write(BURST + 4 * customer, random.nextInt(2) * (1_600 + random.nextInt(1_500)));
      case 7 -> core.write(depth(trafficClass), 3_000 + random.nextInt(20_000));
      case 8 -> core.write(CODEL_TARGET + 4 * trafficClass, random.nextInt(80));
      case 9 -> core.write(CODEL_INTERVAL + 4 * trafficClass, 100 + random.nextInt(400));
      case 10 ->
          core.write(
              CUSTOMER_DEPTH + 4 * customer, random.nextInt(2) * (3_000 + random.nextInt(20_000)));
      case 11 ->
          core.write(
              CUSTOMER_CODEL + 4 * customer,
              random.nextInt(3) == 0 ? 0 : 100 + random.nextInt(400) << 16 | random.nextInt(80));
      case 12 -> core.write(bucketSize(CUSTOMER), 1_600 + random.nextInt(2_000));
      default -> core.write(rate(TREE, 1), 10 + random.nextInt(50));
    }
  }

  private void configure() {
    for (int customer : customers) {
      core.write(rate(CUSTOMER, customer), 100);
    }
    for (int tree = 0; tree < 3; tree++) {
      core.write(rate(TREE, tree), tree == 1 ? 100 : Registers.MAX_WORD);
    }
    core.write(rate(PORT, 0), Registers.MAX_WORD);
    core.write(bucketSize(TREE), 32_767);
    core.write(bucketSize(PORT), 32_767);
    for (int trafficClass = 0; trafficClass < 2; trafficClass++) {
      core.write(depth(trafficClass), 20_000);
      core.write(CODEL_TARGET + 4 * trafficClass, 40 + 20 * trafficClass);
      core.write(CODEL_INTERVAL + 4 * trafficClass, 300);
    }
    // Every bucket is full before the first packet.
    core.advance(1, 0);
    core.advance(400, 400);
    for (int customer : customers) {
      core.write(rate(CUSTOMER, customer), 10 + random.nextInt(60));
    }
  }

  @Test
  void theModelDropsAndSendsInTheTicksTheCoreIsHeldTo() {
    configure();
    for (int i = 0; i < STEPS; i++) {
      core.advance(1 + random.nextInt(3), 400);
      if (random.nextInt(7) == 0) {
        change();
        continue;
      }
      core.packet(queue(), length());
      if (random.nextInt(4) == 0) {
        core.advance(0, 800);
        core.packet(random.nextInt(30) == 0 ? 1 << 11 | queue() : queue(), length());
      }
      if (random.nextInt(300) == 0) {
        core.advance(0, 1_000);
        core.packet(queue(), 2_049 + random.nextInt(900));
      }
    }
    core.advance(1, 400);
    core.write(rate(TREE, 1), 100_000);
    for (int customer : customers) {
      core.advance(1, 400);
      core.write(rate(CUSTOMER, customer), 200);
    }
    core.advance(800, 0);
    core.readStatistics();
    for (int customer : customers) {
      core.readCounters(customer << 3);
      core.readCounters(customer << 3 | 1);
    }
    core.sent();
    FpgaStatistics did = core.fpga.statistics();
    assertThat(did.waitingPackets()).isZero();
    assertThat(did.sentPackets()).isGreaterThan(500);
    assertThat(did.codelPackets()).isGreaterThan(50);
    assertThat(did.droppedPackets()).isGreaterThan(20);
    assertThat(did.noBufferPackets()).isGreaterThan(20);
    assertThat(did.malformedPackets()).isGreaterThan(5);
    Golden.check("fpga-traffic.txt", core.text());
  }
}
