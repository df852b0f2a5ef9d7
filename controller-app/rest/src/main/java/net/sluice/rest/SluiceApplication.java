package net.sluice.rest;

import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.ws.rs.Path;
import net.sluice.core.Controller;
import net.sluice.northbound.Northbound;
import net.sluice.rest.declaration.BulkResource;
import net.sluice.rest.declaration.ConflictResource;
import net.sluice.rest.declaration.ExportResource;
import net.sluice.rest.declaration.PolicyResource;
import net.sluice.rest.declaration.RateLimitResource;
import net.sluice.rest.declaration.SimulateResource;
import net.sluice.rest.declaration.SubscriberResource;
import net.sluice.rest.declaration.TariffResource;
import net.sluice.rest.guard.GuardFilter;
import net.sluice.rest.host.HostServices;
import net.sluice.rest.idempotency.IdempotencyFilter;
import net.sluice.rest.operation.Operations;
import net.sluice.rest.problem.Mappers;
import net.sluice.rest.request.AcceptedTypes;
import net.sluice.rest.request.NamedMediaType;
import net.sluice.rest.request.RequestBody;
import net.sluice.rest.request.RequestForm;
import net.sluice.rest.switches.DropResource;
import net.sluice.rest.switches.FixedSwitches;
import net.sluice.rest.switches.NextHopResource;
import net.sluice.rest.switches.QueueResource;
import net.sluice.rest.switches.SwitchResource;
import net.sluice.rest.switches.TargetResource;
import net.sluice.rest.switches.UnknownResource;
import net.sluice.rest.switches.WireResource;
import net.sluice.rest.usage.CounterResource;
import net.sluice.rest.usage.PortSharesResource;
import net.sluice.rest.usage.ReportResource;
import net.sluice.rest.usage.TopResource;
import net.sluice.rest.usage.UsageHealth;
import net.sluice.rest.usage.UsageResource;
import org.glassfish.jersey.internal.inject.AbstractBinder;
import org.glassfish.jersey.server.ResourceConfig;

/**
 * The API as a JAX-RS 2.1 application on Jersey. The host decides under which path it is reached;
 * the paths here are relative to that ({@code /sluice/v1} in the standalone controller).
 */
public final class SluiceApplication extends ResourceConfig {
  /** Where hosts put the application. */
  public static final String BASE_PATH = "/sluice/v1";

  private final Set<Object> resources = new HashSet<>();

  /**
   * The API over the services of a host.
   *
   * @param requests the metrics of requests
   * @param more filters and resources that only this host has
   */
  public SluiceApplication(
      HostServices host, Supplier<MetricSnapshots> requests, Set<Object> more) {
    // A bulk request's results are to leave when they are flushed, not when 8 KiB are full.
    property("jersey.config.server.contentLength.buffer", 0);
    property("jersey.config.server.wadl.disableWadl", true);
    Controller controller = host.controller();
    BooleanSupplier needsConditions = host.edge().needsConditions();
    Supplier<Operations> operations = host.operations();
    Supplier<Northbound> northbound = host.northbound();
    add(new OperationResource(operations));
    add(new PolicyResource(controller, needsConditions, operations));
    add(new SubscriberResource(controller, needsConditions, operations, northbound));
    add(new RateLimitResource(controller, needsConditions, operations));
    add(new TariffResource(controller, needsConditions, operations));
    add(new BulkResource(controller, host.incidents(), needsConditions, operations));
    add(new ExportResource(controller));
    add(new SimulateResource(controller, northbound));
    add(new BackupResource(controller));
    add(new RestoreResource(host.restore()));
    add(new StatusResource(controller, () -> notes(host)));
    add(new TargetResource(controller, host.edge().closed(), operations));
    add(
        new SwitchResource(
            controller,
            host.switches().orElse(FixedSwitches::new),
            host.edge().closed(),
            needsConditions));
    add(new QueueResource(controller));
    add(new DropResource(controller));
    add(new WireResource(controller));
    add(new NextHopResource(controller));
    add(new UnknownResource(controller));
    add(new ConflictResource(controller));
    UsageResource.all(controller, northbound).forEach(this::add);
    add(new PortSharesResource(controller, northbound));
    ReportResource.all(controller, northbound).forEach(this::add);
    add(new TopResource(northbound));
    add(new CounterResource(controller));
    add(
        new MetricsResource(
            controller,
            requests,
            () -> UsageHealth.metrics(northbound.get().usage()),
            host.measurements().orElse(absent -> () -> new MetricSnapshots())));
    add(new EventResource(northbound));
    add(new WebhookResource(northbound));
    add(new AuditResource(northbound));
    add(new LogLevelResource(host.logLevels()));
    add(new VersionResource(host.capabilities()));
    add(new ContractResource());
    add(new IdempotencyFilter(northbound, operations, RequestBody.MAX_BYTES));
    add(new GuardFilter(() -> northbound.get().audit(), RequestBody.MAX_BYTES));
    add(new RequestForm());
    add(new AcceptedTypes());
    add(new NamedMediaType());
    add(new GoneClients());
    Mappers.all(host.incidents()).forEach(this::add);
    more.forEach(this::add);
    register(new Resources());
  }

  private static List<String> notes(HostServices host) {
    List<String> notes = new ArrayList<>(host.notes().get());
    notes.addAll(UsageHealth.notes(host.northbound().get().usage()));
    return notes;
  }

  /**
   * Adds a filter or a resource. Older versions of Jersey warn of each resource that is given as an
   * object, as if it were a provider. So they are given its class, and a binding from that to it.
   */
  private void add(Object each) {
    if (each.getClass().isAnnotationPresent(Path.class)) {
      resources.add(each);
      register(each.getClass());
    } else {
      register(each);
    }
  }

  /** The objects of the resources' classes. */
  private final class Resources extends AbstractBinder {
    @Override
    protected void configure() {
      // Before the binding that Jersey makes of the class itself.
      resources.forEach(each -> bind(each).to((Type) each.getClass()).ranked(1));
    }
  }

  /** The resources. */
  public Set<Object> resources() {
    return Set.copyOf(resources);
  }
}
