package net.sluice.emulator.server.gnmi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.QueueScheduling;
import net.sluice.emulator.netsim.QueueStatistics;
import net.sluice.emulator.server.gnmi.TreeNode.Branch;
import net.sluice.emulator.server.gnmi.TreeNode.EntryList;
import net.sluice.emulator.server.gnmi.TreeNode.Kind;

/**
 * {@code /qos}: the queues of openconfig-qos, the scheduler policies that serve them, and which
 * policy an interface has.
 */
record QosModel(PortDirectory ports, Supplier<ConfigStore> config) {

  static final String QOS = "openconfig-qos";
  private static final String HERCULES = "openconfig-hercules-qos";

  private static final List<String> QUEUES = List.of("0", "1", "2", "3", "4", "5", "6", "7");
  private static final LeafType QUEUE_ID = LeafType.number(0, QueueScheduling.QUEUES - 1);
  private static final LeafType SEQUENCE = LeafType.number(0, 0xffff_ffffL);

  /** Where the scheduler policy of an interface is configured. */
  static List<String> policyPlace(String name) {
    return List.of(
        "qos", "interfaces", "interface", name, "output", "scheduler-policy", "config", "name");
  }

  /** Where scheduler policies are configured. */
  static List<String> policiesPlace() {
    return List.of("qos", "scheduler-policies", "scheduler-policy");
  }

  void addTo(Branch root) {
    Branch qos = root.branch("qos", QOS);
    qos.branch("interfaces")
        .add(
            new EntryList(
                "interface",
                QOS,
                // Stratum's key and OpenConfig's.
                List.of("name", "interface-id"),
                LeafType.TEXT,
                false,
                ports::names,
                this::port));
    qos.branch("queues").add(queues(QosModel::queue));
    qos.branch("scheduler-policies")
        .add(
            list(
                "scheduler-policy",
                "name",
                LeafType.TEXT,
                policiesPlace(),
                name -> policy(below(policiesPlace(), name), name)));
  }

  private Branch port(String name) {
    Branch entry = new Branch("interface", QOS);
    entry.leaf("interface-id", LeafType.TEXT, Kind.KEY, () -> name);
    entry.branch("config").fixed(QOS, "interface-id", LeafType.TEXT, () -> name);
    entry.branch("state").leaf("interface-id", LeafType.TEXT, Kind.STATE, () -> name);
    Branch output = entry.branch("output");
    output.branch("queues").add(queues(queue -> portQueue(name, queue)));
    Branch policy = output.branch("scheduler-policy");
    both(policy, "name", LeafType.TEXT, () -> config.get().get(policyPlace(name)));
    return entry;
  }

  private Branch portQueue(String port, String name) {
    Branch queue = new Branch("queue", QOS);
    queue.leaf("name", LeafType.TEXT, Kind.KEY, () -> name);
    queue.branch("config").fixed(QOS, "name", LeafType.TEXT, () -> name);
    Branch state =
        queue
            .branch("state")
            .leaf("name", LeafType.TEXT, Kind.STATE, () -> name)
            .leaf(HERCULES, "id", QUEUE_ID, Kind.OPERATIONAL, () -> Long.parseLong(name));
    counter(state, port, name, "max-queue-len", QueueStatistics::maxBytes);
    counter(state, port, name, "transmit-pkts", QueueStatistics::sentPackets);
    counter(state, port, name, "transmit-octets", QueueStatistics::sentBytes);
    counter(state, port, name, "dropped-pkts", QueueStatistics::droppedPackets);
    counter(state, port, name, "dropped-octets", QueueStatistics::droppedBytes);
    return queue;
  }

  private void counter(
      Branch state,
      String port,
      String queue,
      String name,
      Function<QueueStatistics, Long> counter) {
    state.counter(
        name, () -> counter.apply(ports.get(port).port().queueStatistics(Integer.parseInt(queue))));
  }

  private static Branch queue(String name) {
    Branch queue = new Branch("queue", QOS);
    queue.leaf("name", LeafType.TEXT, Kind.KEY, () -> name);
    queue
        .branch("config")
        .fixed(QOS, "name", LeafType.TEXT, () -> name)
        .fixed(QOS, "queue-id", QUEUE_ID, () -> Long.parseLong(name))
        .fixed(HERCULES, "id", QUEUE_ID, () -> Long.parseLong(name));
    queue
        .branch("state")
        .leaf("name", LeafType.TEXT, Kind.STATE, () -> name)
        .leaf("queue-id", QUEUE_ID, Kind.STATE, () -> Long.parseLong(name))
        .leaf(HERCULES, "id", QUEUE_ID, Kind.STATE, () -> Long.parseLong(name));
    return queue;
  }

