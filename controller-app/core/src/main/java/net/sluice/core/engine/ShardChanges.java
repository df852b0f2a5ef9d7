package net.sluice.core.engine;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerEvent;
import net.sluice.core.ControllerException;
import net.sluice.core.Outcome;
import net.sluice.core.StoreHealth;
import net.sluice.core.TargetStatus;
import net.sluice.core.UnavailableException;
import net.sluice.core.session.OwnerIds;
import net.sluice.core.store.StoreBatch;
import net.sluice.core.store.StoreException;
import net.sluice.core.time.Backoff;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Direction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.validate.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the changes of a shard in one order, in groups: the changes of a group are compiled one
 * after the other, then made durable with one commit, then handed to the sessions. The next group
 * is planned while one is made durable, on a state that holds the plans of both; if the commit
 * fails, so do both groups, and the state becomes the store's again.
 */
final class ShardChanges implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShardChanges.class);

  private final ShardState shard;
  private final Sessions sessions;
  private final DeclaredKinds kinds;
  private final Deletions deletions;
  private final Compiler compiler;
  private final PortNotes portNotes;
  private final TableUses tableUses;
  private final Events events;
  private final ControllerConfig config;
  private final GroupCommit single;
  private final StoreRecovery recovery;
  private volatile boolean closed;

  /** {@code scheduler} opens a store that failed again. */
  ShardChanges(
      ShardState shard,
      Sessions sessions,
      DeclaredKinds kinds,
      Deletions deletions,
      Compiler compiler,
      PortNotes portNotes,
      TableUses tableUses,
      Events events,
      ControllerConfig config,
      Clock clock,
      Scheduler scheduler) {
    this.shard = shard;
    this.sessions = sessions;
    this.kinds = kinds;
    this.deletions = deletions;
    this.compiler = compiler;
    this.portNotes = portNotes;
    this.tableUses = tableUses;
    this.events = events;
    this.config = config;
    single = new GroupCommit(this::makeSome);
    recovery =
        new StoreRecovery(
            scheduler,
            clock,
            new Backoff(config.firstBackoff(), config.maxBackoff()),
            this::reopenStore);
  }

  /**
   * A plan that is accepted.
   *
   * @param number the one by which the status of its declaration is kept
   * @param queueOwner whose status counts how it manages queues
   * @param fpgaOwners whose status its FPGA writes count for, in their order
   */
  private record Planned(Plan plan, int number, int queueOwner, Map<Direction, int[]> fpgaOwners) {
    Change change() {
      return plan.delta().change();
    }
  }

  /** Changes with one commit. */
  private final class Group {
    private final int generation = shard.generation();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final List<Planned> accepted = new ArrayList<>();
    private StoreBatch batch = new StoreBatch();
    private long writes;
    private Throwable failure;

    boolean isFull() {
      return outcomes.size() >= config.bulkCommitChanges() || writes >= config.commitWrites();
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

  /** Whether changes can be kept. */
  StoreHealth storeHealth() {
    return recovery.health();
  }

  /** Makes one change, perhaps in one commit with others that come at the same time. */
  Outcome apply(Change change) {
    requireWritable();
    // Bulk changes leave as much room again, so that a single one need not wait for them.
    if (!sessions.awaitSpace(2 * config.queueCapacity(), config.roomWait())) {
      throw full();
    }
    return single.apply(change);
  }

  /** Makes changes in order and passes on what became of each as soon as that is durable. */
  void applyAll(List<Change> changes, Consumer<? super Outcome> out) {
    Iterator<Change> left = changes.iterator();
    while (left.hasNext()) {
      requireWritable();
      awaitSpaceForBulk();
      makeSome(left).forEach(out);
    }
  }

  /** Before anything is locked: whoever waits for room must not keep others waiting. */
  private void awaitSpaceForBulk() {
    long answered = sessions.answered();
    while (!sessions.awaitSpace(config.queueCapacity(), config.roomWait())) {
      long now = sessions.answered();
      if (now == answered) {
        throw full();
      }
      answered = now;
    }
  }

  private UnavailableException full() {
    return new UnavailableException(
        "the queue of " + sessions.fullest() + " is full", config.roomWait());
  }

  /** Makes as many of the changes as one commit may have. */
  private List<Outcome> makeSome(Iterator<Change> changes) {
    Group group = planned(changes);
    try {
      commit(group);
    } catch (RuntimeException | Error e) {
      throw failed(group, e);
    } finally {
      shard.committing().unlock();
    }
    sessions.flush();
    if (events.isListenedTo()) {
      group.accepted.forEach(
          p -> events.tell(() -> new ControllerEvent.ChangeAccepted(p.change())));
    }
    return group.outcomes;
  }

  /** Returns with the committing held: the group before has come to be, or has failed. */
  private Group planned(Iterator<Change> changes) {
    shard.planning().lock();
    try {
      // In this order: a store that fails after the second makes the group void.
      Group group = new Group();
      requireWritable();
      while (group.failure == null && !group.isFull() && changes.hasNext()) {
        Change change = changes.next();
        group.inMemory(() -> plan(change, group));
      }
      shard.committing().lock();
      if (group.failure == null) {
        group.inMemory(() -> seal(group));
      }
      return group;
    } finally {
      shard.planning().unlock();
    }
  }

  private void plan(Change change, Group group) {
    Outcome outcome = compiled(change);
    group.outcomes.add(outcome);
    if (outcome instanceof Outcome.Accepted of) {
      Plan plan = of.plan();
      int number = shard.state().apply(plan);
      DeclaredKind kind = kinds.of(change.kind());
      Map<Direction, int[]> fpgaOwners =
          sessions.fpgaOwners(
              plan, change instanceof Change.Put ? kind.ownerOfShared(number) : OwnerIds.NONE);
      PlannedOwners owners = shard.planned();
      owners.add(kind.owner(number));
      int queueOwner =
          change instanceof Change.Put put ? kind.ownerOfQueues(put.declaration()) : OwnerIds.NONE;
      plan.switchWrites().forEach(write -> owners.add(WriteOwners.of(write.entry(), queueOwner)));
      fpgaOwners.values().forEach(each -> Arrays.stream(each).forEach(owners::add));
      group.accepted.add(new Planned(plan, number, queueOwner, fpgaOwners));
      group.writes += plan.switchWrites().size();
      for (int[] each : fpgaOwners.values()) {
        group.writes += each.length;
      }
    }
  }

  private Outcome compiled(Change change) {
    try {
      Plan plan = compiler.compile(shard.state(), change);
      List<String> notes = new ArrayList<>(plan.notes());
      if (change instanceof Change.Put put) {
        portNotes.of(put.declaration()).ifPresent(notes::add);
      }
      notes.addAll(tableUses.notes(shard.state(), plan));
      return new Outcome.Accepted(
          change, notes.size() == plan.notes().size() ? plan : plan.withNotes(notes), List.of());
    } catch (Refusal refusal) {
      return new Outcome.Refused(change, refusal.problems());
    }
  }

  private void seal(Group group) {
    group.batch = shard.state().seal();
    shard.planned().seal();
  }

  private void commit(Group group) {
    if (group.failure instanceof Error e) {
      throw e;
    } else if (group.failure instanceof RuntimeException e) {
      throw e;
    }
    if (!group.batch.isEmpty()) {
      shard.store().commit(group.batch);
      recovery.committed();
    }
    shard.inMemory(
        () -> {
          shard.state().committed();
          shard.planned().submitted();
          group.accepted.forEach(this::submit);
          group.outcomes.replaceAll(this::withStatus);
          return null;
        });
  }

  private void submit(Planned planned) {
    Change change = planned.change();
    DeclaredKind kind = kinds.of(change.kind());
    kind.follow(planned.plan.delta(), planned.number);
    boolean freesIndex =
        planned.plan.delta().left() != 0 || (!(change instanceof Change.Put) && kind.freesIndex());
    int deletion = deletions.changed(change, planned.plan);
    sessions.submit(planned.plan, planned.queueOwner, planned.fpgaOwners, freesIndex, deletion);
  }

  // ---------------------------------------------------------------- failures

  /** With the committing held: nothing of the group, nor of one planned on it, comes to be. */
  private ControllerException failed(Group group, Throwable cause) {
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
    try {
      takeStored();
    } catch (RuntimeException | Error e) {
      cause.addSuppressed(e);
      recovery.failed(words(e));
    }
    sessions.reconcile();
  }

  private void takeStored() {
    shard.inMemory(
        () -> {
          shard.reload();
          sessions.all().forEach(session -> session.board().untrackDeclared());
          kinds.trackAll();
          return null;
        });
  }

  private void reopenStore() {
    shard.planning().lock();
    shard.committing().lock();
    try {
      requireOpen();
      shard.store().reopen();
      takeStored();
    } finally {
      shard.committing().unlock();
      shard.planning().unlock();
    }
    sessions.reconcile();
  }

  private void requireWritable() {
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
        ? new Outcome.Accepted(accepted.change(), accepted.plan(), status(accepted.change()))
        : outcome;
  }

  private List<TargetStatus> status(Change change) {
    return kinds.of(change.kind()).status(change.id());
  }

  /** What {@link #apply} would answer now. */
  Outcome dryRun(Change change) {
    return shard.inMemory(() -> compiled(change));
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
    }
  }
}
