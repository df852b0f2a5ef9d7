package net.sluice.intents.plan;

import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Subscriber;

/** One change of the declarations. A put creates or replaces as a whole. */
public sealed interface Change {
  /** Identifier of what is changed. */
  String id();

  /** Creates or replaces a subscriber. */
  record PutSubscriber(Subscriber subscriber) implements Change {
    @Override
    public String id() {
      return subscriber.id();
    }
  }

  /** Deletes a subscriber. */
  record DeleteSubscriber(String id) implements Change {}

  /** Creates or replaces a policy. */
  record PutPolicy(Policy policy) implements Change {
    @Override
    public String id() {
      return policy.id();
    }
  }

  /** Deletes a policy. */
  record DeletePolicy(String id) implements Change {}

  /** Creates or replaces a rate limit. */
  record PutRateLimit(RateLimit rateLimit) implements Change {
    @Override
    public String id() {
      return rateLimit.id();
    }
  }

  /** Deletes a rate limit. */
  record DeleteRateLimit(String id) implements Change {}
}
