package net.sluice.standalone.network;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import net.sluice.cli.StartFailure;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerException;
import net.sluice.core.Servers;
import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.endpoints.EndpointNetwork;
import net.sluice.endpoints.Endpoints.SwitchAt;
import net.sluice.endpoints.Reach;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.rest.host.SwitchDeclarations;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.switches.SwitchForm;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The switches of {@code serve --network}, which come and go over the API. */
public final class DeclaredSwitches implements SwitchDeclarations {
  private static final Logger LOG = LoggerFactory.getLogger(DeclaredSwitches.class);
  private static final String P4RUNTIME = "p4runtime";

  private final NetworkFile.OneSwitch form;
  private final Configuring configuring;
  private final NetworkFile.Contents file;

  /** Those that there are at the start. */
  private final List<RemoteSwitch> first = new ArrayList<>();

  /** Of those that are driven, by name. */
  private final Map<String, byte[]> documents = new ConcurrentHashMap<>();

  private EndpointNetwork network;

  /** Makes of a switch what the controller is given. */
  public interface Configuring {
    /**
     * The switch's configuration.
     *
     * @throws StartFailure if its profile does not have the ports or the room
     */
    SwitchAt of(RemoteSwitch remote) throws StartFailure;
  }

  /**
   * @param form reads those that are declared
   * @param file says which are there in any case
   */
  public DeclaredSwitches(
      NetworkFile.OneSwitch form, Configuring configuring, NetworkFile.Contents file) {
    this.form = form;
    this.configuring = configuring;
    this.file = file;
  }

  /**
   * Adds the stored switches to those of the file, which come first and win. What this start does
   * not allow of a stored one, or a switch before it has, puts that one out of reach.
   *
   * @param ofFile those of the file, as the controller is given them
   * @throws ControllerException if a stored one cannot be used
   */
  public List<SwitchAt> with(List<SwitchAt> ofFile, Map<String, byte[]> stored) {
    List<SwitchAt> all = new ArrayList<>(ofFile);
    documents.putAll(file.documents());
    first.addAll(file.switches());
    stored.forEach(
        (name, document) -> {
          if (ofFile.stream().noneMatch(each -> each.name().equals(name))) {
            try {
              JsonValue value = JsonTree.read(document, 0, document.length);
              RemoteSwitch remote = form.readStored(name, value);
              List<Problem> taken = takenDevices(configuring.of(remote), all);
              if (!taken.isEmpty()) {
                remote =
                    remote.within(
                        NetworkFile.outOfReach(
                            taken.stream()
                                .map(
                                    p ->
                                        p.field()
                                            + " is "
                                            + p.value()
                                            + "; allowed: "
                                            + p.allowed())
                                .toList()));
              }
              if (remote.reach() instanceof Reach.Nothing nothing) {
                LOG.warn("switch {} is {}", name, nothing.reason());
              }
              all.add(configuring.of(remote));
              first.add(remote);
              documents.put(name, document);
            } catch (Refusal | StartFailure e) {
              throw new ControllerException(
                  "the stored switch " + name + " cannot be used: " + e.getMessage(), e);
            }
          }
        });
    return all;
  }

  /** Those that {@link #with} made the network of. */
  public List<RemoteSwitch> first() {
    return List.copyOf(first);
  }

  /** Where declarations go from now on. */
  public void use(EndpointNetwork opened) {
    network = opened;
  }

  @Override
  public Map<String, byte[]> documents() {
    return Map.copyOf(documents);
  }

  @Override
  public boolean put(String name, JsonValue body, byte[] document, Requirement requirement)
      throws Refusal {
    // It may ask the name service, for which no other switch waits.
    return put(name, form.read(name, body), document, requirement);
  }

  private synchronized boolean put(
      String name, RemoteSwitch remote, byte[] document, Requirement requirement) throws Refusal {
    requirement.check(Optional.ofNullable(documents.get(name)));
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
                  remote.model().profile().name(),
                  "a profile with a compiled program, whose ports and tables the topology fits",
                  e.getMessage())));
    } catch (InvalidValueException e) {
      throw new Refusal(List.of(Problem.of(e)));
    }
  }

  private static void requireNewDevice(SwitchAt member, List<SwitchAt> others) throws Refusal {
    List<Problem> problems = takenDevices(member, others);
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
  }

  /** The devices of a switch that another switch drives. */
  private static List<Problem> takenDevices(SwitchAt member, List<SwitchAt> others) {
    List<Problem> problems = new ArrayList<>();
    for (SwitchAt other : others) {
      if (other.name().equals(member.name()) || other.reach() instanceof Reach.Nothing) {
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
    return problems;
  }

  /** The devices that nobody else may drive, by the fields that name them. */
  private static Map<String, String> devices(ControllerConfig config) {
    Map<String, String> devices = new LinkedHashMap<>();
    Servers servers = config.servers().orElseThrow();
    SwitchEndpoint at = servers.p4runtime();
    devices.put(P4RUNTIME, RemoteSwitch.at(at) + " device " + at.deviceId());
    servers.fpgaDown().ifPresent(fpga -> devices.put("fpgaDown", SwitchForm.text(fpga)));
    servers.fpgaUp().ifPresent(fpga -> devices.put("fpgaUp", SwitchForm.text(fpga)));
    return devices;
  }

  @Override
  public synchronized void delete(String name, Requirement requirement) throws Refusal {
    requirement.check(Optional.ofNullable(documents.get(name)));
    try {
      network.remove(name);
    } finally {
      if (network.members().stream().noneMatch(each -> each.name().equals(name))) {
        documents.remove(name);
      }
    }
  }
}
