package net.sluice.core;

import java.util.List;
import java.util.Optional;

/**
 * How far the targets have got, over all declarations.
 *
 * @param targets one element per target, the switch first
 * @param store whether changes are kept
 * @param leaving number of subscribers that a switch serves until another one does
 */
public record InstallSummary(List<PerTarget> targets, StoreHealth store, long leaving) {
  public InstallSummary {
    targets = List.copyOf(targets);
  }

  /**
   * One target.
   *
   * @param target its name
   * @param session what its session does
   * @param sessionDetail why the session is not ready; empty if it is
   * @param installed declarations the target holds
   * @param pending declarations on their way
   * @param failed declarations the target refused
   * @param queuedWrites entity writes not yet sent
   * @param inFlightWrites entity writes sent and not yet answered
   * @param agent the agent that works beside the target, for people; empty if it has no use for one
   */
  public record PerTarget(
      String target,
      SessionState session,
      Optional<String> sessionDetail,
      long installed,
      long pending,
      long failed,
      long queuedWrites,
      long inFlightWrites,
      Optional<String> agent) {
    /** A target that has no use for an agent. */
    public PerTarget(
        String target,
        SessionState session,
        Optional<String> sessionDetail,
        long installed,
        long pending,
        long failed,
        long queuedWrites,
        long inFlightWrites) {
      this(
          target,
          session,
          sessionDetail,
          installed,
          pending,
          failed,
          queuedWrites,
          inFlightWrites,
          Optional.empty());
    }

    /** True if it is connected, refused nothing, and nothing is on its way to it. */
    boolean isAtRest() {
      return session == SessionState.READY
          && pending == 0
          && failed == 0
          && queuedWrites == 0
          && inFlightWrites == 0;
    }
  }

  /** The state of a session. */
  public enum SessionState {
    /** Connecting, or waiting to try again. */
    CONNECTING,
    /** Connected, reading back what the target holds. */
    RECONCILING,
    /** Connected; will not correct what the target holds before it is told to adopt it. */
    REFUSING,
    /** Connected; changes are written as they come. */
    READY,
    /** Closed for good. */
    CLOSED
  }

  /** The target of that name. */
  public Optional<PerTarget> target(String name) {
    return targets.stream().filter(t -> t.target().equals(name)).findFirst();
  }

  /**
   * True if the store is well, every target holds everything declared and has nothing left to write
   * or delete, and no subscriber is left to be forgotten by a switch. With a store that has failed
   * nothing is certain of the changes it failed with.
   */
  public boolean isAllInstalled() {
    return store.isWritable() && leaving == 0 && targets.stream().allMatch(PerTarget::isAtRest);
  }
}
