package net.sluice.emulator.netsim.host.tcp;

import java.util.Arrays;

/**
 * Samples of a sender's congestion window and round-trip time, taken when acknowledgements come in,
 * a given time or more apart.
 */
public final class TcpTrace {

  private final long intervalNanos;
  private long nextNanos = Long.MIN_VALUE;
  private int size;
  private long[] nanos = new long[64];
  private long[] cwndBytes = new long[64];
  private long[] ssthreshBytes = new long[64];
  private long[] srttNanos = new long[64];

  TcpTrace(long intervalNanos) {
    if (intervalNanos < 0) {
      throw new IllegalArgumentException("intervalNanos " + intervalNanos + ": must be at least 0");
    }
    this.intervalNanos = intervalNanos;
  }

  /** Samples taken. */
  public int size() {
    return size;
  }

  /** When sample i, 0..size - 1, was taken, virtual nanoseconds. */
  public long nanos(int i) {
    return nanos[checked(i)];
  }

  /** Congestion window of sample i, bytes. */
  public long cwndBytes(int i) {
    return cwndBytes[checked(i)];
  }

  /** Slow start threshold of sample i, bytes; Long.MAX_VALUE before the first congestion. */
  public long ssthreshBytes(int i) {
    return ssthreshBytes[checked(i)];
  }

  /** Smoothed round-trip time of sample i, nanoseconds. */
  public long srttNanos(int i) {
    return srttNanos[checked(i)];
  }

  void sample(long nowNanos, long cwnd, long ssthresh, long srtt) {
    if (nowNanos < nextNanos) {
      return;
    }
    nextNanos = nowNanos + intervalNanos;
    if (size == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * size);
      cwndBytes = Arrays.copyOf(cwndBytes, 2 * size);
      ssthreshBytes = Arrays.copyOf(ssthreshBytes, 2 * size);
      srttNanos = Arrays.copyOf(srttNanos, 2 * size);
    }
    nanos[size] = nowNanos;
    cwndBytes[size] = cwnd;
    ssthreshBytes[size] = ssthresh;
    srttNanos[size] = srtt;
    size++;
  }

  private int checked(int i) {
    if (i < 0 || i >= size) {
      throw new IndexOutOfBoundsException("sample " + i + ": must be 0.." + (size - 1));
    }
    return i;
  }
}
