package net.sluice.emulator.netsim.fpga;

import static net.sluice.emulator.netsim.fpga.Registers.CUSTOMER;
import static net.sluice.emulator.netsim.fpga.Registers.PORT;
import static net.sluice.emulator.netsim.fpga.Registers.TREE;
import static net.sluice.emulator.netsim.fpga.Registers.bucketSize;
import static net.sluice.emulator.netsim.fpga.Registers.depth;
import static net.sluice.emulator.netsim.fpga.Registers.rate;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.traffic.CapturingSink;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;

/**
 * What the model answers to accesses and packets drawn at random, as a file that the core is given
 * by {@code fpga-driver/rtl/tests/test_core_model.py}: there it has to answer the same. One a line:
 *
 * <ul>
 *   <li>{@code w ADDRESS WORD}: a write
 *   <li>{@code r ADDRESS WORD}: a read and its answer
 *   <li>{@code k QUEUE LENGTH}, {@code d QUEUE LENGTH}: a packet that is kept or dropped
 *   <li>{@code e}: until every packet has left
 * </ul>
 *
 * <p>Packets arrive while every gate is closed, and leave when all are open: so what is dropped and
 * counted does not depend on when the search comes by, in which model and core differ.
 */
class CoreAccessesTest {
  private static final int COUNTERS = 0x02000000;
  private static final int STATISTICS = 0x03000300;
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
    4,
    0x03000200,
    16,
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

  private final Simulation simulation = new Simulation(1);
  private final CapturingSink sink = new CapturingSink();
  private final FpgaModel fpga = new FpgaModel(simulation, sink, 220_000_000, 100_000_000_000L);
  private final Random random = new Random(11);
  private final StringBuilder lines = new StringBuilder();

  private void write(int address, int value) {
    fpga.writeRegister(address, value);
    lines.append(String.format("w %08x %08x%n", address, value));
  }

  private void read(int address) {
    lines.append(String.format("r %08x %08x%n", address, fpga.readRegister(address)));
  }

  private void packet(int queue, int length) {
    long before = fpga.droppedPackets(queue);
    byte[] frame = new byte[length + 4];
    for (int i = 0; i < 4; i++) {
      frame[i] = (byte) (queue >> 24 - 8 * i);
    }
    fpga.receive(frame, 0, frame.length, 0, simulation.nowNanos());
    boolean dropped = fpga.droppedPackets(queue) > before;
    lines.append(String.format("%s %05x %d%n", dropped ? "d" : "k", queue, length));
  }

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
        write(address, value);
      }
      read(address);
    }
  }

  private void openUpperLevels() {
    for (int level = CUSTOMER; level <= PORT; level++) {
      write(bucketSize(level), MAX_BUCKET);
    }
    for (int trafficClass = 0; trafficClass < 8; trafficClass++) {
      write(depth(trafficClass), 2_000 + 1_000 * trafficClass);
    }
  }

  private void packets() {
    int[] customers = new int[12];
    for (int i = 0; i < customers.length; i++) {
      customers[i] = random.nextInt(1 << 15);
      write(rate(CUSTOMER, customers[i]), 0);
      write(0x01300000 + 4 * customers[i], i % 3 == 0 ? 0 : 1_600 + random.nextInt(20_000));
      write(0x01380000 + 4 * customers[i], i % 2 == 0 ? 0 : random.nextInt());
      write(rate(TREE, customers[i] >> 6), Registers.MAX_WORD);
      write(rate(PORT, customers[i] >> 12), Registers.MAX_WORD);
    }
    for (int i = 0; i < 400; i++) {
      packet(
          customers[random.nextInt(customers.length)] << 3 | random.nextInt(8),
          4 + random.nextInt(1_597));
    }
    for (int customer : customers) {
      write(rate(CUSTOMER, customer), 10_000 + random.nextInt(200_000));
    }
    simulation.runUntil(simulation.nowNanos() + 1_000_000_000L);
    assertThat(fpga.statistics().waitingPackets()).isZero();
    lines.append("e\n");
    for (int customer : customers) {
      for (int trafficClass = 0; trafficClass < 8; trafficClass++) {
        write(COUNTERS, customer << 3 | trafficClass);
        read(COUNTERS + 4);
        read(COUNTERS + 8);
      }
    }
    for (int i = 0; i < RegisterMap.STATISTICS; i++) {
      read(STATISTICS + 4 * i);
    }
  }

  @Test
  void theModelAnswersWhatTheCoreIsHeldTo() {
    accesses();
    openUpperLevels();
    packets();
    packets();
    assertThat(lines.toString()).contains("\nd ", "\nk ");
    Golden.check("fpga-accesses.txt", lines.toString());
  }
}
