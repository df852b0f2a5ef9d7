package net.sluice.standalone;

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
import net.sluice.core.ControllerConfig.FpgaEndpoint;
import net.sluice.core.ControllerConfig.GnmiEndpoint;
import net.sluice.intents.marker.RandomRates;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.Ids;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.profile.FpgaProfile;
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
import net.sluice.standalone.cli.NotAllowed;
import net.sluice.standalone.cli.OptionException;

/**
 * The switches of a network, as a JSON file says them (docs/serve.md describes the fields). Read as
 * strictly as the API's bodies: all problems are found together, and each names its field.
 */
final class NetworkFile {
  static final String NEW_DEVICE = "a device that no other switch is";
  static final String NEW_FPGA = "an FPGA that is no other switch's or direction's";
  private static final String SWITCHES = "an array of at least one switch";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final RemoteSwitchOptions options;
  private final long maxSubscriberRateBps;
  private final RandomRates randomRates;
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, String> addresses = new HashMap<>();

  private NetworkFile(
      RemoteSwitchOptions options, long maxSubscriberRateBps, RandomRates randomRates) {
    this.options = options;
    this.maxSubscriberRateBps = maxSubscriberRateBps;
    this.randomRates = randomRates;
  }

  /**
   * What a file says.
   *
   * @param switches its switches
   * @param documents by the names of the switches, each as the API would be sent it
   */
  record Contents(List<RemoteSwitch> switches, Map<String, byte[]> documents) {
    Contents {
      switches = List.copyOf(switches);
      documents = Map.copyOf(documents);
    }
  }

  /**
   * Reads the file.
   *
   * @param options whose election id is taken for every switch
   * @throws StartFailure if it cannot be read, or says what cannot be; one line for each problem
   */
  static Contents read(
      String file, RemoteSwitchOptions options, long maxSubscriberRateBps, RandomRates randomRates)
      throws StartFailure {
    NetworkFile reader = new NetworkFile(options, maxSubscriberRateBps, randomRates);
    return TopologyFile.read("--network", file, reader::parse);
  }

  /** Reads a switch that is declared by itself, without its id. */
  interface OneSwitch {
    /**
     * The switch of a document.
     *
     * @throws Refusal with every problem of it
     */
    RemoteSwitch read(String name, JsonValue document) throws Refusal;
  }

  /** A reader of switches that are declared over the API; {@code options} as above. */
  static OneSwitch one(
      RemoteSwitchOptions options, long maxSubscriberRateBps, RandomRates randomRates) {
    return (name, document) -> {
      List<Problem> problems = new ArrayList<>();
      ObjectReader body = new ObjectReader(document, "", problems);
      NetworkFile reader = new NetworkFile(options, maxSubscriberRateBps, randomRates);
      Optional<RemoteSwitch> one = body.isObject() ? reader.named(body, name) : Optional.empty();
      if (one.isEmpty()) {
        throw new Refusal(problems);
      }
      return one.get();
    };
  }

  private Contents parse(byte[] json) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    ObjectReader body = new ObjectReader(JsonTree.read(json, 0, json.length), "", problems);
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
    return new Contents(switches, documents(json));
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
    switches.forEach(each -> topologies.put(each.name(), each.topology()));
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
    OptionalLong deviceId = body.optionalWhole("deviceId");
    if (deviceId.isPresent() && deviceId.getAsLong() < 0) {
      body.problem(Code.INVALID, "deviceId", deviceId.getAsLong(), "0 or more");
    }
    Optional<FpgaEndpoint> down = fpga(body, "fpgaDown");
    Optional<FpgaEndpoint> up = fpga(body, "fpgaUp");
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
            profile.get(),
            pipeline.get(),
            options.endpoint(address.get(), device),
            topology.get(),
            down,
            up,
            gnmi.map(at -> new GnmiEndpoint(at.host(), at.port(), false)),
            FpgaProfile.withClock(clockHz.orElse(DefaultTopology.FPGA_CLOCK_HZ)),
            maxSubscriberRateBps,
            randomRates));
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

  private static Optional<SwitchPipeline> pipeline(ObjectReader body, SwitchTargetProfile profile) {
    Optional<String> file = body.optionalString("deviceConfig", "the name of a file");
    try {
      return Optional.of(RemoteSwitchOptions.pipeline(profile, file.orElse(null)));
    } catch (OptionException e) {
      body.problem(Code.INVALID, "deviceConfig", file.orElse("absent"), e.allowed());
      return Optional.empty();
    }
  }

  private static Optional<ConnectAddress> address(
      ObjectReader body, String field, boolean required) {
    Optional<String> text =
        required
            ? Optional.ofNullable(body.string(field, "HOST:PORT"))
            : body.optionalString(field, "HOST:PORT");
    return text.flatMap(at -> parsed(body, field, at, ConnectAddress::parse));
  }

  private static Optional<FpgaEndpoint> fpga(ObjectReader body, String field) {
    return body.optionalString(field, "HOST:PORT or mmap:FILE")
        .flatMap(at -> parsed(body, field, at, RemoteSwitchOptions::fpga));
  }

  private interface Parsing<T> {
    T parse(String text);
  }

  private static <T> Optional<T> parsed(
      ObjectReader body, String field, String text, Parsing<? extends T> parsing) {
    try {
      return Optional.of(parsing.parse(text));
    } catch (NotAllowed e) {
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
