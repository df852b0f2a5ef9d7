package net.sluice.emulator.ports;

import net.sluice.emulator.switching.PacketPipeline;

/** The first bytes of frames in a batch, for a switch that is told what comes. */
final class FramePrefixes {
  /** As far as headers that tables look at mostly go. */
  static final int BYTES = 128;

  final byte[] bytes = new byte[PacketPipeline.MAX_EXPECTED * BYTES];
  final int[] offsets = new int[PacketPipeline.MAX_EXPECTED];
  final int[] lengths = new int[PacketPipeline.MAX_EXPECTED];

  FramePrefixes() {
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = i * BYTES;
    }
  }

  /**
   * Copies the heads of frames that a port has received, as the kernel gave them.
   *
   * @param first slot in the batch
   * @param count at most {@link PacketPipeline#MAX_EXPECTED}
   */
  void copy(ReceiveBatch batch, NetworkPort from, int first, int count) {
    for (int i = 0; i < count; i++) {
      int length = from.held(batch, first + i) - from.frameAt();
      lengths[i] = Math.max(0, Math.min(length, BYTES));
      batch.copy(first + i, from.frameAt(), lengths[i], bytes, offsets[i]);
    }
  }
}
