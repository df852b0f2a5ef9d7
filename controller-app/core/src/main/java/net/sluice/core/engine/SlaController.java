package net.sluice.core.engine;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import net.sluice.core.ChangeNeeds;
import net.sluice.core.Conflict;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerEvent;
import net.sluice.core.ControllerException;
import net.sluice.core.ControllerListener;
import net.sluice.core.Declared;
import net.sluice.core.InstallSummary;
import net.sluice.core.Outcome;
import net.sluice.core.Page;
import net.sluice.core.Selection;
import net.sluice.core.SetOutcome;
import net.sluice.core.StoreBackup;
import net.sluice.core.StoreHealth;
import net.sluice.core.StoredState;
import net.sluice.core.SwitchStatus;
import net.sluice.core.TargetDrift;
import net.sluice.core.TargetStatus;
import net.sluice.core.declaration.Exported;
import net.sluice.core.declaration.TariffProgress;
import net.sluice.core.network.Membership;
import net.sluice.core.network.MultiShardChanges;
import net.sluice.core.network.Network;
import net.sluice.core.network.NetworkChanges;
import net.sluice.core.network.NetworkCheck;
import net.sluice.core.network.NetworkExport;
import net.sluice.core.network.NetworkLists;
import net.sluice.core.network.PendingMoves;
import net.sluice.core.network.ScheduledChanges;
import net.sluice.core.network.StoreReopening;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.state.Conflicts;
import net.sluice.core.state.Names;
import net.sluice.core.status.Events;
import net.sluice.core.status.InstallWaits;
import net.sluice.core.status.Sessions;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.StoreException;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.target.Targets;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.core.traffic.CountedSwitch;
import net.sluice.core.traffic.DropStatus;
import net.sluice.core.traffic.NextHopStatus;
import net.sluice.core.traffic.QueueStatus;
import net.sluice.core.traffic.Sharing;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SwitchReadings;
import net.sluice.core.traffic.UnknownStatus;
import net.sluice.core.traffic.WireStatus;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Change;
import net.sluice.intents.profile.Trunks;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.InvalidValueException;

/**
 * The controller over a store and a network of switches: a shard for each switch, and what there is
 * once for all of them, the events and those who wait.
 *
 * <p>More than 500 lines, because it is the whole of what hosts may ask of a controller, a few
 * lines for each question.
 */
public final class SlaController implements Controller {
  private final NetworkStore store;
  private final Network network = new Network();
  private final NetworkChanges changes;
  private final NetworkLists lists;
  private final Membership membership;
  private final PendingMoves moves;
  private final ScheduledChanges scheduled;
  private final Clock clock;
  private final Events events;
  private final InstallWaits waits;
  private final ChangeNeeds needs = new ChangeNeeds(this::storeHealth);
  private volatile boolean closed;

  /**
   * Opens a controller over a store and the targets of one switch, all of which it closes when it
   * is closed. Returns when the declarations are loaded; the targets follow.
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
   * @param switches at least one; their names and those of their targets are unique, and their
   *     trunks fit each other
   */
  public static SlaController open(List<NetworkSwitch> switches, NetworkStore store, Clock clock) {
    return new SlaController(switches, store, SlaController::compiler, clock, ThreadScheduler::new);
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
    this.clock = clock;
    events = new Events(schedulers.apply("sluice-events"));
    waits = new InstallWaits(schedulers.apply("sluice-waits"));
    Names names = new Names();
    lists = new NetworkLists(network, names, store);
    StoreReopening reopening = new StoreReopening(network);
    MultiShardChanges joint = new MultiShardChanges(store, clock);
    changes = new NetworkChanges(network, names, store, joint, clock);
    moves = new PendingMoves(network, names, joint, schedulers.apply("sluice-moves"));
    scheduled =
        new ScheduledChanges(
            network, clock, schedulers.apply("sluice-schedules"), this::tellIfRefused);
    membership =
        new Membership(
            network,
            names,
            store,
            compilers,
            member ->
                new SwitchShard(
                    member,
                    store,
                    names,
                    compilers.apply(member.config()),
                    clock,
                    schedulers,
                    events,
                    reopening::run,
                    this::settled,
                    scheduled::freed),
            scheduled::catchUp);
    try {
      membership.open(switches, this::tellOfOpening);
    } catch (RuntimeException e) {
      scheduled.close();
      moves.close();
      waits.close();
      events.close();
      throw e;
    }
    network.all().forEach(SwitchShard::start);
    moves.wake();
    scheduled.wake();
  }

