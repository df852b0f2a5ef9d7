package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.PointsFunction;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.ThroughputValueFunction;
import net.sluice.intents.model.VlanTags;

/**
 * Writes declarations in the form they are declared in, so that what is read back can be put again.
 */
public final class DeclarationWriter {
  private DeclarationWriter() {}

  /** A declaration of any kind. */
  public static void write(JsonGenerator json, Declaration declaration) throws IOException {
    switch (declaration.kind()) {
      case POLICY -> write(json, (Policy) declaration);
      case SUBSCRIBER -> write(json, (Subscriber) declaration);
      case RATE_LIMIT -> write(json, (RateLimit) declaration);
    }
  }

  /** A policy. */
  public static void write(JsonGenerator json, Policy policy) throws IOException {
    json.writeStartObject();
    json.writeObjectFieldStart("throughputValue");
    ThroughputValueFunction function = policy.function();
    if (function instanceof BuiltInFunction builtIn) {
      json.writeStringField("builtIn", builtIn.text());
    } else {
      json.writeArrayFieldStart("points");
      for (PointsFunction.Point point : ((PointsFunction) function).points()) {
        json.writeStartObject();
        json.writeNumberField("rateBps", point.rateBps());
        json.writeNumberField("value", point.value());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  /** A subscriber. */
  public static void write(JsonGenerator json, Subscriber subscriber) throws IOException {
    json.writeStartObject();
    json.writeStringField("policy", subscriber.policyId());
    json.writeArrayFieldStart("prefixes");
    for (IpPrefix prefix : subscriber.prefixes()) {
      json.writeString(prefix.toString());
    }
    json.writeEndArray();
    if (subscriber.vlans().isPresent()) {
      writeTags(json, subscriber.vlans().get());
    }
    json.writeObjectFieldStart("attachment");
    json.writeNumberField("port", subscriber.attachment().port());
    json.writeNumberField("tree", subscriber.attachment().tree());
    json.writeEndObject();
    json.writeEndObject();
  }

  /** A rate limit. */
  public static void write(JsonGenerator json, RateLimit limit) throws IOException {
    json.writeStartObject();
    json.writeObjectFieldStart("scope");
    if (limit.scope() instanceof Scope.OfSubscriber of) {
      json.writeStringField("subscriber", of.subscriberId());
    } else if (limit.scope() instanceof Scope.OfTree of) {
      json.writeNumberField("port", of.port());
      json.writeNumberField("tree", of.tree());
    } else {
      json.writeNumberField("port", ((Scope.OfPort) limit.scope()).port());
    }
    json.writeEndObject();
    if (limit.downBps().isPresent()) {
      json.writeNumberField("downBps", limit.downBps().getAsLong());
    }
    if (limit.upBps().isPresent()) {
      json.writeNumberField("upBps", limit.upBps().getAsLong());
    }
    if (limit.burstBytes().isPresent()) {
      json.writeNumberField("burstBytes", limit.burstBytes().getAsInt());
    }
    json.writeEndObject();
  }

  /** The fields {@code sVlan} and, if there is one, {@code cVlan}. */
  static void writeTags(JsonGenerator json, VlanTags vlans) throws IOException {
    json.writeNumberField("sVlan", vlans.sVlan());
    if (vlans.isPair()) {
      json.writeNumberField("cVlan", vlans.cVlan());
    }
  }
}
