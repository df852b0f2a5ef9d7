package net.sluice.intents.profile;

/**
 * A rate as the FPGA can represent it.
 *
 * @param requestedBps what was asked for, in bit/s
 * @param word the rate word, 1 to the largest that a bucket keeps
 * @param grantedBps what the word amounts to, rounded to whole bit/s
 * @param note why they differ; empty if they do not
 */
public record RateGrant(long requestedBps, int word, long grantedBps, String note) {
  /** By what part of a rate a grant may be above it rather than below. */
  private static final double NEXT_STEP = 0.003;

  /**
   * True if a rate that is not below what was asked for is so near that it is granted, even if one
   * below is nearer: what was sold is kept.
   */
  static boolean isNextStepUp(long askedBps, long aboveBps) {
    return aboveBps - askedBps <= askedBps * NEXT_STEP;
  }

  /** True if exactly what was asked for is granted, to the bit/s. */
  public boolean isExact() {
    return requestedBps == grantedBps;
  }
}
