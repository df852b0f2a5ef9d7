package net.sluice.standalone.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import net.sluice.cli.OptionException;
import net.sluice.cli.StartFailure;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.endpoints.Reach;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Trunks;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.Ids;
import net.sluice.northbound.webhooks.AllowedTargets;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.switches.SwitchDocument;
import net.sluice.rest.switches.SwitchDocument.Reached;
import net.sluice.rest.switches.SwitchForm;

/**
 * The switches of a network, as a JSON file says them (docs/operators-guide.md describes the
 * fields). Read as strictly as the API's bodies: all problems are found together, and each names
 * its field.
 */
public final class NetworkFile {
  static final String NEW_DEVICE = "a device that no other switch is";
  static final String NEW_FPGA = "an FPGA that is no other switch's or direction's";
  private static final String SWITCHES = "an array of at least one switch";
  private static final String ID = "id";
  private static final String PROFILE = "profile";
  private static final String EMULATED = "emulated";
  private static final String INTERFACES = "interfaces";
  private static final Pattern INTERFACE = Pattern.compile("(tap:)?[^\\s/@:]{1,15}");
  private static final String AN_INTERFACE =
      "the name of an interface, or tap: and that of a TAP device, of 1 to 15 characters";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final RemoteSwitchOptions options;
  private final MarkerSettings marker;
  private final List<String> emulatedProfiles;
  private final DeviceConfigs deviceConfigs;
  private final List<EmulatedSwitch> emulated = new ArrayList<>();
  private final Map<String, String> interfaces = new HashMap<>();
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, String> addresses = new HashMap<>();

  private NetworkFile(
      RemoteSwitchOptions options, MarkerSettings marker, List<String> emulatedProfiles) {
    this.options = options;
    this.marker = marker;
    this.emulatedProfiles = List.copyOf(emulatedProfiles);
    deviceConfigs = options.deviceConfigs();
  }

  /**
   * The contents of a file.
   *
   * @param switches its switches
   * @param documents by the names of the switches, each as the API would be sent it
   * @param deviceConfigs what switches may load, by the names that they know it by
   * @param emulated those of the switches that this process emulates
   */
  public record Contents(
      List<RemoteSwitch> switches,
      Map<String, byte[]> documents,
      DeviceConfigs deviceConfigs,
      List<EmulatedSwitch> emulated) {
    public Contents {
      switches = List.copyOf(switches);
      documents = Map.copyOf(documents);
      emulated = List.copyOf(emulated);
    }

    private boolean emulates(String name) {
      return emulated.stream().anyMatch(each -> each.remote().name().equals(name));
    }

    /** Switches of which nothing is shown, and that load nothing. */
    public Contents(List<RemoteSwitch> switches, Map<String, byte[]> documents) {
      this(switches, documents, new DeviceConfigs(), List.of());
    }
  }

  /**
   * Reads the file.
   *
   * @param options whose election id is taken for every switch
   * @param emulatedProfiles the profiles that switches may have which this process emulates; none
   *     if it emulates none
   * @throws StartFailure if it cannot be read, or says what cannot be; one line for each problem
   */
  public static Contents read(
      String file,
      RemoteSwitchOptions options,
      MarkerSettings marker,
      List<String> emulatedProfiles)
      throws StartFailure {
    return TopologyFile.read(
        "--network", file, new NetworkFile(options, marker, emulatedProfiles)::parse);
  }

  /** Reads a switch that is declared by itself, without its id. */
  public interface OneSwitch {
    /**
     * The switch of a document that a client of the API sends.
     *
     * @throws Refusal with every problem of it
     */
    RemoteSwitch read(String name, JsonValue document) throws Refusal;

    /**
     * The switch of a document that was accepted by an earlier start. What this start does not
     * allow puts it out of reach.
     *
     * @throws Refusal with every other problem of it
     */
    RemoteSwitch readStored(String name, JsonValue document) throws Refusal;
  }

  /**
   * A reader of switches that are declared over the API; {@code options} as above.
   *
   * @param file what the network file says
   */
  public static OneSwitch one(RemoteSwitchOptions options, Contents file, MarkerSettings marker) {
    AllowedTargets allowed = options.allowedTargets(file.switches());
    return new OneSwitch() {
      @Override
      public RemoteSwitch read(String name, JsonValue document) throws Refusal {
        return read(name, document, Optional.empty());
      }

      @Override
      public RemoteSwitch readStored(String name, JsonValue document) throws Refusal {
        List<String> outOfReach = new ArrayList<>();
        RemoteSwitch stored = read(name, document, Optional.of(outOfReach));
        return outOfReach.isEmpty() ? stored : stored.within(outOfReach(outOfReach));
      }

      private RemoteSwitch read(String name, JsonValue document, Optional<List<String>> outOfReach)
          throws Refusal {
        StartHost host =
            new StartHost(
                options.defaults(marker),
                file.deviceConfigs(),
                Optional.of(new StartHost.Declared(name, file.switches(), allowed, outOfReach)));
        return options
            .remote(name, SwitchForm.read(document, host), host, !file.emulates(name))
            .within(new Reach.Within(rule(allowed)));
      }
    };
  }

