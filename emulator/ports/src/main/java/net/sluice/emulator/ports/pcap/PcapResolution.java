package net.sluice.emulator.ports.pcap;

/** The unit of a capture's sub-second timestamps. */
public enum PcapResolution {
  /** Millionths of a second, the original format. */
  MICROS(0xa1b2c3d4, 1_000),
  /** Billionths of a second. */
  NANOS(0xa1b23c4d, 1);

  private static final int NANOS_PER_SECOND = 1_000_000_000;

  private final int magic;
  private final int nanosPerUnit;

  PcapResolution(int magic, int nanosPerUnit) {
    this.magic = magic;
    this.nanosPerUnit = nanosPerUnit;
  }

  /** First word of a file. */
  int magic() {
    return magic;
  }

  /** Nanoseconds in one unit of the fraction. */
  int nanosPerUnit() {
    return nanosPerUnit;
  }

  /** Units in a second; the fraction is less. */
  int unitsPerSecond() {
    return NANOS_PER_SECOND / nanosPerUnit;
  }
}
