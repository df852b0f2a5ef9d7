package net.sluice.onos;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.core.Servers.FpgaEndpoint.Agent;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.switches.SwitchForm;
import org.onosproject.net.DeviceId;

/**
 * The switches that the configuration asks for.
 *
 * @param devices as {@link SwitchTargets#declared} had them
 * @param byName by name
 * @param placeholder what there is without any: a switch without a device, or that of the
 *     application's own properties
 * @param refused devices of which something is said that is not acceptable, with a sentence why
 */
record WantedSwitches(
    Map<DeviceId, JsonValue> devices,
    Map<String, SwitchSettings> byName,
    SwitchSettings placeholder,
    Map<DeviceId, String> refused) {
  /**
   * Reads the configuration.
   *
   * @param devices as {@link SwitchTargets#declared} has them
   */
  static WantedSwitches of(SluiceSettings application, Map<DeviceId, JsonValue> devices) {
    Map<String, SwitchSettings> byName = new LinkedHashMap<>();
    Map<DeviceId, String> refused = new LinkedHashMap<>();
    SwitchSettings ofApplication = SwitchSettings.ofApplication(application);
    if (ofApplication.device().isPresent()) {
      byName.put(ofApplication.name(), ofApplication);
    }
    devices.forEach(
        (device, declared) -> {
          try {
            add(byName, SwitchSettings.ofDevice(device, declared, application));
          } catch (Refusal e) {
            refused.put(
                device,
                device + " is not driven as configured: " + Problem.sentences(e.problems()));
          }
        });
    return new WantedSwitches(devices, byName, ofApplication, refused);
  }

  /** Adds a device that no other switch is, with its own FPGAs, under a name that no other has. */
  static void add(Map<String, SwitchSettings> byName, SwitchSettings each) throws Refusal {
    Optional<SwitchSettings> same =
        byName.values().stream().filter(other -> other.device().equals(each.device())).findFirst();
    if (same.isPresent()) {
      throw conflict(
          "device",
          each.deviceText(),
          "a device that no other switch is; switch " + same.get().name() + " is this one");
    }
    for (SwitchSettings other : byName.values()) {
      for (Direction direction : Direction.values()) {
        Optional<Agent> agent = each.fpga(direction);
        if (agent.isPresent()
            && (other.fpga(Direction.DOWN).equals(agent)
                || other.fpga(Direction.UP).equals(agent))) {
          throw conflict(
              SwitchForm.fpgaField(direction),
              SwitchForm.text(agent.get()),
              "an FPGA that is no other switch's or direction's; "
                  + other.name()
                  + " has this one");
        }
      }
    }
    SwitchSettings other = byName.putIfAbsent(each.name(), each);
    if (other != null) {
      throw conflict(
          SwitchSettings.ID,
          each.name(),
          "an id that no other switch has; " + other.deviceText() + " has it");
    }
  }

  static Refusal conflict(String field, String value, String allowed) {
    return new Refusal(List.of(Problem.of(Code.CONFLICT, field, value, allowed)));
  }

  /** Whether something is said of a device, acceptable or not. */
  boolean has(DeviceId device) {
    return refused.containsKey(device)
        || byName.values().stream().anyMatch(each -> each.device().equals(Optional.of(device)));
  }
}
