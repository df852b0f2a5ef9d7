package net.sluice.lab.experiment.codelact;

/**
 * How applications hand their data to TCP. Together they are held to {@value #HELD_PERCENT} % of
 * the bottleneck's rate, except for {@link #UNHELD}.
 */
enum Senders {
  /**
   * As iperf3 does with {@code -P FLOWS -b RATE}: a stream writes a block of {@value #BLOCK_BYTES}
   * bytes at once whenever its mean rate since the start is below its part, and all streams have
   * begun together. TCP sends a block as fast as its window lets it, without pacing.
   */
  BLOCKS("blocks"),
  /** The same by processes of their own: each stream's blocks come at a time of its own. */
  BLOCKS_APART("blocks-apart"),
  /** A segment at a time, evenly, as {@code fq} paces a socket. */
  SMOOTH("smooth"),
  /** As fast as TCP lets them. */
  UNHELD("unheld");

  /** iperf3's default length of a TCP write. */
  static final int BLOCK_BYTES = 128 << 10;

  /** Rate that the senders are held to together, percent of the bottleneck's. */
  static final int HELD_PERCENT = 90;

  private final String text;

  Senders(String text) {
    this.text = text;
  }

  /** Its name on the command line. */
  String text() {
    return text;
  }
}
