package net.sluice.core.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import net.sluice.core.ControllerConfig;
import net.sluice.core.Outcome;
import net.sluice.core.engine.SlaController;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.core.target.Targets;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.value.Direction;

/** A controller of several switches in virtual time, each with its FPGAs, all in memory. */
public final class NetworkRig implements AutoCloseable {
  public final VirtualTime time = new VirtualTime();
  public final InMemoryNetworkStore store;
  public final Map<String, MemoryTarget<SwitchEntry>> switches = new LinkedHashMap<>();
  private final Map<String, ControllerConfig> configs = new LinkedHashMap<>();
  private final Map<String, MemoryTarget<FpgaSetting>> fpgas = new LinkedHashMap<>();
  private final Map<String, FaultPlan> faults = new LinkedHashMap<>();
  private final Map<String, List<FaultyTarget<?>>> faulty = new LinkedHashMap<>();
  private final List<Scheduler> schedulers = new ArrayList<>();
  public SlaController controller;

  /** The compiler of a switch by its configuration. */
  public Function<ControllerConfig, Compiler> compilers =
      config -> new Compiler(config.topology(), config.switchProfile(), config.fpgaProfile());

  private NetworkRig(InMemoryNetworkStore store) {
    this.store = store;
  }

  /** No switches yet and no controller, over a store. */
  public static NetworkRig over(InMemoryNetworkStore store) {
    return new NetworkRig(store);
  }

  /** Switches of those names over a store, before anything has happened. */
  public static NetworkRig create(InMemoryNetworkStore store, String... names) {
    NetworkRig rig = over(store);
    for (String name : names) {
      rig.add(name, TestNetwork.switchProfile(100_000));
    }
    rig.open();
    return rig;
  }

  /** Switches of those names with an empty store, connected and with nothing left to do. */
  public static NetworkRig settled(String... names) {
    NetworkRig rig = create(new InMemoryNetworkStore(), names);
    rig.time.pass(Duration.ofSeconds(1));
    return rig;
  }

  /** One more switch for the next {@link #open}. */
  public void add(String name, SwitchProfile profile) {
    add(name, profile, TestNetwork.topology());
  }

  /** The same, cabled otherwise. */
  public void add(String name, SwitchProfile profile, Topology topology) {
    add(name, TestNetwork.smallConfig(profile, topology).build());
  }

  /** The same, driven by another configuration. */
  public void add(String name, ControllerConfig config) {
    configs.put(name, config);
    switches.put(name, MemoryTarget.ofSwitch(name, time.scheduler()));
    for (Direction direction : Direction.values()) {
      String fpga = name + "-" + TargetKey.fpga(direction);
      fpgas.put(fpga, MemoryTarget.ofFpga(fpga, time.scheduler()));
    }
  }

  /** The same switch and FPGAs, with what they hold, driven by another configuration. */
  public NetworkSwitch member(String name, ControllerConfig config) {
    configs.put(name, config);
    return member(name);
  }

  /** Opens a controller, after the one before is gone without a word. */
  public void open() {
    open(switches.keySet());
  }

  /** The same, with only some of the switches in the network. */
  public void open(Collection<String> names) {
    schedulers.forEach(Scheduler::close);
    schedulers.clear();
    faulty.clear();
    switches.values().forEach(MemoryTarget::disconnect);
    fpgas.values().forEach(MemoryTarget::disconnect);
    controller =
        new SlaController(
            names.stream().map(this::member).toList(), store, compilers, time, name -> scheduler());
  }

  /** A switch that was added. */
  public NetworkSwitch member(String name) {
    return new NetworkSwitch(
        name,
        configs.get(name),
        new Targets(
            faulty(name, switches.get(name)),
            TestCounters.telling(),
            Optional.of(faulty(name, fpga(name, Direction.DOWN))),
            Optional.of(faulty(name, fpga(name, Direction.UP)))));
  }

  private <E> FaultyTarget<E> faulty(String name, MemoryTarget<E> target) {
    FaultyTarget<E> behind = new FaultyTarget<>(target, faults(name), scheduler());
    faulty.computeIfAbsent(name, unused -> new ArrayList<>()).add(behind);
    return behind;
  }

  private FaultPlan faults(String name) {
    return faults.getOrDefault(name, FaultPlan.none());
  }

  /** Has a switch and its FPGAs misbehave by a plan from now on. */
  public void plan(String name, FaultPlan plan) {
    faults.put(name, plan);
    faulty.getOrDefault(name, List.of()).forEach(target -> target.plan(plan));
  }

  private Scheduler scheduler() {
    Scheduler scheduler = time.scheduler();
    schedulers.add(scheduler);
    return scheduler;
  }

  /** An FPGA of a switch. */
  public MemoryTarget<FpgaSetting> fpga(String name, Direction direction) {
    return fpgas.get(name + "-" + TargetKey.fpga(direction));
  }

  /** Applies a change that has to be accepted. */
  public Outcome.Accepted accept(Change change) {
    Outcome outcome = controller.apply(change);
    if (outcome instanceof Outcome.Accepted accepted) {
      return accepted;
    }
    throw new AssertionError("refused: " + outcome);
  }

  /** The same put for a switch. */
  public static Change.Put at(String name, Change put) {
    return new Change.Put(((Change.Put) put).declaration(), Optional.of(name));
  }

  @Override
  public void close() {
    controller.close();
  }
}
