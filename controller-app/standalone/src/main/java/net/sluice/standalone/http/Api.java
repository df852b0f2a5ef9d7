package net.sluice.standalone.http;

import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import net.sluice.core.Controller;
import net.sluice.rest.FixedSwitches;
import net.sluice.rest.SwitchDeclarations;
import net.sluice.rest.operation.Operations;
import net.sluice.rest.problem.Incidents;
import net.sluice.standalone.metrics.Measurements;

/**
 * The API that a server serves.
 *
 * @param notes what the status tells operators
 * @param switches the switches that can be declared
 * @param incidents names and logs the faults of this process
 * @param measurements what is measured, to which requests are added
 * @param operations the requests that go on after their answer
 * @param resources filters and resources beside those of every host
 */
public record Api(
    Controller controller,
    Supplier<List<String>> notes,
    SwitchDeclarations switches,
    Incidents incidents,
    Measurements measurements,
    Operations operations,
    Set<Object> resources) {
  /** The start under which switches can be declared. */
  public static final String NETWORK = "a start with --network, whose switches can change";

  /**
   * The API of {@code controller} without anything of a host.
   *
   * @param incidentPrefix tells this process's incidents from others' in the log
   */
  public static Api of(Controller controller, String incidentPrefix) {
    Incidents incidents = new Incidents(incidentPrefix);
    return new Api(
        controller,
        List::of,
        new FixedSwitches(NETWORK),
        incidents,
        new Measurements(),
        new Operations(incidents, Clock.systemUTC()),
        Set.of());
  }

  /** The same with these switches. */
  public Api with(SwitchDeclarations declared) {
    return new Api(controller, notes, declared, incidents, measurements, operations, resources);
  }

  /** The same with these operations. */
  public Api with(Operations kept) {
    return new Api(controller, notes, switches, incidents, measurements, kept, resources);
  }

  /** The same with these filters and resources. */
  public Api with(Set<Object> more) {
    return new Api(controller, notes, switches, incidents, measurements, operations, more);
  }
}
