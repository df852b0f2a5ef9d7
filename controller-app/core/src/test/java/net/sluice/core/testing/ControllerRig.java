package net.sluice.core.testing;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerEvent;
import net.sluice.core.Outcome;
import net.sluice.core.engine.SlaController;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.store.IntentStore;
import net.sluice.core.target.Target;
import net.sluice.core.target.Targets;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.StoreIdentity;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.value.Direction;

/** A controller in virtual time over targets in memory, each behind a faulty one. */
public final class ControllerRig implements AutoCloseable {
  public final VirtualTime time;
  public final IntentStore store;
  public final MemoryTarget<SwitchEntry> switchTarget;
  public final MemoryTarget<FpgaSetting> down;
  public final MemoryTarget<FpgaSetting> up;
  public final FaultyTarget<SwitchEntry> faultySwitch;
  public final FaultyTarget<FpgaSetting> faultyDown;
  public final FaultyTarget<FpgaSetting> faultyUp;
  public final CountingCompiler compiler;
  public final TestLines lines = new TestLines();
  public final SlaController controller;
  public final List<ControllerEvent> events = new ArrayList<>();
  private final List<Scheduler> schedulers = new ArrayList<>();
  private final ControllerConfig config;

  private ControllerRig(
      VirtualTime time,
      ControllerConfig config,
      IntentStore store,
      MemoryTarget<SwitchEntry> switchTarget,
      MemoryTarget<FpgaSetting> down,
      MemoryTarget<FpgaSetting> up) {
    this.time = time;
    this.config = config;
    this.store = store;
    this.switchTarget = switchTarget;
    this.down = down;
    this.up = up;
    faultySwitch = new FaultyTarget<>(switchTarget, FaultPlan.none(), scheduler());
    faultyDown = new FaultyTarget<>(down, FaultPlan.none(), scheduler());
    faultyUp = new FaultyTarget<>(up, FaultPlan.none(), scheduler());
    compiler = new CountingCompiler(config);
    controller =
        new SlaController(
            config,
            store,
            new Targets(
                faultySwitch,
                TestCounters.telling(),
                beside(Direction.DOWN, faultyDown),
                beside(Direction.UP, faultyUp),
                Optional.empty(),
                Optional.of(lines)),
            compiler,
            time,
            name -> scheduler());
    controller.listen(events::add);
  }

  private Optional<Target<FpgaSetting>> beside(Direction direction, Target<FpgaSetting> fpga) {
    return config.topology().sidecar(direction).isPresent() ? Optional.of(fpga) : Optional.empty();
  }

  private Scheduler scheduler() {
    Scheduler scheduler = time.scheduler();
    schedulers.add(scheduler);
    return scheduler;
  }

  /** A rig with an empty store, before anything has happened. */
  public static ControllerRig create(ControllerConfig.Builder config) {
    return create(config, new InMemoryIntentStore());
  }

  /** A rig over a store, before anything has happened. */
  public static ControllerRig create(ControllerConfig.Builder config, IntentStore store) {
    VirtualTime time = new VirtualTime();
    return new ControllerRig(
        time,
        config.build(),
        store,
        MemoryTarget.ofSwitch(time.scheduler()),
        MemoryTarget.ofFpga("fpga-down", time.scheduler()),
        MemoryTarget.ofFpga("fpga-up", time.scheduler()));
  }

  /** A rig with an empty store, connected and with nothing left to do. */
  public static ControllerRig settled() {
    ControllerRig rig = create(TestNetwork.config(Path.of("unused")));
    rig.time.pass(Duration.ofSeconds(1));
    return rig;
  }

  /** The controller is gone without a word; a new one takes over the store and the targets. */
  public ControllerRig restart() {
    return restart(config, store);
  }

  /** The same with another store, and another configuration. */
  public ControllerRig restart(ControllerConfig config, IntentStore store) {
    schedulers.forEach(Scheduler::close);
    switchTarget.disconnect();
    down.disconnect();
    up.disconnect();
    return new ControllerRig(time, config, store, switchTarget, down, up);
  }

  /** What the switch should hold, compiled from what the store holds. */
  public Map<Object, SwitchEntry> expectedSwitch(SlaState state) {
    Map<Object, SwitchEntry> expected = new HashMap<>();
    SwitchEntry identity = StoreIdentity.switchEntry(store.identity());
    expected.put(identity.key(), identity);
    compiler.sharedEntries(state).map(Expected::entity).forEach(e -> expected.put(e.key(), e));
    List<SubscriberState> subscribers = new ArrayList<>();
    store.scanSubscribers("", 0, Integer.MAX_VALUE, subscribers::add);
    subscribers.forEach(s -> compiler.expected(state, s, e -> expected.put(e.key(), e)));
    return expected;
  }

  /** What an FPGA should hold under a state. */
  public List<FpgaSetting> expectedFpga(SlaState state, Direction direction) {
    return Stream.concat(
            StoreIdentity.fpgaWords(direction, store.identity()).stream(),
            compiler
                .expectedSettings(state, direction)
                .map(Expected::entity)
                .filter(setting -> !setting.isOfDelay() || setting.value() != 0))
        .toList();
  }

  /** Applies a change that has to be accepted. */
  public Outcome.Accepted accept(Change change) {
    Outcome outcome = controller.apply(change);
    if (outcome instanceof Outcome.Accepted accepted) {
      return accepted;
    }
    throw new AssertionError("refused: " + outcome);
  }

  @Override
  public void close() {
    controller.close();
  }
}
