package net.sluice.intents.state;

import java.util.Optional;
import net.sluice.intents.model.RateLimit;

/**
 * The records of a limiter or a marker on the declarations in force: its allotments and its counts.
 * A store has one of each and tells it every change; a limit or subscriber must be taken out just
 * as it was put in. Not thread-safe.
 */
public interface Ledger {
  /** Stands for no place where {@link #put} and {@link #remove} take one. */
  int NO_TREE = -1;

  /**
   * A subscriber comes into force.
   *
   * @param own its own rate limit, already put in
   */
  default void attach(SubscriberState subscriber, Optional<RateLimit> own) {}

  /** A subscriber that was attached goes; its own rate limit is still there. */
  default void detach(SubscriberState subscriber, Optional<RateLimit> own) {}

  /**
   * A rate limit comes into force.
   *
   * @param tree of a subscriber's own limit: where the subscriber is attached, as {@link
   *     net.sluice.intents.model.Attachment#treeIndex}, or {@link #NO_TREE} while it is not; of
   *     others without meaning
   */
  default void put(RateLimit limit, int tree) {}

  /** A rate limit goes; parameters as {@link #put}. */
  default void remove(RateLimit limit, int tree) {}

  /** Something else is allotted to a subscriber; {@link SubscriberState#NONE} is nothing. */
  default void allot(int subscriberIndex, int before, int after) {}

  /** One of the same records, which knows nothing of what this is told from then on. */
  Ledger copy();
}
