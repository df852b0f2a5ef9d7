package net.sluice.core.store;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The commits that a store has for a switch, by the openings of the store that made them. It tells
 * whether a {@link Revision} is one of this store's: a store that was put back from an older copy
 * lacks the last of them, and once it has gone on from there it has other commits of the same
 * numbers, made by another opening.
 *
 * <p>An opening that commits nothing leaves no trace. The last {@value #MOST_OPENINGS} that did are
 * kept. Immutable.
 */
public final class StoreHistory {
  /** That of a store in which nothing has been committed. */
  public static final StoreHistory NONE = new StoreHistory(new long[0], 0);

  /** Openings that are known; commits of earlier ones count as another store's. */
  static final int MOST_OPENINGS = 4096;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** The first commit of each opening, in their order. */
  private final long[] firsts;

  private final long last;

  private StoreHistory(long[] firsts, long last) {
    this.firsts = firsts;
    this.last = last;
  }

  /** Draws the mark of an opening, for one switch: switches have different ones. */
  public static int drawMark() {
    return 1 + RANDOM.nextInt(Revision.MAX_MARK);
  }

  /**
   * The history that was kept as bytes.
   *
   * @param openings as {@link #openings} gave them
   * @param last number of the last commit
   * @throws StoreException if the bytes are none of its
   */
  public static StoreHistory of(byte[] openings, long last) {
    long[] firsts = new long[openings.length / Long.BYTES];
    try {
      ByteBuffer in = ByteBuffer.wrap(openings);
      for (int i = 0; in.hasRemaining(); i++) {
        firsts[i] = in.getLong();
      }
    } catch (BufferUnderflowException | ArrayIndexOutOfBoundsException e) {
      throw new StoreException("the store's history is cut short", e);
    }
    return new StoreHistory(firsts, last);
  }

  /** The openings, 8 bytes each. */
  public byte[] openings() {
    ByteBuffer out = ByteBuffer.allocate(firsts.length * Long.BYTES);
    for (long first : firsts) {
      out.putLong(first);
    }
    return out.array();
  }

  /** The last commit; {@link Revision#NONE} if there is none. */
  public Revision revision() {
    return firsts.length == 0
        ? Revision.NONE
        : new Revision(Revision.of(firsts[firsts.length - 1]).mark(), last);
  }

  /** Whether the last commit was made by that opening. */
  public boolean isBy(int mark) {
    return revision().mark() == mark;
  }

  /**
   * With one commit more.
   *
   * @param mark of the opening that makes it
   * @param number its number, higher than that of the last commit
   */
  public StoreHistory with(int mark, long number) {
    if (isBy(mark)) {
      return new StoreHistory(firsts, number);
    }
    int kept = Math.min(firsts.length, MOST_OPENINGS - 1);
    long[] more = Arrays.copyOfRange(firsts, firsts.length - kept, firsts.length + 1);
    more[kept] = new Revision(mark, number).bits();
    return new StoreHistory(more, number);
  }

  /** Whether the store has that commit, and so everything that was declared up to it. */
  public boolean has(Revision revision) {
    if (revision.equals(Revision.NONE)) {
      return true;
    }
    int at = firsts.length - 1;
    while (at >= 0 && Revision.of(firsts[at]).number() > revision.number()) {
      at--;
    }
    return revision.number() <= last
        && at >= 0
        && Revision.of(firsts[at]).mark() == revision.mark();
  }

  /**
   * Number of the last commit that the store has of those that led to {@code revision}; empty if
   * that is not known, because the store has nothing of the opening that made it.
   */
  public OptionalLong upTo(Revision revision) {
    for (int i = 0; i < firsts.length; i++) {
      if (Revision.of(firsts[i]).mark() == revision.mark()) {
        long end = i + 1 < firsts.length ? Revision.of(firsts[i + 1]).number() - 1 : last;
        return OptionalLong.of(Math.min(end, revision.number()));
      }
    }
    return OptionalLong.empty();
  }
}
