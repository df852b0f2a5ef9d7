package net.sluice.onos;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerException;
import net.sluice.core.Servers.FpgaEndpoint.Agent;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.Ids;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.switches.SwitchDocument;
import net.sluice.rest.switches.SwitchDocument.Reached;
import net.sluice.rest.switches.SwitchForm;
import org.onosproject.net.DeviceId;

/**
 * A switch of the network as the configuration says it.
 *
 * @param name its name in the API and of its targets
 * @param document the switch, with what the application says of all switches
 * @param config the same as the controller takes it
 */
record SwitchSettings(String name, SwitchDocument document, ControllerConfig config) {
  /** The field that names a switch; without it, it has the name of its device. */
  static final String ID = "id";

  /**
   * The same without the controller's part.
   *
   * @throws InvalidValueException if profile, topology and rates do not fit together
   */
  SwitchSettings(String name, SwitchDocument document, SluiceSettings application) {
    this(name, document, application.config(document));
  }

  /** The switch that the application's own properties say, which is {@link NetworkSwitch#ONLY}. */
  static SwitchSettings ofApplication(SluiceSettings application) {
    return new SwitchSettings(NetworkSwitch.ONLY, application.own(), application);
  }

  /**
   * A device as it is declared.
   *
   * @param declared as {@link SwitchTargets#declared} has it
   * @throws Refusal if a value is not acceptable, or they do not fit together
   */
  static SwitchSettings ofDevice(DeviceId device, JsonValue declared, SluiceSettings application)
      throws Refusal {
    List<Problem> problems = new ArrayList<>();
    ObjectReader body = new ObjectReader(declared, "", problems);
    Optional<SwitchDocument> document = read(body, device, application.defaults());
    String name = id(body, device);
    if (document.isEmpty() || !body.sound()) {
      throw new Refusal(problems);
    }
    return of(name, document.get(), application);
  }

  /**
   * A switch that has been read.
   *
   * @throws Refusal if profile, topology and rates do not fit together
   */
  static SwitchSettings of(String name, SwitchDocument document, SluiceSettings application)
      throws Refusal {
    try {
      return new SwitchSettings(name, document, application);
    } catch (InvalidValueException e) {
      throw new Refusal(List.of(Problem.of(e)));
    }
  }

  /**
   * Checks what is said of a device, as far as that can be said without the application.
   *
   * @throws Refusal if no configuration of the application makes it acceptable
   */
  static void check(DeviceId device, JsonValue declared) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    ObjectReader body = new ObjectReader(declared, "", problems);
    Optional<SwitchDocument> unused = read(body, device, SluiceSettings.BUILT_IN);
    if (body.has(ID)) {
      String alsoUnused = id(body, device);
    }
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
  }

  private static Optional<SwitchDocument> read(
      ObjectReader body, DeviceId device, SwitchDocument.Defaults defaults) {
    body.know(ID);
    Optional<SwitchDocument> read =
        SwitchForm.read(body, new OnosHost(defaults, device.toString()));
    read.map(SwitchSettings::device)
        .filter(said -> !said.equals(device))
        .ifPresent(
            said ->
                body.problem(
                    Code.INVALID,
                    SwitchForm.DEVICE,
                    said,
                    device + ", whose configuration this is"));
    return read;
  }

  /** The name of a device that is declared, be it acceptable or not. */
  static String name(DeviceId device, JsonValue declared) {
    return id(new ObjectReader(declared, "", new ArrayList<>()), device);
  }

  private static String id(ObjectReader body, DeviceId device) {
    String path = device.toString().substring(device.toString().indexOf(':') + 1);
    String name = body.optionalString(ID, Ids.ALLOWED).orElse(path);
    if (!Ids.isValid(name)) {
      body.problem(
          Code.INVALID,
          ID,
          name,
          Ids.ALLOWED + "; without it the switch has the name of its device");
    }
    return name;
  }

  /** The switch as the store keeps it, so that the next leader drives it as it was. */
  byte[] stored() {
    return SwitchForm.bytes(document);
  }

  /**
   * The switch of a stored document.
   *
   * @throws ControllerException if it is none that can be used
   */
  static SwitchSettings ofStored(String name, byte[] document, SluiceSettings application) {
    // What another host kept names no device.
    OnosHost host = new OnosHost(application.defaults(), "device:" + name);
    try {
      return new SwitchSettings(name, SwitchForm.read(document, host), application);
    } catch (Refusal | InvalidValueException e) {
      throw new ControllerException(
          "switch " + name + " cannot be driven as the store has it: " + e.getMessage(), e);
    }
  }

  private static DeviceId device(SwitchDocument document) {
    return DeviceId.deviceId(((Reached.Device) document.reached()).id());
  }

  /** The switch's device; empty if none is configured. */
  Optional<DeviceId> device() {
    return Optional.of(device(document)).filter(device -> !device.equals(DeviceId.NONE));
  }

  /** The switch's device, for texts. */
  String deviceText() {
    return device().map(DeviceId::toString).orElse("no device");
  }

  /** The register agent of a direction. */
  Optional<Agent> fpga(Direction direction) {
    return document.fpga(direction).map(Agent.class::cast);
  }
}
