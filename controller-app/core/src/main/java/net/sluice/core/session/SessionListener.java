package net.sluice.core.session;

import java.util.Optional;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.ReconcileReport;

/** Follows a session; called without its lock. */
public interface SessionListener {
  /** The session has another state. */
  void stateChanged(String target, SessionState state, Optional<String> detail);

  /** What the target holds was compared, and may be corrected; so may what depends on it. */
  void accepted(String target);

  /** Writes have been answered or given up. */
  void settled(String target);

  /** A reconciliation is complete and answered. */
  void reconciled(ReconcileReport report);
}
