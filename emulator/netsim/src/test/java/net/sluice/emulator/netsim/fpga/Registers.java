package net.sluice.emulator.netsim.fpga;

/**
 * Register addresses for tests, written out again so that they check the map instead of sharing it.
 */
final class Registers {

  static final int CUSTOMER = 1;
  static final int TREE = 2;
  static final int PORT = 3;
  static final int MAX_WORD = 262_143;
  static final int COUNTER_LOW = 0x02000004;
  static final int COUNTER_HIGH = 0x02000008;

  private Registers() {}

  static int depth(int trafficClass) {
    return trafficClass << 2;
  }

  static int rate(int level, int index) {
    return (1 << 24) | (level << 21) | (index << 2);
  }

  static int bucketSize(int level) {
    return (1 << 24) | (level << 21) | (0x1FFFF << 2);
  }

  /** Opens trees and ports as wide as they go, and gives class 0 a deep queue. */
  static void openUpperLevels(FpgaModel fpga) {
    fpga.writeRegister(depth(0), 0xFFFFF8);
    for (int i = 0; i < 512; i++) {
      fpga.writeRegister(rate(TREE, i), MAX_WORD);
    }
    for (int i = 0; i < 8; i++) {
      fpga.writeRegister(rate(PORT, i), MAX_WORD);
    }
    fpga.writeRegister(bucketSize(TREE), 32_767);
    fpga.writeRegister(bucketSize(PORT), 32_767);
  }
}
