package net.sluice.onos;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.core.ControllerException;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.InvalidValueException;
import org.onosproject.net.DeviceId;

/**
 * A switch of the network as the configuration says it.
 *
 * @param name its name in the API
 * @param values what is said of it, by the names of the application's properties
 * @param settings the same with what the application says of all switches, checked
 */
public record SwitchSettings(String name, Map<String, String> values, SluiceSettings settings) {
  /** The field that names a switch; without it, it has the name of its device. */
  public static final String NAME_FIELD = "name";

  /** The field without which a device is not driven. */
  public static final String TOPOLOGY_FIELD = OsgiProperties.TOPOLOGY;

  /** The settings that the application gives a device that has none of its own. */
  private static final List<String> INHERITED =
      List.of(
          OsgiProperties.PROFILE,
          OsgiProperties.MAX_SUBSCRIBER_RATE_BPS,
          OsgiProperties.FPGA_CLOCK_HZ,
          OsgiProperties.SET_PORTS);

  /** The properties that are one switch's. */
  private static final List<String> OF_ONE =
      List.of(
          OsgiProperties.DEVICE_ID,
          OsgiProperties.PROFILE,
          TOPOLOGY_FIELD,
          OsgiProperties.MAX_SUBSCRIBER_RATE_BPS,
          OsgiProperties.FPGA_CLOCK_HZ,
          OsgiProperties.FPGA_DOWN,
          OsgiProperties.FPGA_UP,
          OsgiProperties.SET_PORTS);

  /** The settings that a device can have. */
  public static final List<String> FIELDS = fields();

  /** Between names and values of a document; JSON has it as an escape only. */
  private static final char SEPARATOR = '\0';

  public SwitchSettings {
    values = Map.copyOf(values);
  }

  private static List<String> fields() {
    List<String> fields = new ArrayList<>(OF_ONE);
    fields.set(0, NAME_FIELD);
    return List.copyOf(fields);
  }

  /**
   * Checks one field by itself.
   *
   * @throws InvalidValueException if it is not acceptable whatever the others are
   */
  public static void check(String field, String value) {
    if (field.equals(NAME_FIELD)) {
      String unused = Ids.require(NAME_FIELD, value);
    } else {
      SluiceSettings.checkOfMember(field, value);
    }
  }

  /**
   * The switch that the application's own properties say, which is {@link NetworkSwitch#ONLY}.
   *
   * @param application values of the application's properties, all of which are acceptable
   */
  static SwitchSettings ofApplication(Map<String, String> application) {
    Map<String, String> values = new LinkedHashMap<>(application);
    values.keySet().retainAll(OF_ONE);
    return new SwitchSettings(NetworkSwitch.ONLY, values, SluiceSettings.of(application));
  }

  /**
   * A device as it is declared.
   *
   * @param declared as {@link SwitchTargets#declared} has it
   * @throws InvalidValueException if a value is not acceptable, or they do not fit together
   */
  static SwitchSettings of(
      DeviceId device, Map<String, String> declared, Map<String, String> application) {
    Map<String, String> values = new LinkedHashMap<>();
    INHERITED.stream()
        .filter(application::containsKey)
        .forEach(field -> values.put(field, application.get(field)));
    values.putAll(declared);
    values.remove(NAME_FIELD);
    values.put(OsgiProperties.DEVICE_ID, device.toString());
    String path = device.toString().substring(device.toString().indexOf(':') + 1);
    String name = declared.getOrDefault(NAME_FIELD, path);
    if (!Ids.isValid(name)) {
      throw new InvalidValueException(
          NAME_FIELD, name, Ids.ALLOWED + "; without it the switch has the name of its device");
    }
    return read(name, values, application);
  }

  private static SwitchSettings read(
      String name, Map<String, String> values, Map<String, String> application) {
    Map<String, String> all = new LinkedHashMap<>(application);
    all.keySet().removeAll(OF_ONE);
    all.putAll(values);
    return new SwitchSettings(name, values, SluiceSettings.ofMember(all));
  }

  /** The settings as the store keeps them, so that whoever takes over drives it as it was. */
  byte[] document() {
    List<String> parts = new ArrayList<>();
    for (String field : OF_ONE) {
      if (values.containsKey(field)) {
        parts.add(field);
        parts.add(values.get(field));
      }
    }
    return String.join(Character.toString(SEPARATOR), parts).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The switch of a document.
   *
   * @throws ControllerException if it is none that can be used
   */
  static SwitchSettings ofDocument(String name, byte[] document, Map<String, String> application) {
    String[] parts =
        new String(document, StandardCharsets.UTF_8).split(Character.toString(SEPARATOR), -1);
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i + 1 < parts.length; i += 2) {
      values.put(parts[i], parts[i + 1]);
    }
    try {
      return read(name, values, application);
    } catch (InvalidValueException e) {
      throw new ControllerException(
          "switch " + name + " cannot be driven as the store has it: " + e.getMessage(), e);
    }
  }

  /** The switch's device, if it has one, for texts. */
  String device() {
    return settings.deviceId().map(DeviceId::toString).orElse("no device");
  }
}
