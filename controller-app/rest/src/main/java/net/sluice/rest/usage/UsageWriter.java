package net.sluice.rest.usage;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Optional;
import net.sluice.intents.value.Direction;
import net.sluice.northbound.usage.Delay;
import net.sluice.northbound.usage.Rates;
import net.sluice.northbound.usage.Usage;
import net.sluice.northbound.usage.UsagePoint;
import net.sluice.northbound.usage.UsageSeries;

/** Writes usage. */
public final class UsageWriter {
  private UsageWriter() {}

  /** An object with the points of something. */
  static void write(JsonGenerator json, String id, UsageSeries series) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", id);
    json.writeStringField("from", series.from().toString());
    json.writeStringField("to", series.to().toString());
    json.writeNumberField("stepSeconds", series.step().toSeconds());
    json.writeArrayFieldStart("points");
    for (UsagePoint point : series.points()) {
      write(json, point);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, UsagePoint point) throws IOException {
    json.writeStartObject();
    json.writeStringField("at", point.at().toString());
    for (Direction direction : Direction.values()) {
      Optional<Rates> rates = point.of(direction);
      if (rates.isEmpty()) {
        json.writeNullField(direction.text());
      } else {
        json.writeObjectFieldStart(direction.text());
        writeFields(json, rates.get());
        json.writeEndObject();
      }
    }
    json.writeEndObject();
  }

  /** The rates of a direction as fields of the object that is being written. */
  public static void writeFields(JsonGenerator json, Rates rates) throws IOException {
    json.writeNumberField("offeredBps", rates.offeredBps());
    json.writeNumberField("gotBps", rates.gotBps());
    json.writeNumberField("policedBps", rates.policedBps());
    json.writeNumberField("overflowedBps", rates.overflowedBps());
    json.writeNumberField("suspendedBps", rates.suspendedBps());
    json.writeNumberField("droppedBps", rates.droppedBps());
    json.writeFieldName("delayMillis");
    write(json, rates.delay());
  }

  /** Percentiles of waits, or null. */
  static void write(JsonGenerator json, Optional<Delay> delay) throws IOException {
    if (delay.isEmpty()) {
      json.writeNull();
    } else {
      json.writeStartObject();
      json.writeNumberField("p50", delay.get().p50());
      json.writeNumberField("p95", delay.get().p95());
      json.writeNumberField("p99", delay.get().p99());
      json.writeEndObject();
    }
  }

  /** An object with the subscribers that have most. */
  static void write(JsonGenerator json, String by, Direction direction, Usage.Top top)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("by", by);
    json.writeStringField("direction", direction.text());
    json.writeStringField("at", top.at().map(Object::toString).orElse(null));
    json.writeArrayFieldStart("top");
    for (Usage.Top.Entry each : top.subscribers()) {
      json.writeStartObject();
      json.writeStringField("id", each.id());
      writeFields(json, each.rates());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
