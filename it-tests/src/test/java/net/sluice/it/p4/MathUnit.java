package net.sluice.it.p4;

/** The square root of the programs' control laws, from how a Tofino's math unit is described. */
final class MathUnit {
  private MathUnit() {}

  /**
   * 2^22 / sqrt(n): n's four leading bits at an even power of two choose eight bits of the result,
   * here the middle between the ends of what they stand for.
   *
   * @param n 4 or more
   */
  static long root(long n) {
    int power = (63 - Long.numberOfLeadingZeros(n) - 2) / 2;
    long leading = n >> 2 * power;
    long eight = Math.round(1_024 / (Math.sqrt(leading) + Math.sqrt(leading + 1)));
    return power <= 13 ? eight << 13 - power : eight >> power - 13;
  }
}
