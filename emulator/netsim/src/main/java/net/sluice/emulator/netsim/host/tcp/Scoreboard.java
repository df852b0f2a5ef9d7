package net.sluice.emulator.netsim.host.tcp;

import java.util.Arrays;
import net.sluice.emulator.netsim.host.tcp.congestion.DeliveryRate;

/**
 * The segments in flight with their state: the scoreboard of RFC 6675, kept per segment as sent.
 * The retransmission queue and the scoreboard are one ring, as the bytes themselves can be made
 * again from their position.
 *
 * <p>Segments have running indices. Two of them divide the ring: those below {@code lostEnd} that
 * are not SACKed are lost (IsLost of RFC 6675 is monotone: what lies below a lost segment is lost
 * too), those below {@code resentEnd} are at or below HighRxt, which, other than in the RFC,
 * outlives the end of a recovery, so that nothing is resent twice. That makes pipe a difference of
 * counters, and every operation takes constant amortised time.
 */
public final class Scoreboard {

  /** No segment. */
  static final long NONE = -1;

  private static final int DUP_THRESH = 3;
  private static final byte SACKED = 1;
  private static final byte RESENT = 2;

  private final int smss;
  private final DeliveryRate delivery;
  private long[] starts = new long[16];
  private int[] lengths = new int[16];
  private long[] sentNanos = new long[16];
  private byte[] marks = new byte[16];
  private long head;
  private long tail;
  private long lostEnd;
  private long resentEnd;
  private long highestSacked = NONE;
  private long outstandingBytes;
  private long sackedBytes;
  private long lostBytes;
  private long everLostBytes;
  private long resentBytes;

  // Blocks of the last acknowledgement, cut down to whole segments: most blocks come again
  // unchanged or a little longer.
  private final long[] lastLeft = new long[TcpSegment.MAX_SACK_BLOCKS];
  private final long[] lastRight = new long[TcpSegment.MAX_SACK_BLOCKS];
  private int lastBlocks;
  private final long[] newLeft = new long[TcpSegment.MAX_SACK_BLOCKS];
  private final long[] newRight = new long[TcpSegment.MAX_SACK_BLOCKS];
  private long coveredLeft;
  private long coveredRight;

  private long sampleSentNanos;
  private long lastSentNanos;
  private boolean ackedResent;

  /**
   * An empty scoreboard.
   *
   * @param smss bytes of a full segment
   * @param delivery is told what is sent and what arrives
   */
  Scoreboard(int smss, DeliveryRate delivery) {
    this.smss = smss;
    this.delivery = delivery;
  }

  /** Adds a segment sent for the first time, behind all others. */
  void append(long start, int length, long nowNanos) {
    if (tail - head == starts.length) {
      grow();
    }
    delivery.onSent(tail, starts.length, head == tail, nowNanos);
    int at = slot(tail++);
    starts[at] = start;
    lengths[at] = length;
    sentNanos[at] = nowNanos;
    marks[at] = 0;
    outstandingBytes += length;
  }

  /** Everything before a position has arrived. */
  void ackTo(long position) {
    sampleSentNanos = NONE;
    ackedResent = false;
    while (head < tail) {
      int at = slot(head);
      int covered = (int) Math.min(lengths[at], position - starts[at]);
      if (covered <= 0) {
        break;
      }
      uncount(head, covered);
      if ((marks[at] & SACKED) == 0) {
        delivery.onDelivered(head, covered, sentNanos[at]);
      }
      ackedResent |= (marks[at] & RESENT) != 0;
      if (marks[at] == 0) {
        lastSentNanos = sentNanos[at];
        if (sampleSentNanos == NONE) {
          sampleSentNanos = sentNanos[at];
        }
      }
      if (covered < lengths[at]) {
        starts[at] += covered;
        lengths[at] -= covered;
        break;
      }
      head++;
    }
    lostEnd = Math.max(lostEnd, head);
    resentEnd = Math.max(resentEnd, head);
    if (highestSacked < head) {
      highestSacked = NONE;
    }
  }

  /**
   * When the first of the segments that the last {@link #ackTo} covered was sent, for a round-trip
   * sample; {@link #NONE} when none may be used: by Karn's rule none that was sent twice, and none
   * that had been SACKed and so was not what the acknowledgement waited for.
   */
  long sampleSentNanos() {
    return ackedResent ? NONE : sampleSentNanos;
  }

