package net.sluice.core.shard;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerEvent;
import net.sluice.core.ControllerException;
import net.sluice.core.Declared;
import net.sluice.core.InstallSummary;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.Outcome;
import net.sluice.core.ReconcileReport;
import net.sluice.core.StoreHealth;
import net.sluice.core.SwitchStatus;
import net.sluice.core.TargetDrift;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.change.SetSteps;
import net.sluice.core.change.ShardChanges;
import net.sluice.core.neighbour.Neighbours;
import net.sluice.core.neighbour.NextHops;
import net.sluice.core.reconcile.DesiredFpgaState;
import net.sluice.core.reconcile.DesiredSwitchState;
import net.sluice.core.session.SessionListener;
import net.sluice.core.session.StatusBoard;
import net.sluice.core.session.TargetSession;
import net.sluice.core.state.Agenda;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.state.Conflicts;
import net.sluice.core.state.Names;
import net.sluice.core.state.ShardState;
import net.sluice.core.state.UniquenessLocks;
import net.sluice.core.status.Deletions;
import net.sluice.core.status.Events;
import net.sluice.core.status.KindHandlers;
import net.sluice.core.status.PortNotes;
import net.sluice.core.status.Sessions;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.target.LinePackets;
import net.sluice.core.target.PortMonitor;
import net.sluice.core.target.Target;
import net.sluice.core.target.Targets;
import net.sluice.core.time.Scheduler;
import net.sluice.core.traffic.CountedSwitch;
import net.sluice.core.traffic.DropStatus;
import net.sluice.core.traffic.NextHopStatus;
import net.sluice.core.traffic.QueueStatus;
import net.sluice.core.traffic.Sharing;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.core.traffic.UnknownStatus;
import net.sluice.core.traffic.WireStatus;
import net.sluice.core.unknown.UnknownAddresses;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.compile.ManagedQueue;
import net.sluice.intents.marker.aggregate.AggregateMarking;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.GrantsInForce;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.TableUse;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.Trunk;
import net.sluice.intents.profile.Wire;
import net.sluice.intents.state.Leaving;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.PacketCodec.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One switch and its FPGAs: the declarations in force there with what is allocated to them, the
 * compiler, the sessions with what waits in them, and the status. Nothing of it waits for another
 * switch.
 *
 * <p>More than 500 lines, because what is read, what leaves and what the sessions hold is asked at
 * one moment, under one lock.
 */
public final class SwitchShard implements AutoCloseable {
  /** Stands for the prefixes of a subscriber, which are not looked at. */
  private static final List<IpPrefix> ANY_PREFIX = List.of(IpPrefix.v4(0, 32));

  private static final Logger LOG = LoggerFactory.getLogger(SwitchShard.class);
  private static final Duration COUNTER_DEADLINE = Duration.ofSeconds(5);

  /** Declarations whose names are looked up without letting others at the memory in between. */
  private static final int NEWS_AT_ONCE = 256;

  /** How long the status waits for others that use the memory, which is milliseconds usually. */
  private static final Duration STATUS_PATIENCE = Duration.ofMillis(100);

  private final String name;
  private final Topology topology;
  private final Targets targets;
  private final Compiler compiler;
  private final ShardState shard;
  private final Conflicts conflicts;
  private final Sessions sessions;
  private final KindHandlers kinds;
  private final Deletions deletions;
  private final PortNotes portNotes;
  private final NextHops nextHops;
  private final Optional<Neighbours> neighbours;
  private final UnknownAddresses unknown;
  private final ShardChanges changes;
  private final Events events;
  private final Runnable settled;
  private final Clock clock;
  private volatile List<TableUse> lastTables = List.of();

