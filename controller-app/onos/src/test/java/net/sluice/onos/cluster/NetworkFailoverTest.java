package net.sluice.onos.cluster;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.Target;
import net.sluice.core.target.Targets;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.testing.VirtualTime;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.onos.testing.ClusterInstance;
import net.sluice.onos.testing.SubscriberPlaces;
import net.sluice.onos.testing.TestCluster;
import net.sluice.onos.testing.TestCluster.Fault;

/**
 * Three instances over one store and several switches, in virtual time. Operations of the store are
 * lost, done without an answer or done late and out of order, switches do what they are told late
 * and out of order, and instances die: nothing acknowledged is lost, and nobody is at two switches.
 */
class NetworkFailoverTest {
  private static final ControllerConfig CONFIG = TestNetwork.smallConfig().build();
  private static final List<String> SWITCHES = List.of("bng1", "bng2", "bng3");
  private static final int SUBSCRIBERS = 8;
  private static final int STEPS = 80;

  private final VirtualTime time = new VirtualTime();
  private final TestCluster cluster = new TestCluster();
  private final Map<String, MemoryTarget<SwitchEntry>> switches = new LinkedHashMap<>();
  private final Map<String, MemoryTarget<FpgaSetting>> fpgas = new LinkedHashMap<>();
  private final Map<String, OwnSession<?>> holders = new HashMap<>();
  private final List<Instance> instances = new ArrayList<>();

  private final SubscriberPlaces places = new SubscriberPlaces();

  private int born;

  private NetworkFailoverTest() {
    for (String name : SWITCHES) {
      switches.put(name, MemoryTarget.ofSwitch(name, time.scheduler()));
      for (Direction direction : Direction.values()) {
        String fpga = NetworkSwitch.targetName(name, TargetKey.fpga(direction));
        fpgas.put(fpga, MemoryTarget.ofFpga(fpga, time.scheduler()));
      }
    }
  }

  private final class Instance extends ClusterInstance {
    private final List<OwnSession<?>> sessions = new ArrayList<>();

    Instance() {
      super(cluster.node("node-" + born++), time);
      instances.add(this);
      begin();
    }

    @Override
    protected List<NetworkSwitch> switches(NetworkStore store) {
      return SWITCHES.stream().map(this::member).toList();
    }

    private NetworkSwitch member(String name) {
      return new NetworkSwitch(
          name,
          CONFIG,
          new Targets(
              new MasterTarget<>(own(switches.get(name)), this::obstacle),
              CounterSource.none("no counters"),
              Optional.of(fpga(name, Direction.DOWN)),
              Optional.of(fpga(name, Direction.UP))));
    }

    private MasterTarget<FpgaSetting> fpga(String name, Direction direction) {
      return new MasterTarget<>(
          own(fpgas.get(NetworkSwitch.targetName(name, TargetKey.fpga(direction)))),
          this::obstacle);
    }

    private <E> OwnSession<E> own(MemoryTarget<E> target) {
      OwnSession<E> session = new OwnSession<>(target);
      sessions.add(session);
      return session;
    }

    @Override
    protected void letGo() {
      sessions.forEach(OwnSession::disconnect);
      instances.remove(this);
    }
  }

  /** One instance's way to a target, which has one session: the last one begun. */
  private final class OwnSession<E> implements Target<E> {
    private final MemoryTarget<E> target;
    private SessionListener listener;

    OwnSession(MemoryTarget<E> target) {
      this.target = target;
    }

    private boolean isHeld() {
      return holders.get(target.name()) == this;
    }

    @Override
    public String name() {
      return target.name();
    }

    @Override
    public Capabilities capabilities() {
      return target.capabilities();
    }

    @Override
    public void connect(SessionListener told) {
      OwnSession<?> before = holders.put(target.name(), this);
      if (before != null && before != this) {
        target.disconnect();
        before.listener.down("another instance has connected");
      }
      listener = told;
      target.connect(told);
    }

    @Override
    public void disconnect() {
      if (isHeld()) {
        holders.remove(target.name());
        target.disconnect();
      }
    }

    @Override
    public void write(WriteBatch<E> batch, WriteHandler handler) {
      if (isHeld()) {
        target.write(batch, handler);
      } else {
        handler.lost("not connected");
      }
    }

    @Override
    public void read(ReadHandler<E> handler) {
      if (isHeld()) {
        target.read(handler);
      } else {
        handler.failed("not connected");
      }
    }

    @Override
    public void close() {
      disconnect();
    }
  }

  private Optional<Controller> leading() {
    return ClusterInstance.leading(instances);
  }

  @Property(tries = 20, shrinking = ShrinkingMode.OFF, seed = "1")
  void nothingAcknowledgedIsLostOrDoubled(@ForAll long seed) throws Refusal {
    new NetworkFailoverTest().run(new Random(seed));
  }

  @Tag("long")
  @Property(tries = 300, shrinking = ShrinkingMode.OFF, seed = "2")
  void nothingAcknowledgedIsLostOrDoubledByFarMoreSeeds(@ForAll long seed) throws Refusal {
    new NetworkFailoverTest().run(new Random(seed));
  }

  private void run(Random random) throws Refusal {
    for (int i = 0; i < 3; i++) {
      Instance unused = new Instance();
    }
    Change gold = policy("gold", BuiltInFunction.GOLD);
    assertThat(leading().orElseThrow().apply(gold).isAccepted()).isTrue();
    switches.values().forEach(each -> each.overtake(random, Duration.ofMillis(200)));
    for (int step = 0; step < STEPS; step++) {
      step(random);
    }
    instances.forEach(each -> each.node.faults(operation -> Fault.NONE));
    cluster.arrive();
    time.pass(Duration.ofMinutes(10));
    places.check(
        leading().orElseThrow(() -> new AssertionError("nobody leads")),
        SWITCHES,
        name ->
            switches.get(name).content().values().stream()
                .filter(entry -> entry.table() == Table.IPV4_PREFIX)
                .count(),
        time);
  }

  private void step(Random random) {
    String id = "s" + random.nextInt(SUBSCRIBERS);
    String name = SWITCHES.get(random.nextInt(SWITCHES.size()));
    switch (random.nextInt(16)) {
      case 0 -> {
        instances.get(random.nextInt(instances.size())).die();
        Instance unused = new Instance();
      }
      case 1, 2 -> ClusterInstance.failOne(instances, random);
      case 3 -> cluster.arrive();
      case 4 -> instances.get(0).node.depose();
      case 5, 6, 7 -> time.pass(Duration.ofMillis(random.nextInt(5_000)));
      case 8 ->
          change(policy("gold", BuiltInFunction.values()[random.nextInt(2)]), Optional.empty());
      case 9 ->
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