  /** As {@link Membership#put}. */
  public boolean put(NetworkSwitch member) throws Refusal {
    needs.require();
    boolean isNew = membership.put(member);
    scheduled.wake();
    events.tellOfTarget(new ControllerEvent.SwitchChanged(member.name(), true));
    return isNew;
  }

  /** As {@link Membership#remove}. */
  public void remove(String name) throws Refusal {
    needs.require();
    membership.remove(name);
    events.tellOfTarget(new ControllerEvent.SwitchChanged(name, false));
  }

  /** A target has answered. */
  private void settled() {
    waits.wake();
    moves.wake();
  }

  /**
   * The state that {@link #open} would find in {@code store}, which is only read, and what it would
   * make of it.
   *
   * @param switches the configurations by name of the switch, in the order of the network
   * @param clock says for which moment
   * @throws StoreException if the store cannot be read
   */
  public static Map<String, StoredState> check(
      Map<String, ControllerConfig> switches, NetworkStore store, Clock clock) {
    return new NetworkCheck(store, SlaController::compiler, clock).of(switches);
  }

  private static Compiler compiler(ControllerConfig config) {
    return new Compiler(config.topology(), config.switchProfile(), config.fpgaProfile());
  }

  /** True once it has been closed: no switch is taken in any more. */
  public boolean isClosed() {
    return closed;
  }

  @Override
  public List<SwitchStatus> switches() {
    Trunks trunks = Trunks.of(network.topologies());
    return network.all().stream().map(shard -> shard.status(trunks.of(shard.name()))).toList();
  }

  @Override
  public Outcome apply(Change change) {
    needs.require();
    Outcome outcome = changes.apply(now(change));
    tellIfRefused(outcome);
    moves.wake();
    wakeIfTimed(change);
    return outcome;
  }

  /** The same with what is in force by now of what holds at times only. */
  private Change now(Change change) {
    return isTimed(change) ? ((Change.Put) change).at(clock.instant()) : change;
  }

  private static boolean isTimed(Change change) {
    return change instanceof Change.Put put && put.declaration().isTimed();
  }

  private void wakeIfTimed(Change change) {
    if (isTimed(change)) {
      scheduled.wake();
    }
  }

  @Override
  public Outcome dryRun(Change change) {
    return changes.dryRun(now(change));
  }

  @Override
  public void applyAll(List<Change> all, Consumer<? super Outcome> out) {
    needs.require();
    boolean isTimed = all.stream().anyMatch(SlaController::isTimed);
    changes.applyAll(
        isTimed ? all.stream().map(this::now).toList() : all,
        outcome -> {
          tellIfRefused(outcome);
          out.accept(outcome);
        });
    moves.wake();
    if (isTimed) {
      scheduled.wake();
    }
  }

  @Override
  public SetOutcome suppose(List<Change> all, Consumer<List<Sharing>> look) {
    if (all.size() > MOST_TOGETHER) {
      throw new InvalidValueException("changes", all.size(), "at most " + MOST_TOGETHER);
    }
    return changes.suppose(all.stream().map(this::now).toList(), look);
  }

  @Override
  public SetOutcome applyTogether(List<Change> all, boolean dryRun) {
    if (all.size() > MOST_TOGETHER) {
      throw new InvalidValueException("changes", all.size(), "at most " + MOST_TOGETHER);
    }
    if (!dryRun) {
      needs.require();
    }
    boolean isTimed = all.stream().anyMatch(SlaController::isTimed);
    SetOutcome outcome =
        changes.applyTogether(isTimed ? all.stream().map(this::now).toList() : all, dryRun);
    if (!dryRun) {
      outcome.outcomes().forEach(this::tellIfRefused);
      moves.wake();
      if (isTimed) {
        scheduled.wake();
      }
    }
    return outcome;
  }