  /**
   * Builds the state of the store; {@link #join} brings it into force, {@link #start} connects.
   *
   * @param schedulers a new scheduler by its name
   * @param reopening opens a store that has failed again
   * @param settled called when a target has answered writes; must not block
   * @param freed called when what is out of force may come into force; must not block
   */
  public SwitchShard(
      NetworkSwitch member,
      NetworkStore store,
      Names names,
      Compiler compiler,
      Clock clock,
      Function<String, Scheduler> schedulers,
      Events events,
      Runnable reopening,
      Runnable settled,
      Consumer<ShardChanges.Freed> freed) {
    this.clock = clock;
    this.name = member.name();
    this.targets = member.targets();
    this.compiler = compiler;
    this.events = events;
    this.settled = settled;
    ControllerConfig config = member.config();
    this.topology = config.topology();
    conflicts = new Conflicts(name, store, names);
    conflicts.keptText().ifPresent(text -> LOG.warn("switch {}: {}", name, text));
    shard = new ShardState(store.of(name), conflicts, compiler, clock);
    nextHops = new NextHops(topology);
    TargetSession<SwitchEntry> switchSession =
        new TargetSession<>(
            targets.switchTarget(),
            new StatusBoard(clock),
            schedulers.apply("sluice-" + targets.switchTarget().name()),
            clock,
            config,
            new DesiredSwitchState(shard, compiler, nextHops),
            new Follower());
    Map<TargetKey<FpgaSetting>, TargetSession<FpgaSetting>> fpgas = new LinkedHashMap<>();
    for (Direction direction : Direction.values()) {
      if (targets.fpga(direction).isPresent()) {
        Target<FpgaSetting> fpga = targets.fpga(direction).get();
        fpgas.put(
            TargetKey.fpga(direction),
            new TargetSession<>(
                fpga,
                new StatusBoard(clock),
                schedulers.apply("sluice-" + fpga.name()),
                clock,
                config,
                new DesiredFpgaState(shard, compiler, direction),
                new Follower()));
      }
    }
    sessions = new Sessions(switchSession, fpgas);
    kinds = KindHandlers.in(shard, sessions, compiler.limiters());
    deletions = new Deletions(sessions);
    portNotes = new PortNotes(topology, targets.ports(), kinds);
    boolean hasLines = topology.ports().stream().anyMatch(port -> port.line().any());
    neighbours =
        targets
            .packets()
            .filter(packets -> hasLines)
            .map(packets -> neighbours(packets, schedulers.apply("sluice-neighbours-" + name)));
    unknown =
        new UnknownAddresses(
            topology.entrances(),
            targets.counters(),
            schedulers.apply("sluice-unknown-" + name),
            clock);
    targets.packets().ifPresent(packets -> packets.receive(this::received));
    changes =
        new ShardChanges(
            shard,
            sessions,
            kinds,
            deletions,
            compiler,
            portNotes,
            events,
            config,
            clock,
            schedulers.apply("sluice-store"),
            reopening,
            freed);
  }

  private void received(int port, Reason reason, byte[] frame) {
    if (reason == Reason.OF_NO_SUBSCRIBER) {
      unknown.seen(port, frame);
    } else {
      neighbours.ifPresent(all -> all.receive(port, reason, frame));
    }
  }

  private Neighbours neighbours(LinePackets packets, Scheduler scheduler) {
    return new Neighbours(
        name,
        topology,
        packets,
        nextHops,
        scheduler,
        clock,
        (op, entry) -> {
          shard.exclusively(
              () -> {
                long unused =
                    sessions
                        .ofSwitch()
                        .submit(op, entry, OwnerIds.NONE, OwnerIds.NONE, null, false);
              });
          sessions.ofSwitch().flush();
        },
        hop -> events.tellOfTarget(new ControllerEvent.NextHopChanged(name, hop)));
  }

  /** Name of the switch. */
  public String name() {
    return name;
  }

  /** Brings what was loaded into force in the network, see {@link ShardState#join}. */
  public void join() {
    shard.join();
  }

  /** Sets aside what cannot be in force because of another switch, before {@link #join}. */
  public void settleConflicts() {
    shard.settleConflicts();
  }

