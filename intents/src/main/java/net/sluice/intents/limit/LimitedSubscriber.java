package net.sluice.intents.limit;

import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;

/**
 * A subscriber with the limits that it is under.
 *
 * @param policies the state that has its policies
 */
public record LimitedSubscriber(SubscriberState state, AppliedLimits limits, SlaState policies) {
  /** A subscriber under the limits in force. */
  public static LimitedSubscriber of(SlaState limits, SubscriberState subscriber) {
    return new LimitedSubscriber(
        subscriber, AppliedLimits.of(limits, subscriber.subscriber()), limits);
  }
}
