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
 * Accesses and packets drawn at random, as a file for the core: see {@link CoreRecording}. Packets
 * arrive while every gate is closed, and leave when all are open: so what is dropped and counted
 * does not depend on when the search comes by, in which model and core differ.
 */
class CoreAccessesTest {
  private static final int COUNTERS = CoreRecording.COUNTERS;
  private static final int STATISTICS = CoreRecording.STATISTICS;
  private static final int CODEL_TARGET = 0x03000200;
  private static final int CUSTOMER_DEPTH = 0x00100000;
  private static final int CUSTOMER_CODEL = 0x03100000;
  private static final int MAX_BUCKET = 32_767;
  private static final int[] ARRAYS = {
    // Address and registers of each array, the last in a part of the window also beyond its end.
    0x00000000,
    9,
    0x01200000,
    32_769,
    0x01300000,
    32_769,
    0x01380000,
    32_769,
    0x01400000,
    513,
    0x01600000,
    9,
    0x0127FFFC,
    1,
    0x0147FFFC,
    1,
    0x0167FFFC,
    1,
    COUNTERS,
    4,
    0x03000000,
    5,
    0x03000100,
    6,
    CODEL_TARGET,
    17,
    CUSTOMER_DEPTH,
    32_769,
    CUSTOMER_CODEL,
    32_769,
    STATISTICS,
    8,
    0x01000000,
    3,
    0x01280000,
    2,
    0x01500000,
    2,
    0x01800000,
    2,
    0x02FFFFFC,
    1
  };

  private final CoreRecording core = new CoreRecording(new FpgaBuild(18, true, 512, 64));
  private final Random random = new Random(11);

  private void accesses() {
    for (int i = 0; i < 600; i++) {
      int array = random.nextInt(ARRAYS.length / 2) * 2;
      int registers = ARRAYS[array + 1];
      // The ends more often than chance would have it.
      int at =
          switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> registers - 1;
            case 2 -> Math.max(0, registers - 2);
            default -> random.nextInt(registers);
          };
      int address = ARRAYS[array] + 4 * at;
      int value =
          address == COUNTERS ? random.nextInt(1 << 19) : random.nextInt() >>> random.nextInt(32);
      if (random.nextBoolean()) {
        core.write(address, value);
      }
      core.read(address);
    }
  }

  private void openUpperLevels() {
    for (int trafficClass = 0; trafficClass < 8; trafficClass++) {
      core.write(CODEL_TARGET + 4 * trafficClass, 0);
    }
    for (int level = CUSTOMER; level <= PORT; level++) {
      core.write(bucketSize(level), MAX_BUCKET);
    }
    for (int trafficClass = 0; trafficClass < 8; trafficClass++) {
      core.write(depth(trafficClass), 2_000 + 1_000 * trafficClass);
    }
  }

  private void packets() {
    int[] customers = new int[12];
    for (int i = 0; i < customers.length; i++) {
      customers[i] = random.nextInt(1 << 15);
      core.write(rate(CUSTOMER, customers[i]), 0);
      core.write(0x01300000 + 4 * customers[i], i % 3 == 0 ? 0 : 1_600 + random.nextInt(20_000));
      core.write(0x01380000 + 4 * customers[i], i % 2 == 0 ? 0 : random.nextInt());
      core.write(CUSTOMER_DEPTH + 4 * customers[i], i % 2 == 0 ? 0 : random.nextInt(16_000));
      // An interval without a target is no CoDel: when packets leave is not the same here and
      // there.
      core.write(CUSTOMER_CODEL + 4 * customers[i], random.nextInt(3) << 16);
      core.write(rate(TREE, customers[i] >> 6), Registers.MAX_WORD);
      core.write(rate(PORT, customers[i] >> 12), Registers.MAX_WORD);
    }
    for (int i = 0; i < 400; i++) {
      core.packet(
          customers[random.nextInt(customers.length)] << 3 | random.nextInt(8),
          4 + random.nextInt(1_597));
    }
    for (int customer : customers) {
      core.write(rate(CUSTOMER, customer), 10_000 + random.nextInt(200_000));
    }
    core.drain();
    for (int customer : customers) {
      for (int trafficClass = 0; trafficClass < 8; trafficClass++) {
        core.readCounters(customer << 3 | trafficClass);
      }
    }
    core.readStatistics();
  }

  @Test
  void theModelAnswersWhatTheCoreIsHeldTo() {
    accesses();
    openUpperLevels();
    packets();
    packets();
    assertThat(core.text()).contains("\nd ", "\nk ");
    Golden.check("fpga-accesses.txt", core.text());
  }
}
