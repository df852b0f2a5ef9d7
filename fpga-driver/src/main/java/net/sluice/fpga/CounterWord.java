package net.sluice.fpga;

/**
 * A queue's counters: 64 bits, of which the upper 27 count packets and the lower 37 bytes. Both
 * wrap: after 134,217,728 packets and 137,438,953,472 bytes.
 *
 * @param packets 0..2^27-1
 * @param bytes 0..2^37-1
 */
public record CounterWord(int packets, long bytes) {
  private static final int BYTE_BITS = 37;
  private static final long BYTE_MASK = (1L << BYTE_BITS) - 1;
  private static final int PACKET_MASK = (1 << (Long.SIZE - BYTE_BITS)) - 1;

  /** From the two words read. */
  static CounterWord of(int low, int high) {
    long word = (long) high << 32 | (low & 0xffff_ffffL);
    return new CounterWord((int) (word >>> BYTE_BITS), word & BYTE_MASK);
  }

  /** Packets since {@code earlier}, if fewer than 2^27 have passed. */
  public int packetsSince(CounterWord earlier) {
    return (packets - earlier.packets) & PACKET_MASK;
  }

  /** Bytes since {@code earlier}, if fewer than 2^37 have passed. */
  public long bytesSince(CounterWord earlier) {
    return (bytes - earlier.bytes) & BYTE_MASK;
  }
}
