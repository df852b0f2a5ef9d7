package net.sluice.emulator.switching;

/**
 * What becomes of a packet's clones.
 *
 * @param replicas a copy of the clone goes to each
 * @param multicastGroup group that gets copies too, before those, or 0; looked up when a packet is
 *     cloned
 * @param classOfService queue priority of the copies, 0..7; with 0 the clone's metadata decides
 * @param maxBytes what the clone carries of the packet at most, or 0 for all of it
 */
public record CloneSession(
    Replicas replicas, int multicastGroup, int classOfService, int maxBytes) {

  /** What a clone of a packet of {@code bytes} carries. */
  public int limit(int bytes) {
    return maxBytes == 0 ? bytes : Math.min(bytes, maxBytes);
  }
}
