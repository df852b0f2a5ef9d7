package net.sluice.rest.contract;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.AdditionalPropertiesValue;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.sluice.northbound.webhooks.Webhooks.State;

/** The forms of webhooks. */
public final class WebhookForms {
  private static final String URL = "Where the events are sent to.";
  private static final String TYPES = "Beginnings of the types that are sent; any if absent.";
  private static final String SUBJECT = "The beginning of the subjects that are sent.";
  private static final String EVENTS = "Most events in one request.";
  private static final String EVENT = "The id of an event.";

  private WebhookForms() {}

  /** A webhook as it is declared. */
  @Schema(
      description = "A place that events are sent to.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record Webhook(
      @Schema(description = URL, maxLength = 2048) String url,
      @Schema(
              description =
                  "What requests are signed with; needed of a new webhook, kept if absent, never"
                      + " answered.",
              pattern = "^whsec_[A-Za-z0-9+/]+=*$")
          Optional<String> secret,
      @ArraySchema(
              arraySchema = @Schema(description = TYPES),
              schema = @Schema(minLength = 1, maxLength = 256),
              maxItems = 32)
          Optional<List<String>> types,
      @Schema(description = SUBJECT, maxLength = 256) Optional<String> subject,
      @Schema(
              description = EVENTS + " Of more than 1 the body is an array.",
              minimum = "1",
              maximum = "" + net.sluice.northbound.webhooks.Webhook.MAX_EVENTS,
              defaultValue = "1")
          Optional<Integer> maxEvents) {}

  /** A webhook and how far it is. */
  @Schema(description = "A webhook and how far it is.")
  public record WebhookAnswer(
      @Schema(description = "Its id.") String id,
      @Schema(description = URL) String url,
      @ArraySchema(arraySchema = @Schema(description = TYPES)) Optional<List<String>> types,
      @Schema(description = SUBJECT) Optional<String> subject,
      @Schema(description = EVENTS) int maxEvents,
      @Schema(description = "The caller that has declared it last.") Optional<String> declaredBy,
      @Schema(
              description =
                  "Whether the last attempt failed, or the caller that declared it may not any"
                      + " more.")
          State state,
      @Schema(description = "The id of the last event that needs no attempt any more.")
          Optional<String> lastEvent,
      @Schema(description = "Attempts that failed, of what is to be sent next.") int attempts,
      @Schema(description = "Why the last one failed, or nothing is sent.") Optional<String> error,
      @Schema(description = "Events that were given up and can be sent again.") long deadLetters) {}

  /** All webhooks. */
  @Schema(description = "All webhooks.")
  public record WebhookList(
      @ArraySchema(arraySchema = @Schema(description = "Each webhook."))
          List<WebhookAnswer> items) {}

  /** Events that were given up. */
  @Schema(description = "Events that the other side did not take.")
  public record DeadLetter(
      @Schema(description = EVENT) String first,
      @Schema(description = EVENT) String last,
      @Schema(description = "Their number.") int events,
      @Schema(description = "When they were given up.") Instant at,
      @Schema(description = "Why.") String reason) {}

  /** All that were given up. */
  @Schema(description = "Events that were given up, the oldest first.")
  public record DeadLetters(
      @ArraySchema(arraySchema = @Schema(description = "Each request that was given up."))
          List<DeadLetter> items) {}

  /** The events to be sent again. */
  @Schema(
      description = "What is to be sent again.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record WebhookReplay(
      @Schema(
              description =
                  "The id of an event: all after it are sent. 0: all that are kept. Absent: those"
                      + " that were given up.")
          Optional<String> after) {}
}
