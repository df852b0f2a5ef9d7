package net.sluice.core.engine;

import java.time.Instant;
import java.util.Optional;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.session.StatusBoard;
import net.sluice.core.session.TargetSession;

/** Statuses at targets. */
final class Statuses {
  private Statuses() {}

  /** The status of an owner at a target, and what it waits for there. */
  static TargetStatus at(TargetSession<?> session, int owner) {
    StatusBoard board = session.board();
    TargetState state;
    Instant since;
    Optional<String> error;
    synchronized (board) {
      state = board.state(owner);
      since = board.since(owner);
      error = board.error(owner);
    }
    if (state == TargetState.INSTALLED) {
      return new TargetStatus(
          session.name(), state, since, Optional.empty(), Optional.empty(), Optional.empty());
    }
    if (state == TargetState.PENDING && session.state() == SessionState.CONNECTING) {
      error = session.detail();
    }
    Optional<String> awaits = state == TargetState.PENDING ? session.awaited() : Optional.empty();
    return new TargetStatus(session.name(), state, since, error, awaits, session.nextAttempt());
  }

  /** Whichever is further from being installed. */
  static TargetStatus worse(TargetStatus a, TargetStatus b) {
    return b.state().compareTo(a.state()) > 0 ? b : a;
  }
}
