package net.sluice.onos.southbound.leader;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static net.sluice.onos.testing.TestSwitch.PIPECONF;
import static net.sluice.onos.testing.TestSwitch.PIPELINE;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.Targets;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.testing.VirtualTime;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Table;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.validate.Refusal;
import net.sluice.onos.cluster.MasterTarget;
import net.sluice.onos.southbound.driver.Pipeconfs;
import net.sluice.onos.southbound.master.CallServer;
import net.sluice.onos.southbound.master.EpochLeases;
import net.sluice.onos.southbound.master.Readiness;
import net.sluice.onos.store.ClusterNetworkStore;
import net.sluice.onos.testing.ClusterInstance;
import net.sluice.onos.testing.MemorySwitch;
import net.sluice.onos.testing.SubscriberPlaces;
import net.sluice.onos.testing.SwitchWire;
import net.sluice.onos.testing.TestCluster;
import net.sluice.onos.testing.TestCluster.Fault;
import net.sluice.onos.testing.TestMessages;
import net.sluice.onos.testing.WireClient;
import net.sluice.pipeconf.CompiledProgram;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.model.PiPipeconfId;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/**
 * Three instances over one store and three switches, in virtual time, with each switch driven
 * through whichever instance is its master. Messages between instances are late, overtaken and
 * lost, operations of the store too, switches change masters, and instances die: nothing
 * acknowledged is lost, and the switches hold what is declared.
 */
class SharedNetworkTest {
  private static final List<String> SWITCHES = List.of("bng1", "bng2", "bng3");
  private static final int SUBSCRIBERS = 8;
  private static final int STEPS = 60;
  private static final ControllerConfig CONFIG =
      ControllerConfig.builder(
              Path.of("unused"),
              withoutSidecars(),
              TestNetwork.switchProfile(1_000),
              TestNetwork.fpgaProfile())
          .build();

  private final VirtualTime time = new VirtualTime();
  private final TestCluster cluster = new TestCluster();
  private final TestMessages messages = new TestMessages(time.scheduler());
  private final Map<String, MemorySwitch> switches = new LinkedHashMap<>();
  private final Map<DeviceId, NodeId> masters = new HashMap<>();
  private final List<Instance> instances = new ArrayList<>();

  private final SubscriberPlaces places = new SubscriberPlaces();

  private int born;

  private SharedNetworkTest() {
    SWITCHES.forEach(
        name -> switches.put(name, new MemorySwitch(PIPELINE.p4Info(), time.scheduler())));
  }

