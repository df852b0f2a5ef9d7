package net.sluice.rest;

import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import javax.ws.rs.core.Application;
import net.sluice.core.Controller;
import net.sluice.rest.operation.Operations;
import net.sluice.rest.problem.Incidents;
import net.sluice.rest.problem.Mappers;

/**
 * The API as a JAX-RS 2.1 application. The host decides under which path it is reached; the paths
 * here are relative to that ({@code /sluice/v1} in the standalone controller).
 */
public final class SluiceApplication extends Application {
  /** Where hosts put the application. */
  public static final String BASE_PATH = "/sluice/v1";

  private final Set<Object> singletons = new HashSet<>();

  /**
   * The API of {@code controller}.
   *
   * @param incidents names and logs the faults of this process
   */
  public SluiceApplication(Controller controller, Incidents incidents) {
    this(controller, incidents, List::of, new FixedSwitches("those of its start"));
  }

  /** The API of {@code controller}, of which nothing is closed; the parameters are as below. */
  public SluiceApplication(
      Controller controller,
      Incidents incidents,
      Supplier<List<String>> notes,
      SwitchDeclarations switches) {
    this(
        controller,
        incidents,
        notes,
        switches,
        Set.of(),
        false,
        Set.of(),
        () -> new MetricSnapshots(),
        new Operations(incidents, Clock.systemUTC()));
  }

  /**
   * The API of {@code controller}.
   *
   * @param incidents names and logs the faults of this process
   * @param notes what the host has to say to operators beside the controller's status
   * @param switches the switches that can be declared
   * @param closed what no client may do
   * @param needsConditions whether declarations are changed only by requests with a condition
   * @param more filters and resources of the host
   * @param measured what the host measures beside the controller's status
   * @param operations the requests that go on after their answer
   */
  public SluiceApplication(
      Controller controller,
      Incidents incidents,
      Supplier<List<String>> notes,
      SwitchDeclarations switches,
      Set<Closable> closed,
      boolean needsConditions,
      Set<Object> more,
      Supplier<MetricSnapshots> measured,
      Operations operations) {
    singletons.addAll(more);
    singletons.add(new OperationResource(operations));
    singletons.add(new PolicyResource(controller, needsConditions, operations));
    singletons.add(new SubscriberResource(controller, needsConditions, operations));
    singletons.add(new RateLimitResource(controller, needsConditions, operations));
    singletons.add(new BulkResource(controller, incidents, needsConditions, operations));
    singletons.add(new ExportResource(controller));
    singletons.add(new BackupResource(controller));
    singletons.add(new StatusResource(controller, notes));
    singletons.add(new RequestForm());
    singletons.add(new AcceptedTypes());
    singletons.add(new NamedMediaType());
    singletons.add(new TargetResource(controller, closed, operations));
    singletons.add(new SwitchResource(controller, switches, closed, needsConditions));
    singletons.add(new QueueResource(controller));
    singletons.add(new ConflictResource(controller));
    singletons.add(new MetricsResource(controller, measured));
    singletons.add(new VersionResource());
    singletons.add(new ContractResource());
    singletons.add(new GoneClients());
    singletons.addAll(Mappers.all(incidents));
  }

  @Override
  public Set<Object> getSingletons() {
    return Set.copyOf(singletons);
  }

  /** Settings for hosts that run on Jersey; others ignore them. */
  @Override
  public Map<String, Object> getProperties() {
    return Map.of(
        // A bulk request's results are to leave when they are flushed, not when 8 KiB are full.
        "jersey.config.server.contentLength.buffer",
        0,
        "jersey.config.server.wadl.disableWadl",
        true);
  }
}
