package net.sluice.standalone.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import net.sluice.cli.InvalidOption;
import net.sluice.cli.OptionException;
import net.sluice.cli.StartFailure;
import net.sluice.core.Servers;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.endpoints.Reach;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Trunks;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.pipeconf.profile.TargetProfiles;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.json.TopologyReader;

/**
 * The switches of a network, as a JSON file says them (docs/operators-guide.md describes the
 * fields). Read as strictly as the API's bodies: all problems are found together, and each names
 * its field.
 */
public final class NetworkFile {
  static final String NEW_DEVICE = "a device that no other switch is";
  static final String NEW_FPGA = "an FPGA that is no other switch's or direction's";
  private static final String SET_PORTS = "setPorts";
  private static final String SWITCHES = "an array of at least one switch";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final RemoteSwitchOptions options;
  private final DeviceConfigs deviceConfigs;
  private final Optional<Declarations> declarations;
  private final RemoteSwitch.Marker marker;
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, String> addresses = new HashMap<>();

  private NetworkFile(
      RemoteSwitchOptions options,
      DeviceConfigs deviceConfigs,
      Optional<Declarations> declarations,
      RemoteSwitch.Marker marker) {
    this.options = options;
    this.deviceConfigs = deviceConfigs;
    this.declarations = declarations;
    this.marker = marker;
  }

  /**
   * The contents of a file.
   *
   * @param switches its switches
   * @param documents by the names of the switches, each as the API would be sent it
   * @param deviceConfigs what switches may load, by the names that they know it by
   */
  public record Contents(
      List<RemoteSwitch> switches, Map<String, byte[]> documents, DeviceConfigs deviceConfigs) {
    public Contents {
      switches = List.copyOf(switches);
      documents = Map.copyOf(documents);
    }

    /** Switches of which nothing is shown, and that load nothing. */
    public Contents(List<RemoteSwitch> switches, Map<String, byte[]> documents) {
      this(switches, documents, new DeviceConfigs());
    }
  }

  /**
   * Rules for switches that clients of the API declare: they name nothing of this host.
   *
   * @param file the switches of the file, whose maps of registers may be named again as theirs
   * @param allowed where the others may be
   * @param outOfReach told in words what is not allowed, which then is no problem; empty if it is
   */
  private record Declarations(
      List<RemoteSwitch> file, AllowedTargets allowed, Optional<List<String>> outOfReach) {}