  /** Whether anything but policies is stored for the switch. */
  public boolean holdsAnything() {
    return conflicts.count() > 0
        || shard.inMemory(() -> shard.state().subscribers() > 0 || shard.state().rateLimits() > 0);
  }

  /** The declarations that are stored for the switch and not in force. */
  public Conflicts conflicts() {
    return conflicts;
  }

  /** Begins to connect to the targets. */
  public void start() {
    kinds.trackAll();
    sessions.all().forEach(this::tellStatusOf);
    sessions.followSwitch();
    sessions.all().forEach(TargetSession::start);
    targets.ports().ifPresent(PortMonitor::start);
  }

  /** Makes changes; whoever makes them holds nothing. */
  public ShardChanges changes() {
    return changes;
  }

  // ---------------------------------------------------------------- reading

  /** A declaration in force. */
  public Optional<Declared> find(Kind kind, String id) {
    return shard.inMemory(() -> kinds.of(kind).find(id).map(this::declared));
  }

  /** The outcome that a change would have here now. */
  public Outcome dryRun(Change change) {
    Outcome outcome = changes.dryRun(change);
    return outcome instanceof Outcome.Accepted accepted && !name.equals(NetworkSwitch.ONLY)
        ? accepted.withPlans(List.of(new Outcome.SwitchPlan(name, accepted.plan())))
        : outcome;
  }

  /** The rate limit in force of exactly that scope. */
  public Optional<Declared> rateLimitOf(Scope scope) {
    return shard.inMemory(() -> kinds.rateLimits().of(scope).map(this::declared));
  }

  /** Whether a declaration of that kind and id is in force here. */
  public boolean has(Kind kind, String id) {
    return shard.inMemory(() -> shard.state().isInForce(kind, id));
  }

  // ---------------------------------------------------------------- what holds at times

  /** As {@link CompactSlaState#dueMillis}; takes no lock. */
  public long dueMillis() {
    return shard.dueMillis();
  }

  /** As {@link CompactSlaState#agenda}; the store can be read. */
  public Agenda agenda(Instant now, boolean all) {
    return shard.inMemory(() -> shard.state().agenda(now, all));
  }

  /** Number of declarations of which something is out of force for now; takes no lock. */
  public int outOfForce() {
    return shard.outOfForce();
  }

  /** Words on the declaration of which something is out of force for the longest time. */
  public Optional<String> longestOutOfForce() {
    return shard.inMemory(
        () ->
            shard.isReadable()
                ? shard
                    .state()
                    .longestOutOfForce()
                    .map(each -> each.kind().words() + " " + each.id() + " is " + outText(each))
                : Optional.empty());
  }

  private String outText(Declaration declaration) {
    return compiler.outText(shard.state(), declaration, clock.instant());
  }

  /** The declaration in force with that id, alone. */
  public Optional<? extends Declaration> declaration(Kind kind, String id) {
    return shard.inMemory(() -> kinds.of(kind).find(id));
  }

  // ---------------------------------------------------------------- subscribers that leave

  /** False while the store cannot be read. */
  public boolean isReadable() {
    return shard.inMemory(shard::isReadable);
  }

  /** Number of subscribers that leave; takes no lock. */
  public int leavers() {
    return shard.leavers();
  }

  /** The subscribers that leave, by id. */
  public Map<String, Leaving> leaving() {
    return leavers() == 0 ? Map.of() : shard.inMemory(() -> shard.state().leaving());
  }

  /** Why a subscriber leaves; empty if it does not. */
  public Optional<Leaving> leaving(String subscriberId) {
    return leavers() == 0
        ? Optional.empty()
        : shard.inMemory(() -> shard.state().leaving(subscriberId));
  }

  /** The rate limit of its own that a subscriber has here, in force or leaving. */
  public Optional<RateLimit> ownLimit(String subscriberId) {
    return shard.inMemory(() -> shard.state().rateLimitOf(new Scope.OfSubscriber(subscriberId)));
  }

