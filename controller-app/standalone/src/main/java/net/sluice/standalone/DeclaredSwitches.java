package net.sluice.standalone;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerConfig.SwitchEndpoint;
import net.sluice.core.ControllerException;
import net.sluice.endpoints.EndpointNetwork;
import net.sluice.endpoints.Endpoints.SwitchAt;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.SwitchDeclarations;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;

/** The switches of {@code serve --network}, which come and go over the API. */
final class DeclaredSwitches implements SwitchDeclarations {
  private static final String P4RUNTIME = "p4runtime";

  private final NetworkFile.OneSwitch form;
  private final Configuring configuring;
  private final Map<String, byte[]> ofFile;

  /** Of those that are driven, by name. */
  private final Map<String, byte[]> documents = new ConcurrentHashMap<>();

  private EndpointNetwork network;

  /** Makes of a switch what the controller is given. */
  interface Configuring {
    /**
     * The switch's configuration.
     *
     * @throws StartFailure if its profile does not have the ports or the room
     */
    SwitchAt of(RemoteSwitch remote) throws StartFailure;
  }

  /**
   * @param form reads those that are declared
   * @param ofFile documents of those of the file, by name
   */
  DeclaredSwitches(
      NetworkFile.OneSwitch form, Configuring configuring, Map<String, byte[]> ofFile) {
    this.form = form;
    this.configuring = configuring;
    this.ofFile = Map.copyOf(ofFile);
  }

  /**
   * Adds the stored switches to those of a file, which come first and win.
   *
   * @throws ControllerException if a stored one cannot be used
   */
  List<SwitchAt> with(List<SwitchAt> first, Map<String, byte[]> stored) {
    List<SwitchAt> all = new ArrayList<>(first);
    documents.putAll(ofFile);
    stored.forEach(
        (name, document) -> {
          if (first.stream().noneMatch(each -> each.name().equals(name))) {
            try {
              JsonValue value = JsonTree.read(document, 0, document.length);
              SwitchAt member = configuring.of(form.read(name, value));
              requireNewDevice(member, all);
              all.add(member);
              documents.put(name, document);
            } catch (Refusal | StartFailure e) {
              throw new ControllerException(
                  "the stored switch " + name + " cannot be used: " + e.getMessage(), e);
            }
          }
        });
    return all;
  }

  /** Where declarations go from now on. */
  void use(EndpointNetwork opened) {
    network = opened;
  }

  @Override
  public Map<String, byte[]> documents() {
    return Map.copyOf(documents);
  }

  @Override
  public synchronized boolean put(String name, JsonValue body, byte[] document) throws Refusal {
    RemoteSwitch remote = form.read(name, body);
    try {
      SwitchAt member = configuring.of(remote);
      requireNewDevice(member, network.members());
      try {
        return network.put(member, document);
      } finally {
        // Also if it is driven, but could not be kept for the next start.
        if (network.members().stream().anyMatch(each -> each == member)) {
          documents.put(name, document);
        }
      }
    } catch (StartFailure e) {
      throw new Refusal(
          List.of(
              new Problem(
                  Problem.Code.INVALID,
                  "profile",
                  remote.profile().name(),
                  "a profile with a compiled program, whose ports and tables the topology fits",
                  e.getMessage())));
    } catch (InvalidValueException e) {
      throw new Refusal(List.of(Problem.of(e)));
    }
  }

  private static void requireNewDevice(SwitchAt member, List<SwitchAt> others) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    for (SwitchAt other : others) {
      if (other.name().equals(member.name())) {
        continue;
      }
      devices(member.config())
          .forEach(
              (field, device) -> {
                if (devices(other.config()).containsValue(device)) {
                  problems.add(
                      Problem.of(
                          Problem.Code.CONFLICT,
                          field,
                          device,
                          (field.equals(P4RUNTIME) ? NetworkFile.NEW_DEVICE : NetworkFile.NEW_FPGA)
                              + "; "
                              + other.name()
                              + " has this one"));
                }
              });
    }
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
  }

  /** The devices that nobody else may drive, by the fields that name them. */
  private static Map<String, String> devices(ControllerConfig config) {
    Map<String, String> devices = new LinkedHashMap<>();
    SwitchEndpoint at = config.switchEndpoint().orElseThrow();
    devices.put(P4RUNTIME, new ConnectAddress(at.host(), at.port()) + " device " + at.deviceId());
    config.fpgaDown().ifPresent(fpga -> devices.put("fpgaDown", RemoteSwitchOptions.text(fpga)));
    config.fpgaUp().ifPresent(fpga -> devices.put("fpgaUp", RemoteSwitchOptions.text(fpga)));
    return devices;
  }

  @Override
  public synchronized void delete(String name) throws Refusal {
    try {
      network.remove(name);
    } finally {
      if (network.members().stream().noneMatch(each -> each.name().equals(name))) {
        documents.remove(name);
      }
    }
  }
}
