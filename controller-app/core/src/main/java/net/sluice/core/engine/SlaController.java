package net.sluice.core.engine;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import net.sluice.core.Controller;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerEvent;
import net.sluice.core.ControllerException;
import net.sluice.core.ControllerListener;
import net.sluice.core.Declared;
import net.sluice.core.InstallSummary;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.Kind;
import net.sluice.core.Outcome;
import net.sluice.core.Page;
import net.sluice.core.PortSummary;
import net.sluice.core.ReconcileReport;
import net.sluice.core.SubscriberCounters;
import net.sluice.core.TableUse;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.session.EntityKeys;
import net.sluice.core.session.Owners;
import net.sluice.core.session.SessionListener;
import net.sluice.core.session.SessionSettings;
import net.sluice.core.session.StatusBoard;
import net.sluice.core.session.TargetSession;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.StoreException;
import net.sluice.core.target.PortMonitor;
import net.sluice.core.target.Target;
import net.sluice.core.target.Targets;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.compile.PolicyState;
import net.sluice.intents.compile.SubscriberState;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.validate.Refusal;

/** The controller over a store and targets. */
public final class SlaController implements Controller {
  private static final Duration COUNTER_DEADLINE = Duration.ofSeconds(5);

  private final ControllerConfig config;
  private final IntentStore store;
  private final Targets targets;
  private final Compiler compiler;
  private final Declarations declarations;
  private final Sessions sessions;
  private final StatusView statuses;
  private final PortNotes portNotes;
  private final TableUses tableUses;
  private final GroupCommit single;
  private final Events events;
  private final Object settling = new Object();
  private long settled;
  private volatile boolean closed;

  /**
   * Opens the controller: builds the state of the store and begins to connect. Closing it closes
   * store and targets.
   *
   * @param schedulers a new scheduler by its name
   * @throws InvalidValueException if targets and topology do not fit
   * @throws StoreException if the store cannot be read
   * @throws ControllerException if the store does not fit the topology
   */
  public SlaController(
      ControllerConfig config,
      IntentStore store,
      Targets targets,
      Clock clock,
      Function<String, Scheduler> schedulers) {
    this.config = config;
    this.store = store;
    this.targets = targets;
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
    portNotes = new PortNotes(config.topology(), targets.ports());
    tableUses = new TableUses(config.switchProfile());
    single = new GroupCommit(this::inOrder, config.bulkCommitChanges());
    compiler = new Compiler(config.topology(), config.switchProfile(), config.fpgaProfile());
    declarations = new Declarations(store, compiler);
    requireConnected();
    events = new Events(schedulers.apply("sluice-events"));
    SessionSettings settings = SessionSettings.of(config);
    TargetSession<SwitchEntry> switchSession =
        new TargetSession<>(
            targets.switchTarget(),
            EntityKeys::ofSwitch,
            new StatusBoard(clock),
            schedulers.apply("sluice-switch"),
            clock,
            settings,
            new SwitchExpectation(declarations, compiler, config.topology()),
            new Follower());
    Map<Direction, TargetSession<FpgaSetting>> fpgas = new EnumMap<>(Direction.class);
    for (Direction direction : Direction.values()) {
      if (targets.fpga(direction).isPresent()) {
        Target<FpgaSetting> fpga = targets.fpga(direction).get();
        fpgas.put(
            direction,
            new TargetSession<>(
                fpga,
                EntityKeys::ofFpga,
                new StatusBoard(clock),
                schedulers.apply("sluice-" + fpga.name()),
                clock,
                settings,
                new FpgaExpectation(declarations, compiler, direction),
                new Follower()));
      }
    }
    sessions = new Sessions(declarations, switchSession, fpgas);
    statuses = new StatusView(declarations, sessions);
    sessions.trackAll();
    sessions.all().forEach(this::tellStatusOf);
    sessions.all().forEach(TargetSession::start);
    targets.ports().ifPresent(PortMonitor::start);
  }