  private Branch policy(List<String> place, String name) {
    Branch policy = new Branch("scheduler-policy", QOS);
    policy.leaf("name", LeafType.TEXT, Kind.KEY, () -> name);
    policy.branch("config").fixed(QOS, "name", LeafType.TEXT, () -> name);
    policy.branch("state").leaf("name", LeafType.TEXT, Kind.STATE, () -> name);
    List<String> schedulers = below(place, "schedulers", "scheduler");
    policy
        .branch("schedulers")
        .add(
            list(
                "scheduler",
                "sequence",
                SEQUENCE,
                schedulers,
                sequence -> scheduler(below(schedulers, sequence), sequence)));
    return policy;
  }

  private Branch scheduler(List<String> place, String sequence) {
    Branch scheduler = new Branch("scheduler", QOS);
    Supplier<?> number = () -> Long.parseLong(sequence);
    scheduler.leaf("sequence", SEQUENCE, Kind.KEY, number);
    scheduler.branch("config").fixed(QOS, "sequence", SEQUENCE, number);
    scheduler.branch("state").leaf("sequence", SEQUENCE, Kind.STATE, number);
    set(scheduler, place, "priority", LeafType.oneOf(List.of("STRICT")));
    set(
        scheduler,
        place,
        "type",
        LeafType.identity("openconfig-qos-types", List.of("ONE_RATE_TWO_COLOR")));
    List<String> inputs = below(place, "inputs", "input");
    scheduler
        .branch("inputs")
        .add(list("input", "id", LeafType.TEXT, inputs, id -> input(below(inputs, id), id)));
    set(
        scheduler.branch("output"),
        below(place, "output"),
        "output-type",
        LeafType.oneOf(List.of("INTERFACE")));
    Branch rate = scheduler.branch("one-rate-two-color");
    List<String> ratePlace = below(place, "one-rate-two-color");
    set(rate, ratePlace, "cir", LeafType.longNumber(1, LineClock.MAX_RATE_BPS));
    set(rate, ratePlace, "bc", LeafType.NUMBER);
    set(rate, ratePlace, "queuing-behavior", LeafType.oneOf(List.of("SHAPE")));
    set(rate, ratePlace, "max-queue-depth-bytes", LeafType.NUMBER);
    set(rate, ratePlace, "max-queue-depth-packets", LeafType.number(0, Integer.MAX_VALUE));
    return scheduler;
  }

  private Branch input(List<String> place, String id) {
    Branch input = new Branch("input", QOS);
    input.leaf("id", LeafType.TEXT, Kind.KEY, () -> id);
    input.branch("config").fixed(QOS, "id", LeafType.TEXT, () -> id);
    input.branch("state").leaf("id", LeafType.TEXT, Kind.STATE, () -> id);
    set(input, place, "input-type", LeafType.oneOf(List.of("QUEUE")));
    set(input, place, "queue", LeafType.oneOf(QUEUES));
    set(input, place, "weight", LeafType.longNumber(1, QueueScheduling.MAX_WEIGHT));
    return input;
  }

  /** A leaf that a client sets, in the node's config and in its state. */
  private void set(Branch node, List<String> place, String name, LeafType type) {
    both(node, name, type, () -> config.get().get(below(place, "config", name)));
  }

  private static void both(Branch node, String name, LeafType type, Supplier<?> value) {
    half(node, "config").leaf(name, type, Kind.CONFIG, value);
    half(node, "state").leaf(name, type, Kind.STATE, value);
  }

  private static Branch half(Branch node, String name) {
    TreeNode half = node.child(name);
    return half == null ? node.branch(name) : (Branch) half;
  }

  /** A list of the eight queues. */
  private static EntryList queues(Function<String, Branch> entry) {
    return new EntryList(
        "queue", QOS, List.of("name"), LeafType.oneOf(QUEUES), false, () -> QUEUES, entry);
  }

  /** A list whose entries clients make. */
  private EntryList list(
      String name, String key, LeafType type, List<String> place, Function<String, Branch> entry) {
    return new EntryList(name, QOS, List.of(key), type, true, () -> names(place), entry);
  }

  private Collection<String> names(List<String> place) {
    return config.get().names(place);
  }

  static List<String> below(List<String> place, String... names) {
    List<String> longer = new ArrayList<>(place);
    longer.addAll(List.of(names));
    return List.copyOf(longer);
  }
}
