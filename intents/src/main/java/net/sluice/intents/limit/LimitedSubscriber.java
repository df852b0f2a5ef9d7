package net.sluice.intents.limit;

import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;

/** A subscriber with the limits that it is under. */
public record LimitedSubscriber(SubscriberState state, AppliedLimits limits) {
  /** A subscriber under the limits in force. */
  public static LimitedSubscriber of(SlaState limits, SubscriberState subscriber) {
    return new LimitedSubscriber(subscriber, AppliedLimits.of(limits, subscriber.subscriber()));
  }
}