  private void requireConnected() {
    CompactSlaState state = declarations.state();
    state
        .indicesWhere(
            index -> config.topology().switchPort(state.treeIndexOf(index) >>> 6).isEmpty())
        .findFirst()
        .ifPresent(
            index -> {
              throw new ControllerException(
                  "the store does not fit the topology: subscriber "
                      + state.idOf(index)
                      + " is attached to BNG port "
                      + (state.treeIndexOf(index) >>> 6)
                      + ", which is not connected; connected: "
                      + config.topology().connectedBngPorts());
            });
  }

  // ---------------------------------------------------------------- changes

  private record Planned(Change change, Plan plan, int limitNumber) {}

  @Override
  public Outcome apply(Change change) {
    return single.apply(change);
  }

  @Override
  public List<Outcome> applyAll(List<Change> changes) {
    List<Outcome> outcomes = new ArrayList<>(changes.size());
    for (int from = 0; from < changes.size(); from += config.bulkCommitChanges()) {
      int to = Math.min(changes.size(), from + config.bulkCommitChanges());
      try {
        // Before the order is taken: whoever waits for room must not keep others waiting.
        sessions.awaitSpace();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ControllerException(
            "interrupted after " + from + " of " + changes.size() + " changes", e);
      }
      outcomes.addAll(inOrder(changes.subList(from, to)));
    }
    return outcomes;
  }

  private List<Outcome> inOrder(List<Change> changes) {
    List<Outcome> outcomes = new ArrayList<>(changes.size());
    List<Planned> accepted = new ArrayList<>(changes.size());
    declarations.order().lock();
    try {
      requireOpen();
      for (Change change : changes) {
        outcomes.add(plan(change, accepted));
      }
      commit();
      declarations.memory().lock();
      try {
        for (Planned planned : accepted) {
          sessions.submit(planned.plan, planned.limitNumber);
        }
        outcomes.replaceAll(this::withStatus);
      } finally {
        declarations.memory().unlock();
      }
    } catch (ControllerException e) {
      throw e;
    } catch (RuntimeException e) {
      recover(e);
      throw new ControllerException("the change failed: " + e.getMessage(), e);
    } finally {
      declarations.order().unlock();
    }
    sessions.flush();
    if (events.isListenedTo()) {
      accepted.forEach(p -> events.tell(() -> new ControllerEvent.ChangeAccepted(p.change)));
    }
    return outcomes;
  }

  private Outcome plan(Change change, List<Planned> accepted) {
    declarations.memory().lock();
    try {
      CompactSlaState state = declarations.state();
      Plan plan = noted(state, change);
      int before = change instanceof Change.DeleteRateLimit ? state.limitNumber(change.id()) : -1;
      state.apply(plan);
      int number = change instanceof Change.PutRateLimit ? state.limitNumber(change.id()) : before;
      accepted.add(new Planned(change, plan, number));
      return new Outcome.Accepted(change, plan, List.of());
    } catch (Refusal refusal) {
      return new Outcome.Refused(change, refusal.problems());
    } finally {
      declarations.memory().unlock();
    }
  }

  private Plan noted(CompactSlaState state, Change change) throws Refusal {
    Plan plan = portNotes.noted(state, change, compiler.compile(state, change));
    return tableUses.noted(state, change, plan);
  }

  private void commit() {
    CompactSlaState state = declarations.state();
    if (!state.pending().isEmpty()) {
      store.commit(state.pending());
      declarations.memory().lock();
      try {
        state.committed();
      } finally {
        declarations.memory().unlock();
      }
    }
  }

  /** The state in memory is ahead of the store or half changed: takes the store's. */
  private void recover(RuntimeException cause) {
    declarations.memory().lock();
    try {
      declarations.reload();
      sessions.trackAll();
    } catch (RuntimeException e) {
      closed = true;
      cause.addSuppressed(e);
    } finally {
      declarations.memory().unlock();
    }
    reconcile();
  }

  private void requireOpen() {
    if (closed) {
      throw new ControllerException("the controller is closed");
    }
  }

  private Outcome withStatus(Outcome outcome) {
    if (!(outcome instanceof Outcome.Accepted accepted)) {
      return outcome;
    }
    Change change = accepted.change();
    List<TargetStatus> status = List.of();
    if (change instanceof Change.PutSubscriber) {
      status = statuses.ofSubscriber(change.id());
    } else if (change instanceof Change.PutPolicy) {
      status = statuses.ofPolicy(change.id());
    } else if (change instanceof Change.PutRateLimit) {
      status = statuses.ofRateLimit(change.id());
    }
    return status.isEmpty() ? accepted : new Outcome.Accepted(change, accepted.plan(), status);
  }

