package net.sluice.emulator.netsim.fpga;

import java.util.BitSet;

/**
 * The packet buffers of two sizes. A packet that fits a small one gets one while there are any,
 * else a large one.
 */
final class PacketBuffers {
  private final FpgaBuild build;
  private final BitSet inSmall = new BitSet();
  private int freeLarge;
  private int freeSmall;

  PacketBuffers(FpgaBuild build) {
    this.build = build;
    clear();
  }

  /** Frees all. */
  void clear() {
    inSmall.clear();
    freeLarge = build.largeBuffers();
    freeSmall = build.smallBuffers();
  }

  /** True if there is a buffer for a packet of that length. */
  boolean hasRoom(int length) {
    return freeLarge > 0 || takesSmall(length);
  }

  /** Gives the packet of a slot of the frame store a buffer; there must be one. */
  void take(int slot, int length) {
    if (takesSmall(length)) {
      freeSmall--;
      inSmall.set(slot);
    } else {
      freeLarge--;
    }
  }

  /** Frees the buffer of a slot's packet. */
  void give(int slot) {
    if (inSmall.get(slot)) {
      inSmall.clear(slot);
      freeSmall++;
    } else {
      freeLarge++;
    }
  }

  private boolean takesSmall(int length) {
    return length <= FpgaBuild.SMALL_BYTES && freeSmall > 0;
  }
}
