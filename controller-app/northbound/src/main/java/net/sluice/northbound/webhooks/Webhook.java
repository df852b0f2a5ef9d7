package net.sluice.northbound.webhooks;

import java.net.URI;
import java.util.Optional;
import net.sluice.northbound.events.EventFilter;

/**
 * A place that events are sent to by HTTP, as it is declared.
 *
 * @param url an absolute URL of http or https, without user and fragment
 * @param secret what requests are signed with, {@code whsec_} and 24 to 64 bytes in base64; empty
 *     to keep the one that there is
 * @param filter the events that are sent
 * @param maxEvents most events in one request, 1..1000
 */
public record Webhook(
    String id, URI url, Optional<String> secret, EventFilter filter, int maxEvents) {
  /** The beginning of a secret (Standard Webhooks, "Signature scheme"). */
  public static final String SECRET_PREFIX = "whsec_";

  /** The highest of {@code maxEvents}. */
  public static final int MAX_EVENTS = 1000;

  /** Without the secret, so that it gets into no log. */
  @Override
  public String toString() {
    return "webhook " + id;
  }
}