  @Override
  public Outcome dryRun(Change change) {
    return inMemory(() -> compiled(change));
  }

  private Outcome compiled(Change change) {
    try {
      return new Outcome.Accepted(change, noted(declarations.state(), change), List.of());
    } catch (Refusal refusal) {
      return new Outcome.Refused(change, refusal.problems());
    }
  }

  // ---------------------------------------------------------------- reading

  @Override
  public Optional<Declared<Policy>> policy(String id) {
    return inMemory(() -> declarations.state().policy(id).map(this::declared));
  }

  @Override
  public Optional<Declared<Subscriber>> subscriber(String id) {
    return inMemory(() -> declarations.state().subscriber(id).map(this::declared));
  }

  @Override
  public Optional<Declared<RateLimit>> rateLimit(String id) {
    return inMemory(() -> declarations.state().rateLimit(id).map(this::declared));
  }

  @Override
  public Optional<Declared<RateLimit>> rateLimitOf(Scope scope) {
    return inMemory(() -> declarations.state().rateLimitOf(scope).map(this::declared));
  }

  private Declared<Policy> declared(PolicyState state) {
    Policy policy = state.policy();
    return declared(
        policy.id(), policy, new Change.PutPolicy(policy), statuses.ofPolicy(policy.id()));
  }

  private Declared<Subscriber> declared(SubscriberState state) {
    Subscriber subscriber = state.subscriber();
    return declared(
        subscriber.id(),
        subscriber,
        new Change.PutSubscriber(subscriber),
        statuses.ofSubscriber(subscriber.id()));
  }

  private Declared<RateLimit> declared(RateLimit limit) {
    return declared(
        limit.id(), limit, new Change.PutRateLimit(limit), statuses.ofRateLimit(limit.id()));
  }

  /** What is granted is what declaring the same again would be granted. */
  private <T> Declared<T> declared(
      String id, T declaration, Change again, List<TargetStatus> status) {
    Outcome outcome = compiled(again);
    if (outcome instanceof Outcome.Accepted accepted) {
      Plan plan = accepted.plan();
      return new Declared<>(id, declaration, plan.grants(), plan.notes(), status);
    }
    List<String> notes =
        ((Outcome.Refused) outcome)
            .problems().stream().map(p -> "no longer acceptable: " + p.detail()).toList();
    return new Declared<>(id, declaration, List.of(), notes, status);
  }

  @Override
  public Page<Policy> policies(long offset, int limit) {
    List<PolicyState> found = new ArrayList<>();
    store.scanPolicies("", Paging.requireOffset(offset), Paging.requireLimit(limit), found::add);
    return inMemory(
        () -> Paging.page(declarations.state().policies(), offset, limit, found, this::declared));
  }

  @Override
  public Page<Subscriber> subscribers(long offset, int limit) {
    List<SubscriberState> found = new ArrayList<>();
    store.scanSubscribers("", Paging.requireOffset(offset), Paging.requireLimit(limit), found::add);
    return inMemory(
        () ->
            Paging.page(declarations.state().subscribers(), offset, limit, found, this::declared));
  }

  @Override
  public Page<RateLimit> rateLimits(long offset, int limit) {
    List<RateLimit> found = new ArrayList<>();
    store.scanRateLimits("", Paging.requireOffset(offset), Paging.requireLimit(limit), found::add);
    return inMemory(
        () -> Paging.page(declarations.state().rateLimits(), offset, limit, found, this::declared));
  }

  @Override
  public List<String> ids(Kind kind, String prefix, int limit) {
    return IdSearch.find(store, kind, prefix, Paging.requireLimit(limit));
  }

