package net.sluice.rest.contract;

import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.AdditionalPropertiesValue;
import java.util.Optional;
import net.sluice.core.declaration.Bodies.PolicyBody;
import net.sluice.core.declaration.Bodies.RateLimitBody;
import net.sluice.core.declaration.Bodies.SubscriberBody;
import net.sluice.core.declaration.Bodies.TariffBody;
import net.sluice.intents.value.Ids;

/** The lines that change declarations. */
public final class BulkForms {
  private BulkForms() {}

  /** One line of a bulk request or an export. */
  @Schema(
      description = "One line of a bulk request or an export.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record BulkChange(
      @Schema(
              description = "What is done with the declaration.",
              allowableValues = {"put", "delete"})
          String op,
      @Schema(description = "The kind of the declaration.") net.sluice.intents.model.Kind kind,
      @Schema(description = "Its id: " + Ids.ALLOWED + ".", pattern = Ids.PATTERN) String id,
      @Schema(
              description = "With put: the declaration, as PUT of its kind takes it.",
              oneOf = {
                PolicyBody.class,
                SubscriberBody.class,
                RateLimitBody.class,
                TariffBody.class
              })
          Optional<Object> value,
      @Schema(
              description =
                  "With put, of what is not always the same: what of it is in force where it was"
                      + " exported, as in answers, without until. A declaration that is new comes"
                      + " to be like that, and what it declares for now some seconds later, so that"
                      + " all lines of an export are taken.",
              types = {"object"})
          Optional<Object> inForce,
      @Schema(
              description =
                  "The change is made only if the declaration has this ETag, written without"
                      + " quotes; * for any declaration.")
          Optional<String> ifMatch,
      @Schema(
              description =
                  "The change is made only if the declaration does not have this ETag; * if there"
                      + " is to be none.")
          Optional<String> ifNoneMatch) {}
}
