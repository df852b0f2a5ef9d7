package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.List;
import net.sluice.core.ControllerEvent;
import net.sluice.core.ControllerException;
import net.sluice.core.Outcome;
import net.sluice.core.TargetStatus;
import net.sluice.core.session.OwnerIds;
import net.sluice.core.state.CompactSlaState;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.validate.Refusal;

/**
 * Makes the changes of a shard in one order: each is compiled, then made durable, then handed to
 * the sessions.
 */
final class ShardChanges implements AutoCloseable {
  private final ShardState shard;
  private final Sessions sessions;
  private final DeclaredKinds kinds;
  private final Deletions deletions;
  private final Compiler compiler;
  private final PortNotes portNotes;
  private final TableUses tableUses;
  private final Events events;
  private final int commitChanges;
  private final GroupCommit single;
  private volatile boolean closed;

  /** {@code commitChanges}: most changes of one commit. */
  ShardChanges(
      ShardState shard,
      Sessions sessions,
      DeclaredKinds kinds,
      Deletions deletions,
      Compiler compiler,
      PortNotes portNotes,
      TableUses tableUses,
      Events events,
      int commitChanges) {
    this.shard = shard;
    this.sessions = sessions;
    this.kinds = kinds;
    this.deletions = deletions;
    this.compiler = compiler;
    this.portNotes = portNotes;
    this.tableUses = tableUses;
    this.events = events;
    this.commitChanges = commitChanges;
    single = new GroupCommit(this::inOrder, commitChanges);
  }

  /** A plan that is accepted, and the number by which the status of its declaration is kept. */
  private record Planned(Plan plan, int number) {
    Change change() {
      return plan.delta().change();
    }
  }

  /** Makes one change, perhaps in one commit with others that come at the same time. */
  Outcome apply(Change change) {
    return single.apply(change);
  }

  /** Makes changes in order; waits for room at the targets. */
  List<Outcome> applyAll(List<Change> changes) {
    List<Outcome> outcomes = new ArrayList<>(changes.size());
    for (int from = 0; from < changes.size(); from += commitChanges) {
      int to = Math.min(changes.size(), from + commitChanges);
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
    shard.order().lock();
    try {
      requireOpen();
      for (Change change : changes) {
        outcomes.add(plan(change, accepted));
      }
      commit();
      shard.inMemory(
          () -> {
            accepted.forEach(this::submit);
            outcomes.replaceAll(this::withStatus);
            return null;
          });
    } catch (RuntimeException e) {
      if (closed) {
        throw e;
      }
      recover(e);
      throw new ControllerException("the change failed: " + e.getMessage(), e);
    } finally {
      shard.order().unlock();
    }
    sessions.flush();
    if (events.isListenedTo()) {
      accepted.forEach(p -> events.tell(() -> new ControllerEvent.ChangeAccepted(p.change())));
    }
    return outcomes;
  }

  private Outcome plan(Change change, List<Planned> accepted) {
    return shard.inMemory(
        () -> {
          Outcome outcome = compiled(change);
          if (outcome instanceof Outcome.Accepted of) {
            accepted.add(new Planned(of.plan(), shard.state().apply(of.plan())));
          }
          return outcome;
        });
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

  private void submit(Planned planned) {
    Change change = planned.change();
    DeclaredKind kind = kinds.of(change.kind());
    boolean put = change instanceof Change.Put;
    kind.follow(change, planned.number);
    int deletion = deletions.changed(change, planned.plan);
    sessions.submit(
        planned.plan,
        put ? kind.ownerOfShared(planned.number) : OwnerIds.NONE,
        !put && kind.freesIndex(),
        deletion);
  }

  private void commit() {
    CompactSlaState state = shard.state();
    if (!state.pending().isEmpty()) {
      shard.store().commit(state.pending());
      shard.inMemory(
          () -> {
            state.committed();
            return null;
          });
    }
  }

  /** The state in memory is ahead of the store or half changed: takes the store's. */
  private void recover(RuntimeException cause) {
    shard.inMemory(
        () -> {
          try {
            shard.reload();
            kinds.trackAll();
          } catch (RuntimeException e) {
            closed = true;
            cause.addSuppressed(e);
          }
          return null;
        });
    sessions.reconcile();
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
    shard.order().lock();
    try {
      closed = true;
    } finally {
      shard.order().unlock();
    }
  }
}
