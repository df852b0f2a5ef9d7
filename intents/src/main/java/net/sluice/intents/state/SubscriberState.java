package net.sluice.intents.state;

import java.util.Optional;
import net.sluice.intents.model.Subscriber;

/**
 * A subscriber and what is allotted to it.
 *
 * @param subscriber as declared
 * @param index its index in the switch, 1 or more
 * @param allotment what a limiter has allotted to it, such as a queue: a number that only that
 *     limiter reads; {@link #NONE} for nothing
 * @param contract the number of its contract for aggregates, which only that marker reads; {@link
 *     #NONE} for none
 * @param leaving why the switch still has it though it has moved to another one; empty while it is
 *     in force here
 */
public record SubscriberState(
    Subscriber subscriber, int index, int allotment, int contract, Optional<Leaving> leaving) {
  /** Stands for no allotment. */
  public static final int NONE = -1;

  /** A subscriber in force without a contract for aggregates. */
  public SubscriberState(Subscriber subscriber, int index, int allotment) {
    this(subscriber, index, allotment, NONE);
  }

  /** A subscriber in force. */
  public SubscriberState(Subscriber subscriber, int index, int allotment, int contract) {
    this(subscriber, index, allotment, contract, Optional.empty());
  }

  /** True if something is allotted to the subscriber. */
  public boolean hasAllotment() {
    return allotment != NONE;
  }

  /** The same with something else allotted to it. */
  public SubscriberState withAllotment(int newAllotment) {
    return new SubscriberState(subscriber, index, newAllotment, contract, leaving);
  }

  /** The same with another contract. */
  public SubscriberState withContract(int newContract) {
    return new SubscriberState(subscriber, index, allotment, newContract, leaving);
  }

  /** The same as it leaves, or, with an empty value, in force. */
  public SubscriberState withLeaving(Optional<Leaving> newLeaving) {
    return new SubscriberState(subscriber, index, allotment, contract, newLeaving);
  }
}
