package net.sluice.intents.model;

/** What an operator declares, under an identifier that is its own among those of its kind. */
public sealed interface Declaration permits Policy, Subscriber, RateLimit {
  /** Identifier, see {@link Ids}. */
  String id();

  /** What it is. */
  Kind kind();
}
