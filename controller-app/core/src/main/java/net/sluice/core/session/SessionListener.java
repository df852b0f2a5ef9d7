package net.sluice.core.session;

import java.util.Optional;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.ReconcileReport;

/** Follows a session; called without its lock. */
public interface SessionListener {
  /** The session has another state. */
  void stateChanged(String target, SessionState state, Optional<String> detail);

  /**
   * The target's content was compared and may be corrected; so may that of targets that depend on
   * it.
   */
  void accepted(String target);

  /** Writes have been answered or given up. */
  void settled(String target);

  /** A reconciliation is complete and answered. */
  void reconciled(ReconcileReport report);
}
