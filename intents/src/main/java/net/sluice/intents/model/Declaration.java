package net.sluice.intents.model;

/** One thing that an operator declares, under an identifier that is unique within its kind. */
public sealed interface Declaration permits Policy, Subscriber, RateLimit {
  /** Identifier, see {@link Ids}. */
  String id();

  /** Its kind. */
  Kind kind();
}