  private static Reach.Rule rule(AllowedTargets allowed) {
    return new Reach.Rule() {
      @Override
      public boolean allows(String host, InetSocketAddress connected) {
        return allowed.allows(host, connected);
      }

      @Override
      public String allowed() {
        return allowed.allowed();
      }
    };
  }

  /** The reach of a stored switch that this start does not allow what an earlier one did. */
  static Reach.Nothing outOfReach(List<String> problems) {
    return new Reach.Nothing(
        "not connected, because this start does not allow what is stored of the switch: "
            + String.join("; ", problems)
            + ". PUT the switch anew, or start with other options");
  }

  private Contents parse(byte[] json) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    ObjectReader body = new ObjectReader(JsonTree.read(json, 0, json.length), "", problems);
    readDeviceConfigs(body);
    List<JsonValue> items = body.optionalArray("switches", SWITCHES);
    if (body.sound() && items.isEmpty()) {
      body.problem(Code.INVALID, "switches", body.has("switches") ? "[]" : "absent", SWITCHES);
    }
    List<RemoteSwitch> switches = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      one(body.item("switches", i, items.get(i))).ifPresent(switches::add);
    }
    body.finish();
    if (problems.isEmpty()) {
      problems.addAll(misfits(switches));
    }
    if (problems.isEmpty()) {
      problems.addAll(cabledTwice(switches));
    }
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
    return new Contents(switches, documents(json), deviceConfigs, emulated);
  }

  private void readDeviceConfigs(ObjectReader body) {
    List<JsonValue> items =
        body.optionalArray("deviceConfigs", "an array of device configurations");
    for (int i = 0; i < items.size(); i++) {
      ObjectReader item = body.item("deviceConfigs", i, items.get(i));
      String name = item.string("name", "an id: " + Ids.ALLOWED);
      String file = item.string("file", "the name of a file");
      item.finish();
      if (name != null && !Ids.isValid(name)) {
        item.problem(Code.INVALID, "name", name, Ids.ALLOWED);
      } else if (item.sound()) {
        try {
          if (!deviceConfigs.add(name, file)) {
            item.problem(
                Code.CONFLICT, "name", name, "a name that no other device configuration has");
          }
        } catch (OptionException e) {
          item.problem(Code.INVALID, "file", file, e.allowed());
        }
      }
    }
  }

  /** The switches of a file that is sound, without their ids. */
  private static Map<String, byte[]> documents(byte[] json) {
    Map<String, byte[]> documents = new HashMap<>();
    try {
      for (JsonNode each : MAPPER.readTree(json).path("switches")) {
        String id = ((ObjectNode) each).remove(ID).asText();
        ((ObjectNode) each).remove(List.of(EMULATED, INTERFACES));
        documents.put(id, MAPPER.writeValueAsBytes(each));
      }
      return documents;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The trunks that cannot be, each with its place in the file. */
  private static List<Problem> misfits(List<RemoteSwitch> switches) {
    Map<String, Topology> topologies = new LinkedHashMap<>();
    switches.forEach(each -> topologies.put(each.name(), each.model().topology()));
    List<String> names = List.copyOf(topologies.keySet());
    return Trunks.of(topologies).misfits().stream()
        .map(
            misfit ->
                misfit.problem("switches[" + names.indexOf(misfit.switchName()) + "].topology"))
        .toList();
  }

  /** Interfaces of ports that a trunk between emulated switches ends at. */
  private List<Problem> cabledTwice(List<RemoteSwitch> switches) {
    Map<String, Topology> topologies = new LinkedHashMap<>();
    emulated.forEach(
        each -> topologies.put(each.remote().name(), each.remote().model().topology()));
    List<String> names = switches.stream().map(RemoteSwitch::name).toList();
    Trunks trunks = Trunks.of(topologies);
    List<Problem> problems = new ArrayList<>();
    for (EmulatedSwitch each : emulated) {
      String name = each.remote().name();
      each.interfaces()
          .forEach(
              (port, cable) ->
                  trunks
                      .far(new Trunks.End(name, port))
                      .ifPresent(
                          far ->
                              problems.add(
                                  Problem.of(
                                      Code.CONFLICT,
                                      "switches[%d].interfaces.%d"
                                          .formatted(names.indexOf(name), port),
                                      cable,
                                      "absent: a trunk joins the port to port %d of %s"
                                          .formatted(far.port(), far.switchName())))));
    }
    return problems;
  }

  private Optional<RemoteSwitch> one(ObjectReader body) {
    String name = body.string(ID, "an id: " + Ids.ALLOWED);
    if (name != null && !Ids.isValid(name)) {
      body.problem(Code.INVALID, ID, name, Ids.ALLOWED);
    } else if (name != null) {
      requireNew(names, body, ID, name, "an id that no other switch has");
    }
    boolean isEmulated = emulated(body);
    Optional<ObjectReader> cabled = body.optionalObject(INTERFACES);
    SwitchDocument.Defaults defaults = options.defaults(marker);
    StartHost host =
        new StartHost(
            isEmulated ? defaults.withFpgas(defaults.fpgas().withCustomerBursts(true)) : defaults,
            deviceConfigs,
            Optional.empty());
    Optional<SwitchDocument> document = SwitchForm.read(body, host);
    document.ifPresent(read -> requireNewDevices(body, read));
    if (isEmulated) {
      document.ifPresent(read -> requireAgents(body, read));
    } else if (cabled.isPresent() && body.sound()) {
      body.problem(Code.INVALID, INTERFACES, "given", "absent, because the switch is not emulated");
    }
    SortedMap<Integer, String> outside = new TreeMap<>();
    document.ifPresent(
        read -> cabled.ifPresent(at -> outside.putAll(interfaces(at, read.topology()))));
    if (document.isEmpty() || !body.sound()) {
      return Optional.empty();
    }
    RemoteSwitch remote = options.remote(name, document.get(), host, !isEmulated);
    if (isEmulated) {
      emulated.add(new EmulatedSwitch(remote, outside));
    }
    return Optional.of(remote);
  }

  private boolean emulated(ObjectReader body) {
    boolean is = body.flag(EMULATED, false);
    if (!is) {
      return false;
    }
    if (emulatedProfiles.isEmpty()) {
      body.problem(
          Code.INVALID, EMULATED, true, "false: the distribution has no emulated switch in it");
    } else {
      body.optionalString(PROFILE, "the name of a profile")
          .filter(profile -> !emulatedProfiles.contains(profile))
          .ifPresent(
              profile ->
                  body.problem(
                      Code.INVALID,
                      PROFILE,
                      profile,
                      String.join(", ", emulatedProfiles) + ", of a switch that is emulated"));
    }
    return true;
  }

  /** Its registers are served, as no hardware maps them. */
  private static void requireAgents(ObjectReader body, SwitchDocument document) {
    for (Direction direction : Direction.values()) {
      if (document.fpga(direction).orElse(null) instanceof FpgaEndpoint.Mapped mapped) {
        body.problem(
            Code.INVALID,
            SwitchForm.fpgaField(direction),
            SwitchForm.text(mapped),
            "HOST:PORT where the emulated FPGA's registers are served");
      }
    }
  }

  /** The interfaces that the ports of an emulated switch are cabled to. */
  private SortedMap<Integer, String> interfaces(ObjectReader body, Topology topology) {
    SortedMap<Integer, String> outside = new TreeMap<>();
    for (String port : body.names()) {
      String name = body.string(port, AN_INTERFACE);
      if (name == null) {
        continue;
      }
      Optional<Topology.SwitchPort> cabled =
          port.matches("0|[1-9]\\d{0,2}")
              ? topology.port(Integer.parseInt(port))
              : Optional.empty();
      if (cabled.isEmpty() || cabled.get().role() == PortRole.SIDECAR) {
        body.problem(
            Code.INVALID,
            port,
            name,
            "the number of a port of the topology that leads to no FPGA, before an interface");
      } else if (!INTERFACE.matcher(name).matches()) {
        body.problem(Code.INVALID, port, name, AN_INTERFACE);
      } else {
        requireNew(interfaces, body, port, name, "an interface that no other port has");
        outside.put(cabled.get().number(), name);
      }
    }
    return outside;
  }

  private void requireNewDevices(ObjectReader body, SwitchDocument document) {
    Reached.Server server = (Reached.Server) document.reached();
    String device = server.p4runtime() + " device " + server.deviceId();
    requireNew(addresses, body, SwitchForm.P4RUNTIME, device, NEW_DEVICE);
    for (Direction direction : Direction.values()) {
      document
          .fpga(direction)
          .ifPresent(
              at ->
                  requireNew(
                      addresses,
                      body,
                      SwitchForm.fpgaField(direction),
                      SwitchForm.text(at),
                      NEW_FPGA));
    }
  }

  private static void requireNew(
      Map<String, String> known, ObjectReader body, String field, String value, String allowed) {
    String other = known.putIfAbsent(value, body.at(field));
    if (other != null) {
      body.problem(Code.CONFLICT, field, value, allowed + "; " + other + " is the same");
    }
  }
}
