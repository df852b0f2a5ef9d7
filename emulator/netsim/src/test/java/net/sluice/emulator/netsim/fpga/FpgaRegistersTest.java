package net.sluice.emulator.netsim.fpga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.traffic.CapturingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FpgaRegistersTest {

  private static final int STRAY = 0xcafebabe;

  private final FpgaModel fpga = new FpgaModel(new Simulation(1), new CapturingSink());

  @Test
  void powerOnValues() {
    for (int k = 0; k < 8; k++) {
      assertThat(fpga.readRegister(4 * k)).isEqualTo(128 << k);
    }
    assertThat(fpga.readRegister(0x01200000)).isEqualTo(1);
    assertThat(fpga.readRegister(0x01200000 + 4 * 32_767)).isEqualTo(1);
    assertThat(fpga.readRegister(0x01400000 + 4 * 511)).isEqualTo(1);
    assertThat(fpga.readRegister(0x01600000 + 4 * 7)).isEqualTo(1);
    assertThat(fpga.readRegister(0x0127FFFC)).isEqualTo(2_000);
    assertThat(fpga.readRegister(0x0147FFFC)).isEqualTo(2_000);
    assertThat(fpga.readRegister(0x0167FFFC)).isEqualTo(2_000);
    assertThat(fpga.readRegister(0x01300000)).isZero();
    assertThat(fpga.readRegister(0x01300000 + 4 * 32_767)).isZero();
    for (int address = 0x03000300; address < 0x0300031C; address += 4) {
      assertThat(fpga.readRegister(address)).isZero();
    }
    assertThat(fpga.statistics().strayAccesses()).isZero();
    assertThat(fpga.readRegister(Registers.COUNTER_LOW)).isEqualTo(STRAY);
    assertThat(fpga.readRegister(Registers.COUNTER_HIGH)).isEqualTo(STRAY);
  }

  @Test
  void depthsHave24BitsInStepsOf8() {
    fpga.writeRegister(0x0C, 1_005);
    assertThat(fpga.readRegister(0x0C)).isEqualTo(1_000);
    fpga.writeRegister(0x1C, 0xFFFFFFFF);
    assertThat(fpga.readRegister(0x1C)).isEqualTo(0xFFFFF8);
    assertThat(fpga.readRegister(0x08)).isEqualTo(512);
  }

  @Test
  void rateWordsHave18Bits() {
    fpga.writeRegister(Registers.rate(Registers.CUSTOMER, 5), 0xFFFC0123);
    assertThat(fpga.readRegister(Registers.rate(Registers.CUSTOMER, 5))).isEqualTo(0x123);
    fpga.writeRegister(Registers.rate(Registers.TREE, 5), 262_143);
    assertThat(fpga.readRegister(Registers.rate(Registers.TREE, 5))).isEqualTo(262_143);
    assertThat(fpga.readRegister(Registers.rate(Registers.PORT, 5))).isEqualTo(1);
    assertThat(fpga.readRegister(Registers.rate(Registers.CUSTOMER, 6))).isEqualTo(1);
  }

  @Test
  void bucketSizesAreOfALevelAndSaturate() {
    fpga.writeRegister(Registers.bucketSize(Registers.TREE), 32_768);
    assertThat(fpga.readRegister(Registers.bucketSize(Registers.TREE))).isEqualTo(32_767);
    fpga.writeRegister(Registers.bucketSize(Registers.PORT), -1);
    assertThat(fpga.readRegister(Registers.bucketSize(Registers.PORT))).isEqualTo(32_767);
    fpga.writeRegister(Registers.bucketSize(Registers.PORT), 3_000);
    assertThat(fpga.readRegister(Registers.bucketSize(Registers.PORT))).isEqualTo(3_000);
    assertThat(fpga.readRegister(Registers.bucketSize(Registers.CUSTOMER))).isEqualTo(2_000);
  }

  @Test
  void aBurstIsOneCustomersAndSaturates() {
    fpga.writeRegister(0x01300000 + 4 * 9, 40_000);
    assertThat(fpga.readRegister(0x01300000 + 4 * 9)).isEqualTo(32_767);
    assertThat(fpga.readRegister(0x01300000 + 4 * 8)).isZero();
    assertThat(fpga.readRegister(Registers.bucketSize(Registers.CUSTOMER))).isEqualTo(2_000);
    fpga.reset();
    assertThat(fpga.readRegister(0x01300000 + 4 * 9)).isZero();
  }

  @Test
  void identificationTellsTheCoreThatIsModelled() {
    FpgaModel fast = new FpgaModel(new Simulation(1), new CapturingSink(), 220_000_000, 1);
    assertThat(fast.readRegister(0x03000100)).isEqualTo(0x534C5501);
    assertThat(fast.readRegister(0x03000104)).isEqualTo(18 | 3 << 8 | 1 << 16 | 1 << 17 | 1 << 18);
    assertThat(fast.readRegister(0x03000108)).isEqualTo(1_600 << 16 | 1_248);
    assertThat(fast.readRegister(0x0300010C)).isEqualTo(220_000);
    assertThat(fast.readRegister(0x03000110)).isEqualTo(131_072);
    assertThat(fast.readRegister(0x03000114)).isEqualTo(4_096);
    fast.writeRegister(0x03000100, 5);
    assertThat(fast.readRegister(0x03000100)).isEqualTo(0x534C5501);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0x00000020, // a ninth class
        0x00FFFFFC,
        0x01000000, // level 0
        0x01200000 + 4 * 32_768, // a customer too many
        0x01400000 + 4 * 512,
        0x01600000 + 4 * 8,
        0x01280000, // a bit between the fields
        0x01300000 + 4 * 32_768, // the burst of a customer too many
        0x01500000, // the burst of a tree
        0x01800000, // level 4
        0x02000000,
        0x0200000C,
        0x03000010, // no such note
        0x03000118, // no such identification
        0x03000240, // CoDel's interval of a ninth class
        0x0300031C, // a statistic too many
        0xFF000000,
      })
  void readsThatMeetNoRegisterAreStray(int address) {
    assertThat(fpga.readRegister(address)).isEqualTo(STRAY);
    assertThat(fpga.statistics().strayAccesses()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0x00000020, 0x01000000, 0x01400000 + 4 * 512, 0x01280000, 0x03000010})
  void writesThatMeetNoRegisterChangeNothing(int address) {
    fpga.writeRegister(address, 77);
    assertThat(fpga.statistics().strayAccesses()).isEqualTo(1);
    powerOnDepthsAndFirstRates();
  }

  @Test
  void timesOfCodelHave16BitsAndAreThoseOfAClass() {
    fpga.writeRegister(0x03000200 + 4 * 3, 0x12345);
    fpga.writeRegister(0x03000220 + 4 * 3, 0xFFFF);
    assertThat(fpga.readRegister(0x03000200 + 4 * 3)).isEqualTo(0x2345);
    assertThat(fpga.readRegister(0x03000220 + 4 * 3)).isEqualTo(0xFFFF);
    assertThat(fpga.readRegister(0x03000200 + 4 * 2)).isZero();
    fpga.reset();
    assertThat(fpga.readRegister(0x03000220 + 4 * 3)).isZero();
    assertThat(fpga.statistics().strayAccesses()).isZero();
  }

  @Test
  void aSmallerBuildHasTheLowerRegisters() {
    FpgaBuild build = new FpgaBuild(11, false, 64, 0);
    FpgaModel small = new FpgaModel(new Simulation(1), new CapturingSink(), build, 156_250_000, 1);
    assertThat(small.readRegister(0x03000104)).isEqualTo(11 | 3 << 8 | 1 << 17);
    assertThat(small.readRegister(0x03000110)).isEqualTo(64);
    for (int last : new int[] {0x01200000 + 4 * 255, 0x01400000 + 4 * 3, 0x01600000}) {
      assertThat(small.readRegister(last)).isEqualTo(1);
      assertThat(small.readRegister(last + 4)).isEqualTo(STRAY);
    }
    assertThat(small.readRegister(0x03000200)).isEqualTo(STRAY);
    small.writeRegister(0x02000000, 2_048);
    assertThat(small.readRegister(Registers.COUNTER_LOW)).isEqualTo(STRAY);
  }

  @Test
  void notesKeepWhatIsWrittenUntilPowerIsLost() {
    assertThat(fpga.readRegister(0x03000000)).isZero();
    fpga.writeRegister(0x03000000, 0x89ABCDEF);
    fpga.writeRegister(0x03000004, -1);
    assertThat(fpga.readRegister(0x03000000)).isEqualTo(0x89ABCDEF);
    assertThat(fpga.readRegister(0x03000004)).isEqualTo(-1);
    powerOnDepthsAndFirstRates();
    fpga.reset();
    assertThat(fpga.readRegister(0x03000000)).isZero();
  }

  private void powerOnDepthsAndFirstRates() {
    for (int k = 0; k < 8; k++) {
      assertThat(fpga.readRegister(4 * k)).isEqualTo(128 << k);
    }
    for (int level = 1; level <= 3; level++) {
      assertThat(fpga.readRegister(Registers.rate(level, 0))).isEqualTo(1);
      assertThat(fpga.readRegister(Registers.bucketSize(level))).isEqualTo(2_000);
    }
  }

  @Test
  void countersAreThoseOfTheQueueSelectedLastAndStrayWithoutOne() {
    fpga.writeRegister(0x02000000, 262_143);
    assertThat(fpga.readRegister(Registers.COUNTER_LOW)).isZero();
    assertThat(fpga.readRegister(Registers.COUNTER_HIGH)).isZero();
    fpga.writeRegister(0x02000004, 7);
    assertThat(fpga.readRegister(Registers.COUNTER_LOW)).isZero();
    fpga.writeRegister(0x02000000, 262_144);
    assertThat(fpga.readRegister(Registers.COUNTER_LOW)).isEqualTo(STRAY);
    assertThat(fpga.readRegister(Registers.COUNTER_HIGH)).isEqualTo(STRAY);
  }

  @Test
  void addressesAreThoseOfWords() {
    assertThatThrownBy(() -> fpga.readRegister(0x02000005))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("address 0x02000005: must be a multiple of 4");
    assertThatThrownBy(() -> fpga.writeRegister(0x01200002, 1))
        .hasMessage("address 0x01200002: must be a multiple of 4");
  }

  @Test
  void countersWrapAt27And37Bits() {
    assertThat(RegisterMap.pack(1, 2)).isEqualTo(1L << 37 | 2);
    assertThat(RegisterMap.pack((1L << 27) - 1, (1L << 37) - 1)).isEqualTo(-1L);
    assertThat(RegisterMap.pack(1L << 27, 1L << 37)).isZero();
    assertThat(RegisterMap.pack((1L << 27) + 5, (1L << 37) + 9)).isEqualTo(5L << 37 | 9);
  }

  @Test
  void queueIdsAreMadeOfTheirFields() {
    assertThat(QueueNumbers.of(7, 63, 63, 7)).isEqualTo(262_143);
    int id = QueueNumbers.of(3, 5, 9, 2);
    assertThat(id).isEqualTo((3 << 15) + (5 << 9) + (9 << 3) + 2);
    assertThat(QueueNumbers.customer(id)).isEqualTo((3 * 64 + 5) * 64 + 9);
    assertThat(QueueNumbers.tree(id)).isEqualTo(3 * 64 + 5);
    assertThat(QueueNumbers.port(id)).isEqualTo(3);
    assertThat(QueueNumbers.trafficClass(id)).isEqualTo(2);
    assertThatThrownBy(() -> QueueNumbers.of(8, 0, 0, 0)).hasMessage("port 8: must be 0..7");
    assertThatThrownBy(() -> QueueNumbers.of(0, 64, 0, 0)).hasMessage("tree 64: must be 0..63");
    assertThatThrownBy(() -> QueueNumbers.of(0, 0, -1, 0)).hasMessage("customer -1: must be 0..63");
    assertThatThrownBy(() -> QueueNumbers.of(0, 0, 0, 8))
        .hasMessage("trafficClass 8: must be 0..7");
  }
}