  /** The subscriber that leaves and has the rate limit of that id here. */
  public Optional<String> leaverLimitedBy(String limitId) {
    return leavers() == 0
        ? Optional.empty()
        : shard.inMemory(
            () ->
                shard
                    .state()
                    .rateLimit(limitId)
                    .map(RateLimit::scope)
                    .filter(scope -> scope instanceof Scope.OfSubscriber)
                    .map(scope -> ((Scope.OfSubscriber) scope).subscriberId())
                    .filter(id -> shard.state().leaving(id).isPresent()));
  }

  /** The prefixes and the limit in force under a subscriber's id. */
  public UniquenessLocks.InForce inForce(String subscriberId) {
    return shard.inMemory(
        () ->
            shard
                .state()
                .subscriber(subscriberId)
                .map(
                    found ->
                        new UniquenessLocks.InForce(
                            found.subscriber().prefixes(),
                            shard
                                .state()
                                .rateLimitOf(new Scope.OfSubscriber(subscriberId))
                                .map(RateLimit::id)))
                .orElse(UniquenessLocks.InForce.NOTHING));
  }

  /** The policies in force, in no order. */
  public List<Change.Put> policies() {
    return shard.inMemory(() -> ofNetwork(shard.state()));
  }

  /** The policies and tariffs that a state has. */
  public static List<Change.Put> ofNetwork(CompactSlaState state) {
    return Stream.concat(
            state.allPolicies().map(each -> new Change.Put(each.policy())),
            state.allTariffs().map(Change.Put::new))
        .toList();
  }

  /** Whether a subscriber has a policy or tariff here, or may come to have it. */
  public boolean uses(Change ofNetwork) {
    return shard.inMemory(() -> uses(shard.state(), ofNetwork));
  }

  /** The same of the subscribers of a state. */
  public static boolean uses(CompactSlaState state, Change ofNetwork) {
    String id = ofNetwork.id();
    return ofNetwork.kind() == Kind.TARIFF
        ? state.subscribersUnder(id) > 0
        : state.isNeeded(id)
            || state
                .allTariffs()
                .anyMatch(each -> each.names(id) && state.subscribersUnder(each.id()) > 0);
  }

  /** A policy in force with its slot. */
  public PolicyState policyState(String policyId) {
    return shard.inMemory(() -> shard.state().policy(policyId).orElseThrow());
  }

  /** Number of declarations of a kind in force. */
  public int count(Kind kind) {
    return shard.inMemory(() -> kinds.of(kind).count());
  }

  /**
   * Passes on ids in force, in order.
   *
   * @param limit most declarations to read in the store
   * @return the id of the last that was read; null if there are no more
   */
  public String scan(Kind kind, String afterId, int limit, Consumer<String> out) {
    List<String> read = new ArrayList<>();
    kinds.of(kind).scan(afterId, 0, limit, declaration -> read.add(declaration.id()));
    if (leavers() == 0 || kind.isOfNetwork()) {
      read.forEach(out);
    } else {
      read.stream().filter(id -> has(kind, id)).forEach(out);
    }
    return read.size() < limit ? null : read.get(read.size() - 1);
  }

  private Declared declared(Declaration declaration) {
    GrantsInForce inForce = compiler.inForce(shard.state(), declaration);
    List<String> notes = new ArrayList<>(inForce.notes());
    portNotes.of(declaration).ifPresent(notes::add);
    if (declaration.outSince().isPresent()) {
      notes.add(outText(declaration));
    }
    List<TargetStatus> status = kinds.of(declaration.kind()).status(declaration.id());
    return new Declared(declaration, inForce.grants(), notes, status, Optional.empty(), List.of());
  }

  /** A declaration with its status and notes, in force or just planned. */
  public List<String> notes(Declaration declaration) {
    return shard.inMemory(() -> compiler.inForce(shard.state(), declaration).notes());
  }

