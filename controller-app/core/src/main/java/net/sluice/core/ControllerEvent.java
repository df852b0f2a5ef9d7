package net.sluice.core;

import java.util.List;
import java.util.Optional;
import net.sluice.core.traffic.NextHopStatus;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;

/** Something that happened in the controller. */
public sealed interface ControllerEvent {
  /** A change became durable. */
  record ChangeAccepted(Change change) implements ControllerEvent {}

  /** A change was refused, for what is declared or for want of room, and nothing was done. */
  record ChangeRefused(Change change, List<Problem> problems) implements ControllerEvent {}

  /**
   * A target holds a declaration that was changed, or that it had lacked, or has refused it. Of
   * several changes of a declaration that follow each other closely the last one is told.
   *
   * @param kind what it is
   * @param id its identifier
   * @param target name of the target
   * @param state {@code INSTALLED}, or {@code FAILED} after each attempt
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

  /** The store failed, or takes changes again. */
  record StoreChanged(StoreHealth health) implements ControllerEvent {}

  /**
   * A switch was taken into the network, or put anew, or left out.
   *
   * @param name the switch's
   * @param isThere whether it is in the network now
   */
  record SwitchChanged(String name, boolean isThere) implements ControllerEvent {}

  /**
   * A next hop that is given by its IP address answers, with another MAC address than before, or
   * does not answer any more.
   *
   * @param switchName the switch that it is behind
   */
  record NextHopChanged(String switchName, NextHopStatus hop) implements ControllerEvent {}

  /** Listeners were too slow: events of declarations before this one were left out. */
  record EventsLeftOut(long count) implements ControllerEvent {}
}
