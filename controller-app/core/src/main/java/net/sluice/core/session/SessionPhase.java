package net.sluice.core.session;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.ReconcileReport;

/**
 * The phase of a session with the data that belongs to it, and every transition from one phase to
 * another:
 *
 * <pre>
 * BackingOff --attemptDue--> Connecting --up--> Draining --drained--> Reading
 * Reading --readBack--> Removing --removed--> Rewriting --rewritten--> Ready
 * Reading --refused--> Refusing --reconcileAsked--> Draining
 * Ready --reconcileAsked--> Draining
 * every phase but BackingOff, Standby and Closed --lost--> BackingOff
 * every phase but Closed --held--> Standby --released--> Connecting
 * every phase --closed--> Closed
 * </pre>
 *
 * <p>Removing is left out if there is nothing to remove. A reconciliation asked for during another
 * one follows it: {@code again} leads from Rewriting to Draining. An event that a phase does not
 * name leaves it as it is.
 */
sealed interface SessionPhase {
  /** The last attempt failed or the session was lost; the next attempt waits. Nothing is queued. */
  record BackingOff(String reason, Instant nextAttempt) implements SessionPhase {}

  /** No attempt is to be made before another target allows it. Nothing is queued. */
  record Standby(String reason) implements SessionPhase {}

  /** An attempt is under way; {@code reason} says why there was no session before it. */
  record Connecting(String reason) implements SessionPhase {}

  /** Answers to writes in flight are waited for, in order to read. Nothing is sent. */
  record Draining(boolean again) implements SessionPhase {}

  /** The target is being read, and what comes is compared. Nothing is sent. */
  record Reading(Instant since, boolean again) implements SessionPhase {}

  /**
   * Correcting would delete more than it may: somebody has to decide. Nothing is queued or sent.
   */
  record Refusing(String reason) implements SessionPhase {}

  /** Entries that have no form in domain words are being removed; {@code unanswered} removals. */
  record Removing(Instant since, boolean again, int unanswered) implements SessionPhase {}

  /** Entries found missing or wrong are being written; {@code full}: not before others are. */
  record Rewriting(Instant since, boolean again, boolean full) implements SessionPhase {}

  /** Changes are written as they come; {@code unreported} until what was rewritten is answered. */
  record Ready(Optional<ReconcileReport> unreported) implements SessionPhase {}

  /** There will be no session any more. */
  record Closed() implements SessionPhase {}

  // ---------------------------------------------------------------- events

  /** The wait before the next attempt to connect is over. */
  default SessionPhase attemptDue() {
    return this instanceof BackingOff now ? new Connecting(now.reason) : this;
  }

  /** The target can be read and written. */
  default SessionPhase up() {
    return this instanceof Connecting ? new Draining(false) : this;
  }

  /** Every write in flight is answered; the reading begins. */
  default SessionPhase drained(Instant start) {
    return this instanceof Draining now ? new Reading(start, now.again) : this;
  }

  /** Everything the target holds was read; {@code removals} parts of it have to go. */
  default SessionPhase readBack(int removals) {
    if (this instanceof Reading now) {
      return removals == 0
          ? new Rewriting(now.since, now.again, false)
          : new Removing(now.since, now.again, removals);
    }
    return this;
  }

  /** Everything the target holds was read, and correcting it is not done unasked. */
  default SessionPhase refused(String reason) {
    return this instanceof Reading ? new Refusing(reason) : this;
  }

  /** A removal was answered. */
  default SessionPhase removed() {
    if (this instanceof Removing now) {
      return now.unanswered == 1
          ? new Rewriting(now.since, now.again, false)
          : new Removing(now.since, now.again, now.unanswered - 1);
    }
    return this;
  }

  /** There is room for the writes found necessary, or there is none. */
  default SessionPhase room(boolean enough) {
    return this instanceof Rewriting now ? new Rewriting(now.since, now.again, !enough) : this;
  }

  /** Everything found necessary is queued. */
  default SessionPhase rewritten(ReconcileReport report) {
    if (this instanceof Rewriting now) {
      return now.again ? new Draining(false) : new Ready(Optional.of(report));
    }
    return this;
  }

