package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.OptionalDouble;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.LimitVerdict;
import net.sluice.intents.verdict.TrafficLoad;
import net.sluice.northbound.explain.Chain;
import net.sluice.northbound.explain.Explanation;
import net.sluice.northbound.explain.PortShares;

/** Writes why a subscriber gets what it gets. */
public final class WhyWriter {
  private WhyWriter() {}

  /** Writes what limits a subscriber. */
  public static void write(JsonGenerator json, Explanation explanation) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", explanation.id());
    if (explanation.at().isPresent()) {
      json.writeStringField("at", explanation.at().get().truncatedTo(ChronoUnit.MILLIS).toString());
    }
    for (Direction direction : Direction.values()) {
      json.writeFieldName(direction.text());
      write(json, explanation.sides().get(direction));
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Explanation.Side side) throws IOException {
    json.writeStartObject();
    write(json, "declaredBps", side.declaredBps());
    write(json, "grantedBps", side.grantedBps());
    if (side.load().isPresent()) {
      TrafficLoad load = side.load().get();
      json.writeNumberField("offeredBps", Math.round(load.offeredBps()));
      json.writeNumberField("gotBps", Math.round(load.gotBps()));
    }
    write(json, "entitledBps", side.entitledBps());
    if (side.verdict().isPresent()) {
      json.writeStringField("limitedBy", side.verdict().get().cause().text());
    }
    json.writeStringField("sentence", side.sentence());
    if (side.verdict().isPresent()) {
      writeWhere(json, side.verdict().get());
    }
    json.writeEndObject();
  }

  private static void writeWhere(JsonGenerator json, LimitVerdict verdict) throws IOException {
    if (verdict instanceof LimitVerdict.PortDown down) {
      writePlace(json, down.place());
      json.writeEndObject();
    } else if (verdict instanceof LimitVerdict.Congestion congestion) {
      writePlace(json, congestion.place());
      json.writeNumberField("thresholdBps", Math.round(congestion.thresholdBps()));
      json.writeNumberField("subscribers", congestion.subscribers());
      json.writeEndObject();
    }
  }

  private static void writePlace(JsonGenerator json, LimitVerdict.Place place) throws IOException {
    json.writeObjectFieldStart("where");
    if (!place.switchName().isEmpty()) {
      json.writeStringField("switch", place.switchName());
    }
    json.writeNumberField("port", place.port());
  }

  /** Writes the places that a subscriber's packets pass. */
  public static void write(JsonGenerator json, Chain chain) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", chain.id());
    for (Direction direction : Direction.values()) {
      json.writeArrayFieldStart(direction.text());
      for (Chain.Link link : chain.of(direction)) {
        json.writeStartObject();
        json.writeStringField("level", link.level());
        json.writeStringField("name", link.name());
        write(json, "offeredBps", link.offeredBps());
        write(json, "gotBps", link.gotBps());
        write(json, "limitBps", link.limitBps());
        write(json, "grantedBps", link.grantedBps());
        if (link.delayMillis().isPresent()) {
          json.writeNumberField("delayMillis", link.delayMillis().getAsDouble());
        }
        write(json, "droppedBps", link.droppedBps());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  /** Writes which subscribers leave by a switch port; null for a direction without any. */
  public static void write(
      JsonGenerator json, String switchName, int port, Map<Direction, PortShares> shares)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("switch", switchName);
    json.writeNumberField("port", port);
    for (Direction direction : Direction.values()) {
      json.writeFieldName(direction.text());
      if (shares.containsKey(direction)) {
        write(json, shares.get(direction));
      } else {
        json.writeNull();
      }
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, PortShares shares) throws IOException {
    json.writeStartObject();
    json.writeStringField("at", shares.at().truncatedTo(ChronoUnit.MILLIS).toString());
    write(json, "rateBps", OptionalDouble.of(shares.rateBps()));
    json.writeBooleanField("congested", shares.congested());
    writeSum(json, shares.subscribers(), shares.offeredBps(), shares.gotBps());
    json.writeArrayFieldStart("policies");
    for (PortShares.Part part : shares.policies()) {
      json.writeStartObject();
      json.writeStringField("policy", part.policy());
      writeSum(json, part.subscribers(), part.offeredBps(), part.gotBps());
      write(json, "thresholdBps", part.thresholdBps());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("heldBack");
    for (PortShares.HeldBack each : shares.heldBack()) {
      json.writeStartObject();
      json.writeStringField("id", each.id());
      json.writeStringField("policy", each.policy());
      write(json, "offeredBps", OptionalDouble.of(each.offeredBps()));
      write(json, "gotBps", OptionalDouble.of(each.gotBps()));
      write(json, "entitledBps", each.entitledBps());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeSum(
      JsonGenerator json, int subscribers, double offeredBps, double gotBps) throws IOException {
    json.writeNumberField("subscribers", subscribers);
    write(json, "offeredBps", OptionalDouble.of(offeredBps));
    write(json, "gotBps", OptionalDouble.of(gotBps));
  }

  private static void write(JsonGenerator json, String field, OptionalDouble bps)
      throws IOException {
    if (bps.isPresent()) {
      json.writeNumberField(field, Math.round(bps.getAsDouble()));
    }
  }
}
