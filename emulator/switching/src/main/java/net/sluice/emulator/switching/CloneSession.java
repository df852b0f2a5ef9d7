package net.sluice.emulator.switching;

/**
 * A clone session (P4Runtime specification, "CloneSessionEntry").
 *
 * @param replicas destinations of the clone
 * @param multicastGroup group that gets copies too, before those, or 0; looked up when a packet is
 *     cloned
 * @param classOfService queue priority of the copies, 0..7; 0 leaves it to the clone's metadata
 * @param maxBytes bytes that the clone is truncated to, or 0 for no limit
 */
public record CloneSession(
    Replicas replicas, int multicastGroup, int classOfService, int maxBytes) {

  /** Length of a clone of a packet of {@code bytes}. */
  public int limit(int bytes) {
    return maxBytes == 0 ? bytes : Math.min(bytes, maxBytes);
  }
}
