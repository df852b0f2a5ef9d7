package net.sluice.pipeconf.profile;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.Table;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.PrefixLengths;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.CompiledProgram;
import net.sluice.pipeconf.profile.MeterBehaviour.Update;
import net.sluice.pipeconf.profile.ProfileFields.Value;
import net.sluice.pipeconf.profile.QueueBehaviour.Settings;
import net.sluice.pipeconf.profile.SwitchTargetProfile.Chassis;

/** Reads a profile from its text, strictly: nothing is missing, unknown or out of range. */
final class ProfileReader {
  private static final Pattern PORT =
      Pattern.compile("(\\d{1,4})(?:\\.\\.(\\d{1,4}))?((?: +\\S+=\\S+)+)");
  private static final int MAX_ENTRIES = 100_000_000;
  private static final int MAX_PIPES = 8;
  private static final int MAX_INSTANCES = 64;

  /**
   * Tables of which a switch may have fewer entries than the program, and the least it must have.
   * Of the others it has as many as the program, or none.
   */
  private static final Map<Table, Integer> LEAST_ENTRIES =
      new EnumMap<>(
          Map.ofEntries(
              entry(Table.IPV4_PREFIX, 1),
              entry(Table.IPV6_PREFIX, 0),
              entry(Table.VLAN, 0),
              entry(Table.SERVICE_VLAN, 0),
              entry(Table.ENCAPSULATION, 0),
              entry(Table.POLICY_VALUE, 2 * RateBins.BINS),
              entry(Table.RATE_BIN, 1),
              entry(Table.RANDOM_RATE, 1),
              entry(Table.PORT_ROLE, 1),
              entry(Table.SIDECAR, 1),
              entry(Table.IPV4_ROUTE, 1),
              entry(Table.IPV6_ROUTE, 1),
              entry(Table.CONGESTION_THRESHOLD, 1),
              entry(Table.QUEUE_AQM, 0),
              entry(Table.EGRESS_PORT, 1),
              entry(Table.SUBSCRIBER_METER, 0),
              entry(Table.SUBSCRIBER_LIMIT, 0)));

  private final String name;
  private final ProfileFields fields;

  private ProfileReader(String name, ProfileFields fields) {
    this.name = name;
    this.fields = fields;
  }

  /**
   * Reads a profile.
   *
   * @param name its name, which is that of its file
   * @throws InvalidValueException naming file, line, key, value and what is allowed
   */
  static TargetProfile read(String name, String text) {
    ProfileFields fields = new ProfileFields(name + ".profile", text);
    ProfileReader reader = new ProfileReader(name, fields);
    boolean isSwitch =
        fields.choice("kind", Map.of("switch", true, "fpga", false), "switch or fpga");
    TargetProfile profile = isSwitch ? reader.readSwitch() : reader.readFpga();
    fields.requireNothingLeft(isSwitch ? "switch" : "fpga");
    return profile;
  }

  private List<String> notes() {
    return fields.all("note").stream().map(Value::text).toList();
  }

  private FpgaTargetProfile readFpga() {
    String title = fields.text("title");
    FpgaProfile fpga =
        new FpgaProfile(
            fields.number("clock.hz", 1_000_000, 1_000_000_000),
            fields.number("clock.ticks", 1, 1 << 20),
            fields.number("rate.word-bits", 2, 31),
            fields.number("queue.ports", 1, 8),
            fields.number("queue.trees-per-port", 1, 64),
            fields.number("queue.customers-per-tree", 1, 64),
            fields.number("queue.classes", 1, 8),
            fields.number("burst.min-bytes", 1, 65_535),
            fields.number("burst.max-bytes", 1, 65_535),
            fields.number("burst.reset-bytes", 1, 65_535),
            fields.number("queue.depth-bytes", 8, (1 << 24) - 8));
    return new FpgaTargetProfile(name, title, notes(), fpga);
  }

  private SwitchTargetProfile readSwitch() {
    String title = fields.text("title");
    String architecture =
        fields.choice(
            "architecture",
            Map.of("v1model", "v1model", "tna", "tna", "t2na", "t2na"),
            "v1model, tna or t2na");
    String programName = fields.text("program");
    Optional<CompiledProgram> program = CompiledProgram.named(programName);
    MarkerLayout markers = markers(program);
    Set<AqmKind> aqmKinds = aqmKinds();
    return new SwitchTargetProfile(
        name,
        title,
        notes(),
        architecture,
        programName.equals("none") ? Optional.empty() : Optional.of(programName),
        management(),
        chassis(),
        markers,
        program.map(of -> of.profile().prefixLengths()).orElse(PrefixLengths.ANY),
        tables(program, aqmKinds),
        rate("rate.max-subscriber"),
        new CounterBehaviour(
            counterCells(program, markers),
            fields.number("counter.age-ms", 0, 60_000),
            fields.yes("counter.writable")),
        new MeterBehaviour(
            fields.choice(
                "meter.update",
                Map.of(
                    "insert-modify-delete",
                    Update.INSERT_MODIFY_DELETE,
                    "modify-only",
                    Update.MODIFY_ONLY),
                "insert-modify-delete or modify-only"),
            fields.number("meter.rate-tolerance-permille", 0, 100)),
        fields.has("shaping.buffer-bytes")
            ? fields.number("shaping.buffer-bytes", 1, Integer.MAX_VALUE)
            : 0,
        new QueueBehaviour(
            fields.number("queue.per-port", 1, 128),
            fields.choice(
                "queue.settings",
                Map.of("none", Settings.NONE, "gnmi", Settings.GNMI, "chassis", Settings.CHASSIS),
                "none, gnmi or chassis")),
        aqmKinds,
        layout());
  }

