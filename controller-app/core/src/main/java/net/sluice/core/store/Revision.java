package net.sluice.core.store;

/**
 * A commit of a store, which says how far the store had got with the declarations of a switch.
 *
 * @param mark of the opening of the store that made the commit, 1 to 2^24 - 1, drawn at random; 0
 *     for {@link #NONE}
 * @param number of the commit, 1 to 2^40 - 1, higher than those of all commits for the switch
 *     before it; 0 for {@link #NONE}
 */
public record Revision(int mark, long number) {
  /** That of a store in which nothing has been committed. */
  public static final Revision NONE = new Revision(0, 0);

  /** Greatest mark. */
  public static final int MAX_MARK = 0xff_ffff;

  private static final int NUMBER_BITS = 40;

  /** The revision of 64 bits that {@link #bits} made. */
  public static Revision of(long bits) {
    return new Revision((int) (bits >>> NUMBER_BITS), bits & (1L << NUMBER_BITS) - 1);
  }

  /** The mark in the upper 24 bits, the number in the lower 40. */
  public long bits() {
    return (long) mark << NUMBER_BITS | number;
  }
}
