package net.sluice.onos;

import com.google.common.collect.Sets;
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
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import net.sluice.cli.OptionException;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerConfig.Comparing;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.profile.SwitchAdmission;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.settings.ComparingOptions;
import net.sluice.rest.settings.EdgeOptions;
import net.sluice.rest.settings.EdgeSettings;
import net.sluice.rest.switches.SwitchDocument;
import net.sluice.rest.switches.SwitchForm;
import org.onosproject.net.DeviceId;

/**
 * The application's properties, checked.
 *
 * @param own the switch that they describe, whose device is {@link DeviceId#NONE} if they name none
 * @param batchSize most entity writes of one request, 500 to 1,000 being best
 * @param window most requests in flight per target
 * @param comparing how targets are compared with what is declared
 * @param storeTimeout longest wait for an answer of the cluster's store
 */
public record SluiceSettings(
    SwitchDocument own, int batchSize, int window, Comparing comparing, Duration storeTimeout) {
  /** Names of the properties and their values by default, in the order to show them. */
  public static final Map<String, String> DEFAULTS = defaultValues();

  /** The settings about requests of clients without any property. */
  public static final EdgeSettings EDGE_DEFAULT = edge(Map.of());

  /** Values of what neither a switch nor the application says, as far as they are no property's. */
  static final SwitchDocument.Defaults BUILT_IN =
      new SwitchDocument.Defaults(
          OsgiProperties.PROFILE_DEFAULT,
          OsgiProperties.SET_PORTS_DEFAULT,
          FpgaProfile.withClock(OsgiProperties.FPGA_CLOCK_HZ_DEFAULT),
          MarkerSettings.DEFAULT);

  /** Properties that are options of {@code sluice serve}, too. */
  static final Set<String> SHARED =
      Sets.union(
              PropertyOptions.names(new EdgeOptions()),
              PropertyOptions.names(new ComparingOptions()))
          .immutableCopy();

  private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
  private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(2);

  /** Properties whose values are text in JSON, too. */
  private static final Set<String> TEXTS =
      Set.of(
          OsgiProperties.DEVICE_ID,
          OsgiProperties.PROFILE,
          OsgiProperties.FPGA_DOWN,
          OsgiProperties.FPGA_UP);

  private static final String TWO_PORTS =
      "{\"ports\":["
          + "{\"number\":1,\"role\":\"access\",\"rateBps\":1000000000,"
          + "\"destinationMac\":\"02:00:00:01:00:01\"},"
          + "{\"number\":2,\"role\":\"core\",\"rateBps\":1000000000,"
          + "\"destinationMac\":\"02:00:00:01:00:02\"}%s],"
          + "\"bngPorts\":{\"0\":1},"
          + "\"routes\":[{\"prefix\":\"0.0.0.0/0\",\"port\":2},{\"prefix\":\"::/0\",\"port\":2}]}";

  /** One access port and one core port, without FPGAs. */
  private static final String SMALLEST_TOPOLOGY = TWO_PORTS.formatted("");

  /** The same with FPGAs. */
  private static final String WITH_FPGAS =
      TWO_PORTS.formatted(
          ",{\"number\":3,\"role\":\"sidecar\",\"direction\":\"down\",\"rateBps\":1000000000},"
              + "{\"number\":4,\"role\":\"sidecar\",\"direction\":\"up\",\"rateBps\":1000000000}");

  private static Map<String, String> defaultValues() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put(OsgiProperties.DEVICE_ID, OsgiProperties.DEVICE_ID_DEFAULT);
    values.put(OsgiProperties.PROFILE, OsgiProperties.PROFILE_DEFAULT);
    values.put(OsgiProperties.TOPOLOGY, OsgiProperties.TOPOLOGY_DEFAULT);
    values.put(
        OsgiProperties.MAX_SUBSCRIBER_RATE_BPS, OsgiProperties.MAX_SUBSCRIBER_RATE_BPS_DEFAULT);
    values.put(
        OsgiProperties.FPGA_CLOCK_HZ, Integer.toString(OsgiProperties.FPGA_CLOCK_HZ_DEFAULT));
    values.put(OsgiProperties.FPGA_CLASSES, Boolean.toString(OsgiProperties.FPGA_CLASSES_DEFAULT));
    values.put(
        OsgiProperties.FPGA_CUSTOMER_BURSTS,
        Boolean.toString(OsgiProperties.FPGA_CUSTOMER_BURSTS_DEFAULT));
    values.put(OsgiProperties.FPGA_DOWN, OsgiProperties.FPGA_DOWN_DEFAULT);
    values.put(OsgiProperties.FPGA_UP, OsgiProperties.FPGA_UP_DEFAULT);
    values.put(OsgiProperties.SET_PORTS, Boolean.toString(OsgiProperties.SET_PORTS_DEFAULT));
    values.put(OsgiProperties.BATCH_SIZE, Integer.toString(OsgiProperties.BATCH_SIZE_DEFAULT));
    values.put(OsgiProperties.WINDOW, Integer.toString(OsgiProperties.WINDOW_DEFAULT));
    values.put(OsgiProperties.AUDIT_INTERVAL, OsgiProperties.AUDIT_INTERVAL_DEFAULT);
    values.put(
        OsgiProperties.DELETION_LIMIT, Integer.toString(OsgiProperties.DELETION_LIMIT_DEFAULT));
    values.put(
        OsgiProperties.STORE_TIMEOUT_MILLIS,
        Integer.toString(OsgiProperties.STORE_TIMEOUT_MILLIS_DEFAULT));
    values.put(OsgiProperties.WEBHOOK_ALLOW, OsgiProperties.WEBHOOK_ALLOW_DEFAULT);
    values.put(
        OsgiProperties.REQUIRE_IF_MATCH, Boolean.toString(OsgiProperties.REQUIRE_IF_MATCH_DEFAULT));
    values.put(OsgiProperties.ALLOWED_HOST, OsgiProperties.ALLOWED_HOST_DEFAULT);
    values.put(OsgiProperties.ALLOWED_ORIGIN, OsgiProperties.ALLOWED_ORIGIN_DEFAULT);
    values.put(OsgiProperties.CLOSED, OsgiProperties.CLOSED_DEFAULT);
    values.put(OsgiProperties.OTLP_TRACES, OsgiProperties.OTLP_TRACES_DEFAULT);
    values.put(OsgiProperties.TRACE_PERCENT, OsgiProperties.TRACE_PERCENT_DEFAULT);
    values.put(OsgiProperties.USAGE_INTERVAL, OsgiProperties.USAGE_INTERVAL_DEFAULT);
    return Collections.unmodifiableMap(values);
  }

  /**
   * The settings of a set of values; a property without a value has its default.
   *
   * @throws InvalidValueException if a value is not acceptable, or they do not fit together
   */
  public static SluiceSettings of(Map<String, String> values) {
    SluiceSettings settings = read(values, field -> true).orElseThrow();
    Objects.requireNonNull(settings.config(settings.own));
    return settings;
  }

  /**
   * The settings about requests of clients. They count from the next request on.
   *
   * @throws InvalidValueException if a value is not acceptable, or they do not fit together
   */
  static EdgeSettings edge(Map<String, String> values) {
    EdgeOptions options = PropertyOptions.read(new EdgeOptions(), values);
    try {
      return options.settings(PropertyOptions::property);
    } catch (OptionException e) {
      throw PropertyOptions.refusal(e, values);
    }
  }

  /**
   * Checks one value by itself.
   *
   * @throws InvalidValueException if it is not acceptable whatever the others are
   */
  static void check(String name, String value) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put(OsgiProperties.TOPOLOGY, WITH_FPGAS);
    values.put(OsgiProperties.FPGA_DOWN, "fpga:1");
    values.put(OsgiProperties.FPGA_UP, "fpga:2");
    values.put(name, value);
    Objects.requireNonNull(PropertyOptions.read(new EdgeOptions(), values));
    Optional<SluiceSettings> unused =
        read(values, field -> field.equals(name) || field.startsWith(name + "."));
  }

  /**
   * Reads values as one object: the fields of the application, and those of its switch.
   *
   * @param counts fields whose problems count; empty if only others have some
   * @throws InvalidValueException of the first problem that counts
   */
  private static Optional<SluiceSettings> read(
      Map<String, String> values, Predicate<String> counts) {
    Map<String, String> all = new LinkedHashMap<>(DEFAULTS);
    all.putAll(values);
    Comparing comparing = PropertyOptions.read(new ComparingOptions(), all).settings(false);
    all.keySet().removeAll(SHARED);
    if (all.get(OsgiProperties.TOPOLOGY).isBlank()) {
      all.put(OsgiProperties.TOPOLOGY, SMALLEST_TOPOLOGY);
    }
    List<Problem> problems = new ArrayList<>();
    ObjectReader body = new ObjectReader(tree(all), "", problems);
    OptionalInt batchSize = body.integer(OsgiProperties.BATCH_SIZE, 1, 10_000);
    OptionalInt window = body.integer(OsgiProperties.WINDOW, 1, 64);
    OptionalInt timeout = body.integer(OsgiProperties.STORE_TIMEOUT_MILLIS, 100, 600_000);
    Optional<SwitchDocument> own =
        SwitchForm.read(body, new OnosHost(BUILT_IN, DeviceId.NONE.toString()));
    for (Problem problem : problems) {
      if (counts.test(problem.field())) {
        throw new InvalidValueException(problem.field(), problem.value(), problem.allowed());
      }
    }
    return own.map(
        document ->
            new SluiceSettings(
                document,
                batchSize.getAsInt(),
                window.getAsInt(),
                comparing,
                Duration.ofMillis(timeout.getAsInt())));
  }

  /** Values of properties as JSON; what is blank is left out. */
  static JsonValue tree(Map<String, String> values) {
    List<JsonValue.Member> fields = new ArrayList<>();
    values.forEach(
        (name, value) -> {
          String text = value.trim();
          if (!text.isEmpty()) {
            fields.add(
                new JsonValue.Member(
                    name, TEXTS.contains(name) ? new JsonValue.Str(text) : parsed(text)));
          }
        });
    return new JsonValue.Obj(fields);
  }

  private static JsonValue parsed(String text) {
    byte[] json = text.getBytes(StandardCharsets.UTF_8);
    try {
      return JsonTree.read(json, 0, json.length);
    } catch (Refusal e) {
      // The reader says what is allowed in its place.
      return new JsonValue.Str(text);
    }
  }

  /** Values of what a switch does not say of itself. */
  SwitchDocument.Defaults defaults() {
    return new SwitchDocument.Defaults(
        own.profile().name(), own.setsPorts(), own.fpgas(), own.marker());
  }

  /**
   * The controller's configuration of a switch.
   *
   * @throws InvalidValueException if profile, topology and rates do not fit together
   */
  ControllerConfig config(SwitchDocument of) {
    Topology topology = RouteHalves.split(of.topology());
    SwitchProfile granted =
        SwitchAdmission.admit(
            of.profile(), of.profile().pipeline(), topology, of.marker(), of.fpgas());
    // Declarations are in the cluster's store: nothing is kept in a directory.
    return ControllerConfig.builder(Path.of(""), topology, granted, of.fpgas())
        .batchSize(batchSize)
        .window(window)
        .comparing(comparing)
        // What is looked at before a session begins is known to ONOS: asking costs nothing.
        .backoff(FIRST_BACKOFF, LONGEST_BACKOFF)
        .build();
  }
}
