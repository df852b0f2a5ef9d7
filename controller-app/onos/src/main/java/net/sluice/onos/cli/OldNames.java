package net.sluice.onos.cli;

import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** The commands by the names that they had in ONOS's scope, before they had one of their own. */
public final class OldNames {
  private static final String SCOPE = "onos";

  private OldNames() {}

  /** {@code sluice-status}. */
  @Service
  @Command(scope = SCOPE, name = "sluice-status", description = "The same as sluice:status")
  public static final class Status extends StatusCommand {}

  /** {@code sluice-subscribers}. */
  @Service
  @Command(
      scope = SCOPE,
      name = "sluice-subscribers",
      description = "The same as sluice:subscribers")
  public static final class Subscribers extends SubscribersCommand {}

  /** {@code sluice-plan}. */
  @Service
  @Command(scope = SCOPE, name = "sluice-plan", description = "The same as sluice:plan")
  public static final class Plan extends PlanCommand {}

  /** {@code sluice-reconcile}. */
  @Service
  @Command(scope = SCOPE, name = "sluice-reconcile", description = "The same as sluice:reconcile")
  public static final class Reconcile extends ReconcileCommand {}
}
