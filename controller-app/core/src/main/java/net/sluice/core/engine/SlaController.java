package net.sluice.core.engine;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerException;
import net.sluice.core.ControllerListener;
import net.sluice.core.Declared;
import net.sluice.core.InstallSummary;
import net.sluice.core.Outcome;
import net.sluice.core.Page;
import net.sluice.core.PortSummary;
import net.sluice.core.QueueStatus;
import net.sluice.core.StoreHealth;
import net.sluice.core.StoredState;
import net.sluice.core.SubscriberCounters;
import net.sluice.core.TableUse;
import net.sluice.core.TargetDrift;
import net.sluice.core.TargetStatus;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.StoreException;
import net.sluice.core.target.Targets;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.compile.Readmission;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Refusal;

/**
 * The controller over a store and targets: a shard for the switch, and what there is once for all
 * switches, the events and those who wait.
 */
public final class SlaController implements Controller {
  private final IntentStore store;
  private final SwitchShard shard;
  private final Events events;
  private final InstallWaits waits;

  /**
   * Opens a controller over a store and targets, all of which it closes when it is closed. Returns
   * when the declarations are loaded; the targets follow.
   *
   * @throws InvalidValueException if the targets do not fit the topology
   * @throws StoreException if the store cannot be read
   * @throws ControllerException if what is stored does not fit the topology or the profiles: names
   *     the first misfits and their number; no target was connected
   */
  public static Controller open(
      ControllerConfig config, IntentStore store, Targets targets, Clock clock) {
    return new SlaController(config, store, targets, clock, ThreadScheduler::new);
  }

  /**
   * Opens a controller as {@link #open} does.
   *
   * @param schedulers a new scheduler by its name
   */
  public SlaController(
      ControllerConfig config,
      IntentStore store,
      Targets targets,
      Clock clock,
      Function<String, Scheduler> schedulers) {
    this(config, store, targets, compiler(config), clock, schedulers);
  }

  /** Opens a controller as above. */
  public SlaController(
      ControllerConfig config,
      IntentStore store,
      Targets targets,
      Compiler compiler,
      Clock clock,
      Function<String, Scheduler> schedulers) {
    this.store = store;
    requireSidecars(config, targets);
    events = new Events(schedulers.apply("sluice-events"));
    waits = new InstallWaits(schedulers.apply("sluice-waits"));
    try {
      shard = new SwitchShard(config, store, targets, compiler, clock, schedulers, events, waits);
    } catch (RuntimeException e) {
      waits.close();
      events.close();
      throw e;
    }
    shard.start();
  }

  /**
   * What {@link #open} would find in {@code store}, which is only read.
   *
   * @throws StoreException if the store cannot be read
   */
  public static StoredState check(ControllerConfig config, IntentStore store) {
    Readmission readmission = compiler(config).readmission();
    CompactSlaState state =
        CompactSlaState.load(store, config.switchProfile().markers(), readmission);
    return new StoredState(
        store.identity(), readmission.misfits(), new TableUses(config.switchProfile()).of(state));
  }

  private static Compiler compiler(ControllerConfig config) {
    return new Compiler(config.topology(), config.switchProfile(), config.fpgaProfile());
  }

  private static void requireSidecars(ControllerConfig config, Targets targets) {
    for (Direction direction : Direction.values()) {
      boolean wanted = config.topology().sidecar(direction).isPresent();
      if (wanted != targets.fpga(direction).isPresent()) {
        throw new InvalidValueException(
            Targets.fpgaName(direction),
            wanted ? "absent" : "present",
            wanted
                ? "present, because the topology has a sidecar for that direction"
                : "absent, because the topology has no sidecar for that direction");
      }
    }
  }

  @Override
  public Outcome apply(Change change) {
    return shard.changes().apply(change);
  }

  @Override
  public Outcome dryRun(Change change) {
    return shard.changes().dryRun(change);
  }

  @Override
  public void applyAll(List<Change> changes, Consumer<? super Outcome> out) {
    shard.changes().applyAll(changes, out);
  }

  @Override
  public Optional<Declared> find(Kind kind, String id) {
    return shard.find(kind, id);
  }

  @Override
  public Optional<Declared> rateLimitOf(Scope scope) {
    return shard.rateLimitOf(scope);
  }

  @Override
  public Page list(Kind kind, long offset, int limit) {
    return shard.list(kind, offset, limit);
  }

  @Override
  public List<String> ids(Kind kind, String prefix, int limit) {
    return shard.ids(kind, prefix, limit);
  }

  @Override
  public Optional<SubscriberCounters> counters(String subscriberId) {
    return shard.counters(subscriberId);
  }

  @Override
  public List<QueueStatus> queues() {
    return shard.queues();
  }

  @Override
  public InstallSummary summary() {
    return shard.summary();
  }

  @Override
  public InstallSummary.PerTarget target(String target) throws Refusal {
    return shard.target(target);
  }

  @Override
  public StoreHealth storeHealth() {
    return shard.storeHealth();
  }

  @Override
  public Optional<PortSummary> ports() {
    return shard.ports();
  }

  @Override
  public List<TableUse> tableUse() {
    return shard.tableUse();
  }

  @Override
  public CompletableFuture<Boolean> whenInstalled(Kind kind, String id, Duration timeout) {
    return waits.until(() -> shard.isInstalled(kind, id), timeout);
  }

  @Override
  public List<TargetStatus> remaining(Kind kind, String id) {
    return shard.remaining(kind, id);
  }

  @Override
  public CompletableFuture<Boolean> whenGone(Kind kind, String id, Duration timeout) {
    return waits.until(() -> shard.remaining(kind, id).isEmpty(), timeout);
  }

  @Override
  public boolean awaitAllInstalled(Duration timeout) throws InterruptedException {
    try {
      return waits.until(() -> summary().isAllInstalled(), timeout).get();
    } catch (ExecutionException e) {
      throw new ControllerException("the status of the targets cannot be told", e.getCause());
    }
  }

  @Override
  public void reconcile() {
    shard.reconcile();
  }

  @Override
  public void reconcile(String target) throws Refusal {
    shard.reconcile(target);
  }

  @Override
  public void adopt(String target) throws Refusal {
    shard.adopt(target);
  }

  @Override
  public TargetDrift drift(String target) throws Refusal {
    return shard.drift(target);
  }

  @Override
  public Registration listen(ControllerListener listener) {
    return events.listen(listener);
  }

  @Override
  public void close() {
    shard.close();
    waits.close();
    events.close();
    store.close();
  }
}
