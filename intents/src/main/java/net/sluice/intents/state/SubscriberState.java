package net.sluice.intents.state;

import java.util.Optional;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.QueueId;

/**
 * A subscriber and what is allocated to it.
 *
 * @param subscriber as declared
 * @param index its index in the switch, 1 or more
 * @param queueId its FPGA queue, {@link QueueId#NONE} while it is not shaped
 * @param leaving why the switch still has it though it has moved to another one; empty while it is
 *     in force here
 */
public record SubscriberState(
    Subscriber subscriber, int index, int queueId, Optional<Leaving> leaving) {
  /** A subscriber in force. */
  public SubscriberState(Subscriber subscriber, int index, int queueId) {
    this(subscriber, index, queueId, Optional.empty());
  }

  /** True if the subscriber has a queue. */
  public boolean hasQueue() {
    return queueId != QueueId.NONE;
  }

  /** The same with another queue. */
  public SubscriberState withQueue(int newQueueId) {
    return new SubscriberState(subscriber, index, newQueueId, leaving);
  }

  /** The same as it leaves, or, with an empty value, in force. */
  public SubscriberState withLeaving(Optional<Leaving> newLeaving) {
    return new SubscriberState(subscriber, index, queueId, newLeaving);
  }
}
