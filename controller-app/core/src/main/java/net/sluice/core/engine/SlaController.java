package net.sluice.core.engine;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
import net.sluice.core.StoreHealth;
import net.sluice.core.StoredState;
import net.sluice.core.SubscriberCounters;
import net.sluice.core.SwitchStatus;
import net.sluice.core.TargetDrift;
import net.sluice.core.TargetStatus;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.StoreException;
import net.sluice.core.target.Targets;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.compile.Readmission;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;

/**
 * The controller over a store and a network of switches: a shard for each switch, and what there is
 * once for all of them, the events and those who wait.
 */
public final class SlaController implements Controller {
  private final NetworkStore store;
  private final Map<String, SwitchShard> shards = new LinkedHashMap<>();
  private final NetworkChanges changes;
  private final NetworkLists lists;
  private final Moves moves = new Moves();
  private final Events events;
  private final InstallWaits waits;

  /**
   * Opens a controller over a store and the targets of one switch, all of which it closes when it is
   * closed. Returns when the declarations are loaded; the targets follow.
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
   * Opens a controller of a network as {@link #open(ControllerConfig, IntentStore, Targets, Clock)}
   * does of one switch.
   *
   * @param switches at least one; their names and those of their targets are unique
   */
  public static Controller open(List<NetworkSwitch> switches, NetworkStore store, Clock clock) {
    return new SlaController(
        switches, store, SlaController::compiler, clock, ThreadScheduler::new);
  }

  /**
   * Opens a controller of one switch as {@link #open} does.
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

  /** Opens a controller of one switch as above. */
  public SlaController(
      ControllerConfig config,
      IntentStore store,
      Targets targets,
      Compiler compiler,
      Clock clock,
      Function<String, Scheduler> schedulers) {
    this(
        List.of(new NetworkSwitch(NetworkSwitch.ONLY, config, targets)),
        NetworkStore.ofOne(store),
        unused -> compiler,
        clock,
        schedulers);
  }

  /**
   * Opens a controller of a network.
   *
   * @param compilers the compiler of a switch by its configuration
   * @param schedulers a new scheduler by its name
   */
  public SlaController(
      List<NetworkSwitch> switches,
      NetworkStore store,
      Function<ControllerConfig, Compiler> compilers,
      Clock clock,
      Function<String, Scheduler> schedulers) {
    this.store = store;
    requireDistinct(switches);
    events = new Events(schedulers.apply("sluice-events"));
    waits = new InstallWaits(schedulers.apply("sluice-waits"));
    try {
      for (NetworkSwitch member : switches) {
        shards.put(
            member.name(),
            new SwitchShard(
                member,
                store.of(member.name()),
                compilers.apply(member.config()),
                clock,
                schedulers,
                events,
                this::settled));
      }
      lists = new NetworkLists(shards.values());
      changes = new NetworkChanges(shards, store, moves);
      lists.requireUnique();
      changes.spreadPolicies();
    } catch (RuntimeException e) {
      waits.close();
      events.close();
      throw e;
    }
    shards.values().forEach(SwitchShard::start);
  }

  private static void requireDistinct(List<NetworkSwitch> switches) {
    if (switches.isEmpty()) {
      throw new InvalidValueException("switches", "[]", "at least one switch");
    }
    List<String> targets = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (NetworkSwitch member : switches) {
      requireNew(names, "switch", member.name());
      requireNew(targets, "target", member.targets().switchTarget().name());
      member.targets().fpgaDown().ifPresent(fpga -> requireNew(targets, "target", fpga.name()));
      member.targets().fpgaUp().ifPresent(fpga -> requireNew(targets, "target", fpga.name()));
    }
  }

  private static void requireNew(List<String> known, String field, String name) {
    if (known.contains(name)) {
      throw new InvalidValueException(field, name, "a name that no other " + field + " has");
    }
    known.add(name);
  }

