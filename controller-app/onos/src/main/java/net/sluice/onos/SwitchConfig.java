package net.sluice.onos;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.rest.switches.HostPort;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.InvalidFieldException;

/**
 * The part of ONOS's network configuration of a switch that is for Sluice alone: {@code
 * "devices":{"device:leaf1":{"sluice":{"topology":{...},"gnmi":"192.0.2.1:9339"}}}}. A topology has
 * Sluice drive the device; the fields beside it have the names of the application's properties. The
 * field {@code gnmi} is where the switch's gNMI server listens, or {@code none} if there is none;
 * without it, it is where the profile says, at the management address.
 */
public final class SwitchConfig extends Config<DeviceId> {
  /** The key below a device. */
  public static final String KEY = "sluice";

  private static final String GNMI = "gnmi";
  private static final String NONE = "none";

  @Override
  public boolean isValid() {
    Map<String, String> values = ConfigValues.of(node());
    boolean sound =
        hasOnlyFields(Stream.concat(Stream.of(GNMI), SwitchSettings.FIELDS.stream()))
            && isString(GNMI, FieldPresence.OPTIONAL);
    if (sound && get(GNMI, (String) null) != null && !saysNoGnmi() && gnmi().isEmpty()) {
      throw new InvalidFieldException(
          GNMI,
          "it is "
              + get(GNMI, (String) null)
              + "; allowed: HOST:PORT with a port of 1 to 65535, or "
              + NONE);
    }
    values.remove(GNMI);
    // Whether they fit together can only be said together with the application's properties.
    values.forEach(SwitchConfig::requireSound);
    if (!values.isEmpty() && !isDriven()) {
      throw new InvalidFieldException(
          SwitchSettings.TOPOLOGY_FIELD,
          "it is absent; allowed: how the switch is cabled, because "
              + String.join(", ", values.keySet())
              + " is said of it");
    }
    return sound;
  }

  private boolean hasOnlyFields(Stream<String> fields) {
    return hasOnlyFields(fields.toArray(String[]::new));
  }

  private static void requireSound(String name, String value) {
    try {
      SwitchSettings.check(name, value);
    } catch (InvalidValueException e) {
      throw new InvalidFieldException(name, e.getMessage());
    }
  }

  /** True if Sluice is to drive the device. */
  public boolean isDriven() {
    return node().hasNonNull(SwitchSettings.TOPOLOGY_FIELD);
  }

  /** The values of the switch, as text: objects as JSON. */
  public Map<String, String> values() {
    Map<String, String> values = ConfigValues.of(node());
    values.remove(GNMI);
    return values;
  }

  /** True if it says that there is no gNMI server. */
  public boolean saysNoGnmi() {
    return NONE.equals(get(GNMI, (String) null));
  }

  /** Where the gNMI server is, if it says so. */
  public Optional<HostPort> gnmi() {
    return Optional.ofNullable(get(GNMI, (String) null)).flatMap(HostPort::of);
  }
}
