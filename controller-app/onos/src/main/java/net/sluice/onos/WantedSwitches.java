package net.sluice.onos;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import net.sluice.intents.model.InvalidValueException;
import org.onosproject.net.DeviceId;

/**
 * The switches that the configuration asks for.
 *
 * @param byName by name
 * @param placeholder what there is without any: a switch without a device, or that of the
 *     application's own properties
 * @param refused devices of which something is said that is not acceptable, with a sentence why
 */
record WantedSwitches(
    Map<String, SwitchSettings> byName, SwitchSettings placeholder, Map<DeviceId, String> refused) {
  /**
   * Reads the configuration.
   *
   * @param application values of the application's properties
   * @param devices as {@link SwitchTargets#declared} has them
   */
  static WantedSwitches of(
      Map<String, String> application, Map<DeviceId, Map<String, String>> devices) {
    Map<String, SwitchSettings> byName = new LinkedHashMap<>();
    Map<DeviceId, String> refused = new LinkedHashMap<>();
    SwitchSettings ofApplication = SwitchSettings.ofApplication(application);
    Optional<DeviceId> own = ofApplication.settings().deviceId();
    if (own.isPresent()) {
      byName.put(ofApplication.name(), ofApplication);
    }
    devices.forEach(
        (device, declared) -> {
          try {
            if (own.equals(Optional.of(device))) {
              throw new InvalidValueException(
                  OsgiProperties.DEVICE_ID,
                  device,
                  "another device, or nothing, because the" + " device has a topology of its own");
            }
            SwitchSettings each = SwitchSettings.of(device, declared, application);
            SwitchSettings other = byName.putIfAbsent(each.name(), each);
            if (other != null) {
              throw new InvalidValueException(
                  SwitchSettings.NAME_FIELD,
                  each.name(),
                  "a name that no other switch has; " + other.device() + " has it");
            }
          } catch (InvalidValueException e) {
            refused.put(device, device + " is not driven as configured: " + e.getMessage());
          }
        });
    return new WantedSwitches(byName, ofApplication, refused);
  }

  /** Whether something is said of a device, acceptable or not. */
  boolean has(DeviceId device) {
    return refused.containsKey(device)
        || byName.values().stream()
            .anyMatch(each -> each.settings().deviceId().equals(Optional.of(device)));
  }
}