  /** A target has answered. */
  private void settled() {
    waits.wake();
    if (moves.areUnderWay()) {
      waits.execute(moves::check);
    }
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

  @Override
  public List<SwitchStatus> switches() {
    return shards.values().stream().map(SwitchShard::status).toList();
  }

  @Override
  public Outcome apply(Change change) {
    return changes.apply(change);
  }

  @Override
  public Outcome dryRun(Change change) {
    return changes.dryRun(change);
  }

  @Override
  public void applyAll(List<Change> all, Consumer<? super Outcome> out) {
    changes.applyAll(all, out);
  }

  @Override
  public Optional<Declared> find(Kind kind, String id) {
    return lists.find(kind, id);
  }

  @Override
  public Optional<Declared> rateLimitOf(Scope scope, Optional<String> switchName) {
    for (SwitchShard shard : shards.values()) {
      if (switchName.isEmpty() || switchName.get().equals(shard.name())) {
        Optional<Declared> found = shard.rateLimitOf(scope);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  @Override
  public Page list(Kind kind, long offset, int limit) {
    return lists.list(kind, offset, limit);
  }

  @Override
  public List<String> ids(Kind kind, String prefix, int limit) {
    return lists.ids(kind, prefix, limit);
  }

  @Override
  public Optional<SubscriberCounters> counters(String subscriberId) {
    for (SwitchShard shard : shards.values()) {
      Optional<SubscriberCounters> counters = shard.counters(subscriberId);
      if (counters.isPresent()) {
        return counters;
      }
    }
    return Optional.empty();
  }

  @Override
  public InstallSummary summary() {
    List<InstallSummary.PerTarget> targets = new ArrayList<>();
    shards.values().forEach(shard -> targets.addAll(shard.targets()));
    return new InstallSummary(targets, storeHealth());
  }

  @Override
  public InstallSummary.PerTarget target(String target) throws Refusal {
    return withTarget(target).target(target);
  }

  private SwitchShard withTarget(String target) throws Refusal {
    for (SwitchShard shard : shards.values()) {
      if (shard.hasTarget(target)) {
        return shard;
      }
    }
    List<String> names = summary().targets().stream().map(InstallSummary.PerTarget::target).toList();
    String known = String.join(", ", names);
    throw new Refusal(
        List.of(
            new Problem(
                Problem.Code.NOT_FOUND,
                "target",
                target,
                known,
                "There is no target " + target + "; there are: " + known + ".")));
  }

  @Override
  public StoreHealth storeHealth() {
    StoreHealth health = first().storeHealth();
    for (SwitchShard shard : shards.values()) {
      health = health.isWritable() ? shard.storeHealth() : health;
    }
    return health;
  }

  private SwitchShard first() {
    return shards.values().iterator().next();
  }

  @Override
  public CompletableFuture<Boolean> whenInstalled(Kind kind, String id, Duration timeout) {
    return waits.until(() -> lists.isInstalled(kind, id), timeout);
  }

  @Override
  public List<TargetStatus> remaining(Kind kind, String id) {
    List<TargetStatus> remaining = new ArrayList<>();
    for (SwitchShard shard : shards.values()) {
      if (shard.has(kind, id)) {
        return List.of();
      }
      remaining.addAll(shard.remaining(kind, id));
    }
    return remaining;
  }

  @Override
  public CompletableFuture<Boolean> whenGone(Kind kind, String id, Duration timeout) {
    return waits.until(() -> remaining(kind, id).isEmpty(), timeout);
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
    shards.values().forEach(SwitchShard::reconcile);
  }

  @Override
  public void reconcile(String target) throws Refusal {
    withTarget(target).reconcile(target);
  }

  @Override
  public void adopt(String target) throws Refusal {
    withTarget(target).adopt(target);
  }

  @Override
  public TargetDrift drift(String target) throws Refusal {
    return withTarget(target).drift(target);
  }

  @Override
  public Registration listen(ControllerListener listener) {
    return events.listen(listener);
  }

  @Override
  public void close() {
    Collection<SwitchShard> all = shards.values();
    all.forEach(SwitchShard::close);
    waits.close();
    events.close();
    store.close();
  }
}
