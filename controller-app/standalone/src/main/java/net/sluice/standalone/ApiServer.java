package net.sluice.standalone;

import java.net.URI;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import net.sluice.cli.StartFailure;
import net.sluice.core.Controller;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.northbound.Northbound;
import net.sluice.northbound.answers.KeptAnswers;
import net.sluice.rest.guard.InForce;
import net.sluice.rest.host.Capability;
import net.sluice.rest.host.Capability.Absent;
import net.sluice.rest.host.Capability.Present;
import net.sluice.rest.host.HostServices;
import net.sluice.rest.host.SwitchDeclarations;
import net.sluice.rest.operation.Operations;
import net.sluice.rest.problem.Incidents;
import net.sluice.standalone.http.HttpServer;
import net.sluice.standalone.http.HttpSettings;
import net.sluice.standalone.metrics.Measurements;
import net.sluice.standalone.network.StartHost;

/** The whole API of a controller on a TCP port, with what it keeps in the controller's store. */
public final class ApiServer implements AutoCloseable {
  /** Most bytes of events that are kept. */
  private static final long EVENT_BYTES = 256 << 20;

  /** Of answers that are given again: 4 MiB each, 64 MiB of a caller, 512 MiB of all. */
  private static final KeptAnswers.Bounds ANSWERS =
      new KeptAnswers.Bounds(4 << 20, 64 << 20, 512 << 20);

  private final Northbound northbound;
  private final Operations operations;
  private final HttpServer http;
  private final Scheduler scheduler;

  private ApiServer(
      Northbound northbound, Operations operations, HttpServer http, Scheduler scheduler) {
    this.northbound = northbound;
    this.operations = operations;
    this.http = http;
    this.scheduler = scheduler;
  }

  /**
   * Starts serving.
   *
   * @param store of the controller, which records changes since before that was opened
   * @param notes for operators, beside the controller's
   * @param prefix tells this process's incidents from others' in the log
   * @throws StartFailure if it cannot listen there
   */
  public static ApiServer start(
      Controller controller,
      NetworkStore store,
      Supplier<List<String>> notes,
      Capability<SwitchDeclarations> switches,
      Measurements measurements,
      HttpSettings settings,
      String prefix)
      throws StartFailure {
    Clock clock = Clock.systemUTC();
    Deque<AutoCloseable> opened = new ArrayDeque<>();
    try {
      Northbound northbound =
          new Northbound(
              controller,
              store,
              new Northbound.Settings(
                  EVENT_BYTES,
                  // Three quarters of the connections may follow the events.
                  settings.limits().connections() / 4 * 3,
                  settings.auditBytes(),
                  ANSWERS,
                  settings.webhooks(),
                  settings.callers(),
                  settings.usage()),
              (json, asked) -> InForce.writeOf(json, asked, controller),
              clock);
      opened.push(northbound);
      Incidents incidents = new Incidents(prefix);
      Operations operations = new Operations(store.documents("operations"), incidents, clock);
      opened.push(operations);
      Scheduler scheduler = new ThreadScheduler("sluice-refusals");
      opened.push(scheduler);
      HttpServer http =
          HttpServer.start(
              new HostServices(
                  controller,
                  () -> northbound,
                  () -> operations,
                  notes,
                  settings.edge(scheduler),
                  switches,
                  new Present<>(new LogbackLevels()),
                  new Present<>(measurements::snapshots),
                  new Absent<>("sluice restore makes its store while it does not run"),
                  new Present<>(true),
                  new Absent<>(StartHost.NO_DEVICES),
                  new Present<>(true),
                  new Present<>(true),
                  incidents),
              settings);
      return new ApiServer(northbound, operations, http, scheduler);
    } catch (StartFailure | RuntimeException e) {
      opened.forEach(each -> StandaloneController.closeAfter(e, each));
      throw e;
    }
  }

  /** Where the API is, without a slash at the end. */
  public URI base() {
    return http.base();
  }

  /** Answers what is under way, takes no more, and keeps what has happened. */
  @Override
  public void close() {
    northbound.events().endAnswers();
    http.close();
    scheduler.close();
    operations.close();
    northbound.close();
  }
}
