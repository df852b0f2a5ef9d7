package net.sluice.rest.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import net.sluice.core.BrokenBatch;
import net.sluice.core.ChangeNeeds;
import net.sluice.core.Conflict;
import net.sluice.core.Controller;
import net.sluice.core.ControllerListener;
import net.sluice.core.Declared;
import net.sluice.core.InstallSummary;
import net.sluice.core.InstallSummary.PerTarget;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.Outcome;
import net.sluice.core.Page;
import net.sluice.core.PortSummary;
import net.sluice.core.Selection;
import net.sluice.core.SetOutcome;
import net.sluice.core.StoreBackup;
import net.sluice.core.StoreHealth;
import net.sluice.core.SwitchStatus;
import net.sluice.core.TargetDrift;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.declaration.Exported;
import net.sluice.core.declaration.RecordSink;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.store.BackupFile;
import net.sluice.core.store.StoreCodec;
import net.sluice.core.store.StoredRecord;
import net.sluice.core.traffic.CountedSwitch;
import net.sluice.core.traffic.DropStatus;
import net.sluice.core.traffic.NextHopStatus;
import net.sluice.core.traffic.QueueCounters;
import net.sluice.core.traffic.QueueStatus;
import net.sluice.core.traffic.Sharing;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.core.traffic.SubscriberCounters.Shaped;
import net.sluice.core.traffic.SubscriberCounters.Traffic;
import net.sluice.core.traffic.SwitchReadings;
import net.sluice.core.traffic.UnknownStatus;
import net.sluice.core.traffic.WireStatus;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.GrantsInForce;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.TableUse;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.AggregateProfile;
import net.sluice.intents.profile.AqmProfile;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.Route;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.profile.Topology.Trunk;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.Stand;
import net.sluice.intents.verdict.Tally;
import net.sluice.pipeconf.DropReason;
import net.sluice.pipeconf.WaitRange;

/**
 * A controller that compiles and refuses as the real one does, keeps everything in memory, has
 * targets only in name, and whose time stands still: what it answers depends on the requests alone.
 */
public class MemoryController implements Controller {
  /** What {@code since} says. */
  public static final Instant SINCE = Instant.parse("2026-01-02T03:04:05.600Z");

  /** The switch's counters of every subscriber; the way up it counts no waits. */
  public static final SubscriberCounters COUNTERS =
      new SubscriberCounters(
          new Traffic(
              Optional.of(new Count(10, 15_000)),
              new Count(9, 13_500),
              Optional.of(Count.NONE),
              Optional.of(Count.NONE),
              Optional.of(Count.NONE),
              Optional.of(
                  new Shaped(
                      new Count(2, 3_000),
                      new Count(3, 4_500),
                      new Count(1, 1_500),
                      Map.of(
                          WaitRange.UP_TO_1_MILLI, new Count(2, 3_000),
                          WaitRange.UP_TO_20_MILLIS, new Count(6, 9_000),
                          WaitRange.LONGER, new Count(1, 1_500))))),
          new Traffic(
              Optional.of(new Count(4, 400)),
              new Count(4, 400),
              Optional.of(Count.NONE),
              Optional.of(Count.NONE),
              Optional.of(Count.NONE),
              Optional.empty()));

  /** What the switch has counted for every managed queue. */
  public static final QueueCounters QUEUE_COUNTERS =
      new QueueCounters(
          12, 18_000, 3, 4_500, 7, 11, Optional.of(new QueueCounters.Rio(90, 1, 40, 11)));

  private final InMemorySlaState state;
  private final Compiler compiler;
  private final Map<Kind, TreeMap<String, Declaration>> declared = new LinkedHashMap<>();
  private final ChangeNeeds needs = new ChangeNeeds(this::storeHealth);
  private StoreHealth store = new StoreHealth.Writable();
  private final Set<String> deleted = new HashSet<>();
  private final List<Integer> applyAllSizes = new ArrayList<>();

  private final List<Conflict> conflicts = new ArrayList<>();
  private final Map<String, String> leftOut = new TreeMap<>();
  private TargetState targetState = TargetState.INSTALLED;
  private Optional<String> error = Optional.empty();
  private Optional<BrokenBatch> brokenBatch = Optional.empty();
  private Optional<PortSummary> ports = Optional.empty();
  private RuntimeException fault;
  private boolean refusing;
  private Duration waited = Duration.ZERO;
  private CompletableFuture<Boolean> installing;
  private CountDownLatch installsAsked;
  private String waitingId = " ";
  private String unmadeId = " ";
  private CountDownLatch changesAsked;
  private CountDownLatch roomIsThere;

