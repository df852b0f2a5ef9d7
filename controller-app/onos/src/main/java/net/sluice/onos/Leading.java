package net.sluice.onos;

import net.sluice.core.Controller;
import net.sluice.northbound.Northbound;
import net.sluice.onos.cluster.Led;
import net.sluice.rest.host.Restoring;
import net.sluice.rest.host.SwitchDeclarations;
import net.sluice.rest.operation.Operations;

/**
 * The services of the instance that leads.
 *
 * @param northbound what clients have of the controller beside its declarations
 * @param operations the requests that go on after their answer
 * @param restoring how a backup is restored
 * @param switches the switches, which clients can declare
 */
public record Leading(
    Controller controller,
    Northbound northbound,
    Operations operations,
    Restoring restoring,
    SwitchDeclarations switches)
    implements Led {
  @Override
  public void close() {
    northbound.events().endAnswers();
    operations.close();
    northbound.close();
    controller.close();
  }
}
