package net.sluice.onos;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.onosproject.net.config.InvalidFieldException;

/** ONOS's network configuration as values of properties. */
public final class ConfigValues {
  private ConfigValues() {}

  /**
   * The fields as text, in their order: objects as JSON.
   *
   * @throws InvalidFieldException if one is null
   */
  public static Map<String, String> of(JsonNode node) {
    Map<String, String> values = new LinkedHashMap<>();
    node.fields()
        .forEachRemaining(
            field -> {
              JsonNode value = field.getValue();
              if (value.isNull()) {
                throw new InvalidFieldException(
                    field.getKey(),
                    "it is null; without the field the component's property counts");
              }
              values.put(
                  field.getKey(), value.isContainerNode() ? value.toString() : value.asText());
            });
    return values;
  }
}
