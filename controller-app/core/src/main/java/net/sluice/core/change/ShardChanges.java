package net.sluice.core.change;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerEvent;
import net.sluice.core.ControllerException;
import net.sluice.core.Outcome;
import net.sluice.core.StoreHealth;
import net.sluice.core.TargetStatus;
import net.sluice.core.UnavailableException;
import net.sluice.core.declaration.TariffProgress;
import net.sluice.core.lock.LockOrder;
import net.sluice.core.state.Agenda;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.state.PlannedOwners;
import net.sluice.core.state.ShardState;
import net.sluice.core.state.SupposedNames;
import net.sluice.core.status.Arrivals;
import net.sluice.core.status.Deletions;
import net.sluice.core.status.Events;
import net.sluice.core.status.KindHandlers;
import net.sluice.core.status.PortNotes;
import net.sluice.core.status.Sessions;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreException;
import net.sluice.core.time.Scheduler;
import net.sluice.core.trace.CurrentTrace;
import net.sluice.core.trace.Trace;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.StateDelta;
import net.sluice.intents.state.Leaving;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the changes of a shard in one order, in groups: the changes of a group are compiled one
 * after the other, then made durable with one commit, then handed to the sessions. The next group
 * is planned while one is made durable, on a state that holds the plans of both; if the commit
 * fails, so do both groups, and the state becomes the store's again.
 *
 * <p>More than 500 lines, because the groups, what time brings and the way back after a failed
 * commit share one order of changes.
 */
public final class ShardChanges implements AutoCloseable {
  /** Why what is out of force may come into force. */
  public enum Freed {
    /** Others may have given up what it needs. */
    BY_OTHERS,
    /** It came as it was at another time, with others that have to come before it changes. */
    BY_TIME
  }

  private static final Logger LOG = LoggerFactory.getLogger(ShardChanges.class);

  /** Changes planned without letting others at the memory in between. */
  private static final int PLANNED_AT_ONCE = 16;

  private final ShardState shard;
  private final Sessions sessions;
  private final KindHandlers kinds;
  private final Deletions deletions;
  private final Compiler compiler;
  private final PortNotes portNotes;
  private final Events events;
  private final ControllerConfig config;
  private final GroupCommit single;
  private final StoreRecovery recovery;
  private final Consumer<Freed> freed;
  private final Clock clock;
  private volatile boolean closed;
  private volatile Optional<TariffProgress> tariffProgress = Optional.empty();

  /** Opened when changes go on; null while they do. */
  private volatile CountDownLatch resumption;

  /**
   * Changes of a shard.
   *
   * @param scheduler runs {@code reopening}
   * @param reopening opens a store that has failed again
   * @param freed called when what is out of force may come into force; must not block
   */
  public ShardChanges(
      ShardState shard,
      Sessions sessions,
      KindHandlers kinds,
      Deletions deletions,
      Compiler compiler,
      PortNotes portNotes,
      Events events,
      ControllerConfig config,
      Clock clock,
      Scheduler scheduler,
      Runnable reopening,
      Consumer<Freed> freed) {
    this.freed = freed;
    this.clock = clock;
    this.shard = shard;
    this.sessions = sessions;
    this.kinds = kinds;
    this.deletions = deletions;
    this.compiler = compiler;
    this.portNotes = portNotes;
    this.events = events;
    this.config = config;
    single = new GroupCommit(changes -> makeSome(changes, changes::trace, true));
    recovery =
        new StoreRecovery(
            scheduler,
            clock,
            config.retrying().backoff(),
            reopening,
            health -> events.tellOfTarget(new ControllerEvent.StoreChanged(health)));
  }

  /**
   * A plan that is accepted.
   *
   * @param number the one by which the status of its declaration is kept
   * @param trace the request that it is made for; null unless that is followed
   * @param cause its number among changes that are made together
   * @param told whether what was asked for, or is due, comes into force with it, and an event tells
   *     of it
   */
  private record Planned(Plan plan, int number, Trace trace, int cause, boolean told) {
    Change change() {
      return plan.delta().change();
    }

