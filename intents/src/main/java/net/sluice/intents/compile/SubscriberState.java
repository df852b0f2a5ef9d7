package net.sluice.intents.compile;

import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.QueueId;

/**
 * A subscriber and what is allocated to it.
 *
 * @param subscriber as declared
 * @param index its index in the switch, 1 or more
 * @param queueId its FPGA queue, {@link QueueId#NONE} while it is not shaped
 */
public record SubscriberState(Subscriber subscriber, int index, int queueId) {
  /** True if the subscriber has a queue. */
  public boolean hasQueue() {
    return queueId != QueueId.NONE;
  }
}