  /**
   * As {@link #sampleSentNanos}, but of the last such segment, for which the acknowledgement was
   * not delayed. To be asked for only when there is one.
   */
  long lastSentNanos() {
    return lastSentNanos;
  }

  /**
   * Processes the SACK blocks of one acknowledgement. Segments that lie in a block only in part
   * stay as they are: sending them again does no harm.
   *
   * @return bytes SACKed by them that had not been before
   */
  long sackAll(long[] left, long[] right, int blocks) {
    long before = sackedBytes;
    for (int i = 0; i < blocks; i++) {
      coveredLeft = Long.MAX_VALUE;
      coveredRight = Long.MIN_VALUE;
      sackBlock(left[i], right[i]);
      newLeft[i] = coveredLeft;
      newRight[i] = coveredRight;
    }
    System.arraycopy(newLeft, 0, lastLeft, 0, blocks);
    System.arraycopy(newRight, 0, lastRight, 0, blocks);
    lastBlocks = blocks;
    return sackedBytes - before;
  }

  private void sackBlock(long left, long right) {
    for (int i = 0; i < lastBlocks; i++) {
      if (lastLeft[i] >= left && lastRight[i] <= right && lastLeft[i] < lastRight[i]) {
        cover(lastLeft[i], lastRight[i]);
        sack(left, lastLeft[i]);
        sack(lastRight[i], right);
        return;
      }
    }
    sack(left, right);
  }

  private void sack(long left, long right) {
    if (left >= right || head == tail) {
      return;
    }
    for (long i = firstFrom(left); i < tail; i++) {
      int at = slot(i);
      long end = starts[at] + lengths[at];
      if (end > right) {
        break;
      }
      cover(starts[at], end);
      if ((marks[at] & SACKED) == 0) {
        uncount(i, lengths[at]);
        outstandingBytes += lengths[at];
        sackedBytes += lengths[at];
        marks[at] |= SACKED;
        delivery.onDelivered(i, lengths[at], sentNanos[at]);
        highestSacked = Math.max(highestSacked, i);
      }
    }
  }

  private void cover(long left, long right) {
    coveredLeft = Math.min(coveredLeft, left);
    coveredRight = Math.max(coveredRight, right);
  }

  /**
   * IsLost() of RFC 6675 for all segments: at least three separate SACKed runs above, or more than
   * two full segments' bytes.
   */
  void updateLost() {
    if (highestSacked == NONE) {
      return;
    }
    int runs = 0;
    long bytes = 0;
    boolean inRun = false;
    for (long i = highestSacked; i >= lostEnd; i--) {
      int at = slot(i);
      if ((marks[at] & SACKED) == 0) {
        inRun = false;
        continue;
      }
      bytes += lengths[at];
      if (!inRun) {
        inRun = true;
        runs++;
      }
      if (runs >= DUP_THRESH || bytes > (long) (DUP_THRESH - 1) * smss) {
        loseBelow(i);
        return;
      }
    }
  }

  /** The retransmission timer expired: whatever has not been SACKed is lost and may be resent. */
  void loseAll() {
    loseBelow(tail);
    resentEnd = head;
    resentBytes = 0;
  }

  /** Clears all SACKs, when the receiver seems to have reneged, RFC 2018 section 8. */
  void forgetSacks() {
    for (long i = head; i < tail; i++) {
      marks[slot(i)] &= ~SACKED;
    }
    highestSacked = NONE;
    lastBlocks = 0;
    sackedBytes = 0;
    lostBytes = bytesBelow(lostEnd);
    resentBytes = bytesBelow(resentEnd);
  }

  /**
   * Whether the first segment is SACKed though the cumulative acknowledgement does not cover it.
   */
  boolean reneged() {
    return head < tail && (marks[slot(head)] & SACKED) != 0;
  }

  /**
   * Whether the first segment in flight has been retransmitted since the last timeout; SACKs cannot
   * tell whether it is lost again. A recovery may end before it is acknowledged.
   */
  boolean firstIsResent() {
    return resentEnd > head;
  }

  /** The first segment above HighRxt that is not SACKed, or {@link #NONE}. */
  long nextToResend() {
    return firstUnsacked(resentEnd, tail);
  }

