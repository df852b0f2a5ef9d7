package net.sluice.onos;

import java.util.LinkedHashMap;
import java.util.Map;
import net.sluice.intents.value.InvalidValueException;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.InvalidFieldException;

/**
 * The application's settings in ONOS's network configuration, by the names of the component's
 * properties, which they precede: {@code
 * "apps":{"net.sluice":{"sluice":{"device":"device:leaf1","topology":{...}}}}}.
 */
public final class SluiceConfig extends Config<ApplicationId> {
  /** The key below the application. */
  public static final String KEY = "sluice";

  @Override
  public boolean isValid() {
    boolean sound = hasOnlyFields(SluiceSettings.DEFAULTS.keySet().toArray(new String[0]));
    // Whether they fit together can only be said together with the component's properties.
    values().forEach(SluiceConfig::requireSound);
    return sound;
  }

  private static void requireSound(String name, String value) {
    try {
      SluiceSettings.check(name, value);
    } catch (InvalidValueException e) {
      throw new InvalidFieldException(name, e.getMessage());
    }
  }

  /**
   * The values that are set, as text: objects as JSON.
   *
   * @throws InvalidFieldException if one is null
   */
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    node()
        .fields()
        .forEachRemaining(
            field -> {
              if (field.getValue().isNull()) {
                throw new InvalidFieldException(
                    field.getKey(),
                    "it is null; without the field the component's property counts");
              }
              values.put(
                  field.getKey(),
                  field.getValue().isContainerNode()
                      ? field.getValue().toString()
                      : field.getValue().asText());
            });
    return values;
  }
}
