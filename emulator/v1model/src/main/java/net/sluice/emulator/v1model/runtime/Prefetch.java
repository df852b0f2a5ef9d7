package net.sluice.emulator.v1model.runtime;

/** Prefetches data that coming packets will need. */
@FunctionalInterface
public interface Prefetch {

  /**
   * Loads the data, without side effects.
   *
   * @param bytes buffer with the packets
   * @param offsets where each begins
   * @param lengths of each
   * @param count how many there are, at most {@link
   *     net.sluice.emulator.switching.PacketPipeline#MAX_EXPECTED}
   * @return the sum of the data loaded, to be used by the caller: unused loads would be optimized
   *     away
   */
  long load(byte[] bytes, int[] offsets, int[] lengths, int count);
}