  private Management management() {
    int p4Runtime = fields.number("p4runtime.port", 1, 65_535);
    int deviceId = fields.number("p4runtime.device-id", 1, Integer.MAX_VALUE);
    Value gnmi = fields.one("gnmi.port");
    boolean portSpeed = fields.yes("gnmi.port-speed");
    boolean queues = fields.yes("gnmi.queue-settings");
    OptionalInt gnmiPort =
        gnmi.text().equals("none")
            ? OptionalInt.empty()
            : OptionalInt.of(ProfileFields.number(gnmi, 1, 65_535));
    if (gnmiPort.isEmpty() && (portSpeed || queues)) {
      throw new InvalidValueException(
          gnmi.field(), gnmi.text(), "a TCP port, because settings over gNMI are said to exist");
    }
    return new Management(
        p4Runtime,
        deviceId,
        gnmiPort,
        portSpeed,
        queues,
        fields.text("onos.driver"),
        fields.text("onos.pipeconf"));
  }

  private Optional<Chassis> chassis() {
    if (!fields.has("chassis.platform") && !fields.has("chassis.name")) {
      return Optional.empty();
    }
    return Optional.of(new Chassis(fields.text("chassis.platform"), fields.text("chassis.name")));
  }

  /**
   * One number of subscribers, or how a program divides them. What a compiled program divides is as
   * it is; of one that divides nothing a switch can have less.
   */
  private MarkerLayout markers(Optional<CompiledProgram> program) {
    if (program.isPresent()
        && (program.get().profile().markers().isDivided() || !fields.has("subscribers"))) {
      return program.get().profile().markers();
    }
    if (!fields.has("marker.instances")) {
      return MarkerLayout.undivided(fields.number("subscribers", 1, MarkerLayout.MAX_SUBSCRIBERS));
    }
    int pipes = fields.number("marker.pipes", 1, MAX_PIPES);
    int portsPerPipe =
        pipes == 1 ? Topology.MAX_PORT + 1 : fields.number("marker.ports-per-pipe", 1, 512);
    int instances = fields.number("marker.instances", 1, MAX_INSTANCES);
    return new MarkerLayout(
        pipes,
        portsPerPipe,
        instances,
        fields.number(
            "marker.subscribers-per-instance",
            1,
            MarkerLayout.MAX_SUBSCRIBERS / (pipes * instances)),
        prefixesPerInstance("ipv4"),
        prefixesPerInstance("ipv6"));
  }

  private OptionalInt prefixesPerInstance(String family) {
    String key = "marker." + family + "-prefixes-per-instance";
    return fields.has(key)
        ? OptionalInt.of(fields.number(key, 1, MAX_ENTRIES))
        : OptionalInt.empty();
  }

  /** Where no algorithm is named, no queue is managed. */
  private Set<AqmKind> aqmKinds() {
    Set<AqmKind> kinds = EnumSet.noneOf(AqmKind.class);
    if (!fields.has("aqm.kinds")) {
      return kinds;
    }
    Value value = fields.one("aqm.kinds");
    for (String text : value.text().split(" +")) {
      AqmKind kind =
          AqmKind.of(text)
              .orElseThrow(
                  () ->
                      new InvalidValueException(
                          value.field(), text, AqmKind.texts(EnumSet.allOf(AqmKind.class))));
      if (!kinds.add(kind)) {
        throw new InvalidValueException(value.field(), text, "each kind once");
      }
    }
    return kinds;
  }

  /** Two for each subscriber of a compiled program and two for none, unless there are fewer. */
  private int counterCells(Optional<CompiledProgram> program, MarkerLayout markers) {
    boolean divided = program.isPresent() && markers.isDivided();
    return divided || program.isPresent() && !fields.has("counter.cells")
        ? 2 + 2 * program.get().profile().subscriberCapacity()
        : fields.number("counter.cells", 2 + 2 * markers.allInstances(), MAX_ENTRIES);
  }

