package net.sluice.emulator.netsim.host.tcp;

import java.util.Objects;
import java.util.function.Consumer;
import net.sluice.emulator.netsim.host.tcp.congestion.CongestionAlgorithm;

/**
 * Configuration of a {@link TcpStack}. Immutable; a new value is made from an old one by the {@code
 * with} methods. Defaults are those of common operating systems where an RFC leaves the choice:
 * CUBIC, SACK, timestamps, no ECN, delayed acknowledgements of 40 ms, a least timeout of 200 ms.
 */
public final class TcpConfig implements Cloneable {

  private static final long MILLI = 1_000_000L;
  private static final TcpConfig DEFAULTS = new TcpConfig();

  private CongestionAlgorithm congestion = CongestionAlgorithm.CUBIC;
  private boolean ecn;
  private long minRttNanos;
  private boolean sack = true;
  private boolean partialAcks = true;
  private int initialSegments = 10;
  private boolean timestamps = true;
  private boolean windowScaling = true;
  private boolean nagle;
  private int maxSegmentBytes = 1 << 16;
  private int receiveBufferBytes = 4 << 20;
  private long delayedAckNanos = 40 * MILLI;
  private long initialRtoNanos = 1_000 * MILLI;
  private long minRtoNanos = 200 * MILLI;
  private long rttGranularityNanos = 200 * MILLI;
  private long maxRtoNanos = 60_000 * MILLI;
  private long timeWaitNanos = 60_000 * MILLI;
  private int maxRetries = 15;
  private int maxSynRetries = 6;

  private TcpConfig() {}

  private TcpConfig with(Consumer<TcpConfig> change) {
    try {
      TcpConfig changed = (TcpConfig) clone();
      change.accept(changed);
      return changed;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError("it is cloneable", e);
    }
  }

  /** The defaults. */
  public static TcpConfig defaults() {
    return DEFAULTS;
  }

  /** Which congestion control connections use. */
  public TcpConfig withCongestion(CongestionAlgorithm algorithm) {
    return with(changed -> changed.congestion = Objects.requireNonNull(algorithm, "congestion"));
  }

  /**
   * Whether to use ECN: to ask for it as in RFC 3168, and to agree to that or to the accurate
   * feedback of RFC 9768, if the other side asks for it. An algorithm that needs accurate feedback
   * asks for it also where this is off.
   */
  public TcpConfig withEcn(boolean on) {
    return with(changed -> changed.ecn = on);
  }

  /**
   * The round-trip time as which {@link CongestionAlgorithm#PRAGUE} treats shorter ones when it
   * grows, so that flows of different times share alike, nanoseconds, 0..1 s; 0, which is off,
   * unless set. Linux has 25 ms.
   */
  public TcpConfig withMinRttNanos(long nanos) {
    check("minRttNanos", nanos, 0, 1_000 * MILLI);
    return with(changed -> changed.minRttNanos = nanos);
  }

  /** Whether to negotiate selective acknowledgements; without them losses follow RFC 6582. */
  public TcpConfig withSack(boolean on) {
    return with(changed -> changed.sack = on);
  }

  /**
   * Whether a recovery without SACK goes on at an acknowledgement of only a part of what was sent
   * before it, RFC 6582; if not, it ends at any new one, RFC 2581 (Reno), so that a second loss in
   * a window waits for a timeout.
   */
  public TcpConfig withPartialAcks(boolean on) {
    return with(changed -> changed.partialAcks = on);
  }

  /** Most segments of an initial window, 1..10; ten, RFC 6928, unless set. */
  public TcpConfig withInitialSegments(int segments) {
    check("initialSegments", segments, 1, 10);
    return with(changed -> changed.initialSegments = segments);
  }

  /** Whether to negotiate timestamps, RFC 7323. */
  public TcpConfig withTimestamps(boolean on) {
    return with(changed -> changed.timestamps = on);
  }

  /** Whether to negotiate window scaling, RFC 7323; without it windows end at 65,535 bytes. */
  public TcpConfig withWindowScaling(boolean on) {
    return with(changed -> changed.windowScaling = on);
  }

  /** Whether small segments wait for what is in flight, RFC 9293 section 3.7.4; off by default. */
  public TcpConfig withNagle(boolean on) {
    return with(changed -> changed.nagle = on);
  }