    /** Whether it is restored as it was at another time, and waits for what comes with it. */
    boolean isAsElsewhere() {
      return change() instanceof Change.Put put
          && put.elsewhere().isPresent()
          && put.declaration().outSince().isPresent();
    }
  }

  /** Changes with one commit. */
  private final class Group {
    private final int generation = shard.generation();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final List<Planned> accepted = new ArrayList<>();
    private final GroupTraces traces = new GroupTraces();
    private StoreBatch batch = new StoreBatch();
    private List<Change> announced = List.of();
    private long writes;
    private boolean told = true;

    /** Whether outcomes say how far targets have got; nobody asks that of a bulk's. */
    private boolean withStatus = true;

    /** Whether the state holds something of the group that is not in an outcome. */
    private boolean changed;

    /** The steps of changes that are planned together; null of others. */
    private OwnSteps set;

    /** The arrivals at other switches that anything of the set waits for that goes here. */
    private Optional<Arrivals> arrivals = Optional.empty();

    private Throwable failure;

    void rethrow() {
      if (failure instanceof Error e) {
        throw e;
      } else if (failure instanceof RuntimeException e) {
        throw e;
      }
    }

    boolean isFull() {
      return isFull(0, 0);
    }

    /** Whether it is, with that many changes and writes of others in its commit. */
    boolean isFull(int otherChanges, long otherWrites) {
      return outcomes.size() + otherChanges >= config.writing().bulkCommitChanges()
          || writes + otherWrites >= config.writing().commitWrites();
    }

    boolean hasChanged() {
      return changed || !accepted.isEmpty();
    }

    /** Whether something gives up what others may be out of force for. */
    boolean makesRoom() {
      return set == null
          ? accepted.stream().anyMatch(planned -> planned.plan.delta().replaces())
          : set.share().replaces();
    }

    boolean isVoid() {
      return generation != shard.generation();
    }

    /** Does a part of the planning with the memory held; what fails it fails the group. */
    void inMemory(Runnable part) {
      try {
        shard.inMemory(
            () -> {
              if (isVoid()) {
                throw new ControllerException("so did one before it, on which it was planned");
              }
              part.run();
              return null;
            });
      } catch (RuntimeException | Error e) {
        failure = e;
      }
    }
  }

  /** The steps of a group's changes that are planned together, in the state in force. */
  private final class OwnSteps extends SetSteps {
    private final Group group;

    OwnSteps(Group group) {
      super(compiler, shard.state(), portNotes);
      this.group = group;
    }

    @Override
    void applied(Plan plan, int number) {
      group.changed = true;
      own(plan, number);
    }

    @Override
    public void end() {
      super.end();
      group.writes = share().writes();
    }

    @Override
    void accepted(Plan plan, int number, int cause, boolean isTold) {
      group.accepted.add(new Planned(plan, number, CurrentTrace.get(), cause, isTold));
    }

    @Override
    public void leave(String subscriberId, Leaving leaving) {
      group.changed = true;
      super.leave(subscriberId, leaving);
    }
  }

  /**
   * Steps that suppose changes and make none: each looks at the state in force for itself, and
   * others are at it in between.
   *
   * @param network the names of all switches at which something is supposed
   * @param stillHolds called with the memory held before each look; fails if the state in force has
   *     changed meanwhile
   */
  public SetSteps supposing(SupposedNames network, Runnable stillHolds) {
    CompactSlaState state = shard.inMemory(() -> shard.state().supposing(network));
    return new SetSteps(compiler, state, portNotes) {
      @Override
      <T> T held(Use<T> use) throws Refusal {
        Refusal[] refused = {null};
        T found =
            shard.inMemory(
                () -> {
                  stillHolds.run();
                  try {
                    return use.get();
                  } catch (Refusal refusal) {
                    refused[0] = refusal;
                    return null;
                  }
                });
        if (refused[0] != null) {
          throw refused[0];
        }
        return found;
      }
    };
  }

