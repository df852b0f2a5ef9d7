package net.sluice.intents.limit;

import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Problems;

/**
 * Plans what one change of the declarations means for limits. Of a change of a limit each
 * subscriber that comes under it or leaves it is first expected and then, after the check, has its
 * allotment; then the limit is replaced and each of the subscribers. A subscriber that is put or
 * deleted is replaced alone. The end comes last.
 */
public interface LimitPlanner {
  /**
   * A subscriber will be under those limits.
   *
   * @return false if there will be too many, so that no more need to be told
   */
  boolean expect(SubscriberState member, AppliedLimits after);

  /** Adds why what was expected cannot be done; {@code added} is the limit that comes, or null. */
  void check(RateLimit added, Problems problems);

  /**
   * The allotment of a subscriber that was expected; those that have one come first, by index.
   * {@link SubscriberState#NONE} for nothing.
   */
  int allot(SubscriberState member, AppliedLimits after);

  /**
   * The allotment of a subscriber that is put.
   *
   * @param old as it was; null if it is new
   * @param problems to add to, if there is none
   */
  int allot(SubscriberState old, Subscriber put, AppliedLimits after, Problems problems);

  /**
   * Plans what a limit of a tree or port has of its own.
   *
   * @param old the limit that goes, or null
   * @param added the limit that comes, or null
   */
  void replace(RateLimit old, RateLimit added);

  /** Plans what a subscriber needs; {@code before} or {@code after} is null if it is not there. */
  void replace(LimitedSubscriber before, LimitedSubscriber after);

  /**
   * Plans what is shared, and adds what the limit that comes is granted.
   *
   * @param old the limit that goes, or null
   * @param added the limit that comes, or null
   */
  void finish(RateLimit old, RateLimit added);
}