  private static Topology withoutSidecars() {
    Topology full = TestNetwork.topology();
    return new Topology(
        full.ports().stream().filter(port -> port.number() != 3 && port.number() != 4).toList(),
        full.bngPorts(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        full.routes());
  }

  private static DeviceId device(String name) {
    return DeviceId.deviceId("device:" + name);
  }

  private final class Instance extends ClusterInstance {
    private final EpochLeases leases = new EpochLeases();
    private final Map<DeviceId, WireClient> clients = new HashMap<>();
    private boolean dead;

    Instance() {
      super(cluster.node("node-" + born++), time);
      CallServer unused =
          new CallServer(
              messages.of(node.id),
              (device, pipeconf) -> readiness(device),
              leases,
              1_000_000L * born,
              scheduler());
      instances.add(this);
      begin();
    }

    @Override
    protected List<NetworkSwitch> switches(NetworkStore store) {
      return SWITCHES.stream().map(name -> member(name, (ClusterNetworkStore) store)).toList();
    }

    private NetworkSwitch member(String name, ClusterNetworkStore store) {
      Scheduler scheduler = scheduler();
      MasterRoute route =
          new MasterRoute(
              readiness(device(name)),
              leases,
              new MastershipServiceAdapter() {
                @Override
                public NodeId getMasterFor(DeviceId device) {
                  return masters.get(device);
                }

                @Override
                public boolean isLocalMaster(DeviceId device) {
                  return node.id.equals(masters.get(device));
                }
              },
              messages.of(node.id),
              store.epoch(name),
              scheduler);
      OnosSwitchTarget target =
          new OnosSwitchTarget(name, route, CompiledProgram.V1MODEL, scheduler);
      return new NetworkSwitch(
          name,
          CONFIG,
          new Targets(
              new MasterTarget<>(target, this::obstacle),
              target,
              Optional.empty(),
              Optional.empty()));
    }

    private Readiness readiness(DeviceId device) {
      return new Readiness() {
        @Override
        public DeviceId deviceId() {
          return device;
        }

        @Override
        public PiPipeconfId pipeconf() {
          return Pipeconfs.V1MODEL;
        }

        @Override
        public Ready ready() throws NotReadyException {
          if (!node.id.equals(masters.get(device))) {
            throw new NotReadyException(
                "ONOS instance " + masters.get(device) + " is master of " + device);
          }
          WireClient client =
              clients.computeIfAbsent(
                  device, unused -> new WireClient(device, PIPELINE.p4Info(), wire(device), 1));
          return new Ready(client, 1, PIPECONF);
        }

        @Override
        public Runnable listen(Consumer<String> lost) {
          // Only probes find out here what has happened.
          return () -> {};
        }
      };
    }

    /** The switch, which takes writes from its master only. */
    private SwitchWire wire(DeviceId device) {
      MemorySwitch real = switches.get(device.toString().substring("device:".length()));
      return new SwitchWire() {
        @Override
        public CompletableFuture<Throwable> write(WriteRequest request) {
          if (dead) {
            return new CompletableFuture<>();
          }
          return node.id.equals(masters.get(device))
              ? real.write(request)
              : CompletableFuture.completedFuture(
                  Status.PERMISSION_DENIED.withDescription("not primary").asRuntimeException());
        }

        @Override
        public CompletableFuture<Read> read(ReadRequest request) {
          return dead ? new CompletableFuture<>() : real.read(request);
        }
      };
    }

    /** Others become masters of its switches later. */
    @Override
    protected void letGo() {
      dead = true;
      instances.remove(this);
      messages.kill(node.id);
    }
  }

  private void balance() {
    int next = 0;
    for (String name : SWITCHES) {
      masters.put(device(name), instances.get(next++ % instances.size()).node.id);
    }
  }

  private void begin() {
    for (int i = 0; i < 3; i++) {
      Instance unused = new Instance();
    }
    balance();
    Change gold = policy("gold", BuiltInFunction.GOLD);
    assertThat(leading().orElseThrow().apply(gold).isAccepted()).isTrue();
  }

  private Optional<Controller> leading() {
    return ClusterInstance.leading(instances);
  }

  private long prefixesAt(String name) {
    return switches.get(name).table(PIPELINE.entries().tableIds(Table.IPV4_PREFIX).get(0)).size();
  }

  @Example
  void whenAnInstanceDiesItsSwitchesAloneAreTakenOver() {
    begin();
    for (String name : SWITCHES) {
      Change put = at(name, put("at-" + name, "10.0." + SWITCHES.indexOf(name) + ".1/32"));
      assertThat(leading().orElseThrow().apply(put).isAccepted()).isTrue();
    }
    time.pass(Duration.ofMinutes(1));
    assertThat(leading().orElseThrow().summary().isAllInstalled()).isTrue();
    assertThat(instances.get(0).member.controller()).as("the master of bng1 leads").isPresent();
    Map<String, Integer> reads = new HashMap<>();
    switches.forEach((name, each) -> reads.put(name, each.reads()));

    // The master of bng2, which does not lead. The others go on meanwhile.
    instances.get(1).die();
    Change move = at("bng3", put("more", "10.0.2.2/32"));
    assertThat(leading().orElseThrow().apply(move).isAccepted()).isTrue();
    time.pass(Duration.ofSeconds(2));
    assertThat(prefixesAt("bng3")).isEqualTo(2);
    masters.put(device("bng2"), instances.get(1).node.id);
    time.pass(Duration.ofMinutes(2));
    assertThat(leading().orElseThrow().summary().isAllInstalled()).isTrue();
    assertThat(switches.get("bng2").reads()).isGreaterThan(reads.get("bng2"));
    assertThat(switches.get("bng1").reads()).isEqualTo(reads.get("bng1"));
    assertThat(switches.get("bng3").reads()).isEqualTo(reads.get("bng3"));
  }

  @Property(tries = 20, shrinking = ShrinkingMode.OFF, seed = "1")
  void nothingAcknowledgedIsLostOrDoubled(@ForAll long seed) throws Refusal {
    new SharedNetworkTest().run(new Random(seed));
  }

  @Tag("long")
  @Property(tries = 300, shrinking = ShrinkingMode.OFF, seed = "2")
  void nothingAcknowledgedIsLostOrDoubledByFarMoreSeeds(@ForAll long seed) throws Refusal {
    new SharedNetworkTest().run(new Random(seed));
  }

  private void run(Random random) throws Refusal {
    begin();
    messages.delays(
        () -> {
          int kind = random.nextInt(100);
          return kind < 2
              ? null
              : kind < 5
                  ? Duration.ofMillis(random.nextInt(40_000))
                  : Duration.ofMillis(1 + random.nextInt(100));
        });
    for (int step = 0; step < STEPS; step++) {
      step(random);
    }
    messages.delays(() -> Duration.ofMillis(1));
    instances.forEach(each -> each.node.faults(operation -> Fault.NONE));
    cluster.arrive();
    time.pass(Duration.ofMinutes(10));
    places.check(
        leading().orElseThrow(() -> new AssertionError("nobody leads")),
        SWITCHES,
        this::prefixesAt,
        time);
  }

  private void step(Random random) {
    String id = "s" + random.nextInt(SUBSCRIBERS);
    String name = SWITCHES.get(random.nextInt(SWITCHES.size()));
    switch (random.nextInt(16)) {
      case 0 -> {
        instances.get(random.nextInt(instances.size())).die();
        Instance unused = new Instance();
        balance();
      }
      case 1, 2 -> ClusterInstance.failOne(instances, random);
      case 3 -> cluster.arrive();
      case 4 -> instances.get(0).node.depose();
      case 5 -> masters.put(device(name), instances.get(random.nextInt(3)).node.id);
      case 6, 7, 8 -> time.pass(Duration.ofMillis(random.nextInt(8_000)));
      case 9 ->
          change(policy("gold", BuiltInFunction.values()[random.nextInt(2)]), Optional.empty());
      case 10 ->
          change(new Change.Delete(Kind.SUBSCRIBER, id), Optional.of(SubscriberPlaces.NOWHERE));
      default ->
          change(
              at(name, put(id, "10.0.0." + (10 + id.charAt(1) - '0') + "/32")), Optional.of(name));
    }
  }

  private void change(Change change, Optional<String> place) {
    places.change(leading(), change, place);
  }
}
