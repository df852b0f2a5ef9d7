package net.sluice.intents.plan;

import java.util.List;
import net.sluice.intents.model.Kind;

/**
 * How a store changes when a plan is accepted.
 *
 * @param change the declaration put or deleted
 * @param replaces true if a put replaces a declaration, or if it is a deletion
 * @param number the subscriber index or policy slot of what was put or deleted; 0 for a rate limit
 * @param left the index that a subscriber had until this put moved it to another; 0 if it has not
 * @param contract of a subscriber that is put, see {@code SubscriberState}; of others without
 *     meaning
 * @param allotments subscribers to whom something else is allotted, including the one of {@code
 *     change}, those that give something back before those that get it; a deleted subscriber gives
 *     back what it has without being listed
 */
public record StateDelta(
    Change change,
    boolean replaces,
    int number,
    int left,
    int contract,
    List<Allotment> allotments) {
  /** True if the plan leaves a subscriber index free. */
  public boolean freesIndex() {
    return left != 0 || change instanceof Change.Delete && change.kind() == Kind.SUBSCRIBER;
  }

  /**
   * The allotment of a subscriber after the plan.
   *
   * @param subscriberIndex the subscriber
   * @param value see {@code SubscriberState}
   */
  public record Allotment(int subscriberIndex, int value) {}
}
