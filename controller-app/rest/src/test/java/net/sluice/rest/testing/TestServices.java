package net.sluice.rest.testing;

import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.net.InetSocketAddress;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import net.sluice.core.Controller;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.northbound.Northbound;
import net.sluice.northbound.answers.KeptAnswers;
import net.sluice.northbound.caller.CallerRoles;
import net.sluice.northbound.usage.Usage;
import net.sluice.northbound.usage.UsageSettings;
import net.sluice.northbound.webhooks.Destinations;
import net.sluice.northbound.webhooks.WebhookSettings;
import net.sluice.northbound.webhooks.WebhookTiming;
import net.sluice.rest.guard.InForce;
import net.sluice.rest.host.Capability;
import net.sluice.rest.host.Capability.Absent;
import net.sluice.rest.host.Capability.Present;
import net.sluice.rest.host.Edge;
import net.sluice.rest.host.HostServices;
import net.sluice.rest.host.LogLevels;
import net.sluice.rest.host.SwitchDeclarations;
import net.sluice.rest.operation.Operations;
import net.sluice.rest.problem.Incidents;
import net.sluice.rest.switches.FixedSwitches;

/**
 * What a test hands to the API of a controller: everything, in memory, unless it says otherwise.
 */
public final class TestServices implements AutoCloseable {
  /** As a host without a say in it has them. */
  public static final Northbound.Settings SETTINGS =
      settings(anywhere(), CallerRoles.LASTING, 1 << 20);

  private final Controller controller;
  private final Northbound northbound;
  private final Operations operations;
  private final Incidents incidents = new Incidents("test");
  private final Scheduler scheduler = new ThreadScheduler("test-edge");
  private TestEdge requests = TestEdge.OPEN;
  private Optional<Edge> edge = Optional.empty();
  private Capability<SwitchDeclarations> switches = new Absent<>("those of its start");
  private Capability<LogLevels> logLevels = new Absent<>("this is a test");
  private Capability<Supplier<MetricSnapshots>> measurements = new Absent<>("this is a test");

  /** Over a store that is empty. */
  public TestServices(Controller controller) {
    this(controller, new InMemoryNetworkStore());
  }

  /** Over a store with what was kept beside declarations. */
  public TestServices(Controller controller, NetworkStore store) {
    this(controller, store, SETTINGS);
  }

  /** With settings of its own. */
  public TestServices(Controller controller, NetworkStore store, Northbound.Settings settings) {
    this(controller, store, settings, Clock.systemUTC());
  }

  /** At another time. */
  public TestServices(
      Controller controller, NetworkStore store, Northbound.Settings settings, Clock clock) {
    this.controller = controller;
    Northbound.record(store);
    northbound =
        new Northbound(
            controller,
            store,
            settings,
            (json, asked) -> InForce.writeOf(json, asked, controller),
            clock);
    operations = new Operations(store.documents("operations"), incidents, clock);
  }

  /** Settings with a say about webhooks and the audit log. */
  public static Northbound.Settings settings(
      WebhookSettings webhooks, CallerRoles callers, long auditBytes) {
    return settings(webhooks, callers, auditBytes, UsageSettings.NONE);
  }

  private static Northbound.Settings settings(
      WebhookSettings webhooks, CallerRoles callers, long auditBytes, Usage.Opener usage) {
    return new Northbound.Settings(
        1 << 20,
        48,
        auditBytes,
        new KeptAnswers.Bounds(4 << 20, 64 << 20, 512 << 20),
        webhooks,
        callers,
        usage);
  }

  /** Services of a controller of which usage is measured. */
  public static TestServices measuringUsage(Controller controller) {
    return new TestServices(
        controller,
        new InMemoryNetworkStore(),
        settings(anywhere(), CallerRoles.LASTING, 1 << 20, (any, clock) -> new TestUsage()));
  }

  /** Events may be sent anywhere. */
  public static WebhookSettings anywhere() {
    return new WebhookSettings(
        new Destinations() {
          @Override
          public boolean allowsDeclared(String host, int port) {
            return true;
          }

          @Override
          public boolean allows(String host, InetSocketAddress at) {
            return true;
          }

          @Override
          public String allowed() {
            return "anywhere";
          }
        },
        () -> {
          try {
            return SSLContext.getDefault();
          } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
          }
        },
        WebhookTiming.REAL);
  }

  /** Has switches that can be declared. */
  public TestServices with(SwitchDeclarations declared) {
    switches = new Present<>(declared);
    return this;
  }

  /** Has log levels. */
  public TestServices with(LogLevels levels) {
    logLevels = new Present<>(levels);
    return this;
  }

  /** Lets clients make other requests. */
  public TestServices with(Edge other) {
    edge = Optional.of(other);
    return this;
  }

  /** Lets clients make the requests that a test wants. */
  public TestServices with(TestEdge other) {
    requests = other;
    return this;
  }

  /** The requests that clients may make, where the host says nothing else. */
  public TestEdge requests() {
    return requests;
  }

  private Edge edge() {
    return new Edge(
        requests.callers(),
        requests::allowed,
        Duration.ofSeconds(30),
        Set::of,
        requests::needsConditions,
        requests::traces,
        scheduler);
  }

  /** The controller. */
  public Controller controller() {
    return controller;
  }

  /** The switches that can be declared. */
  public SwitchDeclarations switches() {
    return switches.orElse(FixedSwitches::new);
  }

  /** Has measurements. */
  public TestServices measuring(Supplier<MetricSnapshots> measured) {
    measurements = new Present<>(measured);
    return this;
  }

  /** What the API has beside the controller. */
  public Northbound northbound() {
    return northbound;
  }

  /** The requests that go on after their answer. */
  public Operations operations() {
    return operations;
  }

  /** All of it. */
  public HostServices host() {
    return new HostServices(
        controller,
        () -> northbound,
        () -> operations,
        List::of,
        edge.orElseGet(this::edge),
        switches,
        logLevels,
        measurements,
        new Absent<>("its store is not restored"),
        new Present<>(true),
        new Absent<>("this is a test"),
        new Present<>(true),
        new Present<>(true),
        incidents);
  }

  @Override
  public void close() {
    scheduler.close();
    operations.close();
    northbound.close();
  }
}