  /**
   * Reads the file.
   *
   * @param options whose election id is taken for every switch
   * @throws StartFailure if it cannot be read, or says what cannot be; one line for each problem
   */
  public static Contents read(String file, RemoteSwitchOptions options, RemoteSwitch.Marker marker)
      throws StartFailure {
    NetworkFile reader =
        new NetworkFile(options, options.deviceConfigs(), Optional.empty(), marker);
    return TopologyFile.read("--network", file, reader::parse);
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
  public static OneSwitch one(
      RemoteSwitchOptions options, Contents file, RemoteSwitch.Marker marker) {
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
        List<Problem> problems = new ArrayList<>();
        ObjectReader body = new ObjectReader(document, "", problems);
        NetworkFile reader =
            new NetworkFile(
                options,
                file.deviceConfigs(),
                Optional.of(new Declarations(file.switches(), allowed, outOfReach)),
                marker);
        Optional<RemoteSwitch> one = body.isObject() ? reader.named(body, name) : Optional.empty();
        if (one.isEmpty()) {
          throw new Refusal(problems);
        }
        return one.get().within(new Reach.Within(allowed));
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
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
    return new Contents(switches, documents(json), deviceConfigs);
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
        String id = ((ObjectNode) each).remove("id").asText();
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

  private Optional<RemoteSwitch> one(ObjectReader body) {
    String name = body.string("id", "an id: " + Ids.ALLOWED);
    if (name != null && !Ids.isValid(name)) {
      body.problem(Code.INVALID, "id", name, Ids.ALLOWED);
    } else if (name != null) {
      requireNew(names, body, "id", name, "an id that no other switch has");
    }
    return named(body, name);
  }

  private Optional<RemoteSwitch> named(ObjectReader body, String name) {
    Optional<SwitchTargetProfile> profile = profile(body);
    Optional<SwitchPipeline> pipeline = profile.flatMap(of -> pipeline(body, of));
    Optional<ConnectAddress> address = address(body, "p4runtime", true);
    Optional<ConnectAddress> gnmi = address(body, "gnmi", false);
    boolean setsPorts = body.flag(SET_PORTS, false);
    if (setsPorts && !body.has("gnmi")) {
      body.problem(Code.INVALID, SET_PORTS, true, "true beside gnmi, by which it is done");
    }
    OptionalLong deviceId = body.optionalWhole("deviceId");
    if (deviceId.isPresent() && deviceId.getAsLong() < 0) {
      body.problem(Code.INVALID, "deviceId", deviceId.getAsLong(), "0 or more");
    }
    Optional<FpgaEndpoint> down = fpga(body, name, Direction.DOWN);
    Optional<FpgaEndpoint> up = fpga(body, name, Direction.UP);
    OptionalLong clockHz = body.optionalWhole("fpgaClockHz");
    if (clockHz.isPresent()
        && (clockHz.getAsLong() < RemoteSwitchOptions.MIN_CLOCK_HZ
            || clockHz.getAsLong() > RemoteSwitchOptions.MAX_CLOCK_HZ)) {
      body.problem(
          Code.INVALID,
          "fpgaClockHz",
          clockHz.getAsLong(),
          RemoteSwitchOptions.MIN_CLOCK_HZ + " to " + RemoteSwitchOptions.MAX_CLOCK_HZ);
    }
    ObjectReader cabled = body.object("topology");
    Optional<Topology> topology =
        cabled == null || !cabled.isObject() ? Optional.empty() : TopologyReader.read(cabled);
    if (topology.isPresent()) {
      requireFit(body, topology.get(), Direction.DOWN, "fpgaDown");
      requireFit(body, topology.get(), Direction.UP, "fpgaUp");
    }
    body.finish();
    if (!body.sound()) {
      return Optional.empty();
    }
    long device = deviceId.orElse(profile.get().management().deviceId());
    requireNew(addresses, body, "p4runtime", address.get() + " device " + device, NEW_DEVICE);
    down.ifPresent(at -> requireNewFpga(body, "fpgaDown", at));
    up.ifPresent(at -> requireNewFpga(body, "fpgaUp", at));
    return Optional.of(
        new RemoteSwitch(
            name,
            new RemoteSwitch.Model(
                profile.get(),
                pipeline.get(),
                topology.get(),
                options.fpgas(clockHz.orElse(RemoteSwitchOptions.DEFAULT_CLOCK_HZ)),
                marker),
            new Servers(
                options.endpoint(address.get(), device),
                gnmi.map(at -> options.gnmi(at, setsPorts)),
                down.map(options::secured),
                up.map(options::secured))));
  }

  private void requireNewFpga(ObjectReader body, String field, FpgaEndpoint at) {
    requireNew(addresses, body, field, RemoteSwitchOptions.text(at), NEW_FPGA);
  }

  private static void requireNew(
      Map<String, String> known, ObjectReader body, String field, String value, String allowed) {
    String other = known.putIfAbsent(value, body.at(field));
    if (other != null) {
      body.problem(Code.CONFLICT, field, value, allowed + "; " + other + " is the same");
    }
  }

  private static Optional<SwitchTargetProfile> profile(ObjectReader body) {
    String name =
        body.optionalString("profile", "the name of a profile")
            .orElse(RemoteSwitchOptions.DEFAULT_PROFILE);
    try {
      return Optional.of(TargetProfiles.loadSwitch(name));
    } catch (InvalidValueException e) {
      body.problem(Code.INVALID, "profile", e.value(), e.allowed());
      return Optional.empty();
    }
  }

  private Optional<SwitchPipeline> pipeline(ObjectReader body, SwitchTargetProfile profile) {
    Optional<String> name =
        body.optionalString("deviceConfig", "the name of a device configuration");
    if (name.isEmpty() && body.has("deviceConfig")) {
      return Optional.empty();
    }
    Optional<SwitchPipeline> pipeline = deviceConfigs.pipeline(profile, name);
    if (pipeline.isPresent()) {
      return pipeline;
    }
    boolean stored =
        refuse(body, "deviceConfig", name.orElse("absent"), deviceConfigs.allowed(profile));
    return stored ? Optional.of(DeviceConfigs.notLoaded(profile)) : Optional.empty();
  }

  /**
   * Refuses what this start does not allow; of a switch that an earlier one accepted it is why the
   * switch is out of reach, and the answer is true.
   */
  private boolean refuse(ObjectReader body, String field, Object value, String allowed) {
    Optional<List<String>> outOfReach = declarations.flatMap(Declarations::outOfReach);
    if (outOfReach.isPresent()) {
      outOfReach.get().add(body.at(field) + " is " + value + "; allowed: " + allowed);
    } else {
      body.problem(Code.INVALID, field, value, allowed);
    }
    return outOfReach.isPresent();
  }

  private Optional<ConnectAddress> address(ObjectReader body, String field, boolean required) {
    Optional<String> text =
        required
            ? Optional.ofNullable(body.string(field, "HOST:PORT"))
            : body.optionalString(field, "HOST:PORT");
    return text.flatMap(at -> parsed(body, field, at, ConnectAddress::parse))
        .filter(at -> isAllowed(body, field, at));
  }

  /** False if it was refused. */
  private boolean isAllowed(ObjectReader body, String field, ConnectAddress at) {
    if (declarations.isEmpty() || declarations.get().allowed().allowsDeclared(at)) {
      return true;
    }
    return refuse(body, field, at, declarations.get().allowed().allowed());
  }

  private Optional<FpgaEndpoint> fpga(ObjectReader body, String name, Direction direction) {
    String field = direction == Direction.DOWN ? "fpgaDown" : "fpgaUp";
    return body.optionalString(field, "HOST:PORT")
        .flatMap(
            at ->
                declarations.isPresent() && RemoteSwitchOptions.isMapped(at)
                    ? mapOfFile(body, field, at, name, direction)
                    : parsed(body, field, at, RemoteSwitchOptions::fpga))
        .filter(
            at ->
                !(at instanceof FpgaEndpoint.Agent agent)
                    || isAllowed(body, field, new ConnectAddress(agent.host(), agent.port())));
  }

  /** A map of registers, which a declaration may have if the file has it of the same switch. */
  private Optional<FpgaEndpoint> mapOfFile(
      ObjectReader body, String field, String at, String name, Direction direction) {
    Optional<FpgaEndpoint> named = parsed(body, field, at, RemoteSwitchOptions::mapped);
    boolean isOfFile =
        declarations.get().file().stream()
            .anyMatch(each -> each.name().equals(name) && each.fpga(direction).equals(named));
    return named.isEmpty()
            || isOfFile
            || refuse(
                body, field, at, "HOST:PORT of a register agent; mmap:FILE is for the network file")
        ? named
        : Optional.empty();
  }

  private interface Parsing<T> {
    T parse(String text);
  }

  private static <T> Optional<T> parsed(
      ObjectReader body, String field, String text, Parsing<? extends T> parsing) {
    try {
      return Optional.of(parsing.parse(text));
    } catch (InvalidOption e) {
      body.problem(Code.INVALID, field, text, e.getMessage());
      return Optional.empty();
    }
  }

  private static void requireFit(
      ObjectReader body, Topology topology, Direction direction, String field) {
    boolean wanted = topology.sidecar(direction).isPresent();
    if (wanted != body.has(field)) {
      body.problem(
          Code.INVALID,
          field,
          wanted ? "absent" : "present",
          wanted
              ? "present, because the topology has a sidecar of direction " + direction.text()
              : "absent, because the topology has no sidecar of direction " + direction.text());
    }
  }
}
