package net.sluice.core;

import java.util.Optional;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;

/** Something that happened in the controller. */
public sealed interface ControllerEvent {
  /** A change became durable. */
  record ChangeAccepted(Change change) implements ControllerEvent {}

  /**
   * The status of a declaration at a target changed.
   *
   * @param kind what it is
   * @param id its identifier
   * @param target name of the target
   * @param state the new state
   * @param error the target's words if it failed
   */
  record StatusChanged(
      Kind kind, String id, String target, TargetState state, Optional<String> error)
      implements ControllerEvent {}

  /**
   * A session with a target changed state.
   *
   * @param target name of the target
   * @param state the new state
   * @param detail why, if it was not asked for
   */
  record SessionChanged(String target, InstallSummary.SessionState state, Optional<String> detail)
      implements ControllerEvent {}

  /** A reconciliation wrote its last correction and all were answered. */
  record Reconciled(String target, ReconcileReport report) implements ControllerEvent {}

  /** Listeners were too slow: events of declarations before this one were left out. */
  record EventsLeftOut(long count) implements ControllerEvent {}
}
