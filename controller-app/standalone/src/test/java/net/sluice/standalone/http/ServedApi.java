package net.sluice.standalone.http;

import java.net.URI;
import net.sluice.cli.StartFailure;
import net.sluice.core.Controller;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.northbound.Northbound;
import net.sluice.rest.host.LogLevels;
import net.sluice.rest.testing.TestServices;

/** The API of a controller over HTTP, with what is beside declarations in a store of its own. */
public final class ServedApi implements AutoCloseable {
  private final TestServices services;
  private final HttpServer http;
  private final Scheduler scheduler;

  /** Serves over a store that is empty. */
  public ServedApi(Controller controller, HttpSettings settings) throws StartFailure {
    this(controller, new InMemoryNetworkStore(), settings);
  }

  /** Serves over a store. */
  public ServedApi(Controller controller, NetworkStore store, HttpSettings settings)
      throws StartFailure {
    this(new TestServices(controller, store, northbound(settings)), settings);
  }

  /** Serves with log levels. */
  public static ServedApi with(Controller controller, LogLevels levels, HttpSettings settings)
      throws StartFailure {
    return new ServedApi(
        new TestServices(controller, new InMemoryNetworkStore(), northbound(settings)).with(levels),
        settings);
  }

  /** Serves with refusals that wait for a scheduler. */
  static ServedApi with(Controller controller, Scheduler scheduler, HttpSettings settings)
      throws StartFailure {
    return new ServedApi(
        new TestServices(controller, new InMemoryNetworkStore(), northbound(settings)),
        settings,
        scheduler);
  }

  /** Serves services as they are, but for what the settings say of clients. */
  public ServedApi(TestServices services, HttpSettings settings) throws StartFailure {
    this(services, settings, new ThreadScheduler("test-refusals"));
  }

  private ServedApi(TestServices services, HttpSettings settings, Scheduler scheduler)
      throws StartFailure {
    this.services = services;
    this.scheduler = scheduler;
    try {
      http = HttpServer.start(services.with(settings.edge(scheduler)).host(), settings);
    } catch (StartFailure | RuntimeException e) {
      services.close();
      throw e;
    }
  }

  /** What the settings say of it. */
  public static Northbound.Settings northbound(HttpSettings settings) {
    return new Northbound.Settings(
        1 << 24,
        settings.limits().connections() / 4 * 3,
        settings.auditBytes(),
        TestServices.SETTINGS.answers(),
        settings.webhooks(),
        settings.callers(),
        settings.usage());
  }

  /** What the API has beside the controller. */
  public Northbound northbound() {
    return services.northbound();
  }

  /** Where the API is, without a slash at the end. */
  public URI base() {
    return http.base();
  }

  /** TCP port it listens on. */
  public int port() {
    return http.port();
  }

  /** Takes no more requests, answers those under way, and keeps what has happened. */
  @Override
  public void close() {
    services.northbound().events().endAnswers();
    http.close();
    scheduler.close();
    services.close();
  }
}