  /** A change refused for its precondition is the caller's to know: it may make it anew. */
  private void tellIfRefused(Outcome outcome) {
    if (outcome instanceof Outcome.Refused refused && refused.code() != Problem.Code.PRECONDITION) {
      events.tellOfChanges(
          1,
          to -> to.accept(new ControllerEvent.ChangeRefused(refused.change(), refused.problems())));
    }
  }

  /** Queues the event of a change that came due before the controller had a listener. */
  private void tellOfOpening(Outcome outcome) {
    ControllerEvent event =
        outcome instanceof Outcome.Refused refused
            ? new ControllerEvent.ChangeRefused(refused.change(), refused.problems())
            : new ControllerEvent.ChangeAccepted(outcome.change());
    events.tellOfOpening(1, to -> to.accept(event));
  }

  @Override
  public Optional<Declared> find(Kind kind, String id) {
    return lists.find(kind, id);
  }

  @Override
  public List<String> notes() {
    int out = 0;
    Optional<String> longest = Optional.empty();
    for (SwitchShard shard : network.all()) {
      if (shard.outOfForce() > 0) {
        out += shard.outOfForce();
        longest = longest.or(shard::longestOutOfForce);
      }
    }
    return longest.isEmpty() ? List.of() : List.of(ScheduledChanges.text(out, longest.get()));
  }