  @Override
  public Optional<SubscriberCounters> counters(String subscriberId) {
    int index = inMemory(() -> declarations.state().indexOf(subscriberId));
    if (index == 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          targets
              .counters()
              .readCounters(index)
              .get(COUNTER_DEADLINE.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ControllerException("interrupted while reading counters", e);
    } catch (ExecutionException e) {
      throw new ControllerException(
          "the switch's counters cannot be read: " + e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw new ControllerException("the switch did not answer within " + COUNTER_DEADLINE, e);
    }
  }

  @Override
  public InstallSummary summary() {
    return sessions.summary();
  }

  @Override
  public Optional<PortSummary> ports() {
    return targets.ports().map(PortMonitor::ports);
  }

  @Override
  public List<TableUse> tableUse() {
    return inMemory(() -> tableUses.of(declarations.state()));
  }

  // ---------------------------------------------------------------- waiting and events

  @Override
  public boolean awaitInstalled(Kind kind, String id, Duration timeout)
      throws InterruptedException {
    return await(() -> isInstalled(kind, id), timeout);
  }

  private boolean isInstalled(Kind kind, String id) {
    List<TargetStatus> status = inMemory(() -> statusOf(kind, id));
    return !status.isEmpty() && status.stream().allMatch(s -> s.state() == TargetState.INSTALLED);
  }

  private List<TargetStatus> statusOf(Kind kind, String id) {
    return switch (kind) {
      case POLICY -> statuses.ofPolicy(id);
      case SUBSCRIBER -> statuses.ofSubscriber(id);
      case RATE_LIMIT -> statuses.ofRateLimit(id);
    };
  }

  @Override
  public boolean awaitAllInstalled(Duration timeout) throws InterruptedException {
    return await(() -> summary().isAllInstalled(), timeout);
  }

  private boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    while (true) {
      long before;
      synchronized (settling) {
        before = settled;
      }
      if (condition.getAsBoolean()) {
        return true;
      }
      synchronized (settling) {
        while (settled == before) {
          long left = end - System.nanoTime();
          if (left <= 0) {
            return false;
          }
          TimeUnit.NANOSECONDS.timedWait(settling, left);
        }
      }
    }
  }

  @Override
  public void reconcile() {
    sessions.all().forEach(TargetSession::reconcile);
  }

  @Override
  public Registration listen(ControllerListener listener) {
    return events.listen(listener);
  }

  private void tellStatusOf(TargetSession<?> session) {
    session
        .board()
        .listener(
            (owner, state, error) ->
                events.tell(
                    () -> {
                      Optional<ControllerEvent> event =
                          inMemory(() -> statusEvent(session.name(), owner, state, error));
                      return event.orElse(null);
                    }));
  }

  private Optional<ControllerEvent> statusEvent(
      String target, int owner, TargetState status, String error) {
    CompactSlaState state = declarations.state();
    int number = Owners.number(owner);
    Kind kind;
    String id;
    if (Owners.isSubscriber(owner)) {
      kind = Kind.SUBSCRIBER;
      id = state.idOf(number);
    } else if (Owners.isPolicy(owner)) {
      kind = Kind.POLICY;
      PolicyState policy = state.policyInSlot(number);
      id = policy == null ? null : policy.policy().id();
    } else {
      kind = Kind.RATE_LIMIT;
      id = state.limitId(number);
    }
    return id == null
        ? Optional.empty()
        : Optional.of(
            new ControllerEvent.StatusChanged(
                kind, id, target, status, Optional.of(error).filter(e -> !e.isEmpty())));
  }

  /** Follows the sessions. */
  private final class Follower implements SessionListener {
    @Override
    public void stateChanged(String target, SessionState state, Optional<String> detail) {
      events.tell(() -> new ControllerEvent.SessionChanged(target, state, detail));
    }

    @Override
    public void settled(String target) {
      sessions.settled(target);
      synchronized (settling) {
        settled++;
        settling.notifyAll();
      }
    }

    @Override
    public void reconciled(ReconcileReport report) {
      events.tell(() -> new ControllerEvent.Reconciled(report.target(), report));
    }
  }

  private <T> T inMemory(Supplier<T> reading) {
    declarations.memory().lock();
    try {
      return reading.get();
    } finally {
      declarations.memory().unlock();
    }
  }

  @Override
  public void close() {
    declarations.order().lock();
    try {
      closed = true;
    } finally {
      declarations.order().unlock();
    }
    targets.ports().ifPresent(PortMonitor::close);
    sessions.all().forEach(TargetSession::close);
    events.close();
    store.close();
  }
}
