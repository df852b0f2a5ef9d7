package net.sluice.rest.form;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import net.sluice.intents.model.Aggregate;
import net.sluice.intents.model.AggregateMarker;
import net.sluice.intents.model.AggregateMarker.Fsam;
import net.sluice.intents.model.AggregateMarker.Pam;
import net.sluice.intents.model.AggregateMarker.TokenBucket;
import net.sluice.intents.model.AggregateMarker.Tsw2cm;
import net.sluice.intents.model.Aggregates;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;

/**
 * {@code "aggregate": {"up": {"cirBps": .., "burstBytes": .., "marker": "f-sam", ..}, "down": ..}},
 * with the constants of the marker beside its name. What is left out has its default.
 */
final class AggregateForm {
  private static final String FIELD = "aggregate";
  private static final String WEIGHTS = "weights";
  private static final Direction[] DIRECTIONS = Direction.values();

  private AggregateForm() {}

  /** Reads the contract, if there is one; what is wrong with it is a problem of {@code body}. */
  static Aggregates read(ObjectReader body) {
    Optional<ObjectReader> given = body.optionalObject(FIELD);
    if (given.isEmpty()) {
      return Aggregates.NONE;
    }
    ObjectReader in = given.get();
    List<Aggregate> aggregates = new ArrayList<>();
    for (Direction direction : DIRECTIONS) {
      in.optionalObject(direction.text())
          .flatMap(of -> aggregate(of, direction))
          .ifPresent(aggregates::add);
    }
    in.finish();
    if (in.isObject() && in.names().isEmpty()) {
      body.problem(Code.INVALID, FIELD, "{}", "at least one of down and up");
    }
    return Aggregates.of(aggregates);
  }

  private static Optional<Aggregate> aggregate(ObjectReader in, Direction direction) {
    OptionalLong cirBps = in.whole("cirBps");
    OptionalLong burstBytes = in.optionalWhole("burstBytes");
    OptionalInt inDscp = in.optionalInteger("inDscp", 0, 63);
    OptionalInt outDscp = in.optionalInteger("outDscp", 0, 63);
    Optional<AggregateMarker> marker = marker(in);
    in.finish();
    if (!in.sound() || cirBps.isEmpty() || marker.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Aggregate(
              direction,
              cirBps.getAsLong(),
              burstBytes.orElse(Aggregate.defaultBurstBytes(cirBps.getAsLong())),
              marker.get(),
              inDscp.orElse(Aggregate.IN_DSCP),
              outDscp.orElse(Aggregate.OUT_DSCP)));
    } catch (InvalidValueException e) {
      in.invalid(e.field(), e);
      return Optional.empty();
    }
  }

  private static Optional<AggregateMarker> marker(ObjectReader in) {
    String allowed = String.join(", ", AggregateMarker.NAMES);
    String name = in.string("marker", allowed);
    if (name == null) {
      return Optional.empty();
    }
    try {
      switch (name) {
        case AggregateMarker.TOKEN_BUCKET:
          return Optional.of(new TokenBucket());
        case AggregateMarker.TSW2CM:
          Tsw2cm tsw = new Tsw2cm();
          return Optional.of(new Tsw2cm(whole(in, "averagingMillis", tsw.averagingMillis())));
        case AggregateMarker.PAM:
          Pam pam = new Pam();
          return Optional.of(
              new Pam(
                  number(in, "least", pam.least()),
                  number(in, "most", pam.most()),
                  number(in, "probability", pam.probability()),
                  whole(in, "weightShift", pam.weightShift())));
        case AggregateMarker.F_SAM:
          Fsam fsam = new Fsam();
          return Optional.of(
              new Fsam(
                  whole(in, "averagingMillis", fsam.averagingMillis()),
                  whole(in, "windowMillis", fsam.windowMillis()),
                  weights(in)));
        default:
          in.problem(Code.INVALID, "marker", JsonText.quoted(name), allowed);
          // Which constants it has is not known.
          in.know(in.names().toArray(String[]::new));
      }
    } catch (InvalidValueException e) {
      in.invalid(e.field(), e);
    }
    return Optional.empty();
  }

  /** Out of range where it is given and no whole number of 32 bits. */
  private static int whole(ObjectReader in, String name, int byDefault) {
    return in.optionalInteger(name, 0, 1_000_000).orElse(byDefault);
  }

  private static double number(ObjectReader in, String name, double byDefault) {
    in.know(name);
    OptionalDouble given = in.has(name) ? in.number(name) : OptionalDouble.empty();
    return given.orElse(byDefault);
  }

  private static Map<Integer, Double> weights(ObjectReader in) {
    List<JsonValue> items = in.optionalArray(WEIGHTS, "an array of weights");
    Map<Integer, Double> weights = new TreeMap<>();
    for (int i = 0; i < items.size(); i++) {
      ObjectReader item = in.item(WEIGHTS, i, items.get(i));
      OptionalInt dscp = item.integer("dscp", 0, 63);
      OptionalDouble weight = item.number("weight");
      item.finish();
      if (dscp.isEmpty() || weight.isEmpty()) {
        continue;
      }
      try {
        Fsam.requireWeight(weight.getAsDouble());
        if (weights.put(dscp.getAsInt(), weight.getAsDouble()) != null) {
          item.problem(Code.INVALID, "dscp", dscp.getAsInt(), "each codepoint once");
        }
      } catch (InvalidValueException e) {
        item.invalid(e.field(), e);
      }
    }
    return weights;
  }

  static void write(JsonGenerator json, Aggregates aggregates) throws IOException {
    if (aggregates.isEmpty()) {
      return;
    }
    json.writeObjectFieldStart(FIELD);
    for (Aggregate each : aggregates.all()) {
      json.writeObjectFieldStart(each.direction().text());
      json.writeNumberField("cirBps", each.cirBps());
      json.writeNumberField("burstBytes", each.burstBytes());
      json.writeStringField("marker", each.marker().text());
      writeConstants(json, each.marker());
      json.writeNumberField("inDscp", each.inDscp());
      json.writeNumberField("outDscp", each.outDscp());
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static void writeConstants(JsonGenerator json, AggregateMarker marker)
      throws IOException {
    if (marker instanceof Tsw2cm tsw) {
      json.writeNumberField("averagingMillis", tsw.averagingMillis());
    } else if (marker instanceof Pam pam) {
      json.writeNumberField("least", pam.least());
      json.writeNumberField("most", pam.most());
      json.writeNumberField("probability", pam.probability());
      json.writeNumberField("weightShift", pam.weightShift());
    } else if (marker instanceof Fsam fsam) {
      json.writeNumberField("averagingMillis", fsam.averagingMillis());
      json.writeNumberField("windowMillis", fsam.windowMillis());
      if (!fsam.weights().isEmpty()) {
        json.writeArrayFieldStart(WEIGHTS);
        for (Map.Entry<Integer, Double> weight : fsam.weights().entrySet()) {
          json.writeStartObject();
          json.writeNumberField("dscp", weight.getKey());
          json.writeNumberField("weight", weight.getValue());
          json.writeEndObject();
        }
        json.writeEndArray();
      }
    }
  }
}
