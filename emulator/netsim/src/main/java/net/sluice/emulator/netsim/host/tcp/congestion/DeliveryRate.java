package net.sluice.emulator.netsim.host.tcp.congestion;

import java.util.Arrays;
import net.sluice.emulator.netsim.host.tcp.Scoreboard;

/**
 * How fast the network delivers what a connection sends, one sample for an acknowledgement
 * (draft-cheng-iccrg-delivery-rate-estimation): what was delivered from when a segment was sent
 * until it was acknowledged, over the time that took to send or to acknowledge, whichever is
 * longer.
 *
 * <p>Segments have the running indices of the {@link Scoreboard}. Of several that an
 * acknowledgement covers the one sent last makes the sample.
 */
public final class DeliveryRate {

  private static final long NONE = -1;

  private long[] deliveredBefore = new long[16];
  private long[] deliveredNanosBefore = new long[16];
  private long[] firstSentNanosBefore = new long[16];
  private boolean[] limitedBefore = new boolean[16];

  private long deliveredBytes;
  private long deliveredNanos;
  private long firstSentNanos;
  private long limitedUntilBytes = NONE;

  private long newestSentNanos;
  private long priorDeliveredBytes;
  private long priorNanos;
  private long sendNanos;
  private boolean limited;
  private long newlyDeliveredBytes;
  private long intervalNanos;

  /**
   * A segment is being sent, for the first time or again.
   *
   * @param index its index
   * @param capacity slots that the indices in flight fit into, a power of two
   * @param nothingInFlight whether it is the only one
   */
  public void onSent(long index, int capacity, boolean nothingInFlight, long nowNanos) {
    if (capacity > deliveredBefore.length) {
      grow(index, capacity);
    }
    if (nothingInFlight) {
      firstSentNanos = nowNanos;
      deliveredNanos = nowNanos;
    }
    int at = slot(index);
    deliveredBefore[at] = deliveredBytes;
    deliveredNanosBefore[at] = deliveredNanos;
    firstSentNanosBefore[at] = firstSentNanos;
    limitedBefore[at] = limitedUntilBytes != NONE;
  }

  /** An acknowledgement has come in; what it says was delivered follows. */
  public void onAck() {
    newestSentNanos = NONE;
    newlyDeliveredBytes = 0;
    intervalNanos = NONE;
  }

  /** The acknowledgement says, for the first time, that bytes of a segment have arrived. */
  public void onDelivered(long index, int bytes, long sentNanos) {
    newlyDeliveredBytes += bytes;
    deliveredBytes += bytes;
    if (sentNanos >= newestSentNanos) {
      int at = slot(index);
      newestSentNanos = sentNanos;
      priorDeliveredBytes = deliveredBefore[at];
      priorNanos = deliveredNanosBefore[at];
      sendNanos = sentNanos - firstSentNanosBefore[at];
      limited = limitedBefore[at];
    }
  }

  /**
   * The acknowledgement has told all it does.
   *
   * @param minRttNanos least round-trip time so far: what seems to have taken less is no sample
   */
  public void sample(long minRttNanos, long nowNanos) {
    if (newlyDeliveredBytes == 0) {
      return;
    }
    deliveredNanos = nowNanos;
    firstSentNanos = newestSentNanos;
    if (limitedUntilBytes != NONE && deliveredBytes > limitedUntilBytes) {
      limitedUntilBytes = NONE;
    }
    long took = Math.max(sendNanos, nowNanos - priorNanos);
    intervalNanos = took > 0 && took >= minRttNanos ? took : NONE;
  }

  /**
   * Until the data in flight has arrived, deliveries say nothing of how much the network could
   * deliver: there is nothing to send, or the sender holds itself back.
   */
  public void limit(long flightBytes) {
    limitedUntilBytes = deliveredBytes + flightBytes;
  }

  /** Whether what is sent now is marked as {@link #limit} says. */
  public boolean isLimited() {
    return limitedUntilBytes != NONE;
  }

  /** Bytes delivered since the connection began. */
  long deliveredBytes() {
    return deliveredBytes;
  }

  /** Bytes that the last acknowledgement told of. */
  public long newlyDeliveredBytes() {
    return newlyDeliveredBytes;
  }

  /** Whether the last acknowledgement made a sample. */
  boolean hasSample() {
    return intervalNanos != NONE;
  }

  /** The sample, bytes per second; to be asked for only when there is one. */
  double bytesPerSecond() {
    return (deliveredBytes - priorDeliveredBytes) * 1e9 / intervalNanos;
  }

  /** Bytes that had been delivered when the segment was sent which the last sample is of. */
  long priorDeliveredBytes() {
    return priorDeliveredBytes;
  }

  /** Whether the last sample is of a segment sent when it was limited. */
  boolean sampleLimited() {
    return limited;
  }

  private int slot(long index) {
    return (int) index & (deliveredBefore.length - 1);
  }

  /** Keeps what is there of the indices up to, not including, {@code end}. */
  private void grow(long end, int capacity) {
    int size = deliveredBefore.length;
    long[] newDelivered = Arrays.copyOf(deliveredBefore, capacity);
    long[] newNanos = Arrays.copyOf(deliveredNanosBefore, capacity);
    long[] newFirst = Arrays.copyOf(firstSentNanosBefore, capacity);
    boolean[] newLimited = Arrays.copyOf(limitedBefore, capacity);
    for (long i = Math.max(0, end - size); i < end; i++) {
      int from = slot(i);
      int to = (int) i & (capacity - 1);
      newDelivered[to] = deliveredBefore[from];
      newNanos[to] = deliveredNanosBefore[from];
      newFirst[to] = firstSentNanosBefore[from];
      newLimited[to] = limitedBefore[from];
    }
    deliveredBefore = newDelivered;
    deliveredNanosBefore = newNanos;
    firstSentNanosBefore = newFirst;
    limitedBefore = newLimited;
  }
}
