package net.sluice.rest.form;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import net.sluice.intents.model.Aqm;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.PointsFunction;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.ThroughputValueFunction;
import net.sluice.intents.model.TrafficClass;
import net.sluice.intents.model.TrafficClasses;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.json.AqmForm;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;

/**
 * {@code {"throughputValue": {"builtIn": ..} or {"points": [{"rateBps": .., "value": ..}, ..]},
 * "aqm": .., "classes": [{"name": .., "dscp": [..], "priority": .. or "share": ..}, ..]}}; see
 * {@link AqmForm}.
 */
public final class PolicyForm extends DeclarationForm<Policy> {
  private static final String CLASSES = "classes";
  private static final String FUNCTION_FORM = "exactly one of the fields builtIn, points";
  private static final String BUILT_IN =
      Arrays.stream(BuiltInFunction.values())
          .map(f -> JsonText.quoted(f.text()))
          .collect(Collectors.joining(" or "));

  PolicyForm() {
    super(Policy.class);
  }

  @Override
  Supplier<Change.Put> readFields(String id, ObjectReader body) {
    ThroughputValueFunction function = null;
    ObjectReader throughputValue = body.object("throughputValue");
    if (throughputValue != null && throughputValue.isObject()) {
      function = function(throughputValue);
      throughputValue.finish();
    }
    ThroughputValueFunction read = function;
    Optional<Aqm> aqm = AqmForm.read(body);
    TrafficClasses classes = classes(body);
    return () -> new Change.Put(new Policy(id, read, aqm, classes));
  }

  private static TrafficClasses classes(ObjectReader body) {
    List<JsonValue> items = body.optionalArray(CLASSES, "an array of classes");
    List<TrafficClass> classes = new ArrayList<>();
    for (int i = 0; i < items.size() && i <= TrafficClasses.MAX; i++) {
      trafficClass(body.item(CLASSES, i, items.get(i))).ifPresent(classes::add);
    }
    if (!body.sound()) {
      return TrafficClasses.NONE;
    } else if (items.size() > TrafficClasses.MAX || items.isEmpty() && body.has(CLASSES)) {
      body.problem(
          Code.INVALID,
          CLASSES,
          items.size() + " classes",
          "absent, or 1 to " + TrafficClasses.MAX + " classes");
      return TrafficClasses.NONE;
    }
    try {
      return new TrafficClasses(classes);
    } catch (InvalidValueException e) {
      // The model names the field from the declaration's top.
      body.addProblem(Problem.of(e));
      return TrafficClasses.NONE;
    }
  }

  private static Optional<TrafficClass> trafficClass(ObjectReader item) {
    String name = item.string("name", Ids.ALLOWED);
    List<Integer> dscp = item.optionalIntegers("dscp", 0, TrafficClass.MAX_DSCP);
    OptionalInt priority = item.optionalInteger("priority", 1, TrafficClass.MAX_PRIORITY);
    OptionalInt share = item.optionalInteger("share", 1, TrafficClass.MAX_SHARE);
    item.finish();
    if (item.sound() && item.has("dscp") && dscp.isEmpty()) {
      item.problem(
          Code.INVALID, "dscp", "no codepoint", "absent for all others, or 1 codepoint or more");
    }
    if (!item.sound()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new TrafficClass(name, dscp, priority, share));
    } catch (InvalidValueException e) {
      item.invalid(e.field(), e);
      return Optional.empty();
    }
  }

  private static ThroughputValueFunction function(ObjectReader body) {
    body.know("builtIn", "points");
    if (body.has("builtIn") == body.has("points")) {
      String given = body.has("points") ? "both builtIn and points" : "neither builtIn nor points";
      body.problem(Code.MALFORMED, "", given, FUNCTION_FORM);
      return null;
    }
    if (body.has("points")) {
      return points(body);
    }
    String name = body.string("builtIn", BUILT_IN);
    if (name == null) {
      return null;
    }
    for (BuiltInFunction function : BuiltInFunction.values()) {
      if (function.text().equals(name)) {
        return function;
      }
    }
    body.problem(Code.INVALID, "builtIn", JsonText.quoted(name), BUILT_IN);
    return null;
  }

  private static PointsFunction points(ObjectReader body) {
    List<JsonValue> items = body.optionalArray("points", "an array of points");
    List<PointsFunction.Point> points = new ArrayList<>();
    for (int i = 0; i < items.size() && items.size() <= PointsFunction.MAX_POINTS; i++) {
      ObjectReader item = body.item("points", i, items.get(i));
      OptionalLong rateBps = item.whole("rateBps");
      OptionalDouble value = item.number("value");
      item.finish();
      if (item.sound()) {
        try {
          points.add(new PointsFunction.Point(rateBps.getAsLong(), value.getAsDouble()));
        } catch (InvalidValueException e) {
          item.invalid(e.field(), e);
        }
      }
    }
    if (!body.sound()) {
      return null;
    }
    if (items.size() > PointsFunction.MAX_POINTS || items.size() < PointsFunction.MIN_POINTS) {
      String allowed = PointsFunction.MIN_POINTS + " to " + PointsFunction.MAX_POINTS + " points";
      body.problem(
          Code.INVALID,
          "points",
          items.size() + (items.size() == 1 ? " point" : " points"),
          allowed);
      return null;
    }
    try {
      return new PointsFunction(points);
    } catch (InvalidValueException e) {
      // The model names the field from the declaration's top.
      body.addProblem(Problem.of(e));
      return null;
    }
  }

  @Override
  void writeFields(JsonGenerator json, Policy policy, Optional<String> switchName)
      throws IOException {
    json.writeObjectFieldStart("throughputValue");
    if (policy.function() instanceof BuiltInFunction builtIn) {
      json.writeStringField("builtIn", builtIn.text());
    } else {
      json.writeArrayFieldStart("points");
      for (PointsFunction.Point point : ((PointsFunction) policy.function()).points()) {
        json.writeStartObject();
        json.writeNumberField("rateBps", point.rateBps());
        json.writeNumberField("value", point.value());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    json.writeEndObject();
    if (policy.aqm().isPresent()) {
      AqmForm.write(json, policy.aqm().get());
    }
    if (policy.classes().any()) {
      json.writeArrayFieldStart(CLASSES);
      for (TrafficClass each : policy.classes().all()) {
        write(json, each);
      }
      json.writeEndArray();
    }
  }

  private static void write(JsonGenerator json, TrafficClass trafficClass) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", trafficClass.name());
    if (!trafficClass.isOfOthers()) {
      json.writeArrayFieldStart("dscp");
      for (int codepoint : trafficClass.dscp()) {
        json.writeNumber(codepoint);
      }
      json.writeEndArray();
    }
    if (trafficClass.priority().isPresent()) {
      json.writeNumberField("priority", trafficClass.priority().getAsInt());
    } else {
      json.writeNumberField("share", trafficClass.share().orElseThrow());
    }
    json.writeEndObject();
  }
}
