package net.sluice.intents.plan;

import net.sluice.intents.profile.MarkerLayout;

/**
 * Ids of the owners of writes: an owner is the declaration a write is done for. The status of an
 * owner follows from its writes, and writes of one owner do not overtake each other. A deletion is
 * an owner of its own beside the one whose index, slot or number it leaves free.
 */
public final class OwnerIds {
  /** Stands for what no declaration asks for: topology, and what is being cleaned up. */
  public static final int NONE = -1;

  private static final int POLICY_BASE = MarkerLayout.MAX_SUBSCRIBERS + 1;
  private static final int LIMIT_BASE = POLICY_BASE + 256;
  private static final int DELETION_BASE = 1 << 23;

  private OwnerIds() {}

  /** The subscriber with index 1..{@link MarkerLayout#MAX_SUBSCRIBERS}. */
  public static int subscriber(int index) {
    return index;
  }

  /** The policy with slot 1..255. */
  public static int policy(int slot) {
    return POLICY_BASE + slot;
  }

  /** The rate limit with that number, 0 or more; {@link #NONE} if it is negative. */
  public static int limit(int number) {
    return number < 0 ? NONE : LIMIT_BASE + number;
  }

  /** The deletion with that number, 0 or more. */
  public static int deletion(int number) {
    return DELETION_BASE + number;
  }

  /** True for a subscriber's. */
  public static boolean isSubscriber(int owner) {
    return owner > 0 && owner < POLICY_BASE;
  }

  /** True for a policy's. */
  public static boolean isPolicy(int owner) {
    return owner >= POLICY_BASE && owner < LIMIT_BASE;
  }

  /** True for a rate limit's. */
  public static boolean isLimit(int owner) {
    return owner >= LIMIT_BASE && owner < DELETION_BASE;
  }

  /** True for a deletion's. */
  public static boolean isDeletion(int owner) {
    return owner >= DELETION_BASE;
  }

  /** Index, slot or number. */
  public static int number(int owner) {
    if (isSubscriber(owner)) {
      return owner;
    } else if (isPolicy(owner)) {
      return owner - POLICY_BASE;
    }
    return owner - (isLimit(owner) ? LIMIT_BASE : DELETION_BASE);
  }
}