  /** A controller of a switch with three BNG ports and room for {@code subscribers}. */
  public MemoryController(int subscribers) {
    this(subscribers, MeterProfile.NONE, OptionalInt.of(4));
  }

  /** The same with those meters, and perhaps without an FPGA up. */
  public MemoryController(int subscribers, MeterProfile meters, OptionalInt sidecarUp) {
    this(subscribers, meters, ShapeProfile.NONE, List.of(), sidecarUp);
  }

  /** The same with limits that the switch shapes in loop ports. */
  public MemoryController(
      int subscribers,
      MeterProfile meters,
      ShapeProfile shaping,
      List<Integer> loopPorts,
      OptionalInt sidecarUp) {
    this(subscribers, meters, shaping, loopPorts, sidecarUp, false);
  }

  /** One with FPGAs, meters, loop ports, markers of aggregates, and classes. */
  public static MemoryController withAllLimiters() {
    return new MemoryController(
        8,
        new MeterProfile(8),
        new ShapeProfile(8, 15_000_000),
        List.of(500, 501, 502, 503),
        OptionalInt.of(4),
        true);
  }

  private MemoryController(
      int subscribers,
      MeterProfile meters,
      ShapeProfile shaping,
      List<Integer> loopPorts,
      OptionalInt sidecarUp,
      boolean classes) {
    SwitchProfile profile =
        new SwitchProfile(subscribers, 1000, 1000, 1000, 1000, 4, 42.306, 32, 100e9)
            .withAggregates(new AggregateProfile(16, 64))
            .withAqm(new AqmProfile(Set.of(AqmKind.CODEL_ACT, AqmKind.P4_CODEL), 16, 8, true))
            .withDirectionPolicies(1)
            .withStopping()
            .withTrafficClasses(classes ? 64 : 0)
            .withMeters(meters)
            .withShaping(shaping);
    Topology topology =
        new Topology(
                List.of(
                    port(1, PortRole.ACCESS, Direction.UP),
                    port(2, PortRole.CORE, Direction.DOWN),
                    port(3, PortRole.SIDECAR, Direction.DOWN),
                    port(4, PortRole.SIDECAR, Direction.UP)),
                Map.of(0, 1, 1, 1, 2, 1),
                OptionalInt.of(3),
                sidecarUp,
                List.of(new Route(IpPrefix.parse("0.0.0.0/0"), 2)))
            .withLoopPorts(loopPorts);
    compiler =
        new Compiler(topology, profile, FpgaProfile.withClock(156.25e6).withClassShares(classes));
    state = new InMemorySlaState(compiler);
    for (Kind kind : Kind.values()) {
      declared.put(kind, new TreeMap<>());
    }
  }

  private static SwitchPort port(int number, PortRole role, Direction direction) {
    return new SwitchPort(number, role, direction, 1_000_000_000, number, number, false, true);
  }

  @Override
  public List<Conflict> conflicts(int limit) {
    return conflicts.stream().limit(limit).toList();
  }

  @Override
  public long conflicts() {
    return conflicts.size();
  }

  @Override
  public Outcome declareConflict(String switchName, Kind kind, String id) throws Refusal {
    Conflict conflict = conflict(switchName, kind, id);
    Outcome outcome = apply(new Change.Put(conflict.declared()));
    if (outcome.isAccepted()) {
      conflicts.remove(conflict);
    }
    return outcome;
  }

  @Override
  public void forgetConflict(String switchName, Kind kind, String id) throws Refusal {
    conflicts.remove(conflict(switchName, kind, id));
  }

  private Conflict conflict(String switchName, Kind kind, String id) throws Refusal {
    for (Conflict conflict : conflicts) {
      if (conflict.switchName().equals(switchName)
          && conflict.declared().kind() == kind
          && conflict.declared().id().equals(id)) {
        return conflict;
      }
    }
    throw new Refusal(List.of(Problem.notFound(kind, id)));
  }

  @Override
  public Map<String, String> leftOut() {
    return leftOut;
  }

  /** From now on there is this conflict. */
  public void conflict(Conflict conflict) {
    conflicts.add(conflict);
  }

  /** From now on that switch could not be taken in. */
  public void leftOut(String switchName, String reason) {
    leftOut.put(switchName, reason);
  }

