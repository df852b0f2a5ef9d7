package net.sluice.emulator.netsim.host.tcp;

import java.util.Arrays;

/**
 * The bytes of a stream as a function of their position, so that a sender keeps none of them and
 * makes them again to retransmit them.
 */
@FunctionalInterface
public interface PayloadSource {

  /** Nothing but zeros. */
  PayloadSource ZEROS =
      (position, buffer, at, length) -> Arrays.fill(buffer, at, at + length, (byte) 0);

  /**
   * Writes bytes of the stream; the same position always has the same byte.
   *
   * @param position of the first one in the stream, from 0
   * @param buffer where to
   * @param at index of the first one in the buffer
   * @param length how many
   */
  void fill(long position, byte[] buffer, int at, int length);
}