  /** Whether changes can be kept. */
  public StoreHealth storeHealth() {
    return recovery.health();
  }

  /**
   * This shard's part of changes of several shards. Whoever begins one ends it by {@link #close};
   * what is not committed by then does not come to be.
   */
  public final class Part implements AutoCloseable {
    private final Group group;
    private boolean isPlanning = true;
    private boolean isCommitting;
    private boolean isCommitted;
    private boolean hasFailed;

    private Part(Group group) {
      this.group = group;
    }

    /** Plans a change on those before it; the outcome holds only if all is committed. */
    public Outcome plan(Change change) {
      group.inMemory(() -> ShardChanges.this.plan(change, CurrentTrace.get(), group));
      group.rethrow();
      return group.outcomes.get(group.outcomes.size() - 1);
    }

    /**
     * Plans changes in order, as many as a commit may have beside what others have in it.
     *
     * @param otherChanges number of changes that others have in the commit
     * @param otherWrites number of entity writes that those come to
     */
    public void planSome(Iterator<Change> left, int otherChanges, long otherWrites) {
      group.withStatus = false;
      planInto(group, left, CurrentTrace::get, otherChanges, otherWrites);
      group.rethrow();
    }

    /** Number of entity writes that what was planned comes to. */
    public long writes() {
      return group.writes;
    }

    /**
     * Begins changes that are planned together, each by one step or more; the memory is held.
     *
     * @param undo as of {@link #mayBeTakenBack}
     */
    public void beginSet(Deque<Runnable> undo) {
      shard.state().begin(undo, true);
      group.set = new OwnSteps(group);
      group.withStatus = false;
    }

    /** The steps of changes that are planned together. */
    public SetSteps steps() {
      return group.set;
    }

    /** Has a subscriber leave, or wait for another switch, see {@link CompactSlaState#leave}. */
    public void leave(String subscriberId, Leaving leaving) {
      group.changed = true;
      group.inMemory(() -> shard.state().leave(subscriberId, leaving));
      group.rethrow();
    }

    /**
     * Has what is planned here undone by {@link #takeBack} if it comes to that.
     *
     * @param undo gets what undoes each step, the last first; all parts share it
     */
    public void mayBeTakenBack(Deque<Runnable> undo) {
      shard.state().begin(undo, false);
    }

    /** Before the steps are undone: undoing them is not to be undone. */
    public void beginTakingBack() {
      shard.state().stopRecording();
    }

    /** The steps are undone: nothing was planned. */
    public void tookBack() {
      shard.state().end(true);
      shard.planned().clearPlanning();
      group.outcomes.clear();
      group.accepted.clear();
      group.writes = 0;
      group.changed = false;
      group.set = null;
    }

    /** Keeps the plans of this shard. */
    public void stays() {
      if (shard.isReadable()) {
        shard.state().end(false);
      }
    }

    /** Holds the memory meanwhile. */
    public <T> T inMemory(Supplier<T> action) {
      return shard.inMemory(action);
    }

    /** No event tells of what is planned here. */
    public void tellNobody() {
      group.told = false;
    }

    /** The outcome that this change would have now; plans nothing. */
    public Outcome dryRun(Change change) {
      return ShardChanges.this.dryRun(change);
    }

    /** The records to make durable; nothing can be planned after that. */
    public StoreBatch seal() {
      shard.committing().lock();
      isCommitting = true;
      group.inMemory(() -> ShardChanges.this.seal(group));
      group.rethrow();
      return group.batch;
    }

    /** Whether {@link #seal} was called. */
    public boolean isSealed() {
      return isCommitting;
    }

    /** Lets others plan on what was sealed here, which they do while it is made durable. */
    public void endPlanning() {
      isPlanning = false;
      shard.planning().unlock();
    }

    /**
     * All parts are durable.
     *
     * @param arrivals of those of several switches
     */
    public void committed(Optional<Arrivals> arrivals) {
      group.arrivals = arrivals;
      recovery.committed();
      finish(group);
      group.outcomes.replaceAll(ShardChanges::withoutWrites);
      isCommitted = true;
    }