  /** The reconciliation was told of. */
  default SessionPhase reported() {
    return this instanceof Ready ? new Ready(Optional.empty()) : this;
  }

  /** The target is to be read back and corrected. */
  default SessionPhase reconcileAsked() {
    if (this instanceof Draining) {
      return new Draining(true);
    } else if (this instanceof Reading now) {
      return new Reading(now.since, true);
    } else if (this instanceof Removing now) {
      return new Removing(now.since, true, now.unanswered);
    } else if (this instanceof Rewriting now) {
      return new Rewriting(now.since, true, now.full);
    }
    return this instanceof Ready || this instanceof Refusing ? new Draining(false) : this;
  }

  /** The session has ended or could not be begun. */
  default SessionPhase lost(String reason, Instant nextAttempt) {
    return this instanceof BackingOff || this instanceof Standby || this instanceof Closed
        ? this
        : new BackingOff(reason, nextAttempt);
  }

  /** There must be no session for now. */
  default SessionPhase held(String reason) {
    return this instanceof Closed ? this : new Standby(reason);
  }

  /** There may be a session again. */
  default SessionPhase released() {
    return this instanceof Standby now ? new Connecting(now.reason) : this;
  }

  /** The session is ended for good. */
  default SessionPhase closed() {
    return new Closed();
  }

  // ---------------------------------------------------------------- what a phase means

  /** The phase as status shows it. */
  default SessionState state() {
    if (this instanceof Closed) {
      return SessionState.CLOSED;
    } else if (this instanceof Ready) {
      return SessionState.READY;
    } else if (this instanceof Refusing) {
      return SessionState.REFUSING;
    }
    return this instanceof BackingOff || this instanceof Standby || this instanceof Connecting
        ? SessionState.CONNECTING
        : SessionState.RECONCILING;
  }

  /** True while a session stands, so that writes are queued. */
  default boolean isUp() {
    return state() == SessionState.RECONCILING || state() == SessionState.READY;
  }

  /** True while writes may be sent. */
  default boolean maySend() {
    return this instanceof Rewriting || this instanceof Ready;
  }

  /** True while a change makes what was read of its owner out of date. */
  default boolean isReading() {
    return this instanceof Reading || this instanceof Removing;
  }

  /** Why there is no session; empty if there is one. */
  default Optional<String> detail() {
    if (this instanceof BackingOff now) {
      return Optional.of(now.reason);
    } else if (this instanceof Standby now) {
      return Optional.of(now.reason);
    } else if (this instanceof Connecting now) {
      return Optional.of(now.reason);
    } else if (this instanceof Refusing now) {
      return Optional.of(now.reason);
    }
    return this instanceof Closed ? Optional.of("closed") : Optional.empty();
  }

  /**
   * The reason why a declaration is not at the target yet; empty if it is.
   *
   * @param waiting writes not yet sent
   * @param inFlight writes sent and not yet answered
   */
  default Optional<String> awaited(int waiting, int inFlight) {
    String writes = waiting + " writes wait, " + inFlight + " are sent and unanswered";
    if (this instanceof BackingOff) {
      return Optional.of("the next attempt to reach the target; then it is read back");
    } else if (this instanceof Standby now) {
      return Optional.of("nothing is sent to it; it " + now.reason);
    } else if (this instanceof Refusing) {
      return Optional.of("somebody's decision whether the target is adopted; see its status");
    } else if (this instanceof Connecting) {
      return Optional.of("an attempt to reach the target is under way; then it is read back");
    } else if (this instanceof Draining) {
      return Optional.of(
          "answers to writes in flight, "
              + inFlight
              + " of them; then the target is read back, and what it lacks is written");
    } else if (this instanceof Reading now) {
      return Optional.of(readSince(now.since));
    } else if (this instanceof Removing now) {
      return Optional.of(readSince(now.since));
    } else if (this instanceof Rewriting) {
      return Optional.of("the target was read back; what it lacks is being written: " + writes);
    }
    return this instanceof Ready ? Optional.of("being written: " + writes) : Optional.empty();
  }

  private static String readSince(Instant since) {
    return "the target is read back since "
        + since.truncatedTo(ChronoUnit.MILLIS)
        + "; then what it lacks is written";
  }
}
