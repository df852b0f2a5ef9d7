package net.sluice.emulator.v1model.table;

import java.util.Arrays;

/**
 * Meters with two rates and three colours (RFC 2698, colour-blind), or with one rate and an excess
 * burst (RFC 2697). An unconfigured cell marks everything green. Tokens are packets or bytes; they
 * are kept in millionths, so that a rate per second adds a whole number of them per microsecond and
 * nothing is rounded.
 */
public final class MeterCells {

  /** Nothing was exceeded. */
  public static final int GREEN = 0;

  /** The committed rate was exceeded. */
  public static final int YELLOW = 1;

  /** The peak rate was exceeded. */
  public static final int RED = 2;

  /** The marking algorithm of a meter. */
  public enum Kind {
    /** RFC 2698. */
    TWO_RATE_THREE_COLOR,
    /** RFC 2697: tokens that overflow the committed bucket go to the excess bucket. */
    SINGLE_RATE_THREE_COLOR,
    /** One bucket: the same as two rates that are equal. */
    SINGLE_RATE_TWO_COLOR
  }

  /** Largest rate per second and largest burst. */
  public static final long MAX = Long.MAX_VALUE / 1_000_000;

  private static final int STRIDE = 8;
  private static final int CONFIGURED = 0;
  private static final int COMMITTED = 1;
  private static final int PEAK = 4;
  static final int RATE = 0;
  static final int BURST = 1;
  static final int TOKENS = 2;
  private static final int LAST = 7;
  static final long MILLIONTHS = 1_000_000;

  private static final int TWO = 2;

  private final String name;
  private final boolean bytes;

  /** The buckets of meters with another number of rates than two, or null. */
  private final MultiRateBuckets ladder;

  private long[] cells;
  private Kind kind = Kind.TWO_RATE_THREE_COLOR;

  /**
   * Unconfigured meters.
   *
   * @param bytes whether they count bytes, or else packets
   */
  public MeterCells(String name, int size, boolean bytes) {
    this(name, size, bytes, TWO);
  }

  /**
   * Unconfigured meters.
   *
   * @param bytes whether they count bytes, or else packets
   * @param rates how many rates each of them has
   */
  public MeterCells(String name, int size, boolean bytes, int rates) {
    this.name = name;
    this.bytes = bytes;
    this.cells = new long[STRIDE * size];
    this.ladder = rates == TWO ? null : new MultiRateBuckets(rates, size);
  }

  /** Number of rates of each. */
  public int rates() {
    return ladder == null ? TWO : ladder.rates();
  }

