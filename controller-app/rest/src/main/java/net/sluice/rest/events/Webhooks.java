package net.sluice.rest.events;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.sluice.intents.validate.Refusal;

/** The webhooks of a host. Thread-safe. */
public interface Webhooks {
  /** Most webhooks at a time. */
  int MOST = 64;

  /** The progress of a webhook. */
  enum State {
    /** Everything has been sent, or is being sent. */
    DELIVERING,
    /** The last attempt failed; it is tried again. */
    RETRYING,
    /** Nothing is sent: whoever declared it may not declare webhooks any more. */
    DISABLED
  }

  /**
   * A webhook and how far it is.
   *
   * @param declared without its secret
   * @param declaredBy name of the caller that has declared it last; empty if that is not known
   * @param lastEvent id of the last event that needs no attempt any more; empty for none so far
   * @param attempts that failed, of what is to be sent next
   * @param error why the last one failed, or nothing is sent; empty if nothing is the matter
   * @param deadLetters number of events that were given up and can be sent again
   */
  record Status(
      Webhook declared,
      Optional<String> declaredBy,
      State state,
      Optional<String> lastEvent,
      int attempts,
      Optional<String> error,
      long deadLetters) {}

  /**
   * Events that the other side did not take.
   *
   * @param first id of the first of them
   * @param last id of the last; those in between that the webhook does not want are none of them
   * @param events their number
   * @param at when they were given up
   */
  record DeadLetter(String first, String last, int events, Instant at, String reason) {}

  /** All, by id. */
  List<Status> all();

  /** The one of an id. */
  Optional<Status> find(String id);

  /**
   * Declares one. One that is new gets the events from now on, another goes on where it is.
   *
   * @param by name of the caller, as long as whose role allows it events are sent
   * @return whether it is new
   * @throws Refusal INVALID if it may not lead there, MALFORMED if it is new and has no secret,
   *     CAPACITY if there are {@link #MOST}
   */
  boolean put(Webhook declared, String by) throws Refusal;

  /** Forgets one; false if there is none. */
  boolean delete(String id);

  /** The events that were given up, the oldest first; empty if there is no such webhook. */
  Optional<List<DeadLetter>> deadLetters(String id);

  /**
   * Sends events again: all after one, or those that were given up.
   *
   * @param after id of an event, or "0" for all that are kept; empty for those that were given up
   * @return false if there is no such webhook
   * @throws Refusal MALFORMED if {@code after} is no id
   */
  boolean replay(String id, Optional<String> after) throws Refusal;
}