  /** From now on targets answer with this state and error. */
  public synchronized void targetsAnswer(TargetState answer, String words) {
    targetState = answer;
    error = Optional.ofNullable(words);
  }

  /** From now on writes that were under way when a session ended have that outcome. */
  public synchronized void batchBroke(BrokenBatch result) {
    brokenBatch = Optional.of(result);
  }

  /** From now on the switch's ports are these. */
  public synchronized void portsAre(PortSummary summary) {
    ports = Optional.of(summary);
  }

  /** From now on the store is like this. */
  public synchronized void storeIs(StoreHealth health) {
    store = health;
  }

  /** From now on every method that does something throws this; null ends it. */
  public synchronized void failWith(RuntimeException failure) {
    fault = failure;
  }

  /** From now on installs are done when {@code done} is; {@code asked} counts who waits for it. */
  public synchronized void installsEndWith(CompletableFuture<Boolean> done, CountDownLatch asked) {
    installing = done;
    installsAsked = asked;
  }

  /** How long {@link #whenInstalled} was last asked to wait. */
  public synchronized Duration waited() {
    return waited;
  }

  /** Sizes of the lists given to {@link #applyAll}. */
  public synchronized List<Integer> applyAllSizes() {
    return List.copyOf(applyAllSizes);
  }

  /** From now on changes of that declaration wait until {@code room}; {@code asked} counts them. */
  public synchronized void changesWait(String id, CountDownLatch asked, CountDownLatch room) {
    waitingId = id;
    changesAsked = asked;
    roomIsThere = room;
  }

  /** From now on there is no room for changes of that declaration in bulks. */
  public synchronized void noRoomFor(String id) {
    unmadeId = id;
  }