  /** Bits of a colour, 0 to the number of rates. */
  public static int colourBits(int rates) {
    return Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(rates));
  }

  /** P4 name. */
  public String name() {
    return name;
  }

  /** The marking algorithm. */
  public Kind kind() {
    return kind;
  }

  /** Sets the marking algorithm, before any cell is configured. */
  public void setKind(Kind newKind) {
    kind = newKind;
  }

  /** Cells. */
  public int size() {
    return cells.length / STRIDE;
  }

  /** Makes room for at least so many cells. */
  void grow(int size) {
    if (size > size()) {
      cells = Arrays.copyOf(cells, STRIDE * size);
      if (ladder != null) {
        ladder.grow(size);
      }
    }
  }

  /** Whether a cell is configured. */
  public boolean isConfigured(int index) {
    return cells[STRIDE * index + CONFIGURED] != 0;
  }

  /** A copy of a cell, configuration and tokens. */
  public long[] save(int index) {
    return Arrays.copyOfRange(cells, STRIDE * index, STRIDE * (index + 1));
  }

  /** Restores a {@linkplain #save copy} of a cell. */
  public void restore(int index, long[] saved) {
    System.arraycopy(saved, 0, cells, STRIDE * index, STRIDE);
  }

  /** Removes a cell's configuration: it marks everything green. */
  public void reset(int index) {
    Arrays.fill(cells, STRIDE * index, STRIDE * (index + 1), 0);
  }

  /**
   * Configures a cell; both buckets are full.
   *
   * @param committedRate tokens per second, at most {@code peakRate}
   * @param committedBurst tokens
   * @param peakRate tokens per second, at most {@link #MAX}
   * @param peakBurst tokens, at most {@link #MAX}
   */
  public void configure(
      int index, long committedRate, long committedBurst, long peakRate, long peakBurst) {
    int at = STRIDE * index;
    cells[at + CONFIGURED] = 1;
    bucket(at + COMMITTED, committedRate, committedBurst);
    bucket(at + PEAK, peakRate, peakBurst);
    cells[at + LAST] = Long.MIN_VALUE;
  }

  /**
   * Configures a cell of a meter with a single rate and three colours; both buckets are full.
   *
   * @param rate tokens per second, at most {@link #MAX}
   * @param committedBurst tokens, at most {@link #MAX}
   * @param excessBurst tokens, at most {@link #MAX}
   */
  public void configureSingleRate(int index, long rate, long committedBurst, long excessBurst) {
    configure(index, rate, committedBurst, rate, excessBurst);
  }

  /**
   * Configures a cell of a meter with any number of rates; all buckets are full.
   *
   * @param ratesPerSecond tokens per second, none below the one before, at most {@link #MAX}
   * @param bursts tokens, at most {@link #MAX}
   */
  public void configure(int index, long[] ratesPerSecond, long[] bursts) {
    if (ladder == null) {
      configure(index, ratesPerSecond[0], bursts[0], ratesPerSecond[1], bursts[1]);
      return;
    }
    cells[STRIDE * index + CONFIGURED] = 1;
    cells[STRIDE * index + LAST] = Long.MIN_VALUE;
    ladder.configure(index, ratesPerSecond, bursts);
  }

  private void bucket(int at, long rate, long burst) {
    cells[at + RATE] = rate;
    cells[at + BURST] = burst;
    cells[at + TOKENS] = burst * MILLIONTHS;
  }

  /** Committed rate, tokens per second. */
  public long committedRate(int index) {
    return cells[STRIDE * index + COMMITTED + RATE];
  }

  /** Committed burst, tokens. */
  public long committedBurst(int index) {
    return cells[STRIDE * index + COMMITTED + BURST];
  }

  /** Peak rate, tokens per second. */
  public long peakRate(int index) {
    return cells[STRIDE * index + PEAK + RATE];
  }

  /** Peak burst, or excess burst of a single rate with three colours, tokens. */
  public long peakBurst(int index) {
    return cells[STRIDE * index + PEAK + BURST];
  }

  /**
   * Meters a packet.
   *
   * @param nowMicros virtual time, microseconds; not before that of the packet before
   * @return {@link #GREEN}, {@link #YELLOW} or {@link #RED}; with another number of rates than two,
   *     the number of the highest rate that was exceeded, or 0
   */
  public int execute(int index, int lengthBytes, long nowMicros) {
    int at = STRIDE * index;
    if (cells[at + CONFIGURED] == 0) {
      return GREEN;
    }
    long elapsed = cells[at + LAST] == Long.MIN_VALUE ? 0 : nowMicros - cells[at + LAST];
    cells[at + LAST] = nowMicros;
    if (ladder != null) {
      return ladder.execute(index, bytes ? lengthBytes : 1, elapsed);
    }
    if (kind == Kind.SINGLE_RATE_THREE_COLOR) {
      return executeSingleRate(at, lengthBytes, elapsed);
    }
    fill(cells, at + COMMITTED, elapsed);
    fill(cells, at + PEAK, elapsed);
    long needed = (bytes ? lengthBytes : 1) * MILLIONTHS;
    if (cells[at + PEAK + TOKENS] < needed) {
      return RED;
    }
    cells[at + PEAK + TOKENS] -= needed;
    if (cells[at + COMMITTED + TOKENS] < needed) {
      return YELLOW;
    }
    cells[at + COMMITTED + TOKENS] -= needed;
    return GREEN;
  }

  private int executeSingleRate(int at, int lengthBytes, long elapsedMicros) {
    long needed = (bytes ? lengthBytes : 1) * MILLIONTHS;
    fillBoth(at, elapsedMicros);
    if (cells[at + COMMITTED + TOKENS] >= needed) {
      cells[at + COMMITTED + TOKENS] -= needed;
      return GREEN;
    }
    if (cells[at + PEAK + TOKENS] >= needed) {
      cells[at + PEAK + TOKENS] -= needed;
      return YELLOW;
    }
    return RED;
  }

  /** Fills the committed bucket, and with its overflow the excess bucket. */
  private void fillBoth(int at, long elapsedMicros) {
    long rate = cells[at + COMMITTED + RATE];
    if (rate == 0) {
      return;
    }
    long missing = cells[at + COMMITTED + BURST] * MILLIONTHS - cells[at + COMMITTED + TOKENS];
    long whole = missing / rate;
    if (elapsedMicros <= whole) {
      cells[at + COMMITTED + TOKENS] += elapsedMicros * rate;
      return;
    }
    cells[at + COMMITTED + TOKENS] += missing;
    long left = elapsedMicros - whole;
    long excessMissing = cells[at + PEAK + BURST] * MILLIONTHS - cells[at + PEAK + TOKENS];
    // Checked before multiplying: the product may overflow a long.
    boolean full = left > excessMissing / rate + 1 || left > Long.MAX_VALUE / rate;
    long gained = full ? excessMissing : left * rate - (missing - whole * rate);
    cells[at + PEAK + TOKENS] += Math.min(excessMissing, gained);
  }

  /** Fills the bucket at an index (rate, burst, tokens) for the time that has passed. */
  static void fill(long[] buckets, int at, long elapsedMicros) {
    long rate = buckets[at + RATE];
    long full = buckets[at + BURST] * MILLIONTHS;
    long missing = full - buckets[at + TOKENS];
    buckets[at + TOKENS] =
        rate != 0 && elapsedMicros > missing / rate
            ? full
            : buckets[at + TOKENS] + elapsedMicros * rate;
  }
}
