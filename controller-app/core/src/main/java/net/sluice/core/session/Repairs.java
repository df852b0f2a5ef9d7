package net.sluice.core.session;

/** Counts what becomes of the writes of one reconciliation. Used under the session's lock. */
final class Repairs {
  private long sent;
  private long done;
  private long failed;
  private boolean accepted;

  /** The corrections may be made: from here on the target is owed them. */
  void accept() {
    accepted = true;
  }

  boolean areAccepted() {
    return accepted;
  }

  /** A correction was queued. */
  void sent() {
    sent++;
  }

  /** The target is as a correction wants it. */
  void done() {
    done++;
  }

  /** The target has refused a correction. */
  void failed() {
    failed++;
  }

  long sentSoFar() {
    return sent;
  }

  long doneSoFar() {
    return done;
  }

  long failedSoFar() {
    return failed;
  }
}
