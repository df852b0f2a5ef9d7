package net.sluice.rest.contract;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.AdditionalPropertiesValue;
import java.util.List;

/** The forms of log levels. */
public final class LogLevelForms {
  private LogLevelForms() {}

  /** A level as it is set. */
  @Schema(
      description = "The least that a logger logs.",
      additionalProperties = AdditionalPropertiesValue.FALSE)
  public record LogLevel(
      @Schema(
              description = "The level.",
              allowableValues = {"off", "error", "warn", "info", "debug", "trace"})
          String level) {}

  /** A logger and its level. */
  @Schema(description = "A logger and the level in force for it.")
  public record LogLevelAnswer(
      @Schema(description = "The package or class.") String logger,
      @Schema(
              description = "The level.",
              allowableValues = {"off", "error", "warn", "info", "debug", "trace"})
          String level,
      @Schema(description = "Whether it is that of a logger above it.") boolean inherited) {}

  /** All loggers with levels of their own. */
  @Schema(description = "The loggers that have levels of their own.")
  public record LogLevelList(
      @ArraySchema(arraySchema = @Schema(description = "Each of them, by name."))
          List<LogLevelAnswer> items) {}
}