  /**
   * Largest segment to accept, announced as the MSS: bytes of data and TCP options, 64..65,536;
   * what fits the host's MTU unless that is less.
   */
  public TcpConfig withMaxSegmentBytes(int bytes) {
    check("maxSegmentBytes", bytes, 64, 1 << 16);
    return with(changed -> changed.maxSegmentBytes = bytes);
  }

  /** Receive buffer of a connection, bytes, 4096..2^30. */
  public TcpConfig withReceiveBufferBytes(int bytes) {
    check("receiveBufferBytes", bytes, 4_096, 1 << 30);
    return with(changed -> changed.receiveBufferBytes = bytes);
  }

  /** Delay of the acknowledgement of a single segment, nanoseconds, 0..500 ms. */
  public TcpConfig withDelayedAckNanos(long nanos) {
    check("delayedAckNanos", nanos, 0, 500 * MILLI);
    return with(changed -> changed.delayedAckNanos = nanos);
  }

  /**
   * Bounds of the retransmission timeout, RFC 6298.
   *
   * @param initialNanos before a measurement, at least 1 ms
   * @param minNanos least; 1 s in the RFC
   * @param granularityNanos least that variation adds to the smoothed round-trip time
   * @param maxNanos greatest, at least the initial one and at most 10 minutes
   */
  public TcpConfig withRto(long initialNanos, long minNanos, long granularityNanos, long maxNanos) {
    check("maxRtoNanos", maxNanos, MILLI, 600_000 * MILLI);
    check("initialRtoNanos", initialNanos, MILLI, maxNanos);
    check("minRtoNanos", minNanos, MILLI, maxNanos);
    check("rttGranularityNanos", granularityNanos, 0, maxNanos);
    return with(
        changed -> {
          changed.initialRtoNanos = initialNanos;
          changed.minRtoNanos = minNanos;
          changed.rttGranularityNanos = granularityNanos;
          changed.maxRtoNanos = maxNanos;
        });
  }

  /** Time in TIME-WAIT, nanoseconds, 0..10 minutes; 60 s by default. */
  public TcpConfig withTimeWaitNanos(long nanos) {
    check("timeWaitNanos", nanos, 0, 600_000 * MILLI);
    return with(changed -> changed.timeWaitNanos = nanos);
  }

  /** Retransmissions of data and of SYNs before giving up, 1..100 each. */
  public TcpConfig withRetries(int data, int syn) {
    check("maxRetries", data, 1, 100);
    check("maxSynRetries", syn, 1, 100);
    return with(
        changed -> {
          changed.maxRetries = data;
          changed.maxSynRetries = syn;
        });
  }

  CongestionAlgorithm congestion() {
    return congestion;
  }

  /** The feedback that SYNs ask for. */
  EcnFeedback ecnAsked() {
    if (congestion.needsAccurateFeedback()) {
      return EcnFeedback.ACCURATE;
    }
    return ecn ? EcnFeedback.CLASSIC : EcnFeedback.NONE;
  }

  /** The most that SYNs of others get. */
  EcnFeedback ecnMost() {
    return ecnAsked() == EcnFeedback.NONE ? EcnFeedback.NONE : EcnFeedback.ACCURATE;
  }

  long minRttNanos() {
    return minRttNanos;
  }

  boolean sack() {
    return sack;
  }

  int initialSegments() {
    return initialSegments;
  }

  boolean partialAcks() {
    return partialAcks;
  }

  boolean timestamps() {
    return timestamps;
  }

  boolean nagle() {
    return nagle;
  }

  int maxSegmentBytes() {
    return maxSegmentBytes;
  }

  int receiveBufferBytes() {
    return receiveBufferBytes;
  }

  long delayedAckNanos() {
    return delayedAckNanos;
  }

  long timeWaitNanos() {
    return timeWaitNanos;
  }

  int maxRetries() {
    return maxRetries;
  }

  int maxSynRetries() {
    return maxSynRetries;
  }

  RtoEstimator rtoEstimator() {
    return new RtoEstimator(initialRtoNanos, rttGranularityNanos, minRtoNanos, maxRtoNanos);
  }

  long maxRtoNanos() {
    return maxRtoNanos;
  }

  /** The least window scale that can express the receive buffer, or -1 without scaling. */
  int windowScale() {
    if (!windowScaling) {
      return -1;
    }
    int scale = 0;
    while (receiveBufferBytes >> scale > 0xffff) {
      scale++;
    }
    return scale;
  }

  private static void check(String field, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(field + " " + value + ": must be " + min + ".." + max);
    }
  }
}