    /** The outcomes of what was planned, with the status by now. */
    public List<Outcome> outcomes() {
      return group.outcomes;
    }

    /** Nothing of this part comes to be: what it took in the network is free again. */
    public void withdraw() {
      shard.inMemory(
          () -> {
            if (!group.isVoid() && group.hasChanged()) {
              shard.state().withdraw();
            }
            return null;
          });
    }

    /** Whether something was planned that does not come to be. */
    public boolean isToBeTakenBack() {
      return !isCommitted && !hasFailed && (group.hasChanged() || group.failure != null);
    }

    /** The commit failed: takes what the store holds. */
    public RuntimeException failed(Throwable cause) {
      hasFailed = true;
      return ShardChanges.this.failed(group, cause);
    }

    @Override
    public void close() {
      try {
        group.traces.tell(false);
        if (isToBeTakenBack()) {
          takeBack();
        }
      } finally {
        if (isCommitting) {
          shard.committing().unlock();
        }
        if (isPlanning) {
          endPlanning();
        }
      }
      if (isCommitted) {
        sessions.flush();
      }
    }

    /** Something planned was refused elsewhere: the state becomes the store's again. */
    private void takeBack() {
      if (!isCommitting) {
        // The group before this one has to be durable first.
        shard.committing().lock();
        isCommitting = true;
      }
      if (!group.isVoid()) {
        takeStored(shard::reload);
        sessions.reconcile();
      }
    }
  }

  /** Begins this shard's part of changes of several shards: no others are planned until it ends. */
  public Part begin() {
    requireWritable();
    shard.planning().lock();
    try {
      Group group = new Group();
      requireWritable();
      return new Part(group);
    } catch (RuntimeException | Error e) {
      shard.planning().unlock();
      throw e;
    }
  }

  /**
   * Waits for room at the targets; for a thread that holds no lock, since others would wait with
   * it. Changes themselves wait for no target.
   */
  public void awaitSpace() {
    awaitResumption();
    if (!sessions.awaitSpace(capacity(), config.writing().roomWait())) {
      throw full();
    }
  }

  /** Bulk changes leave as much room again, so that a single one need not wait for them. */
  private int capacity() {
    return 2 * config.writing().queueCapacity();
  }

  /** Whether {@link #awaitSpace} would not wait. */
  public boolean hasSpace() {
    return !isPaused() && sessions.awaitSpace(capacity(), Duration.ZERO);
  }

  // ---------------------------------------------------------------- pausing

  /**
   * Has changes wait as if there were no room, while what is stored of the switch is read to drive
   * it otherwise; no change is under way.
   */
  public void pause() {
    resumption = new CountDownLatch(1);
  }

  /** Changes go on. */
  public void resume() {
    CountDownLatch ended = resumption;
    resumption = null;
    if (ended != null) {
      ended.countDown();
    }
  }

  /** Whether changes wait. */
  public boolean isPaused() {
    return resumption != null;
  }

