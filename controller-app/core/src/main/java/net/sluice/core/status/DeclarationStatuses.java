package net.sluice.core.status;

import java.time.Instant;
import java.util.Optional;
import net.sluice.core.BrokenBatch;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.session.StatusBoard;
import net.sluice.core.session.TargetSession;
import net.sluice.core.state.ShardState;

/** DeclarationStatuses at targets. */
final class DeclarationStatuses {
  private DeclarationStatuses() {}

  /** How far a target has got with an owner; the memory is held. */
  static TargetState state(ShardState shard, TargetSession<?> session, int owner) {
    return shard.planned().since(owner).isPresent()
        ? TargetState.PENDING
        : session.board().state(owner);
  }

  /** The status of an owner at a target, and what it waits for there; the memory is held. */
  static TargetStatus at(ShardState shard, TargetSession<?> session, int owner) {
    Optional<Instant> planned = shard.planned().since(owner);
    if (planned.isPresent()) {
      return new TargetStatus(
          session.name(),
          TargetState.PENDING,
          planned.get(),
          Optional.empty(),
          Optional.of("being written to the store"),
          Optional.empty(),
          Optional.empty());
    }
    return at(session, owner);
  }

  /** As above, of an owner for which nothing can be planned. */
  static TargetStatus at(TargetSession<?> session, int owner) {
    StatusBoard board = session.board();
    TargetState state;
    Instant since;
    Optional<String> error;
    Optional<BrokenBatch> brokenBatch;
    synchronized (board) {
      state = board.state(owner);
      since = board.since(owner);
      error = board.error(owner);
      brokenBatch = board.brokenBatch(owner);
    }
    if (state == TargetState.INSTALLED) {
      return new TargetStatus(
          session.name(),
          state,
          since,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          brokenBatch);
    }
    if (state == TargetState.PENDING && session.state() == SessionState.CONNECTING) {
      error = session.detail();
    }
    Optional<String> awaits = state == TargetState.PENDING ? session.awaited() : Optional.empty();
    return new TargetStatus(
        session.name(), state, since, error, awaits, session.nextAttempt(), brokenBatch);
  }

  /** Whichever is further from being installed. */
  static TargetStatus worse(TargetStatus a, TargetStatus b) {
    return b.state().compareTo(a.state()) > 0 ? b : a;
  }
}