  @Override
  public Optional<Declared> rateLimitOf(Scope scope, Optional<String> switchName) {
    for (SwitchShard shard : network.all()) {
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
  public Page list(Kind kind, Selection which, String afterId, int limit) {
    return lists.list(kind, which, afterId, limit);
  }

  @Override
  public List<String> ids(Kind kind, String prefix, int limit) {
    return lists.ids(kind, prefix, limit);
  }

  @Override
  public void export(Consumer<? super Exported> out) {
    NetworkExport.write(network, store, out);
  }

  @Override
  public StoreBackup backUp() {
    return store.backUp();
  }

  @Override
  public CompletableFuture<Optional<SubscriberCounters>> counters(String subscriberId) {
    for (SwitchShard shard : network.all()) {
      if (shard.has(Kind.SUBSCRIBER, subscriberId)) {
        return shard.counters(subscriberId);
      }
    }
    return CompletableFuture.completedFuture(Optional.empty());
  }

  @Override
  public Optional<TariffProgress> progress(String tariffId) {
    return network.all().stream()
        .flatMap(shard -> shard.changes().tariffProgress().stream())
        .filter(each -> each.tariffId().equals(tariffId))
        .reduce(TariffProgress::plus);
  }

  @Override
  public List<CountedSwitch> counted() {
    return network.all().stream().map(SwitchShard::counted).toList();
  }

  @Override
  public List<Sharing> sharing() {
    return network.all().stream().map(SwitchShard::sharing).toList();
  }

  @Override
  public CompletableFuture<SwitchReadings<QueueStatus>> queues() {
    return readAll(SwitchShard::queues, QueueStatus::at);
  }

  @Override
  public CompletableFuture<SwitchReadings<DropStatus>> drops() {
    return readAll(SwitchShard::drops, DropStatus::at);
  }

  @Override
  public CompletableFuture<SwitchReadings<WireStatus>> wires() {
    return readAll(SwitchShard::wires, WireStatus::at);
  }

  @Override
  public CompletableFuture<SwitchReadings<NextHopStatus>> nextHops() {
    return readAll(SwitchShard::nextHops, NextHopStatus::at);
  }

  @Override
  public CompletableFuture<SwitchReadings<UnknownStatus>> unknown() {
    return readAll(SwitchShard::unknown, UnknownStatus::at);
  }

  /** All switches are asked before any is waited for; {@code at}: the same of one of several. */
  private <T> CompletableFuture<SwitchReadings<T>> readAll(
      Function<SwitchShard, CompletableFuture<List<T>>> read, BiFunction<T, String, T> at) {
    boolean isOne = network.isOne();
    CompletableFuture<SwitchReadings<T>> all =
        CompletableFuture.completedFuture(new SwitchReadings<>(List.of(), Map.of()));
    for (SwitchShard shard : network.all()) {
      UnaryOperator<T> named = each -> isOne ? each : at.apply(each, shard.name());
      CompletableFuture<SwitchReadings<T>> ofShard =
          read.apply(shard)
              .handle(
                  (found, failure) ->
                      failure == null
                          ? new SwitchReadings<>(found.stream().map(named).toList(), Map.of())
                          : new SwitchReadings<>(
                              List.of(), Map.of(shard.name(), RpcErrors.text(failure))));
      all = all.thenCombine(ofShard, SwitchReadings::and);
    }
    return all;
  }

  @Override
  public InstallSummary summary() {
    List<InstallSummary.PerTarget> targets = new ArrayList<>();
    network.all().forEach(shard -> targets.addAll(shard.targets()));
    long leaving = network.all().stream().mapToLong(SwitchShard::leavers).sum();
    return new InstallSummary(targets, storeHealth(), leaving);
  }

  @Override
  public List<Conflict> conflicts(int limit) {
    if (limit < 1 || limit > Page.MAX_LIMIT) {
      throw new InvalidValueException("limit", limit, "1 to " + Page.MAX_LIMIT);
    }
    List<Conflict> all = new ArrayList<>();
    for (SwitchShard shard : network.all()) {
      shard.conflicts().first(limit - all.size(), shard.changes()::dryRun).forEach(all::add);
    }
    return all;
  }

  @Override
  public long conflicts() {
    return network.all().stream().mapToLong(shard -> shard.conflicts().count()).sum();
  }

  @Override
  public Outcome declareConflict(String switchName, Kind kind, String id) throws Refusal {
    Conflicts conflicts = conflictsOf(switchName, kind, id);
    Declaration declared = conflicts.find(kind, id).orElseThrow();
    Outcome outcome =
        apply(
            new Change.Put(
                declared, kind.isOfNetwork() ? Optional.empty() : Optional.of(switchName)));
    if (outcome.isAccepted()) {
      conflicts.forget(kind, id);
    }
    return outcome;
  }

  @Override
  public void forgetConflict(String switchName, Kind kind, String id) throws Refusal {
    needs.require();
    conflictsOf(switchName, kind, id).forget(kind, id);
  }

  private Conflicts conflictsOf(String switchName, Kind kind, String id) throws Refusal {
    Optional<Conflicts> conflicts =
        network
            .named(switchName)
            .map(SwitchShard::conflicts)
            .filter(of -> of.find(kind, id).isPresent());
    if (conflicts.isEmpty()) {
      throw new Refusal(
          List.of(
              new Problem(
                  Problem.Code.NOT_FOUND,
                  "id",
                  id,
                  "a conflict; GET /sluice/v1/conflicts lists them",
                  "There is no conflict about "
                      + kind.words()
                      + " "
                      + id
                      + " of switch "
                      + switchName
                      + ".")));
    }
    return conflicts.get();
  }

  @Override
  public Map<String, String> leftOut() {
    return Map.copyOf(membership.leftOut());
  }

  @Override
  public InstallSummary.PerTarget target(String target) throws Refusal {
    return withTarget(target).target(target);
  }

  private SwitchShard withTarget(String target) throws Refusal {
    for (SwitchShard shard : network.all()) {
      if (shard.hasTarget(target)) {
        return shard;
      }
    }
    throw Sessions.noTarget(
        target, summary().targets().stream().map(InstallSummary.PerTarget::target).toList());
  }

  @Override
  public StoreHealth storeHealth() {
    StoreHealth health = network.first().storeHealth();
    for (SwitchShard shard : network.all()) {
      health = health.isWritable() ? shard.storeHealth() : health;
    }
    return health;
  }

  @Override
  public void storeFailed(String reason) {
    network.all().forEach(shard -> shard.changes().storeFailed(reason));
  }

  @Override
  public ChangeNeeds needs() {
    return needs;
  }

  @Override
  public CompletableFuture<Boolean> whenInstalled(Kind kind, String id, Duration timeout) {
    return waits.until(() -> lists.isInstalled(kind, id), timeout);
  }

  @Override
  public List<TargetStatus> remaining(Kind kind, String id) {
    List<TargetStatus> remaining = new ArrayList<>();
    for (SwitchShard shard : network.all()) {
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
    network.all().forEach(SwitchShard::reconcile);
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
    closed = true;
    scheduled.close();
    membership.close();
    network.all().forEach(SwitchShard::close);
    moves.close();
    waits.close();
    events.close();
    store.close();
  }
}