  /** The first segment in flight, SACKed or not, or {@link #NONE}. */
  long first() {
    return head < tail ? head : NONE;
  }

  /** NextSeg() rule 1: the first lost segment above HighRxt, or {@link #NONE}. */
  long nextLost() {
    return firstUnsacked(resentEnd, lostEnd);
  }

  /** NextSeg() rule 3: as rule 1, but without asking whether it is lost. */
  long nextBelowSacked() {
    return highestSacked == NONE ? NONE : firstUnsacked(resentEnd, highestSacked);
  }

  /** NextSeg() rule 4: the last segment that is not SACKed, or {@link #NONE}. */
  long lastUnsacked() {
    for (long i = tail - 1; i >= head; i--) {
      if ((marks[slot(i)] & SACKED) == 0) {
        return i;
      }
    }
    return NONE;
  }

  /**
   * A segment is being sent again.
   *
   * @param raisesHighRxt whether HighRxt moves up to its end; not for rule 4
   */
  void onResent(long index, boolean raisesHighRxt, long nowNanos) {
    delivery.onSent(index, starts.length, false, nowNanos);
    int at = slot(index);
    marks[at] |= RESENT;
    sentNanos[at] = nowNanos;
    if (raisesHighRxt && index >= resentEnd) {
      for (long i = resentEnd; i <= index; i++) {
        if ((marks[slot(i)] & SACKED) == 0) {
          resentBytes += lengths[slot(i)];
        }
      }
      resentEnd = index + 1;
    }
  }

  /** Position of a segment's first byte. */
  long start(long index) {
    return starts[slot(index)];
  }

  /** Length of a segment in sequence space. */
  int length(long index) {
    return lengths[slot(index)];
  }

  /** Bytes between the cumulative acknowledgement and the highest sent. */
  long outstandingBytes() {
    return outstandingBytes;
  }

  /** Of those, bytes SACKed. */
  long sackedBytes() {
    return sackedBytes;
  }

  /** RFC 6675's estimate of the bytes in the network. */
  long pipe() {
    return outstandingBytes - sackedBytes - lostBytes + resentBytes;
  }

  /** Bytes found to be lost since the beginning. */
  long everLostBytes() {
    return everLostBytes;
  }

  boolean isEmpty() {
    return head == tail;
  }

  /** Subtracts a segment's bytes from every sum they are in. */
  private void uncount(long index, int bytes) {
    outstandingBytes -= bytes;
    if ((marks[slot(index)] & SACKED) != 0) {
      sackedBytes -= bytes;
      return;
    }
    if (index < lostEnd) {
      lostBytes -= bytes;
    }
    if (index < resentEnd) {
      resentBytes -= bytes;
    }
  }

  private void loseBelow(long end) {
    for (long i = lostEnd; i < end; i++) {
      int at = slot(i);
      if ((marks[at] & SACKED) == 0) {
        lostBytes += lengths[at];
        everLostBytes += lengths[at];
      }
    }
    lostEnd = Math.max(lostEnd, end);
  }

  private long bytesBelow(long end) {
    long bytes = 0;
    for (long i = head; i < end; i++) {
      bytes += lengths[slot(i)];
    }
    return bytes;
  }

  private long firstUnsacked(long from, long end) {
    for (long i = from; i < end; i++) {
      if ((marks[slot(i)] & SACKED) == 0) {
        return i;
      }
    }
    return NONE;
  }

  /** Index of the first segment that starts at or after a position. */
  private long firstFrom(long position) {
    long low = head;
    long high = tail;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (starts[slot(middle)] < position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int slot(long index) {
    return (int) index & (starts.length - 1);
  }

  private void grow() {
    int size = starts.length;
    long[] newStarts = Arrays.copyOf(starts, 2 * size);
    int[] newLengths = Arrays.copyOf(lengths, 2 * size);
    long[] newSent = Arrays.copyOf(sentNanos, 2 * size);
    byte[] newMarks = Arrays.copyOf(marks, 2 * size);
    for (long i = head; i < tail; i++) {
      int from = slot(i);
      int to = (int) i & (2 * size - 1);
      newStarts[to] = starts[from];
      newLengths[to] = lengths[from];
      newSent[to] = sentNanos[from];
      newMarks[to] = marks[from];
    }
    starts = newStarts;
    lengths = newLengths;
    sentNanos = newSent;
    marks = newMarks;
  }
}