  /** False if a declaration is in force here and that is not its worst state at any target. */
  public boolean mayBeIn(TargetState state, Kind kind, String id) {
    return shard.inMemory(
        () ->
            !shard.state().isInForce(kind, id)
                || kinds.of(kind).status(id).stream()
                    .map(TargetStatus::state)
                    .max(Enum::compareTo)
                    .filter(state::equals)
                    .isPresent());
  }

  /** The first ids of a kind that begin with {@code prefix}, in order. */
  public List<String> ids(Kind kind, String prefix, int limit) {
    List<String> ids = new ArrayList<>();
    if (kinds.of(kind).stored(prefix).isPresent() && has(kind, prefix)) {
      ids.add(prefix);
    }
    // What else begins with the prefix is greater, and nothing that does not is in between.
    String last = prefix;
    while (last != null && ids.size() < limit) {
      last = scan(kind, last, limit, ids::add);
    }
    return ids.stream().filter(id -> id.startsWith(prefix)).limit(limit).toList();
  }

  /** The sharing of the switch's subscribers. */
  public Sharing sharing() {
    return new ShardSharing(
        name, look -> ShardSharing.inForce(shard, look), compiler, targets.ports());
  }

  /** The sharing of the switch's subscribers as steps would leave it. */
  public Sharing sharing(SetSteps steps) {
    return new ShardSharing(name, steps::lookAt, compiler, targets.ports());
  }

  /** As {@link net.sluice.core.Controller#counters}. */
  public CompletableFuture<Optional<SubscriberCounters>> counters(String subscriberId) {
    int index = shard.inMemory(() -> shard.state().indexOf(subscriberId));
    if (index == 0) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    Map<Direction, Integer> aggregates =
        shard.inMemory(() -> AggregateMarking.numbers(shard.state().outline(index, ANY_PREFIX)));
    CompletableFuture<SubscriberCounters> counters = targets.counters().readCounters(index);
    return read(aggregates.isEmpty()
            ? counters
            : counters.thenCombine(
                targets.counters().readAggregates(aggregates), SubscriberCounters::with))
        .thenApply(Optional::of);
  }

  /** The counters of all subscribers. */
  public CountedSwitch counted() {
    return new ShardCounters(name, shard, targets.counters(), topology);
  }