  private void awaitRoom(Change change) {
    CountDownLatch room;
    synchronized (this) {
      if (!change.id().startsWith(waitingId)) {
        return;
      }
      changesAsked.countDown();
      room = roomIsThere;
    }
    try {
      room.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Outcome apply(Change change) {
    awaitRoom(change);
    return made(change);
  }

  /**
   * With what is in force at the time that stands still, and the policies of a tariff, though not
   * its limit.
   */
  private Change now(Change change) {
    if (!(change instanceof Change.Put put)) {
      return change;
    }
    if (put.declaration() instanceof Subscriber subscriber
        && subscriber.parts().tariff().isPresent()) {
      return state
          .tariff(subscriber.parts().tariff().get().tariffId())
          .map(tariff -> put.with(subscriber.under(tariff)))
          .orElse(put)
          .at(SINCE);
    }
    return put.at(SINCE);
  }

  private synchronized Outcome made(Change asked) {
    Change change = now(asked);
    failIfToldTo();
    try {
      Plan plan = compiler.compile(state, change);
      state.apply(plan);
      keep(change);
      return new Outcome.Accepted(change, plan, targets());
    } catch (Refusal refusal) {
      return new Outcome.Refused(change, refusal.problems());
    }
  }

  @Override
  public synchronized Outcome dryRun(Change asked) {
    Change change = now(asked);
    failIfToldTo();
    try {
      return new Outcome.Accepted(change, compiler.compile(state, change), List.of());
    } catch (Refusal refusal) {
      return new Outcome.Refused(change, refusal.problems());
    }
  }

  /** Admits each as if it were alone. */
  @Override
  public synchronized SetOutcome applyTogether(List<Change> changes, boolean dryRun) {
    List<Outcome> outlook = changes.stream().map(this::dryRun).toList();
    if (!outlook.stream().allMatch(Outcome::isAccepted)) {
      return new SetOutcome(
          false,
          outlook.stream()
              .map(
                  each ->
                      each.isAccepted()
                          ? new Outcome.Unmade(each.change(), "others of the set are refused")
                          : each)
              .toList());
    }
    return new SetOutcome(true, dryRun ? outlook : changes.stream().map(this::made).toList());
  }

  /** The sharing stays as it is. */
  @Override
  public synchronized SetOutcome suppose(List<Change> changes, Consumer<List<Sharing>> look) {
    SetOutcome outcome = applyTogether(changes, true);
    if (outcome.isMade()) {
      look.accept(sharing());
    }
    return outcome;
  }

  @Override
  public synchronized void applyAll(List<Change> changes, Consumer<? super Outcome> out) {
    applyAllSizes.add(changes.size());
    changes.forEach(
        change ->
            out.accept(
                change.id().equals(unmadeId)
                    ? new Outcome.Unmade(change, "the queue of bng2 is full")
                    : made(change)));
  }

  private void keep(Change change) {
    if (change instanceof Change.Put put) {
      declared.get(change.kind()).put(change.id(), put.declaration());
      deleted.remove(change.kind() + change.id());
    } else {
      declared.get(change.kind()).remove(change.id());
      deleted.add(change.kind() + change.id());
    }
  }

  private List<TargetStatus> targets() {
    Optional<Instant> next =
        targetState == TargetState.FAILED ? Optional.of(SINCE.plusSeconds(30)) : Optional.empty();
    Optional<String> awaits =
        targetState == TargetState.PENDING
            ? Optional.of("being written: 2 writes wait, 1 are sent and unanswered")
            : Optional.empty();
    return List.of(
        new TargetStatus("switch", targetState, SINCE, error, awaits, next, brokenBatch));
  }

  @Override
  public synchronized Optional<Declared> find(Kind kind, String id) {
    failIfToldTo();
    return Optional.ofNullable(declared.get(kind).get(id))
        .map(
            declaration -> {
              GrantsInForce inForce = compiler.inForce(state, declaration);
              return new Declared(
                  declaration,
                  inForce.grants(),
                  inForce.notes(),
                  targets(),
                  Optional.empty(),
                  List.of());
            });
  }

  @Override
  public synchronized Page list(Kind kind, Selection which, String afterId, int limit) {
    List<Declared> all =
        declared.get(kind).tailMap(afterId, false).keySet().stream()
            .map(id -> find(kind, id).orElseThrow())
            .filter(which::admits)
            .toList();
    List<Declared> items = all.stream().limit(limit).toList();
    return new Page(
        items,
        all.size() > limit ? Optional.of(items.get(limit - 1).id()) : Optional.empty(),
        which.equals(Selection.ALL)
            ? OptionalLong.of(declared.get(kind).size())
            : OptionalLong.empty());
  }

  @Override
  public synchronized Optional<Declared> rateLimitOf(Scope scope, Optional<String> switchName) {
    return state.rateLimitOf(scope).flatMap(limit -> find(Kind.RATE_LIMIT, limit.id()));
  }

  @Override
  public synchronized List<String> ids(Kind kind, String prefix, int limit) {
    return declared.get(kind).keySet().stream()
        .filter(id -> id.startsWith(prefix))
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized void export(Consumer<? super Exported> out) {
    failIfToldTo();
    for (Kind kind : List.of(Kind.POLICY, Kind.TARIFF, Kind.SUBSCRIBER, Kind.RATE_LIMIT)) {
      declared.get(kind).values().forEach(each -> out.accept(exported(each)));
    }
  }

  private static Exported exported(Declaration declaration) {
    byte[] value;
    if (declaration instanceof Subscriber subscriber) {
      value = StoreCodec.encode(new SubscriberState(subscriber, 1, SubscriberState.NONE));
    } else if (declaration instanceof RateLimit limit) {
      value = StoreCodec.encode(limit);
    } else if (declaration instanceof Tariff tariff) {
      value = StoreCodec.encode(tariff);
    } else {
      value = StoreCodec.encode(new PolicyState((Policy) declaration, 0));
    }
    return new InMemory(new StoredRecord(declaration.kind(), declaration.id(), value));
  }

  private record InMemory(StoredRecord record) implements Exported {
    @Override
    public Kind kind() {
      return record.kind();
    }

    @Override
    public String id() {
      return record.id();
    }

    @Override
    public Optional<String> switchName() {
      return Optional.empty();
    }

    @Override
    public boolean isTimed() {
      return record.standing().isTimed();
    }

    @Override
    public Change.Put put() {
      return new Change.Put(record.declaration());
    }

    @Override
    public void writeDeclared(RecordSink to) {
      record.writeDeclared(switchName(), to);
    }
  }

  /** A backup of a store that has an identity and nothing else. */
  @Override
  public StoreBackup backUp() {
    failIfToldTo();
    return BackupFile.keep(to -> to.identity(1));
  }

  @Override
  public CompletableFuture<Optional<SubscriberCounters>> counters(String subscriberId) {
    return CompletableFuture.completedFuture(
        find(Kind.SUBSCRIBER, subscriberId).map(found -> COUNTERS));
  }

  @Override
  public List<CountedSwitch> counted() {
    return List.of();
  }

  @Override
  public List<Sharing> sharing() {
    return List.of(
        new Sharing() {
          @Override
          public String switchName() {
            return NetworkSwitch.ONLY;
          }

          @Override
          public Tally tally(Direction direction) {
            return compiler.sharing(state).tally(direction, "", port -> Double.NaN);
          }

          @Override
          public void stands(Direction direction, Visitor visitor) {
            for (String id : ids(Kind.SUBSCRIBER, "", Page.MAX_LIMIT)) {
              var found = state.subscriber(id).orElseThrow();
              visitor.subscriber(
                  found.index(),
                  id,
                  found.subscriber().parts().stopped(),
                  stand(id, direction).orElseThrow());
            }
          }

          @Override
          public Optional<Stand> stand(String subscriberId, Direction direction) {
            return state
                .subscriber(subscriberId)
                .map(found -> compiler.sharing(state).stand(found.subscriber(), direction));
          }
        });
  }

  @Override
  public synchronized CompletableFuture<SwitchReadings<QueueStatus>> queues() {
    failIfToldTo();
    List<QueueStatus> queues =
        compiler
            .managedQueues(state)
            .map(managed -> new QueueStatus(Optional.empty(), managed, QUEUE_COUNTERS))
            .toList();
    return CompletableFuture.completedFuture(new SwitchReadings<>(queues, Map.of()));
  }

  @Override
  public CompletableFuture<SwitchReadings<DropStatus>> drops() {
    failIfToldTo();
    List<DropStatus> drops =
        List.of(
            new DropStatus(Optional.empty(), DropReason.UNKNOWN_PORT, 1, 64),
            new DropStatus(Optional.empty(), DropReason.SUSPENDED, 3, 4500));
    return CompletableFuture.completedFuture(new SwitchReadings<>(drops, Map.of()));
  }

  @Override
  public CompletableFuture<SwitchReadings<NextHopStatus>> nextHops() {
    return CompletableFuture.completedFuture(
        new SwitchReadings<>(
            List.of(
                new NextHopStatus(
                    Optional.empty(),
                    2,
                    "192.0.2.1",
                    NextHopStatus.State.UNANSWERED,
                    Instant.parse("2026-01-02T03:04:05Z"),
                    OptionalLong.empty(),
                    4,
                    Instant.parse("2026-01-02T03:04:07Z"),
                    OptionalLong.of(3),
                    OptionalLong.of(300))),
            Map.of()));
  }

  @Override
  public CompletableFuture<SwitchReadings<UnknownStatus>> unknown() {
    failIfToldTo();
    return CompletableFuture.completedFuture(
        new SwitchReadings<>(
            List.of(
                new UnknownStatus(
                    Optional.empty(),
                    5,
                    Direction.UP,
                    Instant.parse("2026-01-02T03:04:05Z"),
                    Instant.parse("2026-01-02T03:04:35Z"),
                    8_000_000,
                    700,
                    List.of(
                        new UnknownStatus.Address("203.0.113.7", 6_000_000, 400_000),
                        new UnknownStatus.Address("2001:db8::7", 2_000_000, 250_000)))),
            Map.of()));
  }

  @Override
  public CompletableFuture<SwitchReadings<WireStatus>> wires() {
    failIfToldTo();
    List<WireStatus> ends =
        List.of(
            new WireStatus(Optional.empty(), 6, 5, Direction.DOWN, COUNTERS.down()),
            new WireStatus(Optional.empty(), 5, 6, Direction.UP, COUNTERS.up()));
    return CompletableFuture.completedFuture(new SwitchReadings<>(ends, Map.of()));
  }

  @Override
  public synchronized PerTarget target(String target) throws Refusal {
    requireTarget(target);
    return summary().target(target).orElseThrow();
  }

  @Override
  public synchronized InstallSummary summary() {
    failIfToldTo();
    long all = declared.values().stream().mapToLong(Map::size).sum();
    return new InstallSummary(
        List.of(
            refusing
                ? new PerTarget(
                    "switch",
                    SessionState.REFUSING,
                    Optional.of("refuses to delete 4700 of the 4711 entries"),
                    0,
                    all,
                    0,
                    0,
                    0)
                : new PerTarget("switch", SessionState.READY, Optional.empty(), all, 0, 0, 0, 0),
            new PerTarget(
                "fpga-down",
                SessionState.CONNECTING,
                Optional.of("connection refused"),
                0,
                1,
                0,
                2,
                3)),
        store,
        0);
  }

  @Override
  public void storeFailed(String reason) {}

  @Override
  public ChangeNeeds needs() {
    return needs;
  }

  @Override
  public synchronized StoreHealth storeHealth() {
    return store;
  }

  @Override
  public synchronized List<SwitchStatus> switches() {
    List<TableUse> tables =
        List.of(
            new TableUse(
                "subscribers", state.subscribers(), compiler.switchProfile().subscriberCapacity()),
            new TableUse(
                "policies", state.policies(), compiler.switchProfile().policySlots() - 1L));
    return List.of(
        new SwitchStatus(
            "switch",
            List.of("switch", "fpga-down"),
            ports,
            tables,
            List.of(new Trunk(3, "agg", 1)),
            0,
            conflicts.size()));
  }

  @Override
  public synchronized CompletableFuture<Boolean> whenInstalled(
      Kind kind, String id, Duration timeout) {
    waited = timeout;
    if (installing == null) {
      return CompletableFuture.completedFuture(targetState == TargetState.INSTALLED);
    }
    installsAsked.countDown();
    return installing;
  }

  @Override
  public synchronized List<TargetStatus> remaining(Kind kind, String id) {
    return deleted.contains(kind + id) && targetState != TargetState.INSTALLED
        ? targets()
        : List.of();
  }

  @Override
  public synchronized CompletableFuture<Boolean> whenGone(Kind kind, String id, Duration timeout) {
    waited = timeout;
    return CompletableFuture.completedFuture(remaining(kind, id).isEmpty());
  }

  @Override
  public boolean awaitAllInstalled(Duration timeout) {
    return true;
  }

  @Override
  public void reconcile() {}

  @Override
  public synchronized void reconcile(String target) throws Refusal {
    requireTarget(target);
    if (!target.equals("switch")) {
      throw conflict(target, "a target with a session", "cannot be read back now");
    }
  }

  @Override
  public synchronized void adopt(String target) throws Refusal {
    requireTarget(target);
    if (!refusing) {
      throw conflict(target, "a target in state REFUSING", "is READY");
    }
    refusing = false;
  }

  private static void requireTarget(String target) throws Refusal {
    if (!target.equals("switch") && !target.equals("fpga-down")) {
      throw new Refusal(
          List.of(Problem.of(Problem.Code.NOT_FOUND, "target", target, "switch, fpga-down")));
    }
  }

  private static Refusal conflict(String target, String allowed, String why) {
    return new Refusal(
        List.of(
            new Problem(
                Problem.Code.CONFLICT, "target", target, allowed, target + " " + why + ".")));
  }

  /** The switch refuses to be corrected until it is adopted. */
  public synchronized void refuseToCorrect() {
    refusing = true;
  }

  @Override
  public synchronized TargetDrift drift(String target) throws Refusal {
    requireTarget(target);
    if (!target.equals("switch")) {
      return new TargetDrift(target, TargetDrift.Comparison.NONE, 0, 0, 0, false, Map.of());
    }
    return new TargetDrift(
        target,
        new TargetDrift.Comparison(
            Optional.of(SINCE),
            Duration.ofMillis(1_500),
            4_711,
            1,
            OptionalLong.of(1_240),
            1_241,
            List.of(
                new TargetDrift.TableDrift(
                    "ipv4-prefix",
                    1,
                    2,
                    0,
                    List.of(
                        new TargetDrift.Sample(
                            TargetDrift.Difference.FOREIGN,
                            Optional.of("prefix 10.9.0.0/24, index 77"),
                            Optional.empty()),
                        new TargetDrift.Sample(
                            TargetDrift.Difference.MISSING,
                            Optional.empty(),
                            Optional.of("prefix 10.0.0.1/32, index 1")))),
                new TargetDrift.TableDrift(
                    "policy-value",
                    0,
                    0,
                    1,
                    List.of(
                        new TargetDrift.Sample(
                            TargetDrift.Difference.CHANGED,
                            Optional.of("policySlot 1, bin 500, packetValue 1"),
                            Optional.of("policySlot 1, bin 500, packetValue 30000")))))),
        refusing ? 0 : 5,
        refusing ? 0 : 3,
        refusing ? 0 : 1,
        false,
        Map.of(
            TargetDrift.Difference.FOREIGN,
            1L,
            TargetDrift.Difference.MISSING,
            2L,
            TargetDrift.Difference.CHANGED,
            1L));
  }

  @Override
  public Registration listen(ControllerListener listener) {
    return () -> {};
  }

  @Override
  public void close() {}

  private void failIfToldTo() {
    if (fault != null) {
      throw fault;
    }
  }
}
