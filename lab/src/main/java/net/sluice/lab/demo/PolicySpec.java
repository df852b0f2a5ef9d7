package net.sluice.lab.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.sluice.cli.OptionException;
import net.sluice.emulator.v1model.load.JsonErrors;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.PointsFunction;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.value.InvalidValueException;

/**
 * A policy of the demo.
 *
 * @param policy the policy as the prediction reads it
 * @param body the body of its {@code PUT /policies/{id}}, sent as it is
 */
public record PolicySpec(Policy policy, String body) {
  static final String OPTION = "--policy";
  static final String FORM = "NAME=FILE, FILE holding the JSON body of PUT /policies/NAME";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** A policy whose function is built in, called like it. */
  public static PolicySpec builtIn(BuiltInFunction function) {
    return new PolicySpec(
        new Policy(function.text(), function),
        "{\"throughputValue\":{\"builtIn\":\"" + function.text() + "\"}}");
  }

  /** The same, whose subscribers' flows go as they come, as in the paper, which knows no flows. */
  public static PolicySpec ofPaper(BuiltInFunction function) {
    return new PolicySpec(
        new Policy(function.text(), function),
        "{\"throughputValue\":{\"builtIn\":\""
            + function.text()
            + "\"},\"flows\":\"as-they-come\"}");
  }

  /**
   * Reads {@code NAME=FILE}.
   *
   * @throws OptionException if the name, the file or its content cannot be used
   */
  public static PolicySpec parse(String text) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw new OptionException(OPTION, text, FORM);
    }
    String name = text.substring(0, equals);
    String file = text.substring(equals + 1);
    for (BuiltInFunction function : BuiltInFunction.values()) {
      if (function.text().equals(name)) {
        throw new OptionException(
            OPTION, text, "NAME", name, "a name other than the built-in gold and silver");
      }
    }
    String body;
    try {
      body = Files.readString(Path.of(file), StandardCharsets.UTF_8);
    } catch (IOException | InvalidPathException e) {
      throw new OptionException(OPTION, text, "FILE", file, "a readable UTF-8 text file");
    }
    try {
      return new PolicySpec(new Policy(name, function(MAPPER.readTree(body))), body);
    } catch (InvalidValueException e) {
      throw new OptionException(OPTION, text, e.field(), e.value(), e.allowed());
    } catch (JsonProcessingException e) {
      throw new OptionException(
          OPTION, text, "FILE", file, "well-formed JSON: " + JsonErrors.text(e));
    }
  }

  private static ThroughputValueFunction function(JsonNode body) {
    JsonNode value = body.path("throughputValue");
    JsonNode builtIn = value.path("builtIn");
    JsonNode points = value.path("points");
    if (builtIn.isMissingNode() == points.isMissingNode()) {
      throw new InvalidValueException(
          "throughputValue",
          value.isMissingNode() ? "absent" : value,
          "an object with either builtIn or points");
    }
    if (!builtIn.isMissingNode()) {
      for (BuiltInFunction function : BuiltInFunction.values()) {
        if (function.text().equals(builtIn.asText())) {
          return function;
        }
      }
      throw new InvalidValueException("throughputValue.builtIn", builtIn, "gold or silver");
    }
    List<PointsFunction.Point> list = new ArrayList<>();
    for (JsonNode point : points) {
      if (!point.path("rateBps").isIntegralNumber() || !point.path("value").isNumber()) {
        throw new InvalidValueException(
            "throughputValue.points[" + list.size() + "]",
            point,
            "an object with a whole number rateBps and a number value");
      }
      list.add(
          new PointsFunction.Point(point.get("rateBps").asLong(), point.get("value").asDouble()));
    }
    return new PointsFunction(list);
  }
}
