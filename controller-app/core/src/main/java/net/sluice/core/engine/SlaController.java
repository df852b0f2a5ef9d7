package net.sluice.core.engine;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
import net.sluice.core.QueueReport;
import net.sluice.core.StoreHealth;
import net.sluice.core.StoredState;
import net.sluice.core.SubscriberCounters;
import net.sluice.core.SwitchStatus;
import net.sluice.core.TargetDrift;
import net.sluice.core.TargetStatus;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreException;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.target.Targets;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.compile.Readmission;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Change;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Trunks;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;

/**
 * The controller over a store and a network of switches: a shard for each switch, and what there is
 * once for all of them, the events and those who wait.
 */
public final class SlaController implements Controller {
  private static final int SOME = 3;

  private final NetworkStore store;
  private final Function<ControllerConfig, Compiler> compilers;
  private final Network network = new Network();
  private final NetworkChanges changes;
  private final NetworkLists lists = new NetworkLists(network);
  private final Function<NetworkSwitch, SwitchShard> shards;
  private final Moves moves = new Moves();
  private final Events events;
  private final InstallWaits waits;
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
    this.compilers = compilers;
    requireFitting(switches);
    events = new Events(schedulers.apply("sluice-events"));
    waits = new InstallWaits(schedulers.apply("sluice-waits"));
    changes = new NetworkChanges(network, store, moves);
    shards =
        member ->
            new SwitchShard(
                member,
                store.of(member.name()),
                compilers.apply(member.config()),
                clock,
                schedulers,
                events,
                this::settled);
    try {
      switches.forEach(member -> network.put(shards.apply(member)));
      lists.requireUnique();
      changes.switchesChanged();
    } catch (RuntimeException e) {
      waits.close();
      events.close();
      throw e;
    }
    network.all().forEach(SwitchShard::start);
  }

  /**
   * Takes a switch into the network, or drives the one of that name otherwise from now on; what is
   * stored of it is admitted again first. The controller closes its targets.
   *
   * @return true if there was none of that name
   * @throws Refusal if what is stored would lose service there, it has no room for the policies, or
   *     a trunk could not be; nothing has changed, and the targets are not closed
   * @throws ControllerException if the controller is closed
   */
  public boolean put(NetworkSwitch member) throws Refusal {
    boolean[] created = {false};
    network.changing(
        () -> {
          created[0] = network.named(member.name()).isEmpty();
          requireTargetsOf(member);
          requireTrunks(member);
          requireAdmitted(member);
          // Built first: if that fails, the one there is goes on.
          SwitchShard shard = shards.apply(member);
          unlessClosed(
              () -> {
                network.named(member.name()).ifPresent(SwitchShard::close);
                network.put(shard);
              });
          changes.switchesChanged();
          unlessClosed(shard::start);
        });
    return created[0];
  }

  /** Whatever is there when this is closed is closed with it, and nothing comes after. */
  private synchronized void unlessClosed(Runnable action) {
    if (closed) {
      throw new ControllerException("the controller is closed");
    }
    action.run();
  }

  private void requireTargetsOf(NetworkSwitch member) throws Refusal {
    for (SwitchShard shard : network.all()) {
      for (String target : member.targetNames()) {
        if (!shard.name().equals(member.name()) && shard.hasTarget(target)) {
          throw new Refusal(
              List.of(
                  Problem.of(
                      Problem.Code.CONFLICT,
                      "id",
                      member.name(),
                      "a name with which no target is called as "
                          + target
                          + " of switch "
                          + shard.name())));
        }
      }
    }
  }

  /** Its trunks, and those of others that end at it, in the network as it is to be. */
  private void requireTrunks(NetworkSwitch member) throws Refusal {
    Map<String, Topology> topologies = network.topologies();
    // As the last, it is the misfit of two that cannot be together.
    topologies.remove(member.name());
    topologies.put(member.name(), member.config().topology());
    List<Problem> problems =
        Trunks.of(topologies).misfits().stream()
            .map(
                misfit ->
                    misfit.switchName().equals(member.name())
                        ? misfit.problem("topology")
                        : ofAnother(misfit, member.name()))
            .toList();
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
  }

  private static Problem ofAnother(Trunks.Misfit misfit, String name) {
    return new Problem(
        Problem.Code.CONFLICT,
        "topology",
        name,
        "a topology with which the trunks of other switches can end here",
        "The topology does not fit the trunks of switch "
            + misfit.switchName()
            + ": "
            + misfit.problem("topology").detail());
  }

  /** What is stored of the switch, and the policies of all others, against what it is to be. */
  private void requireAdmitted(NetworkSwitch member) throws Refusal {
    Compiler compiler = compilers.apply(member.config());
    Readmission readmission = compiler.readmission();
    CompactSlaState state =
        CompactSlaState.load(
            store.of(member.name()), member.config().switchProfile().markers(), readmission);
    if (!readmission.misfits().isEmpty()) {
      throw new Refusal(
          List.of(
              new Problem(
                  Problem.Code.CONFLICT,
                  "topology",
                  member.name(),
                  "a topology and a profile under which nothing loses service",
                  readmission.misfits().text())));
    }
    for (Change.Put policy : network.first().policies()) {
      if (state.policy(policy.id()).isEmpty()) {
        int unused = state.apply(compiler.compile(state, policy));
      }
    }
  }

  /**
   * Leaves a switch out of the network and forgets its policies. What is installed there stays
   * installed; nobody drives it.
   *
   * @throws Refusal NOT_FOUND if there is none of that name; CONFLICT if it is the last, or
   *     subscribers or rate limits are declared there, or another switch has a trunk to it
   */
  public void remove(String name) throws Refusal {
    network.changing(
        () -> {
          SwitchShard shard = network.named(name).orElse(null);
          if (shard == null) {
            throw refusal(
                Problem.Code.NOT_FOUND,
                name,
                "one of " + String.join(", ", network.byName().keySet()),
                "There is no switch " + name + ".");
          }
          if (network.isOne()) {
            throw refusal(
                Problem.Code.CONFLICT,
                name,
                "one of several switches",
                "Switch " + name + " is the only one.");
          }
          requireUnused(shard);
          requireNoTrunkTo(name);
          shard.close();
          network.remove(name);
          StoreBatch policies = new StoreBatch();
          shard.policies().forEach(policy -> policies.deletePolicy(policy.id()));
          store.of(name).commit(policies);
        });
  }

  private static void requireUnused(SwitchShard shard) throws Refusal {
    for (Kind kind : List.of(Kind.SUBSCRIBER, Kind.RATE_LIMIT)) {
      int count = shard.count(kind);
      if (count > 0) {
        String some = String.join(", ", shard.ids(kind, "", SOME));
        throw refusal(
            Problem.Code.CONFLICT,
            shard.name(),
            "a switch that nothing is declared for",
            String.format(
                Locale.ROOT,
                "Switch %s is in use: %d %s%s, such as %s.",
                shard.name(),
                count,
                kind.words(),
                count == 1 ? "" : "s",
                some));
      }
    }
  }

  private void requireNoTrunkTo(String name) throws Refusal {
    List<String> from = new ArrayList<>();
    network
        .topologies()
        .forEach(
            (other, topology) ->
                topology.trunks().stream()
                    .filter(trunk -> trunk.toSwitch().equals(name) && !other.equals(name))
                    .forEach(trunk -> from.add(other + " port " + trunk.port())));
    if (!from.isEmpty()) {
      throw refusal(
          Problem.Code.CONFLICT,
          name,
          "a switch that no other switch has a trunk to",
          "Switch "
              + name
              + " is in use: trunks come to it from "
              + String.join(", ", from.subList(0, Math.min(SOME, from.size())))
              + (from.size() > SOME ? " and " + (from.size() - SOME) + " others" : "")
              + ".");
    }
  }

  private static Refusal refusal(Problem.Code code, String name, String allowed, String detail) {
    return new Refusal(List.of(new Problem(code, "switch", name, allowed, detail)));
  }

  private static void requireFitting(List<NetworkSwitch> switches) {
    if (switches.isEmpty()) {
      throw new InvalidValueException("switches", "[]", "at least one switch");
    }
    List<String> targets = new ArrayList<>();
    List<String> names = new ArrayList<>();
    Map<String, Topology> topologies = new LinkedHashMap<>();
    for (NetworkSwitch member : switches) {
      requireNew(names, "switch", member.name());
      member.targetNames().forEach(target -> requireNew(targets, "target", target));
      topologies.put(member.name(), member.config().topology());
    }
    Trunks.requireFitting(topologies);
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
    if (moves.wantCheck()) {
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
    return withAllProblems(changes.apply(change));
  }

  @Override
  public Outcome dryRun(Change change) {
    return withAllProblems(changes.dryRun(change));
  }

  /**
   * The outcome with what else the switch that a refused declaration names has against it: whether
   * names and prefixes are free at the other switches is looked at before.
   */
  private Outcome withAllProblems(Outcome outcome) {
    if (!(outcome instanceof Outcome.Refused refused)
        || network.isOne()
        || !(outcome.change() instanceof Change.Put put)) {
      return outcome;
    }
    Outcome there =
        put.switchName()
            .flatMap(network::named)
            .map(shard -> shard.changes().dryRun(put))
            .orElse(outcome);
    if (!(there instanceof Outcome.Refused more)) {
      return outcome;
    }
    Set<Problem> problems = new LinkedHashSet<>(more.problems());
    problems.addAll(refused.problems());
    return new Outcome.Refused(
        put, problems.stream().sorted(Comparator.comparing(Problem::code)).toList());
  }

  @Override
  public void applyAll(List<Change> all, Consumer<? super Outcome> out) {
    changes.applyAll(all, outcome -> out.accept(withAllProblems(outcome)));
  }

  @Override
  public Optional<Declared> find(Kind kind, String id) {
    return lists.find(kind, id);
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
  public Page list(Kind kind, long offset, int limit) {
    return lists.list(kind, offset, limit);
  }

  @Override
  public List<String> ids(Kind kind, String prefix, int limit) {
    return lists.ids(kind, prefix, limit);
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
  public CompletableFuture<QueueReport> queues() {
    boolean isOne = network.isOne();
    CompletableFuture<QueueReport> report =
        CompletableFuture.completedFuture(new QueueReport(List.of(), Map.of()));
    for (SwitchShard shard : network.all()) {
      // All are asked before any is waited for.
      CompletableFuture<QueueReport> ofShard = queues(shard, isOne);
      report = report.thenCombine(ofShard, QueueReport::and);
    }
    return report;
  }

  private static CompletableFuture<QueueReport> queues(SwitchShard shard, boolean isOne) {
    return shard
        .queues()
        .handle(
            (queues, failure) ->
                failure == null
                    ? new QueueReport(
                        queues.stream().map(q -> isOne ? q : q.at(shard.name())).toList(), Map.of())
                    : new QueueReport(List.of(), Map.of(shard.name(), RpcErrors.text(failure))));
  }

  @Override
  public InstallSummary summary() {
    List<InstallSummary.PerTarget> targets = new ArrayList<>();
    network.all().forEach(shard -> targets.addAll(shard.targets()));
    return new InstallSummary(targets, storeHealth());
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
    Collection<SwitchShard> all;
    synchronized (this) {
      closed = true;
      all = network.all();
    }
    all.forEach(SwitchShard::close);
    waits.close();
    events.close();
    store.close();
  }
}
