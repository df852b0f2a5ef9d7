package net.sluice.pipeconf.profile;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.profile.AqmProfile;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.PrefixLengths;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.CompiledProgram;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.TnaPipeline;
import net.sluice.pipeconf.V1ModelPipeline;

/**
 * A kind of switch.
 *
 * @param name the name it is asked for by
 * @param title what it is, for people
 * @param notes what people should know of it
 * @param architecture the P4 architecture it runs: {@code v1model}, {@code tna} or {@code t2na}
 * @param program the compiled program it is given; empty if there is none yet
 * @param management how it is reached
 * @param chassis what Stratum must be told of the box; empty without Stratum
 * @param markers rate filters it has room for, and how they are divided
 * @param prefixLengths prefix lengths that its program classifies subscribers by
 * @param tables entries each table has room for
 * @param maxSubscriberRateBps highest rate of a subscriber that it resolves, bit/s
 * @param counters how its counters behave
 * @param meters how its meters behave
 * @param shapingBufferBytes bytes that may wait under limits that it shapes; 0 if it shapes none
 * @param queues its queues
 * @param aqmKinds algorithms that can manage their delay
 * @param layout its ports
 */
public record SwitchTargetProfile(
    String name,
    String title,
    List<String> notes,
    String architecture,
    Optional<String> program,
    Management management,
    Optional<Chassis> chassis,
    MarkerLayout markers,
    PrefixLengths prefixLengths,
    Map<Table, Integer> tables,
    long maxSubscriberRateBps,
    CounterBehaviour counters,
    MeterBehaviour meters,
    long shapingBufferBytes,
    QueueBehaviour queues,
    Set<AqmKind> aqmKinds,
    PortLayout layout)
    implements TargetProfile {
  /**
   * A box as Stratum knows it.
   *
   * @param platform Stratum's word for its kind
   * @param name for people
   */
  public record Chassis(String platform, String name) {}

  public SwitchTargetProfile {
    notes = List.copyOf(notes);
    tables = Map.copyOf(tables);
    aqmKinds = Set.copyOf(aqmKinds);
  }

  /**
   * TCP port of the gNMI server of a switch; empty if it has none. Stratum serves gNMI wherever it
   * serves P4Runtime.
   *
   * @param p4RuntimePort port of the switch's P4Runtime server
   */
  public OptionalInt gnmiPort(int p4RuntimePort) {
    return management.gnmiPort().isPresent() && chassis.isPresent()
        ? OptionalInt.of(p4RuntimePort)
        : management.gnmiPort();
  }

  /**
   * Its program to compile for, without what a switch loads if that is not part of this build.
   *
   * @throws InvalidValueException if there is no program for this switch
   */
  public SwitchPipeline pipeline() {
    String name = program.orElseThrow(this::noProgram);
    return name.equals(CompiledProgram.TNA.programName())
        ? TnaPipeline.withoutDeviceConfig()
        : V1ModelPipeline.of(program);
  }

  private InvalidValueException noProgram() {
    return new InvalidValueException(
        "profile",
        name,
        "a profile with a compiled program; there is none for " + architecture + " yet");
  }

  /** Subscribers that rate filters and counter cells suffice for; index 0 stands for none. */
  public MarkerLayout countedMarkers() {
    return markers.limitedTo(counters.cells() / 2 - 1);
  }

  /** Policies that fit, and slot 0, which stands for none. */
  public int policySlots() {
    return tables.get(Table.POLICY_VALUE) / RateBins.BINS;
  }

  /**
   * The capacities of a program on this switch: of each the smaller.
   *
   * @param ofProgram what the program has room for
   * @throws InvalidValueException if there is no program for this switch
   */
  public SwitchProfile limit(SwitchProfile ofProgram) {
    if (program.isEmpty()) {
      throw noProgram();
    }
    return new SwitchProfile(
        countedMarkers().limitedTo(ofProgram.markers()),
        ofProgram.prefixLengths(),
        Math.min(tables.get(Table.IPV4_PREFIX), ofProgram.v4PrefixCapacity()),
        Math.min(tables.get(Table.IPV6_PREFIX), ofProgram.v6PrefixCapacity()),
        Math.min(tables.get(Table.VLAN), ofProgram.vlanCapacity()),
        Math.min(tables.get(Table.SERVICE_VLAN), ofProgram.serviceVlanCapacity()),
        Math.min(tables.get(Table.ENCAPSULATION), ofProgram.encapCapacity()),
        Math.min(policySlots(), ofProgram.policySlots()),
        ofProgram.rateUnitBps(),
        ofProgram.rateKeyBits(),
        ofProgram.rateEdgeBits(),
        Math.min(maxSubscriberRateBps, ofProgram.maxSubscriberRateBps()),
        ofProgram.randomRates(),
        aqm(ofProgram.aqm()),
        new MeterProfile(
            Math.min(tables.get(Table.SUBSCRIBER_METER), ofProgram.meters().subscribers())),
        new ShapeProfile(
            Math.min(tables.get(Table.SUBSCRIBER_LIMIT), ofProgram.shaping().subscribers()),
            Math.min(shapingBufferBytes, ofProgram.shaping().bufferBytes())),
        ofProgram.aggregates(),
        ofProgram.directionPolicies(),
        ofProgram.stopsTraffic(),
        Math.min(tables.get(Table.TRAFFIC_CLASS), ofProgram.trafficClassEntries()),
        ofProgram.hasWires(),
        ofProgram.reportPort());
  }

  private AqmProfile aqm(AqmProfile ofProgram) {
    Set<AqmKind> kinds = new HashSet<>(aqmKinds);
    kinds.retainAll(ofProgram.kinds());
    return new AqmProfile(
        kinds,
        Math.min(tables.get(Table.QUEUE_AQM), ofProgram.queues()),
        Math.min(queues.perPort(), ofProgram.queuesPerPort()),
        ofProgram.rio());
  }

  /**
   * Refuses a cabling that this switch does not have the ports or the room for, before anything is
   * written.
   *
   * @param topology how the switch is cabled, by ports' numbers in packets
   * @param baseEntries the entries that need no declaration
   * @throws InvalidValueException naming the port or the table
   */
  public void admit(Topology topology, Stream<SwitchEntry> baseEntries) {
    for (Topology.SwitchPort port : topology.ports()) {
      requirePort("ports.number", port.number());
    }
    topology.mirrorPort().ifPresent(port -> requirePort("mirrorPort", port));
    Map<Table, Integer> used = new EnumMap<>(Table.class);
    baseEntries.forEach(entry -> used.merge(entry.table(), 1, Integer::sum));
    used.forEach(
        (table, entries) -> {
          if (entries > tables.get(table)) {
            throw new InvalidValueException(
                "table." + table.text(),
                entries + " entries",
                "at most " + tables.get(table) + " on profile " + name);
          }
        });
  }

  private void requirePort(String field, int port) {
    OptionalInt number = OptionalInt.of(port);
    boolean known = layout.ports().stream().anyMatch(p -> p.number().equals(number));
    boolean lane =
        layout.lanes() > 1
            && layout.ports().stream()
                .filter(p -> p.number().isPresent())
                .mapToInt(p -> port - p.number().getAsInt())
                .anyMatch(offset -> offset >= 0 && offset < layout.lanes());
    if (!known && !lane) {
      String numbers = layout.numberText();
      throw new InvalidValueException(
          field,
          port,
          numbers.isEmpty()
              ? "those that the switch tells; profile " + name + " does not know them"
              : "ports of profile " + name + ": " + numbers);
    }
  }
}
