package net.sluice.emulator.netsim.host.tcp;

import java.util.Arrays;

/**
 * Received bytes that cannot be passed on yet, because bytes before them are missing or the
 * application does not read: a ring of bytes by position in the stream, which grows as needed, and
 * the ranges beyond the first gap, which are what SACK blocks report (RFC 2018).
 */
final class Reassembly {

  private static final int MIN_RING_BYTES = 1 << 14;

  private byte[] ring = {};
  private long readPosition;

  private long[] lefts = new long[8];
  private long[] rights = new long[8];
  private long[] touched = new long[8];
  private int ranges;
  private long clock;

  /** An empty one for a stream whose next byte to pass on is at a position. */
  Reassembly(long readPosition) {
    this.readPosition = readPosition;
  }

  /** Position of the next byte to be taken. */
  long readPosition() {
    return readPosition;
  }

  /** Bytes have been passed on past the ring. */
  void skipTo(long position) {
    readPosition = position;
  }

  /** Keeps bytes; they lie at or after the read position. */
  void write(long position, byte[] bytes, int offset, int length) {
    ensure(position + length - readPosition);
    int mask = ring.length - 1;
    int at = (int) position & mask;
    int first = Math.min(length, ring.length - at);
    System.arraycopy(bytes, offset, ring, at, first);
    System.arraycopy(bytes, offset + first, ring, 0, length - first);
  }

  /** The ring, to be read from {@link #readIndex} for at most {@link #contiguous} bytes. */
  byte[] ring() {
    return ring;
  }

  /** Index of the next byte in {@link #ring}. */
  int readIndex() {
    return (int) readPosition & (ring.length - 1);
  }

  /** Number of the given bytes that are contiguous in the ring. */
  int contiguous(long bytes) {
    return (int) Math.min(bytes, ring.length - readIndex());
  }

  /** Notes a range beyond the first gap; it merges with those it overlaps or touches. */
  void addRange(long left, long right) {
    int from = 0;
    while (from < ranges && rights[from] < left) {
      from++;
    }
    int to = from;
    long newLeft = left;
    long newRight = right;
    while (to < ranges && lefts[to] <= right) {
      newLeft = Math.min(newLeft, lefts[to]);
      newRight = Math.max(newRight, rights[to]);
      to++;
    }
    replace(from, to, newLeft, newRight);
  }

  /** Removes the ranges that a stream without gap up to a position reaches; returns its new end. */
  long advance(long position) {
    long end = position;
    int reached = 0;
    while (reached < ranges && lefts[reached] <= end) {
      end = Math.max(end, rights[reached]);
      reached++;
    }
    if (reached > 0) {
      remove(0, reached);
    }
    return end;
  }

  /** Whether bytes lie beyond a gap. */
  boolean hasRanges() {
    return ranges > 0;
  }

  /**
   * Writes the ranges for a SACK option: the one that the newest segment is in, then the others by
   * how recently they changed.
   *
   * @param most number of ranges that fit
   * @return number of ranges written
   */
  int blocks(long[] left, long[] right, int most) {
    int count = Math.min(most, ranges);
    long below = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      int next = -1;
      for (int j = 0; j < ranges; j++) {
        if (touched[j] < below && (next < 0 || touched[j] > touched[next])) {
          next = j;
        }
      }
      below = touched[next];
      left[i] = lefts[next];
      right[i] = rights[next];
    }
    return count;
  }

  private void replace(int from, int to, long left, long right) {
    if (from == to) {
      if (ranges == lefts.length) {
        lefts = Arrays.copyOf(lefts, 2 * ranges);
        rights = Arrays.copyOf(rights, 2 * ranges);
        touched = Arrays.copyOf(touched, 2 * ranges);
      }
      move(from, from + 1);
      ranges++;
    } else if (to - from > 1) {
      remove(from + 1, to);
    }
    lefts[from] = left;
    rights[from] = right;
    touched[from] = ++clock;
  }

  private void remove(int from, int to) {
    move(to, from);
    ranges -= to - from;
  }

  private void move(int from, int to) {
    int count = ranges - from;
    System.arraycopy(lefts, from, lefts, to, count);
    System.arraycopy(rights, from, rights, to, count);
    System.arraycopy(touched, from, touched, to, count);
  }

  private void ensure(long bytes) {
    if (bytes <= ring.length) {
      return;
    }
    int size = Math.max(MIN_RING_BYTES, ring.length);
    while (size < bytes) {
      size *= 2;
    }
    byte[] larger = new byte[size];
    for (int i = 0; i < ring.length; i++) {
      long position = readPosition + i;
      larger[(int) position & (size - 1)] = ring[(int) position & (ring.length - 1)];
    }
    ring = larger;
  }
}