  private void awaitResumption() {
    assert LockOrder.holdsNone();
    CountDownLatch awaited = resumption;
    Duration longest = config.writing().roomWait();
    try {
      if (awaited != null && !awaited.await(longest.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new UnavailableException("a switch is read to be driven otherwise", longest);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ControllerException("interrupted while a switch was read", e);
    }
  }

  // ---------------------------------------------------------------- making changes

  /** Makes one change, perhaps in one commit with others that come at the same time. */
  public Outcome apply(Change change) {
    requireWritable();
    return single.apply(change);
  }

  /** Waits until there is room for changes of a bulk; as {@link #awaitSpace}. */
  public void awaitSpaceForBulk() {
    awaitResumption();
    long answered = sessions.answered();
    while (!sessions.awaitSpace(config.writing().queueCapacity(), config.writing().roomWait())) {
      long now = sessions.answered();
      if (now == answered) {
        throw full();
      }
      answered = now;
    }
  }

  /** Whether {@link #awaitSpaceForBulk} would not wait. */
  public boolean hasSpaceForBulk() {
    return !isPaused() && sessions.awaitSpace(config.writing().queueCapacity(), Duration.ZERO);
  }

  /** Makes changes in order and passes on what became of each as soon as that is durable. */
  public void applyAll(List<Change> changes, Consumer<? super Outcome> out) {
    Iterator<Change> left = changes.iterator();
    while (left.hasNext()) {
      applySome(left).forEach(out);
    }
  }

  /** Makes as many of a bulk as one commit may have, in order. */
  public List<Outcome> applySome(Iterator<Change> left) {
    requireWritable();
    List<Outcome> outcomes = makeSome(left, CurrentTrace::get, false);
    outcomes.replaceAll(ShardChanges::withoutWrites);
    return outcomes;
  }

  /** The outcome of a change without its writes, which are on their way. */
  private static Outcome withoutWrites(Outcome outcome) {
    return outcome instanceof Outcome.Accepted accepted
        ? new Outcome.Accepted(
            accepted.change(), accepted.plan().withoutWrites(), accepted.targets())
        : outcome;
  }

  /** Refuses changes until the store has been opened again. */
  public void storeFailed(String reason) {
    recovery.failed(reason);
  }

  /** Why nothing can be changed here while there is no room. */
  public UnavailableException full() {
    return new UnavailableException(
        "the queue of " + sessions.fullest() + " is full", config.writing().roomWait());
  }

  /**
   * Makes as many of the changes as one commit may have.
   *
   * @param traces the request of the change that was taken last; null unless it is followed
   */
  private List<Outcome> makeSome(
      Iterator<Change> changes, Supplier<Trace> traces, boolean withStatus) {
    return make(planned(group -> planInto(group, changes, traces, 0, 0)), withStatus);
  }

  /** Makes a group that was planned durable; the committing is held. */
  private List<Outcome> make(Group group, boolean withStatus) {
    group.withStatus = withStatus;
    try {
      commit(group);
    } catch (RuntimeException | Error e) {
      throw failed(group, e);
    } finally {
      shard.committing().unlock();
    }
    sessions.flush();
    return group.outcomes;
  }

  /** Before the targets are told, so that the changes come before what becomes of them. */
  private void announce(List<Change> changes) {
    if (!changes.isEmpty() && events.isListenedTo()) {
      events.tellOfChanges(
          changes.size(),
          out -> changes.forEach(each -> out.accept(new ControllerEvent.ChangeAccepted(each))));
    }
  }

  /** Returns with the committing held: the group before has come to be, or has failed. */
  private Group planned(Consumer<Group> planning) {
    shard.planning().lock();
    try {
      // In this order: a store that fails after the second makes the group void.
      Group group = new Group();
      requireWritable();
      planning.accept(group);
      shard.committing().lock();
      if (group.failure == null) {
        group.inMemory(() -> seal(group));
      }
      return group;
    } finally {
      shard.planning().unlock();
    }
  }

  /** Plans as many as the group's commit may have; the planning is held. */
  private void planInto(
      Group group,
      Iterator<Change> changes,
      Supplier<Trace> traces,
      int otherChanges,
      long otherWrites) {
    while (group.failure == null && !group.isFull(otherChanges, otherWrites) && changes.hasNext()) {
      group.inMemory(
          () -> {
            for (int i = 0;
                i < PLANNED_AT_ONCE
                    && !group.isFull(otherChanges, otherWrites)
                    && changes.hasNext();
                i++) {
              Change next = changes.next();
              plan(next, traces.get(), group);
            }
          });
    }
  }

  private void plan(Change change, Trace trace, Group group) {
    long begunNanos = trace == null ? 0 : System.nanoTime();
    if (TariffSteps.concern(shard.state(), change)) {
      TariffSteps steps = tariffSteps(each -> tariffProgress = Optional.of(each));
      try {
        group.outcomes.add(made(steps, change));
      } finally {
        tariffProgress = Optional.empty();
      }
      steps.all().forEach(step -> accepted(step.plan(), step.number(), trace, step.told(), group));
    } else {
      Outcome outcome = compiled(change);
      group.outcomes.add(outcome);
      if (outcome instanceof Outcome.Accepted of) {
        accept(of.plan(), trace, true, group);
      }
    }
    if (trace != null) {
      group.traces.compiled(trace, begunNanos);
    }
  }

  private void accept(Plan plan, Trace trace, boolean told, Group group) {
    accepted(plan, shard.state().apply(plan), trace, told, group);
  }

  private void accepted(Plan plan, int number, Trace trace, boolean told, Group group) {
    own(plan, number);
    group.accepted.add(new Planned(plan, number, trace, 0, told));
    group.writes += plan.size();
  }

  // ---------------------------------------------------------------- what time brings

  /**
   * Makes changes that are due, as many as one commit may have, in order.
   *
   * @param agenda made of the state in memory, from which it goes on
   * @return what has come into force, and what is kept out of force from now on; nothing at the end
   */
  public List<Outcome> applyDue(Agenda agenda) {
    requireWritable();
    return make(planned(group -> planDue(agenda, group)), false);
  }

  private void planDue(Agenda agenda, Group group) {
    boolean[] isLeft = {true};
    while (group.failure == null && isLeft[0] && !group.isFull()) {
      group.inMemory(
          () -> {
            for (int i = 0; i < PLANNED_AT_ONCE && isLeft[0] && !group.isFull(); i++) {
              Optional<Change.Put> next =
                  agenda.isOf(shard.state()) ? agenda.next() : Optional.empty();
              next.ifPresent(change -> planDue(change, group));
              isLeft[0] = next.isPresent();
            }
          });
    }
  }

  private void planDue(Change.Put change, Group group) {
    Compiler.Coming coming = SetSteps.coming(compiler, shard.state(), change);
    if (coming.plan().isPresent()) {
      Plan plan = coming.plan().get();
      boolean comes = coming.outOfForce().isEmpty();
      group.outcomes.add(
          comes
              ? new Outcome.Accepted(change, plan.withoutWrites(), List.of())
              : new Outcome.Refused(change, coming.outOfForce()));
      accept(plan, null, comes, group);
    }
  }

  /** Notes whose writes are planned and not at the targets' queues yet. */
  private void own(Plan plan, int number) {
    PlannedOwners owners = shard.planned();
    owners.add(kinds.of(plan.delta().change().kind()).owner(number));
    plan.writes().values().forEach(writes -> writes.forEach(write -> owners.add(write.owner())));
  }

  private TariffSteps tariffSteps(Consumer<TariffProgress> progress) {
    return new TariffSteps(compiler, shard.state(), clock.instant(), this::noted, progress);
  }

  /** How far the change of a tariff is that is planned now. */
  public Optional<TariffProgress> tariffProgress() {
    return tariffProgress;
  }

  private static Outcome made(TariffSteps steps, Change change) {
    try {
      Plan plan = steps.make(change);
      return new Outcome.Accepted(plan.delta().change(), plan, List.of());
    } catch (Refusal refusal) {
      return new Outcome.Refused(change, refusal.problems());
    }
  }

  /** The plan with what else an answer tells, before it is applied. */
  private Plan noted(Plan plan) {
    Optional<String> ofPort =
        plan.delta().change() instanceof Change.Put put
            ? portNotes.of(put.declaration())
            : Optional.empty();
    List<String> ofUses = compiler.useNotes(shard.state(), plan);
    if (ofPort.isEmpty() && ofUses.isEmpty()) {
      return plan;
    }
    List<String> notes = new ArrayList<>(plan.notes());
    ofPort.ifPresent(notes::add);
    notes.addAll(ofUses);
    return plan.withNotes(notes);
  }

  /** Refuses to change a limit by itself that a tariff makes. */
  public static void requireNotMade(Change change) throws Refusal {
    Optional<String> subscriber =
        change.kind() == Kind.RATE_LIMIT ? Tariff.subscriberOf(change.id()) : Optional.empty();
    if (subscriber.isPresent()) {
      throw new Refusal(
          List.of(
              new Problem(
                  Problem.Code.CONFLICT,
                  "rateLimit",
                  change.id(),
                  "a limit that no tariff makes",
                  String.format(
                      "Rate limit %s is for the tariff of subscriber %s to make: change the tariff,"
                          + " or the overrides of the subscriber.",
                      change.id(), subscriber.get()))));
    }
  }

  private Outcome compiled(Change change) {
    try {
      requireNotMade(change);
      Plan plan = noted(compiler.compile(shard.state(), change));
      // What comes to be: of a request something may be out of force.
      return new Outcome.Accepted(plan.delta().change(), plan, List.of());
    } catch (Refusal refusal) {
      return new Outcome.Refused(change, refusal.problems());
    }
  }

  private void seal(Group group) {
    group.batch = shard.state().seal();
    if (group.told) {
      group.announced = group.accepted.stream().filter(Planned::told).map(Planned::change).toList();
      group.batch.announce(group.announced);
    }
    shard.planned().seal();
    group.traces.sealed();
  }

  private void commit(Group group) {
    group.rethrow();
    if (!group.batch.isIdle()) {
      shard.store().commit(group.batch);
    }
    if (!group.batch.isEmpty()) {
      recovery.committed();
    }
    finish(group);
  }

  /** Finishes a durable group: a later failure does not undo its changes. */
  private void finish(Group group) {
    try {
      handOver(group);
    } catch (RuntimeException | Error e) {
      LOG.error("changes are durable and could not be followed; what is stored is read again", e);
      if (!group.isVoid()) {
        followStore(e);
      }
    }
  }

  /** Hands the group's writes to the targets. */
  private void handOver(Group group) {
    group.traces.tell(!group.batch.isEmpty());
    announce(group.announced);
    shard.inMemory(
        () -> {
          shard.state().committed();
          shard.planned().submitted();
          if (group.set == null) {
            group.accepted.forEach(this::submit);
          } else {
            submit(group.set.share(), group.accepted, group.arrivals);
          }
          if (group.withStatus) {
            group.outcomes.replaceAll(this::withStatus);
          }
          return null;
        });
    if (shard.outOfForce() == 0) {
      return;
    }
    // What is new makes no room for others.
    if (group.makesRoom()) {
      freed.accept(Freed.BY_OTHERS);
    } else if (group.accepted.stream().anyMatch(Planned::isAsElsewhere)) {
      freed.accept(Freed.BY_TIME);
    }
  }

  private void submit(Planned planned) {
    Change change = planned.change();
    kinds.of(change.kind()).follow(planned.plan.delta(), planned.number);
    int doneFor = doneFor(change, deletions.changed(change, planned.plan), planned.number);
    CurrentTrace.during(planned.trace, () -> sessions.submit(planned.plan, doneFor));
  }

  /**
   * The owner of all that is written for a change: its deletion, or a limit or policy that is put,
   * which may change entries of its subscribers.
   */
  private int doneFor(Change change, int deletion, int number) {
    return change.kind() != Kind.SUBSCRIBER && change instanceof Change.Put
        ? kinds.of(change.kind()).owner(number)
        : deletion;
  }

  /** Submits deletions first: the index or number of one may be that of a put by now. */
  private void submit(SetShare set, List<Planned> accepted, Optional<Arrivals> arrivals) {
    List<Planned> inOrder = new ArrayList<>(accepted);
    inOrder.sort(Comparator.comparingInt(ShardChanges::followed));
    for (Planned planned : inOrder) {
      Change change = planned.change();
      StateDelta delta = planned.plan.delta();
      kinds.of(change.kind()).follow(delta, planned.number);
      int deletion =
          deletions.changed(change, planned.told ? planned.plan : planned.plan.withoutWrites());
      if (planned.told) {
        set.doneFor(
            planned.cause,
            delta.left() == 0
                ? doneFor(change, deletion, planned.number)
                : OwnerIds.subscriber(delta.number()));
      }
    }
    set.submit(sessions, arrivals);
  }

  private static int followed(Planned planned) {
    if (planned.change() instanceof Change.Delete) {
      return 0;
    }
    return planned.plan.delta().left() == 0 ? 2 : 1;
  }

  // ---------------------------------------------------------------- failures

  /** With the committing held: nothing of the group, nor of one planned on it, comes to be. */
  private ControllerException failed(Group group, Throwable cause) {
    group.traces.tell(false);
    if (!group.isVoid()) {
      recover(cause);
    }
    String message = "the change failed: " + words(cause);
    return recovery.health().isWritable()
        ? new ControllerException(message, cause)
        : new UnavailableException(message, recovery.retryAfter(), cause);
  }

  private static String words(Throwable cause) {
    return cause instanceof ControllerException ? cause.getMessage() : cause.toString();
  }

  /** The state in memory is ahead of the store or half changed: takes the store's. */
  private void recover(Throwable cause) {
    if (cause instanceof StoreException) {
      recovery.failed(words(cause));
    } else {
      LOG.error("changes failed for a fault of the controller; none of them is made", cause);
    }
    followStore(cause);
  }

  /** Takes what the store holds, and has the targets compared with it. */
  private void followStore(Throwable cause) {
    try {
      takeStored(shard::reload);
    } catch (RuntimeException | Error e) {
      cause.addSuppressed(e);
      recovery.failed(words(e));
    }
    sessions.reconcile();
  }

  private void takeStored(Runnable take) {
    shard.inMemory(
        () -> {
          take.run();
          sessions.all().forEach(session -> session.board().untrackDeclared());
          kinds.trackAll();
          return null;
        });
  }

  /** Opens a store again that has failed. */
  public void reopenStore() {
    requireOpen();
    shard.store().reopen();
  }

  /** Runs {@code action} while nothing else happens to the declarations of these switches. */
  public static void exclusively(List<ShardChanges> byName, Runnable action) {
    ShardState.exclusively(byName.stream().map(each -> each.shard).toList(), action);
  }

  /** Reads what the store holds; {@link #exclusively}, as is what is returned, which takes it. */
  public Runnable readStored() {
    Runnable take = shard.read();
    return () -> takeStored(take);
  }

  /** See {@link ShardState#leaveNames}. */
  public void leaveNames() {
    shard.leaveNames();
  }

  /** The store takes changes again, and what it holds was taken. */
  public void storeIsBack() {
    recovery.isOver();
    // What waits to be sent may be out of date.
    sessions.restart("the store was opened again");
  }

  /**
   * Refuses changes that cannot be kept.
   *
   * @throws UnavailableException while the store has failed
   */
  public void requireWritable() {
    requireOpen();
    recovery.requireWritable();
  }

  private void requireOpen() {
    if (closed) {
      throw new ControllerException("the controller is closed");
    }
  }

  private Outcome withStatus(Outcome outcome) {
    return outcome instanceof Outcome.Accepted accepted && accepted.change() instanceof Change.Put
        ? accepted.withTargets(status(accepted.change()))
        : outcome;
  }

  private List<TargetStatus> status(Change change) {
    return kinds.of(change.kind()).status(change.id());
  }

  /** The answer that {@link #apply} would give now. */
  public Outcome dryRun(Change change) {
    return shard.inMemory(
        () ->
            TariffSteps.concern(shard.state(), change) ? dryRunOfSteps(change) : compiled(change));
  }

  private Outcome dryRunOfSteps(Change change) {
    CompactSlaState.Attempt attempt = shard.state().attempt();
    try {
      return made(tariffSteps(unused -> {}), change);
    } finally {
      attempt.undo();
    }
  }

  /** Refuses every further change; returns when none is under way. */
  @Override
  public void close() {
    recovery.close();
    shard.planning().lock();
    shard.committing().lock();
    try {
      closed = true;
    } finally {
      shard.committing().unlock();
      shard.planning().unlock();
      resume();
    }
  }
}
