package net.sluice.northbound.usage;

import java.util.Optional;

/**
 * The traffic of one direction over a time; in bit/s of frames.
 *
 * @param offeredBps what entered the switch
 * @param gotBps what left it
 * @param policedBps what meters dropped
 * @param overflowedBps what found no room under a shaped limit, or would have waited too long there
 * @param suspendedBps what was dropped because of a suspension
 * @param droppedBps what CoDel of a shaped limit dropped
 * @param delay how long packets waited under shaped limits; empty if none did
 */
public record Rates(
    long offeredBps,
    long gotBps,
    long policedBps,
    long overflowedBps,
    long suspendedBps,
    long droppedBps,
    Optional<Delay> delay) {
  /** No packet. */
  public static final Rates NONE = new Rates(0, 0, 0, 0, 0, 0, Optional.empty());

  /** All that limits dropped: policed, overflowed and dropped by CoDel. */
  public long lostBps() {
    return policedBps + overflowedBps + droppedBps;
  }
}
