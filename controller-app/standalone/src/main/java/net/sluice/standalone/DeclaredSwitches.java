package net.sluice.standalone;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  private final NetworkFile.OneSwitch form;
  private final Configuring configuring;
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

  DeclaredSwitches(NetworkFile.OneSwitch form, Configuring configuring) {
    this.form = form;
    this.configuring = configuring;
  }

  /**
   * Adds the stored switches to those of a file, which come first and win.
   *
   * @throws ControllerException if a stored one cannot be used
   */
  List<SwitchAt> with(List<SwitchAt> ofFile, Map<String, byte[]> stored) {
    List<SwitchAt> all = new ArrayList<>(ofFile);
    stored.forEach(
        (name, document) -> {
          if (ofFile.stream().noneMatch(each -> each.name().equals(name))) {
            try {
              JsonValue value = JsonTree.read(document, 0, document.length);
              SwitchAt member = configuring.of(form.read(name, value));
              requireNewDevice(member, all);
              all.add(member);
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
    return network.documents();
  }

  @Override
  public synchronized boolean put(String name, JsonValue body, byte[] document) throws Refusal {
    RemoteSwitch remote = form.read(name, body);
    try {
      SwitchAt member = configuring.of(remote);
      requireNewDevice(member, network.members());
      return network.put(member, document);
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
    SwitchEndpoint wanted = member.config().switchEndpoint().orElseThrow();
    for (SwitchAt other : others) {
      SwitchEndpoint at = other.config().switchEndpoint().orElseThrow();
      if (!other.name().equals(member.name())
          && at.host().equals(wanted.host())
          && at.port() == wanted.port()
          && at.deviceId() == wanted.deviceId()) {
        throw new Refusal(
            List.of(
                Problem.of(
                    Problem.Code.CONFLICT,
                    "p4runtime",
                    new ConnectAddress(at.host(), at.port()) + " device " + at.deviceId(),
                    "a device that no other switch is; " + other.name() + " is this one")));
      }
    }
  }

  @Override
  public synchronized void delete(String name) throws Refusal {
    network.remove(name);
  }
}
