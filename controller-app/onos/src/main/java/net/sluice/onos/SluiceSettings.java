package net.sluice.onos;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.sluice.core.ControllerConfig;
import net.sluice.core.Servers.FpgaEndpoint.Agent;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.pipeconf.profile.SwitchAdmission;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.pipeconf.profile.TargetProfiles;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.switches.TopologyForm;
import org.onosproject.net.DeviceId;

/**
 * The application's properties, checked. Each property is parsed by itself; {@link #config} says
 * whether they fit together.
 *
 * @param deviceId the switch; empty if none is named yet
 * @param profile name of the switch's profile
 * @param topology how the switch is cabled
 * @param maxSubscriberRateBps highest subscriber rate to resolve, bit/s
 * @param fpgas what all FPGAs have in common
 * @param fpgaDown register agent of the down FPGA; empty if there is none
 * @param fpgaUp register agent of the up FPGA; empty if there is none
 * @param setPorts whether the switch's ports are set to the topology's rates over gNMI
 * @param batchSize most entity writes of one request, 500 to 1,000 being best
 * @param window most requests in flight per target
 * @param audit from the end of a comparison of a target with the declarations to the next; empty
 *     for none but those asked for
 * @param storeTimeout longest wait for an answer of the cluster's store
 */
public record SluiceSettings(
    Optional<DeviceId> deviceId,
    String profile,
    Topology topology,
    long maxSubscriberRateBps,
    Fpgas fpgas,
    Optional<Agent> fpgaDown,
    Optional<Agent> fpgaUp,
    boolean setPorts,
    int batchSize,
    int window,
    Optional<Duration> audit,
    Duration storeTimeout) {
  /** Names of the properties and their values by default, in the order to show them. */
  public static final Map<String, String> DEFAULTS = defaults();

  private static final long MAX_CODEL_MICROS = 10_000_000;
  private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
  private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(2);

  /** One access port and one core port, without FPGAs. */
  private static final String SMALLEST_TOPOLOGY =
      "{\"ports\":["
          + "{\"number\":1,\"role\":\"access\",\"rateBps\":1000000000,"
          + "\"destinationMac\":\"02:00:00:01:00:01\"},"
          + "{\"number\":2,\"role\":\"core\",\"rateBps\":1000000000,"
          + "\"destinationMac\":\"02:00:00:01:00:02\"}],"
          + "\"bngPorts\":{\"0\":1},"
          + "\"routes\":[{\"prefix\":\"0.0.0.0/0\",\"port\":2},{\"prefix\":\"::/0\",\"port\":2}]}";

  /**
   * Settings of all FPGAs.
   *
   * @param clockHz their clock, Hz
   * @param codelTargetMicros delay that CoDel keeps queues to; 0 leaves CoDel as it is
   * @param codelIntervalMicros for how long the delay may exceed that
   * @param customerBursts whether each customer has a bucket size of its own
   * @param classes whether classes of a subscriber have priorities and shares
   */
  public record Fpgas(
      long clockHz,
      int codelTargetMicros,
      int codelIntervalMicros,
      boolean customerBursts,
      boolean classes) {
    /**
     * The capacities of the FPGAs.
     *
     * @throws InvalidValueException if CoDel's times do not fit each other or the clock
     */
    FpgaProfile profile() {
      FpgaProfile profile =
          FpgaProfile.withClock(clockHz)
              .withCustomerBursts(customerBursts)
              .withClassShares(classes);
      try {
        return codelTargetMicros == 0
            ? profile
            : profile.withCodel(
                Optional.of(new FpgaProfile.Codel(codelTargetMicros, codelIntervalMicros)));
      } catch (InvalidValueException e) {
        throw new InvalidValueException(
            OsgiProperties.FPGA_CODEL_INTERVAL_MICROS, codelIntervalMicros, e.allowed());
      }
    }
  }

  private static Map<String, String> defaults() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put(OsgiProperties.DEVICE_ID, OsgiProperties.DEVICE_ID_DEFAULT);
    values.put(OsgiProperties.PROFILE, OsgiProperties.PROFILE_DEFAULT);
    values.put(OsgiProperties.TOPOLOGY, OsgiProperties.TOPOLOGY_DEFAULT);
    values.put(
        OsgiProperties.MAX_SUBSCRIBER_RATE_BPS,
        Long.toString(OsgiProperties.MAX_SUBSCRIBER_RATE_BPS_DEFAULT));
    values.put(
        OsgiProperties.FPGA_CLOCK_HZ, Integer.toString(OsgiProperties.FPGA_CLOCK_HZ_DEFAULT));
    values.put(
        OsgiProperties.FPGA_CODEL_TARGET_MICROS,
        Integer.toString(OsgiProperties.FPGA_CODEL_TARGET_MICROS_DEFAULT));
    values.put(
        OsgiProperties.FPGA_CODEL_INTERVAL_MICROS,
        Integer.toString(OsgiProperties.FPGA_CODEL_INTERVAL_MICROS_DEFAULT));
    values.put(
        OsgiProperties.FPGA_CUSTOMER_BURSTS,
        Boolean.toString(OsgiProperties.FPGA_CUSTOMER_BURSTS_DEFAULT));
    values.put(OsgiProperties.FPGA_CLASSES, Boolean.toString(OsgiProperties.FPGA_CLASSES_DEFAULT));
    values.put(OsgiProperties.FPGA_DOWN, OsgiProperties.FPGA_DOWN_DEFAULT);
    values.put(OsgiProperties.FPGA_UP, OsgiProperties.FPGA_UP_DEFAULT);
    values.put(OsgiProperties.SET_PORTS, Boolean.toString(OsgiProperties.SET_PORTS_DEFAULT));
    values.put(OsgiProperties.BATCH_SIZE, Integer.toString(OsgiProperties.BATCH_SIZE_DEFAULT));
    values.put(OsgiProperties.WINDOW, Integer.toString(OsgiProperties.WINDOW_DEFAULT));
    values.put(
        OsgiProperties.AUDIT_SECONDS, Integer.toString(OsgiProperties.AUDIT_SECONDS_DEFAULT));
    values.put(
        OsgiProperties.STORE_TIMEOUT_MILLIS,
        Integer.toString(OsgiProperties.STORE_TIMEOUT_MILLIS_DEFAULT));
    values.putAll(EdgeSettings.DEFAULTS);
    return Collections.unmodifiableMap(values);
  }

  /**
   * The settings of a set of values; a property without a value has its default.
   *
   * @throws InvalidValueException if a value is not acceptable, or they do not fit together
   */
  public static SluiceSettings of(Map<String, String> values) {
    return of(values, false);
  }

  /**
   * The same of a switch among others, whose topology may have trunks.
   *
   * @throws InvalidValueException if a value is not acceptable, or they do not fit together
   */
  static SluiceSettings ofMember(Map<String, String> values) {
    return of(values, true);
  }

  private static SluiceSettings of(Map<String, String> values, boolean isMember) {
    SluiceSettings settings = each(values, isMember);
    settings.requireAgents();
    Objects.requireNonNull(settings.config());
    return settings;
  }

  /**
   * Checks one value by itself.
   *
   * @throws InvalidValueException if it is not acceptable whatever the others are
   */
  static void check(String name, String value) {
    Objects.requireNonNull(each(Map.of(name, value), false));
  }

  /**
   * Checks one value of a switch among others by itself.
   *
   * @throws InvalidValueException if it is not acceptable whatever the others are
   */
  static void checkOfMember(String name, String value) {
    Objects.requireNonNull(each(Map.of(name, value), true));
  }

  /** The settings of a set of values, each of which is acceptable by itself. */
  private static SluiceSettings each(Map<String, String> values, boolean isMember) {
    Function<String, String> value =
        name -> Objects.requireNonNullElse(values.get(name), DEFAULTS.get(name)).trim();
    return new SluiceSettings(
        device(value.apply(OsgiProperties.DEVICE_ID)),
        profile(value.apply(OsgiProperties.PROFILE)),
        topology(value.apply(OsgiProperties.TOPOLOGY), isMember),
        number(value, OsgiProperties.MAX_SUBSCRIBER_RATE_BPS, 1_000_000, 1_000_000_000_000L),
        new Fpgas(
            number(value, OsgiProperties.FPGA_CLOCK_HZ, 1_000_000, 1_000_000_000),
            (int) number(value, OsgiProperties.FPGA_CODEL_TARGET_MICROS, 0, MAX_CODEL_MICROS),
            (int) number(value, OsgiProperties.FPGA_CODEL_INTERVAL_MICROS, 1, MAX_CODEL_MICROS),
            yesOrNo(value, OsgiProperties.FPGA_CUSTOMER_BURSTS),
            yesOrNo(value, OsgiProperties.FPGA_CLASSES)),
        endpoint(value, OsgiProperties.FPGA_DOWN),
        endpoint(value, OsgiProperties.FPGA_UP),
        yesOrNo(value, OsgiProperties.SET_PORTS),
        (int) number(value, OsgiProperties.BATCH_SIZE, 1, 10_000),
        (int) number(value, OsgiProperties.WINDOW, 1, 64),
        audit(value),
        Duration.ofMillis(number(value, OsgiProperties.STORE_TIMEOUT_MILLIS, 100, 600_000)));
  }

  private void requireAgents() {
    for (Direction direction : Direction.values()) {
      boolean wanted = topology.sidecar(direction).isPresent();
      if (wanted != fpga(direction).isPresent()) {
        throw new InvalidValueException(
            direction == Direction.DOWN ? OsgiProperties.FPGA_DOWN : OsgiProperties.FPGA_UP,
            wanted ? "absent" : "present",
            wanted
                ? "host:port, because the topology has a sidecar for that direction"
                : "absent, because the topology has no sidecar for that direction");
      }
    }
  }

  /** The register agent of a direction. */
  public Optional<Agent> fpga(Direction direction) {
    return direction == Direction.DOWN ? fpgaDown : fpgaUp;
  }

  /**
   * The controller's configuration.
   *
   * @throws InvalidValueException if profile, topology and rates do not fit together
   */
  public ControllerConfig config() {
    FpgaProfile fpga = fpgas.profile();
    SwitchTargetProfile kind = TargetProfiles.loadSwitch(profile);
    SwitchProfile granted =
        SwitchAdmission.admit(
            kind, kind.pipeline(), topology, maxSubscriberRateBps, RandomRates.BITS_16, fpga);
    // Declarations are in the cluster's store: nothing is kept in a directory.
    return ControllerConfig.builder(Path.of(""), topology, granted, fpga)
        .batchSize(batchSize)
        .window(window)
        .auditInterval(audit)
        // What is looked at before a session begins is known to ONOS: asking costs nothing.
        .backoff(FIRST_BACKOFF, LONGEST_BACKOFF)
        .build();
  }

  /** Not so often that a target is read all the time: 10 s at least, or not at all. */
  private static Optional<Duration> audit(Function<String, String> value) {
    String name = OsgiProperties.AUDIT_SECONDS;
    if (value.apply(name).equals("0")) {
      return Optional.empty();
    }
    return Optional.of(Duration.ofSeconds(number(value, name, 10, 86_400)));
  }

  private static Optional<DeviceId> device(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(DeviceId.deviceId(text));
    } catch (IllegalArgumentException e) {
      throw new InvalidValueException(
          OsgiProperties.DEVICE_ID, text, "a device id such as device:leaf1, or nothing");
    }
  }

  private static String profile(String text) {
    return TargetProfiles.loadSwitch(text).name();
  }

  private static Topology topology(String text, boolean isMember) {
    try {
      String json = text.isEmpty() ? SMALLEST_TOPOLOGY : text;
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      List<Problem> problems = new ArrayList<>();
      ObjectReader body = new ObjectReader(JsonTree.read(bytes, 0, bytes.length), "", problems);
      Topology read = TopologyForm.read(body).orElseThrow(() -> new Refusal(problems));
      return RouteHalves.split(read);
    } catch (Refusal e) {
      String found =
          e.problems().stream().map(Problem::field).distinct().collect(Collectors.joining(", "));
      String allowed = Problem.sentences(e.problems());
      throw new InvalidValueException(
          OsgiProperties.TOPOLOGY, "not acceptable at " + found, allowed);
    }
  }

  static boolean yesOrNo(Function<String, String> value, String name) {
    String text = value.apply(name);
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    throw new InvalidValueException(name, text, "true or false");
  }

  static long number(Function<String, String> value, String name, long low, long high) {
    String text = value.apply(name);
    try {
      long number = Long.parseLong(text);
      if (number >= low && number <= high) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new InvalidValueException(name, text, "a whole number, " + low + " to " + high);
  }

  private static Optional<Agent> endpoint(Function<String, String> value, String name) {
    String text = value.apply(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    int colon = text.lastIndexOf(':');
    String allowed = "host:port with a port of 1 to 65535, or nothing";
    if (colon < 1) {
      throw new InvalidValueException(name, text, allowed);
    }
    try {
      return Optional.of(
          new Agent(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1))));
    } catch (NumberFormatException | InvalidValueException e) {
      throw new InvalidValueException(name, text, allowed);
    }
  }
}
