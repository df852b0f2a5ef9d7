package net.sluice.emulator.v1model.runtime;

/** Loads what packets will need into the processor's caches before they come. */
@FunctionalInterface
public interface Prefetch {

  /**
   * Loads it, and changes nothing.
   *
   * @param bytes that the packets lie in
   * @param offsets where each begins
   * @param lengths of each
   * @param count how many there are, at most {@link
   *     net.sluice.emulator.switching.PacketPipeline#MAX_EXPECTED}
   * @return the sum of what was loaded, for someone to use: what nobody uses is not loaded
   */
  long load(byte[] bytes, int[] offsets, int[] lengths, int count);
}
