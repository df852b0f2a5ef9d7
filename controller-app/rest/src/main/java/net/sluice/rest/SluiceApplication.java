package net.sluice.rest;

import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import javax.ws.rs.core.Application;
import net.sluice.core.Controller;
import net.sluice.northbound.Northbound;
import net.sluice.rest.guard.GuardFilter;
import net.sluice.rest.host.HostServices;
import net.sluice.rest.idempotency.IdempotencyFilter;
import net.sluice.rest.operation.Operations;
import net.sluice.rest.problem.Mappers;

/**
 * The API as a JAX-RS 2.1 application. The host decides under which path it is reached; the paths
 * here are relative to that ({@code /sluice/v1} in the standalone controller).
 */
public final class SluiceApplication extends Application {
  /** Where hosts put the application. */
  public static final String BASE_PATH = "/sluice/v1";

  private final Set<Object> singletons = new HashSet<>();

  /** The API over what a host hands to it. */
  public SluiceApplication(HostServices host) {
    Controller controller = host.controller();
    boolean needsConditions = host.edge().needsConditions();
    Supplier<Operations> operations = host.operations();
    Supplier<Northbound> northbound = host.northbound();
    singletons.add(new OperationResource(operations));
    singletons.add(new PolicyResource(controller, needsConditions, operations));
    singletons.add(new SubscriberResource(controller, needsConditions, operations));
    singletons.add(new RateLimitResource(controller, needsConditions, operations));
    singletons.add(new BulkResource(controller, host.incidents(), needsConditions, operations));
    singletons.add(new ExportResource(controller));
    singletons.add(new BackupResource(controller));
    singletons.add(new RestoreResource(host.restore()));
    singletons.add(new StatusResource(controller, host.notes()));
    singletons.add(new TargetResource(controller, host.edge().closed(), operations));
    singletons.add(
        new SwitchResource(
            controller,
            host.switches().orElse(FixedSwitches::new),
            host.edge().closed(),
            needsConditions));
    singletons.add(new QueueResource(controller));
    singletons.add(new ConflictResource(controller));
    singletons.add(
        new MetricsResource(
            controller, host.measurements().orElse(absent -> () -> new MetricSnapshots())));
    singletons.add(new EventResource(northbound));
    singletons.add(new WebhookResource(northbound));
    singletons.add(new AuditResource(northbound));
    singletons.add(new LogLevelResource(host.logLevels()));
    singletons.add(new VersionResource(host.capabilities()));
    singletons.add(new ContractResource());
    singletons.add(new IdempotencyFilter(northbound, operations, RequestBody.MAX_BYTES));
    singletons.add(new GuardFilter(() -> northbound.get().audit(), RequestBody.MAX_BYTES));
    singletons.add(new RequestForm());
    singletons.add(new AcceptedTypes());
    singletons.add(new NamedMediaType());
    singletons.add(new GoneClients());
    singletons.addAll(Mappers.all(host.incidents()));
  }

  /**
   * The API over what a host hands to it.
   *
   * @param more filters and resources that only this host has
   */
  public SluiceApplication(HostServices host, Set<Object> more) {
    this(host);
    singletons.addAll(more);
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
