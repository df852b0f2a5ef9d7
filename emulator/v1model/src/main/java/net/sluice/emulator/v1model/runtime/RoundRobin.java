package net.sluice.emulator.v1model.runtime;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * bmv2's {@code round_robin} algorithms, which count instead of hashing; each calculation of a
 * program has a counter of its own.
 */
public final class RoundRobin {

  private final Map<ByteBuffer, Long> known = new HashMap<>();
  private long count;

  /** The next number, from 0, whatever the bytes are. */
  public long next(byte[] b, int n) {
    return count++;
  }

  /** The next number for bytes that have not been seen, else the one that they had before. */
  public long same(byte[] b, int n) {
    Long before = known.get(ByteBuffer.wrap(b, 0, n));
    if (before != null) {
      return before;
    }
    known.put(ByteBuffer.wrap(java.util.Arrays.copyOf(b, n)), count);
    return count++;
  }
}