  /** The managed queues with their counters, read from the switch; fails if it cannot be. */
  public CompletableFuture<List<QueueStatus>> queues() {
    List<ManagedQueue> managed =
        shard.inMemory(() -> compiler.managedQueues(shard.state()).toList());
    if (managed.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    return read(targets.counters().readQueues(managed.stream().map(ManagedQueue::queue).toList()))
        .thenApply(
            counters ->
                IntStream.range(0, managed.size())
                    .mapToObj(
                        i -> new QueueStatus(Optional.empty(), managed.get(i), counters.get(i)))
                    .toList());
  }

  /** The packets that the switch has dropped, read from it; fails if it cannot be. */
  public CompletableFuture<List<DropStatus>> drops() {
    return read(targets.counters().readDrops());
  }

  /** The ends of wires with what is no subscriber's there, read from it; fails if it cannot be. */
  public CompletableFuture<List<WireStatus>> wires() {
    CompletableFuture<List<WireStatus>> all = CompletableFuture.completedFuture(List.of());
    for (Wire.End end : compiler.wireEnds()) {
      all =
          all.thenCombine(
              targets.counters().readCounters(end.nobody()),
              (ends, counters) -> {
                List<WireStatus> more = new ArrayList<>(ends);
                more.add(
                    new WireStatus(
                        Optional.empty(),
                        end.port(),
                        end.partner(),
                        end.direction(),
                        counters.of(end.direction())));
                return more;
              });
    }
    return read(all);
  }

  /**
   * The next hops that are given by their IP addresses, with what was dropped for want of them;
   * that is left out if the switch cannot be read.
   */
  public CompletableFuture<List<NextHopStatus>> nextHops() {
    List<NextHopStatus> all = neighbours.map(Neighbours::all).orElse(List.of());
    if (all.isEmpty()) {
      return CompletableFuture.completedFuture(all);
    }
    return read(targets.counters().readNextHopDrops(all.stream().map(NextHopStatus::port).toList()))
        .exceptionally(failure -> Map.of())
        .thenApply(
            dropped ->
                all.stream()
                    .map(
                        hop -> {
                          Count count = dropped.get(hop.port());
                          return count == null
                              ? hop
                              : hop.withDropped(count.packets(), count.bytes());
                        })
                    .toList());
  }

  /** The traffic of addresses that no subscriber has, by port; fails if it cannot be told. */
  public CompletableFuture<List<UnknownStatus>> unknown() {
    return unknown.last();
  }

  private static <T> CompletableFuture<T> read(CompletableFuture<T> counters) {
    return counters
        .orTimeout(COUNTER_DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionallyCompose(
            failure -> {
              Throwable cause =
                  failure instanceof CompletionException ? failure.getCause() : failure;
              return CompletableFuture.failedFuture(
                  new ControllerException(
                      cause instanceof TimeoutException
                          ? "the switch did not answer within "
                              + COUNTER_DEADLINE.toSeconds()
                              + " s"
                          : "the switch's counters cannot be read: " + cause.getMessage(),
                      cause));
            });
  }

  /** Counts per target and state, the switch first. */
  public List<InstallSummary.PerTarget> targets() {
    return sessions.summary();
  }

  /** Whether changes can be kept. */
  public StoreHealth storeHealth() {
    return changes.storeHealth();
  }

  /** Counts of one target, by state. */
  public InstallSummary.PerTarget target(String target) throws Refusal {
    return Sessions.summary(sessions.named(target));
  }

  /** How the switch is cabled. */
  public Topology topology() {
    return topology;
  }

  /**
   * The switch's ports, if something tells of them, how full it is, and its {@code trunks}. Does
   * not wait for the store: while that keeps others waiting, it is as full as when last asked.
   */
  public SwitchStatus status(List<Trunk> trunks) {
    lastTables =
        shard
            .inMemoryWithin(
                STATUS_PATIENCE,
                () -> shard.isReadable() ? compiler.uses(shard.state()) : List.<TableUse>of())
            .orElse(lastTables);
    return new SwitchStatus(
        name,
        sessions.all().stream().map(TargetSession::name).toList(),
        targets.ports().filter(PortMonitor::hasSource).map(PortMonitor::ports),
        lastTables,
        trunks,
        leavers(),
        conflicts.count());
  }

  /** Whether the switch or one of its FPGAs has that name. */
  public boolean hasTarget(String target) {
    return sessions.all().stream().anyMatch(session -> session.name().equals(target));
  }

  /** True if there is such a declaration and every target holds it. */
  public boolean isInstalled(Kind kind, String id) {
    return shard.inMemory(
        () -> {
          Optional<? extends Declaration> found = kinds.of(kind).find(id);
          return found.isPresent() && isInstalled(found.get(), kinds.of(kind).status(id));
        });
  }

  /** Whether targets hold a declaration, of which a limit that limits nothing needs none. */
  public static boolean isInstalled(Declaration declaration, List<TargetStatus> targets) {
    return targets.isEmpty()
        ? declaration instanceof RateLimit limit && limit.isOff()
        : targets.stream().allMatch(target -> target.state() == TargetState.INSTALLED);
  }

  /**
   * How far each target is that still holds something of a declaration that was deleted; empty if
   * none does, or it is declared again.
   */
  public List<TargetStatus> remaining(Kind kind, String id) {
    return shard.inMemory(() -> deletions.remaining(kind, id));
  }

  // ---------------------------------------------------------------- sessions

  /** Has every connected target read back and corrected. */
  public void reconcile() {
    sessions.reconcile();
  }

  /** Has one target read back and corrected. */
  public void reconcile(String target) throws Refusal {
    TargetSession<?> session = sessions.named(target);
    SessionState state = session.state();
    if (state == SessionState.CONNECTING || state == SessionState.CLOSED) {
      throw conflict(
          session,
          "a target with a session",
          "cannot be read back now: " + session.detail().orElse("it has no session"));
    }
    session.reconcile();
  }

  /** Has a target corrected whatever that deletes there. */
  public void adopt(String target) throws Refusal {
    TargetSession<?> session = sessions.named(target);
    if (session.state() != SessionState.REFUSING) {
      throw conflict(
          session,
          "a target in state " + SessionState.REFUSING,
          "is " + session.state() + ": there is nothing to adopt.");
    }
    session.adopt();
  }

  private static Refusal conflict(TargetSession<?> session, String allowed, String why) {
    String name = session.name();
    return new Refusal(
        List.of(new Problem(Problem.Code.CONFLICT, "target", name, allowed, name + " " + why)));
  }

  /** The result of the last comparison of a target. */
  public TargetDrift drift(String target) throws Refusal {
    return sessions.named(target).drift();
  }

  private void tellStatusOf(TargetSession<?> session) {
    session
        .board()
        .listener(
            new StatusBoard.Listener() {
              @Override
              public void changed(int deletion, TargetState state) {
                deletions.changed(deletion, state);
              }

              @Override
              public void news() {
                events.tell(out -> tellNews(session, out));
              }
            });
  }

  private void tellNews(TargetSession<?> session, Consumer<ControllerEvent> out) {
    int[] owners = session.board().takeNews(NEWS_AT_ONCE);
    while (owners.length > 0) {
      if (events.isListenedTo()) {
        int[] some = owners;
        shard.inMemory(() -> statusEvents(session, some)).forEach(out);
      }
      owners = session.board().takeNews(NEWS_AT_ONCE);
    }
  }

  private List<ControllerEvent> statusEvents(TargetSession<?> session, int[] owners) {
    List<ControllerEvent> made = new ArrayList<>(owners.length);
    if (!shard.isReadable()) {
      return made;
    }
    for (int owner : owners) {
      Kind kind = KindHandlers.ofOwner(owner);
      Optional<String> id = kinds.of(kind).idOf(OwnerIds.number(owner));
      Optional<TargetState> state = session.board().told(owner);
      if (id.isPresent() && state.isPresent()) {
        made.add(
            new ControllerEvent.StatusChanged(
                kind, id.get(), session.name(), state.get(), session.board().error(owner)));
      }
    }
    return made;
  }

  /** Follows the sessions. */
  private final class Follower implements SessionListener {
    @Override
    public void stateChanged(String target, SessionState state, Optional<String> detail) {
      follow(target);
      events.tellOfTarget(new ControllerEvent.SessionChanged(target, state, detail));
    }

    @Override
    public void accepted(String target) {
      follow(target);
    }

    private void follow(String target) {
      if (target.equals(targets.switchTarget().name())) {
        sessions.followSwitch();
        boolean isUp = sessions.ofSwitch().obstacle().isEmpty();
        neighbours.ifPresent(all -> all.follow(isUp));
        if (targets.packets().isPresent()) {
          unknown.follow(isUp);
        }
      }
    }

    @Override
    public void settled(String target) {
      sessions.settled(target);
      if (deletions.haveEnded()) {
        shard.inMemory(deletions::forgetEnded);
      }
      settled.run();
    }

    @Override
    public void reconciled(ReconcileReport report) {
      events.tellOfTarget(new ControllerEvent.Reconciled(report.target(), report));
    }
  }

  /** Ends the sessions; the store stays open. */
  @Override
  public void close() {
    changes.close();
    targets.ports().ifPresent(PortMonitor::close);
    neighbours.ifPresent(Neighbours::close);
    unknown.close();
    // The switch last: the sessions of FPGAs follow its own.
    sessions.ofFpgas().forEach(TargetSession::close);
    sessions.ofSwitch().close();
  }
}