  /** As large as in the compiled program, unless the switch has less room. */
  private Map<Table, Integer> tables(Optional<CompiledProgram> program, Set<AqmKind> aqmKinds) {
    Map<Table, Integer> tables = new EnumMap<>(Table.class);
    for (Table table : Table.values()) {
      if (table == Table.MIRROR) {
        // Only CoDel-ACT mirrors packets, and a program that reports queues' delays to itself.
        boolean isReporting =
            program.isPresent() && program.get().profile().reportPort().isPresent();
        tables.put(table, isReporting || aqmKinds.contains(AqmKind.CODEL_ACT) ? 1 : 0);
        continue;
      }
      Integer least = LEAST_ENTRIES.get(table);
      if (least == null) {
        tables.put(table, program.map(of -> of.entries().size(table)).orElse(0));
        continue;
      }
      String key = "table." + table.text();
      tables.put(
          table,
          program.isPresent() && !fields.has(key)
              ? program.get().entries().size(table)
              : fields.number(key, least, MAX_ENTRIES));
    }
    return tables;
  }

  private long rate(String key) {
    Value value = fields.one(key);
    return ProfileRates.parse(value.field(), value.text());
  }

  private PortLayout layout() {
    int lanes = fields.has("port.lanes") ? fields.number("port.lanes", 1, 8) : 1;
    List<PortSplit> splits = new ArrayList<>();
    if (fields.has("port.split")) {
      Value value = fields.one("port.split");
      for (String text : value.text().split(" +")) {
        PortSplit split = PortSplit.parse(value.field(), text);
        if (lanes % split.parts() != 0) {
          throw new InvalidValueException(
              value.field(), text, "parts that the " + lanes + " lanes of a port can be shared by");
        }
        splits.add(split);
      }
    }
    List<ProfilePort> ports = new ArrayList<>();
    Set<Integer> ids = new HashSet<>();
    Set<Integer> numbers = new HashSet<>();
    boolean mapped = lanes > 1;
    List<Value> lines = new ArrayList<>(fields.all("ports"));
    lines.addAll(fields.all("port"));
    if (lines.isEmpty()) {
      throw new InvalidValueException(name + ".profile port", "missing", "at least one port");
    }
    for (Value line : lines) {
      addPorts(line, mapped, lanes, ports, ids, numbers);
    }
    return new PortLayout(ports, lanes, splits);
  }

  private static void addPorts(
      Value line,
      boolean mapped,
      int lanes,
      List<ProfilePort> ports,
      Set<Integer> ids,
      Set<Integer> numbers) {
    Matcher matcher = PORT.matcher(line.text());
    if (!matcher.matches()) {
      throw new InvalidValueException(
          line.field(), line.text(), "N or N..M, then name=NAME speed=RATE [device=N] [channel=N]");
    }
    int first = Integer.parseInt(matcher.group(1));
    int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
    if (first < 1 || last < first) {
      throw new InvalidValueException(line.field(), line.text(), "ports from 1, in rising order");
    }
    Attributes attributes = new Attributes(line, matcher.group(3));
    for (int id = first; id <= last; id++) {
      if (!ids.add(id)) {
        throw new InvalidValueException(line.field(), "port " + id, "each port once");
      }
      OptionalInt number = attributes.device;
      if (number.isEmpty() && !mapped) {
        number = OptionalInt.of(id);
      }
      if (number.isPresent()) {
        for (int lane = 0; lane < lanes; lane++) {
          if (number.getAsInt() + lane > Topology.MAX_PORT
              || !numbers.add(number.getAsInt() + lane)) {
            throw new InvalidValueException(
                line.field(),
                "device " + (number.getAsInt() + lane),
                "0 to " + Topology.MAX_PORT + ", each lane once");
          }
        }
      }
      ports.add(
          new ProfilePort(
              id,
              attributes.name.replace("{n}", Integer.toString(id)),
              id,
              attributes.channel,
              number,
              attributes.speedBps));
    }
  }

  /** The attributes of a port. */
  private static final class Attributes {
    private String name;
    private long speedBps;
    private OptionalInt device = OptionalInt.empty();
    private int channel;

    Attributes(Value line, String text) {
      Set<String> seen = new HashSet<>();
      for (String word : text.strip().split(" +")) {
        String key = word.substring(0, word.indexOf('='));
        Value value = new Value(line.field() + " " + key, word.substring(word.indexOf('=') + 1));
        if (!seen.add(key)) {
          throw new InvalidValueException(value.field(), value.text(), "once");
        }
        switch (key) {
          case "name" -> name = value.text();
          case "speed" -> speedBps = ProfileRates.parse(value.field(), value.text());
          case "device" ->
              device = OptionalInt.of(ProfileFields.number(value, 0, Topology.MAX_PORT));
          case "channel" -> channel = ProfileFields.number(value, 1, 8);
          default ->
              throw new InvalidValueException(
                  value.field(), value.text(), "name, speed, device or channel");
        }
      }
      if (name == null || speedBps == 0) {
        throw new InvalidValueException(line.field(), line.text(), "a name and a speed");
      }
    }
  }
}
